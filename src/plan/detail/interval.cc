#include "plan/detail/interval.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/rational.h"
#include "base/text.h"

namespace dither::plan::detail {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t microseconds;  // 0: of no fixed length
};
constexpr std::array kUnits = {
    Unit{"microsecond", 1},
    Unit{"millisecond", 1'000},
    Unit{"second", 1'000'000},
    Unit{"sec", 1'000'000},
    Unit{"s", 1'000'000},
    Unit{"minute", 60'000'000},
    Unit{"min", 60'000'000},
    Unit{"m", 60'000'000},
    Unit{"hour", 3600'000'000},
    Unit{"h", 3600'000'000},
    Unit{"day", 86400'000'000},
    Unit{"d", 86400'000'000},
    Unit{"week", 604800'000'000},
    Unit{"w", 604800'000'000},
    Unit{"month", 0},
    Unit{"mon", 0},
    Unit{"quarter", 0},
    Unit{"year", 0},
    Unit{"y", 0},
    Unit{"decade", 0},
    Unit{"century", 0},
};

[[noreturn]] void refuse(std::string_view text) {
  throw Error{Code::not_supported, fmt::format("the interval '{}' is not understood", echo(text)),
              "write numbers with seconds, minutes, hours, days or weeks: INTERVAL '90 minutes'"};
}

const Unit& unit_named(std::string_view word, std::string_view text) {
  for (const Unit& unit : kUnits) {
    if (word == unit.name || (unit.name.size() > 1 && word == std::string(unit.name) + "s")) {
      if (unit.microseconds != 0) return unit;
      throw Error{Code::not_supported, fmt::format("the interval '{}' has no fixed length", echo(text)),
                  "write it in days, or compare EXTRACT(YEAR FROM d) and EXTRACT(MONTH FROM d)"};
    }
  }
  refuse(text);
}

std::optional<Rational> number_from(std::string_view word) {
  if (word.empty() || word.size() > 20 || word.find_first_not_of("+-.0123456789") != std::string_view::npos)
    return std::nullopt;
  try {
    return Rational::parse(word[0] == '+' ? word.substr(1) : word);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// 12:30 and 12:30:05.25, in microseconds.
std::optional<Rational> clock_from(std::string_view word) {
  const bool minus = !word.empty() && word[0] == '-';
  if (minus) word.remove_prefix(1);
  Rational total;
  std::int64_t unit = 3600'000'000;
  while (unit >= 1'000'000) {
    const std::size_t end = word.find(':');
    const auto part = number_from(word.substr(0, end));
    if (!part || *part < 0) return std::nullopt;
    total += *part * Rational(unit);
    if (end == std::string_view::npos)
      return unit == 3600'000'000 ? std::nullopt : std::optional(minus ? -total : total);
    word.remove_prefix(end + 1);
    unit /= 60;
  }
  return std::nullopt;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find_first_not_of(' '); at != std::string_view::npos;
       at = text.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace

Int128 interval_microseconds(std::string_view text) {
  const std::vector<std::string_view> words = words_of(text);
  if (words.empty() || text.size() > 200) refuse(text);
  Rational total;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (const auto clock = clock_from(words[i])) {
      total += *clock;
      continue;
    }
    const auto number = number_from(words[i]);
    if (!number || ++i == words.size()) refuse(text);
    total += *number * Rational(unit_named(words[i], text).microseconds);
  }
  if (!total.is_integer() || abs(total) > Rational(86400'000'000) * Rational(3'652'425)) refuse(text);
  return total.floor();
}

std::int64_t zone_minutes(std::string_view text) {
  if (text == "utc" || text == "z" || text == "gmt") return 0;
  std::string digits;
  const bool sign = !text.empty() && (text[0] == '+' || text[0] == '-');
  for (const char c : text.substr(sign ? 1 : 0)) {
    if (c != ':') digits += c;
  }
  const bool plain =
      !digits.empty() && digits.size() <= 4 && digits.find_first_not_of("0123456789") == std::string::npos;
  if (digits.size() < 3) digits += "00";
  const std::int64_t value = sign && plain ? std::stol(digits) : 9999;
  const std::int64_t minutes = value / 100 * 60 + value % 100;
  if (value % 100 > 59 || minutes > 14 * 60) {
    throw Error{Code::not_supported, fmt::format("the time zone '{}' is no fixed offset", echo(text)),
                "write 'UTC' or an offset such as '+02:00': tables of named zones change from engine to engine"};
  }
  return text[0] == '-' ? -minutes : minutes;
}

}  // namespace dither::plan::detail
