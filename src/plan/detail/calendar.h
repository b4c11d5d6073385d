// Days and their places in the Gregorian calendar, years 1 to 9999.
#pragma once

#include <cstdint>

#include "plan/type.h"

namespace dither::plan::detail {

struct Civil {
  std::int64_t year, month, day;
};
Civil civil_of(std::int64_t days);
// Any day of a month within the years 1 to 9999, as days since 1970-01-01; the day may lie beyond the month's end.
std::int64_t days_of(const Civil& civil);
std::int64_t days_in_month(std::int64_t year, std::int64_t month);

// 1 for Monday to 7 for Sunday.
std::int64_t weekday_of(std::int64_t days);

// ISO 8601: weeks begin on Monday, and the first has the year's first Thursday. Weeks from 1 to 53.
struct IsoWeek {
  std::int64_t year, week;
};
IsoWeek iso_week_of(std::int64_t days);

// The day that a moment lies in.
std::int64_t day_of_moment(std::int64_t microseconds);

// The first day, the first moment of the unit that holds this one.
enum class TimeUnit { year, quarter, month, week, day, hour, minute, second };
std::int64_t first_day_of(TimeUnit unit, std::int64_t days);
std::int64_t first_moment_of(TimeUnit unit, std::int64_t microseconds);

}  // namespace dither::plan::detail
