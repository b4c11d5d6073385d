#include "ledger/calendar.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using dither::testing::refusal;

constexpr Time kDay = 86400;
const Time kFirst = time_from_text("0001-01-01T00:00:00Z");
const Time kLast = time_from_text("9999-12-31T23:59:59Z");

TEST(Calendar, KnowsSomeTimes) {
  EXPECT_EQ(time_text(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(time_text(-1), "1969-12-31T23:59:59Z");
  EXPECT_EQ(time_text(951827696), "2000-02-29T12:34:56Z");
  EXPECT_EQ(time_from_text("2026-11-15T22:05:22Z"), 1794780322);
  EXPECT_EQ(time_from_text("2026-11-15"), time_from_text("2026-11-15T00:00:00Z"));
  EXPECT_EQ(kFirst, -62135596800);
  EXPECT_EQ(kLast, 253402300799);
}

TEST(Calendar, RefusesWhatNoCalendarHas) {
  for (const char* text : {"",
                           "2026",
                           "2026-11",
                           "2026-13-01",
                           "2026-00-10",
                           "2026-02-29",
                           "1900-02-29",
                           "2026-04-31",
                           "2026-11-15T22:05Z",
                           "2026-11-15T24:00:00Z",
                           "2026-11-15T23:60:00Z",
                           "2026-11-15T23:59:60Z",
                           "2026-11-15 22:05:22Z",
                           "2026-11-15T22:05:22",
                           "2026-11-15T22:05:22z",
                           "2026-11-15T22:05:22+",
                           "0000-01-01",
                           "10000-01-01",
                           "-001-01-01",
                           "2026/11/15",
                           "15-11-2026",
                           " 2026-11-15",
                           "2026-11-15 ",
                           "2026-11-1a",
                           "2026-1a-15",
                           "today",
                           "2026-11-15T-1:00:00Z",
                           "2026-11-15T22:05:2\377Z"}) {
    EXPECT_EQ(refusal([&] { time_from_text(text); }), Code::bad_number) << text;
  }
}

RC_GTEST_PROP(Calendar, TextsReadBackAndKeepTheOrder, ()) {
  const Time a = *rc::gen::inRange(kFirst, kLast + 1);
  const Time b = *rc::gen::inRange(kFirst, kLast + 1);
  RC_ASSERT(time_from_text(time_text(a)) == a);
  RC_ASSERT((time_text(a) < time_text(b)) == (a < b));
  for (const Period period : {Period::day, Period::month, Period::quarter, Period::year}) {
    if (a <= b) RC_ASSERT(period_label(period, a) <= period_label(period, b));
  }
}

// Spec: P-33
TEST(Calendar, PeriodsBeginAtMidnightUtc) {
  const Time newyear = time_from_text("2027-01-01");
  EXPECT_EQ(period_label(Period::day, newyear - 1), "2026-12-31");
  EXPECT_EQ(period_label(Period::day, newyear), "2027-01-01");
  EXPECT_EQ(period_label(Period::month, newyear - 1), "2026-12");
  EXPECT_EQ(period_label(Period::month, newyear), "2027-01");
  EXPECT_EQ(period_label(Period::quarter, newyear - 1), "2026-Q4");
  EXPECT_EQ(period_label(Period::quarter, newyear), "2027-Q1");
  EXPECT_EQ(period_label(Period::year, newyear - 1), "2026");
  EXPECT_EQ(period_label(Period::year, newyear), "2027");
  EXPECT_EQ(period_label(Period::none, newyear), "");
}

// Over four years, one of them a leap year: every day its own label, every month, quarter and year theirs.
TEST(Calendar, FourYearsHaveTheirDaysMonthsAndQuarters) {
  std::array<int, 4> changes{};
  const std::array periods = {Period::day, Period::month, Period::quarter, Period::year};
  const Time start = time_from_text("2023-12-31");
  for (Time day = start; day < start + 1461 * kDay; day += kDay) {
    for (std::size_t i = 0; i < periods.size(); ++i) {
      changes[i] += period_label(periods[i], day) != period_label(periods[i], day + kDay) ? 1 : 0;
    }
  }
  EXPECT_EQ(changes, (std::array{1461, 48, 16, 4}));
}

TEST(Calendar, PeriodsHaveNames) {
  for (const Period period : {Period::none, Period::day, Period::month, Period::quarter, Period::year}) {
    EXPECT_EQ(period_from(period_name(period)), period);
  }
  EXPECT_EQ(refusal([] { period_from("week"); }), Code::bad_argument);
  EXPECT_EQ(refusal([] { period_from(""); }), Code::bad_argument);
}

}  // namespace
}  // namespace dither::ledger
