#include "plan/type.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"

namespace dither::plan {

namespace {

constexpr std::array kTypes = {Type::boolean, Type::integer, Type::real, Type::text, Type::date, Type::timestamp};

// What other systems call them.
constexpr std::array<std::pair<std::string_view, Type>, 12> kOtherNames = {{{"bool", Type::boolean},
                                                                            {"int", Type::integer},
                                                                            {"bigint", Type::integer},
                                                                            {"smallint", Type::integer},
                                                                            {"double", Type::real},
                                                                            {"float", Type::real},
                                                                            {"number", Type::real},
                                                                            {"varchar", Type::text},
                                                                            {"char", Type::text},
                                                                            {"string", Type::text},
                                                                            {"datetime", Type::timestamp},
                                                                            {"time", Type::timestamp}}};

// The type that was probably meant.
std::string meant(std::string_view name, const std::vector<std::string>& names) {
  for (const auto& [other, type] : kOtherNames) {
    if (name == other) return std::string(type_name(type));
  }
  return nearest(name, names);
}

constexpr bool is_leap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

// Days of the years before this one, since 0001-01-01.
constexpr std::int64_t days_before(std::int64_t year) {
  const std::int64_t before = year - 1;
  return before * 365 + before / 4 - before / 100 + before / 400;
}

constexpr std::int64_t days_in(std::int64_t year, int month) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return kDays.at(static_cast<std::size_t>(month - 1)) + (month == 2 && is_leap(year) ? 1 : 0);
}

// Reads a text from its front; once something does not fit, nothing does.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool skip(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  // Exactly so many digits, from low to high.
  bool number(std::size_t digits, std::int64_t low, std::int64_t high, std::int64_t& value) {
    if (text_.size() < digits) return false;
    value = 0;
    for (const char c : text_.substr(0, digits)) {
      if (c < '0' || c > '9') return false;
      value = value * 10 + (c - '0');
    }
    text_.remove_prefix(digits);
    return value >= low && value <= high;
  }

  // One to six digits behind a point, as microseconds.
  bool fraction(std::int64_t& microseconds) {
    std::size_t digits = 0;
    while (digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9') ++digits;
    if (digits == 0 || digits > 6 || !number(digits, 0, 999'999, microseconds)) return false;
    for (; digits < 6; ++digits) microseconds *= 10;
    return true;
  }

  bool at_end() const { return text_.empty(); }

 private:
  std::string_view text_;
};

bool read_date(Reader& reader, std::int64_t& days) {
  std::int64_t year = 0, month = 0, day = 0;
  if (!reader.number(4, 1, 9999, year) || !reader.skip('-') || !reader.number(2, 1, 12, month) || !reader.skip('-') ||
      !reader.number(2, 1, 31, day) || day > days_in(year, static_cast<int>(month))) {
    return false;
  }
  days = kFirstDay + days_before(year) + day - 1;
  for (int earlier = 1; earlier < month; ++earlier) days += days_in(year, earlier);
  return true;
}

// 12:00, 12:00:00, 12:00:00.25
bool read_time(Reader& reader, std::int64_t& microseconds) {
  std::int64_t hour = 0, minute = 0, second = 0, fraction = 0;
  if (!reader.number(2, 0, 23, hour) || !reader.skip(':') || !reader.number(2, 0, 59, minute)) return false;
  if (reader.skip(':')) {
    if (!reader.number(2, 0, 59, second)) return false;
    if (reader.skip('.') && !reader.fraction(fraction)) return false;
  }
  microseconds = ((hour * 60 + minute) * 60 + second) * 1'000'000 + fraction;
  return true;
}

// The shortest digits that read back, always told apart from a whole number.
std::string real_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  std::string text = fmt::format("{}", value == 0 ? 0.0 : value);  // -0.0 is the same value as 0.0
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("''") : std::string(1, c);
  return result + "'";
}

}  // namespace

std::string_view type_name(Type type) {
  switch (type) {
    case Type::boolean:
      return "boolean";
    case Type::integer:
      return "integer";
    case Type::real:
      return "real";
    case Type::text:
      return "text";
    case Type::date:
      return "date";
    case Type::timestamp:
      return "timestamp";
  }
  std::abort();
}

Type type_from(std::string_view name) {
  std::vector<std::string> names = {"decimal"};
  for (const Type type : kTypes) {
    if (name == type_name(type)) return type;
    names.emplace_back(type_name(type));
  }
  if (name == "decimal") return Type::real;
  throw Error{Code::unknown_type, fmt::format("there is no type \"{}\"", echo(name)),
              fmt::format("did you mean {}? There are boolean, integer, real, decimal, text, date and timestamp",
                          meant(name, names))};
}

bool is_number(Type type) { return type == Type::integer || type == Type::real; }

std::string str(const Constant& constant) {
  if (std::holds_alternative<std::monostate>(constant.value)) return "NULL";
  if (const bool* truth = std::get_if<bool>(&constant.value)) return *truth ? "true" : "false";
  if (const double* real = std::get_if<double>(&constant.value)) return real_text(*real);
  if (const std::string* text = std::get_if<std::string>(&constant.value)) return quoted(*text);
  const std::int64_t whole = std::get<std::int64_t>(constant.value);
  if (constant.type == Type::date) return fmt::format("DATE '{}'", date_text(whole));
  if (constant.type == Type::timestamp) return fmt::format("TIMESTAMP '{}'", timestamp_text(whole));
  return std::to_string(whole);
}

bool date_from(std::string_view text, std::int64_t& days) {
  Reader reader(text);
  return read_date(reader, days) && reader.at_end();
}

bool timestamp_from(std::string_view text, std::int64_t& microseconds) {
  Reader reader(text);
  std::int64_t days = 0, time = 0;
  if (!read_date(reader, days)) return false;
  if (!reader.at_end()) {
    if (!reader.skip('T') && !reader.skip(' ')) return false;
    if (!read_time(reader, time)) return false;
    reader.skip('Z');
  }
  if (!reader.at_end()) return false;
  microseconds = days * kMicrosecondsPerDay + time;
  return true;
}

std::string date_text(std::int64_t days) {
  std::int64_t left = days - kFirstDay;  // since 0001-01-01
  std::int64_t year = left / 366 + 1;    // never too late, and at most 20 too early
  while (days_before(year + 1) <= left) ++year;
  left -= days_before(year);
  int month = 1;
  for (; left >= days_in(year, month); ++month) left -= days_in(year, month);
  return fmt::format("{:04}-{:02}-{:02}", year, month, left + 1);
}

std::string timestamp_text(std::int64_t microseconds) {
  const std::int64_t since = microseconds - kFirstMicrosecond;
  const std::int64_t days = since / kMicrosecondsPerDay, time = since % kMicrosecondsPerDay;
  const std::int64_t seconds = time / 1'000'000, fraction = time % 1'000'000;
  std::string text =
      fmt::format("{} {:02}:{:02}:{:02}", date_text(kFirstDay + days), seconds / 3600, seconds / 60 % 60, seconds % 60);
  if (fraction == 0) return text;
  text += fmt::format(".{:06}", fraction);
  return text.substr(0, text.find_last_not_of('0') + 1);
}

}  // namespace dither::plan
