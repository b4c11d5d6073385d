#include "plan/detail/calendar.h"

#include <gtest/gtest.h>

#include "plan/detail/interval.h"

namespace dither::plan::detail {
namespace {

// Every day there is, counted forward from 0001-01-01, a Monday.
TEST(Calendar, EveryDayOfTenThousandYears) {
  Civil expected{1, 1, 1};
  std::int64_t weekday = 1, wrong = 0, iso_year = 1, iso_week = 1;
  for (std::int64_t days = kFirstDay; days <= kLastDay; ++days) {
    const Civil found = civil_of(days);
    const IsoWeek week = iso_week_of(days);
    if (found.year != expected.year || found.month != expected.month || found.day != expected.day) ++wrong;
    if (days_of(expected) != days || weekday_of(days) != weekday) ++wrong;
    if (week.year != iso_year || week.week != iso_week) ++wrong;
    weekday = weekday % 7 + 1;
    if (++expected.day > days_in_month(expected.year, expected.month)) {
      expected.day = 1;
      if (++expected.month > 12) expected = {expected.year + 1, 1, 1};
    }
    if (weekday == 1) {  // a Monday: its week belongs to the next year if that has the Thursday
      ++iso_week;
      const bool january = expected.month == 1 && expected.day <= 4,
                 december = expected.month == 12 && expected.day >= 29;
      if (january || december) {
        iso_week = 1;
        iso_year = expected.year + (december ? 1 : 0);
      }
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(expected.year, 10000);
  EXPECT_EQ(days_of({1970, 1, 1}), 0);
}

TEST(Calendar, UnitsBeginAtOrBeforeAndAreFixedPoints) {
  for (std::int64_t days = kFirstDay; days <= kLastDay; days += 17) {
    for (const TimeUnit unit : {TimeUnit::year, TimeUnit::quarter, TimeUnit::month, TimeUnit::week, TimeUnit::day}) {
      const std::int64_t first = first_day_of(unit, days);
      ASSERT_LE(first, days);
      ASSERT_GE(first, kFirstDay);
      ASSERT_EQ(first_day_of(unit, first), first);
    }
  }
  EXPECT_EQ(first_moment_of(TimeUnit::second, -1), -1'000'000);
  EXPECT_EQ(first_moment_of(TimeUnit::hour, kFirstMicrosecond), kFirstMicrosecond);
  EXPECT_EQ(day_of_moment(-1), -1);
  EXPECT_EQ(day_of_moment(kLastMicrosecond), kLastDay);
}

TEST(Interval, AddsItsParts) {
  EXPECT_EQ(interval_microseconds("1 day 01:30"), Int128{91'800'000'000});
  EXPECT_EQ(interval_microseconds("-2 hours"), Int128{-7'200'000'000});
  EXPECT_EQ(interval_microseconds("0.5 seconds"), Int128{500'000});
  EXPECT_EQ(interval_microseconds("-00:00:01.000001"), Int128{-1'000'001});
  EXPECT_EQ(interval_microseconds("2 weeks 3 milliseconds"), Int128{1'209'600'003'000});
}

}  // namespace
}  // namespace dither::plan::detail
