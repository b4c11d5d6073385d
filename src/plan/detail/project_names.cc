#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/nearest.h"
#include "base/text.h"
#include "plan/detail/project_read.h"

namespace dither::plan::detail {

namespace {

constexpr std::size_t kLongestName = 100;

std::string without_capitals(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

const char* complaint(std::string_view name) {
  if (name.empty()) return "is empty";
  if (name.size() > kLongestName) return "is longer than 100 bytes";
  if (name.front() == ' ' || name.back() == ' ') return "begins or ends with a blank";
  if (name.find('/') != std::string_view::npos) return "has a slash";
  if (printable(name) != name) return "has characters that cannot be shown";
  return nullptr;
}

}  // namespace

void require_name(const std::string& where, std::string_view what, std::string_view name) {
  const char* wrong = complaint(name);
  if (wrong == nullptr) return;
  throw Error{Code::bad_name, fmt::format("{}: the name \"{}\" of {} {}", where, echo(name), what, wrong),
              "write a name of up to 100 bytes, without slashes, and without blanks at its ends"};
}

void require_different(const std::vector<config::Entry>& entries, std::string_view what) {
  std::map<std::string, std::string> seen;
  for (const config::Entry& entry : entries) {
    const auto [at, is_new] = seen.emplace(without_capitals(entry.key), entry.key);
    if (is_new) continue;
    throw error_at(
        entry, Code::bad_name,
        fmt::format("{} \"{}\" and \"{}\" differ in capitals alone", what, echo(at->second), echo(entry.key)),
        "SQL, databases and people take such names for the same: rename one of them");
  }
}

std::size_t one_of(const Value& value, std::string_view what, const std::vector<std::string>& words, Code code) {
  const std::string& word = value.text(fmt::format("\"{}\"", what));
  const auto at = std::find(words.begin(), words.end(), word);
  if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
  throw error_at(value, code,
                 fmt::format("\"{}\" is \"{}\", but must be one of {}", what, echo(word), fmt::join(words, ", ")),
                 fmt::format("write `{}: {}`", what, nearest(word, words)));
}

}  // namespace dither::plan::detail
