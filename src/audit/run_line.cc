#include "audit/run_line.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace dither::audit {

namespace {

using nlohmann::json;

constexpr int kDeepest = 64;

// NaN and the infinities are no JSON; most programs print them all the same.
constexpr std::array<std::string_view, 3> kNotJson = {"-Infinity", "Infinity", "NaN"};

std::optional<double> not_json(const std::string& word) {
  if (word == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (word == "Infinity") return HUGE_VAL;
  if (word == "-Infinity") return -HUGE_VAL;
  return std::nullopt;
}

// Where we are in a text of JSON: characters inside of quotes mean nothing.
class Quotes {
 public:
  // Whether this character, the next one, stands outside, and is no quote.
  bool is_outside(char c) {
    const bool escaped = std::exchange(escaped_, false);
    if (inside_ && !escaped && c == '\\') escaped_ = true;
    if (c == '"' && !escaped) {
      inside_ = !inside_;
      return false;
    }
    return !inside_;
  }

 private:
  bool inside_ = false, escaped_ = false;
};

// The one of those words that the text begins with, and how long it is there: a number too large is an infinity.
struct Found {
  std::string_view word;
  std::size_t bytes = 0;
};
Found not_json_at(const std::string& line, std::size_t at) {
  for (const std::string_view word : kNotJson) {
    if (line.compare(at, word.size(), word) == 0) return {word, word.size()};
  }
  constexpr std::string_view kOfNumbers = "+-.eE0123456789";
  const bool begins = at == 0 || kOfNumbers.find(line[at - 1]) == std::string_view::npos;
  if (!begins || kOfNumbers.find(line[at]) == std::string_view::npos) return {};
  const std::string number = line.substr(at, line.find_first_not_of(kOfNumbers, at) - at);
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (*end != '\0' || !std::isinf(value)) return {};
  return {value > 0 ? "Infinity" : "-Infinity", number.size()};
}

// The line with quotes around those words where they stand outside of quotes.
std::string as_json(const std::string& line) {
  std::string result;
  Quotes quotes;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const Found found = quotes.is_outside(line[at]) ? not_json_at(line, at) : Found{};
    if (found.bytes == 0) {
      result += line[at];
    } else {
      result += fmt::format("\"{}\"", found.word);
      at += found.bytes - 1;
    }
  }
  return result;
}

RunCell cell_of(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return value.dump(-1, ' ', false, json::error_handler_t::replace);
  const std::string word = value.get<std::string>();
  if (const auto number = not_json(word)) return *number;
  return word;
}

}  // namespace

bool is_nested_too_deep(std::string_view json) {
  Quotes quotes;
  int depth = 0;
  for (const char c : json) {
    if (!quotes.is_outside(c)) continue;
    if ((c == '[' || c == '{') && ++depth > kDeepest) return true;
    if (c == ']' || c == '}') --depth;
  }
  return false;
}

RunValue run_of_line(const std::string& line) {
  if (is_nested_too_deep(line)) return {.status = "not JSON"};
  json value = json::parse(line, nullptr, false);
  if (value.is_discarded()) value = json::parse(as_json(line), nullptr, false);  // as deep as the line
  if (value.is_discarded()) return {.status = "not JSON"};
  RunValue run;
  if (value.is_array()) {
    for (const json& part : value) run.cells.push_back(cell_of(part));
  } else {
    run.cells.push_back(cell_of(value));
  }
  return run;
}

}  // namespace dither::audit
