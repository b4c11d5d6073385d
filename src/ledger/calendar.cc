#include "ledger/calendar.h"

#include <fmt/format.h>

#include <array>
#include <chrono>

#include "base/error.h"
#include "base/text.h"

namespace dither::ledger {
namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::sys_seconds;
using std::chrono::year_month_day;

constexpr std::array<std::string_view, 5> kPeriods = {"none", "day", "month", "quarter", "year"};

year_month_day day_of(Time time) { return std::chrono::floor<days>(sys_seconds(std::chrono::seconds(time))); }

// A number of exactly so many digits, or -1.
int digits(std::string_view text, std::size_t from, std::size_t count) {
  int value = 0;
  for (std::size_t i = from; i < from + count; ++i) {
    if (i >= text.size() || text[i] < '0' || text[i] > '9') return -1;
    value = 10 * value + (text[i] - '0');
  }
  return value;
}

}  // namespace

std::string time_text(Time time) {
  const year_month_day day = day_of(time);
  const Time within = time - std::chrono::duration_cast<std::chrono::seconds>(sys_days(day).time_since_epoch()).count();
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()), within / 3600,
                     within / 60 % 60, within % 60);
}

Time time_from_text(std::string_view text) {
  const year_month_day day{std::chrono::year(digits(text, 0, 4)),
                           std::chrono::month(static_cast<unsigned>(digits(text, 5, 2))),
                           std::chrono::day(static_cast<unsigned>(digits(text, 8, 2)))};
  if (day.ok() && static_cast<int>(day.year()) > 0) {
    const Time start = std::chrono::seconds(sys_days(day).time_since_epoch()).count();
    const Time within =
        text.size() == 20 ? digits(text, 11, 2) * 3600 + digits(text, 14, 2) * 60 + digits(text, 17, 2) : 0;
    if (text.size() == 10 && time_text(start).starts_with(text)) return start;
    if (time_text(start + within) == text) return start + within;
  }
  throw Error{Code::bad_number, fmt::format("\"{}\" is not a day or a time", echo(text)),
              "write 2026-12-31, or 2026-12-31T18:00:00Z (UTC)"};
}

std::string_view period_name(Period period) { return kPeriods.at(static_cast<std::size_t>(period)); }

Period period_from(std::string_view name) {
  for (std::size_t i = 0; i < kPeriods.size(); ++i) {
    if (kPeriods[i] == name) return static_cast<Period>(i);
  }
  throw Error{Code::bad_argument, fmt::format("there is no period \"{}\"", echo(name)),
              "write day, month, quarter, year or none"};
}

std::string period_label(Period period, Time time) {
  const year_month_day day = day_of(time);
  const int year = static_cast<int>(day.year());
  const unsigned month = static_cast<unsigned>(day.month());
  switch (period) {
    case Period::none:
      return "";
    case Period::day:
      return time_text(time).substr(0, 10);
    case Period::month:
      return fmt::format("{:04}-{:02}", year, month);
    case Period::quarter:
      return fmt::format("{:04}-Q{}", year, (month + 2) / 3);
    case Period::year:
      return fmt::format("{:04}", year);
  }
  return "";
}

}  // namespace dither::ledger
