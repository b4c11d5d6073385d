#include "plan/detail/calendar.h"

#include <array>

namespace dither::plan::detail {

namespace {

constexpr std::int64_t kFour = 365 * 4 + 1, kHundred = kFour * 25 - 1, kFourHundred = kHundred * 4 + 1;

bool is_leap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

std::int64_t days_before_year(std::int64_t year) {
  const std::int64_t gone = year - 1;
  return gone * 365 + gone / 4 - gone / 100 + gone / 400;
}

constexpr std::array<std::int64_t, 12> kBefore = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};

std::int64_t days_before_month(std::int64_t year, std::int64_t month) {
  return kBefore.at(static_cast<std::size_t>(month - 1)) + (month > 2 && is_leap(year) ? 1 : 0);
}

}  // namespace

std::int64_t days_in_month(std::int64_t year, std::int64_t month) {
  return month == 12 ? 31 : days_before_month(year, month + 1) - days_before_month(year, month);
}

std::int64_t days_of(const Civil& civil) {
  return kFirstDay + days_before_year(civil.year) + days_before_month(civil.year, civil.month) + civil.day - 1;
}

// Whole spans of 400, 100, 4 years and 1 year are taken off; the last day of a leap year or century belongs to the span
// before.
Civil civil_of(std::int64_t days) {
  std::int64_t left = days - kFirstDay, year = 1;
  year += left / kFourHundred * 400;
  left %= kFourHundred;
  const std::int64_t hundreds = left / kHundred == 4 ? 3 : left / kHundred;
  left -= hundreds * kHundred;
  const std::int64_t fours = left / kFour;
  left -= fours * kFour;
  const std::int64_t ones = left / 365 == 4 ? 3 : left / 365;
  left -= ones * 365;
  year += hundreds * 100 + fours * 4 + ones;
  std::int64_t month = left / 32 + 1;  // never too late, and at most one too early
  if (month < 12 && left >= days_before_month(year, month + 1)) ++month;
  return {year, month, left - days_before_month(year, month) + 1};
}

std::int64_t weekday_of(std::int64_t days) { return (days - kFirstDay) % 7 + 1; }  // 0001-01-01 was a Monday

IsoWeek iso_week_of(std::int64_t days) {
  const std::int64_t thursday = days - weekday_of(days) + 4;
  const std::int64_t year = civil_of(thursday).year;  // the weeks of 0001-01-01 and 9999-12-31 have their Thursdays
  return {year, (thursday - days_of({year, 1, 1})) / 7 + 1};
}

std::int64_t day_of_moment(std::int64_t microseconds) {
  return (microseconds - kFirstMicrosecond) / kMicrosecondsPerDay + kFirstDay;
}

std::int64_t first_day_of(TimeUnit unit, std::int64_t days) {
  const Civil civil = civil_of(days);
  switch (unit) {
    case TimeUnit::year:
      return days_of({civil.year, 1, 1});
    case TimeUnit::quarter:
      return days_of({civil.year, (civil.month - 1) / 3 * 3 + 1, 1});
    case TimeUnit::month:
      return days_of({civil.year, civil.month, 1});
    case TimeUnit::week:
      return days - weekday_of(days) + 1;
    default:
      return days;
  }
}

std::int64_t first_moment_of(TimeUnit unit, std::int64_t microseconds) {
  const auto down = [&](std::int64_t step) { return microseconds - (microseconds - kFirstMicrosecond) % step; };
  switch (unit) {
    case TimeUnit::hour:
      return down(3'600'000'000);
    case TimeUnit::minute:
      return down(60'000'000);
    case TimeUnit::second:
      return down(1'000'000);
    default:
      return first_day_of(unit, day_of_moment(microseconds)) * kMicrosecondsPerDay;
  }
}

}  // namespace dither::plan::detail
