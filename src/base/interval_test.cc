#include "base/interval.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "base/ulps.h"
#include "testing/printers.h"
#include "testing/refusal.h"

namespace dither {
namespace {

using testing::refusal;

constexpr double kMax = std::numeric_limits<double>::max();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// A finite double: any exponent, or a small whole number so that zeros and equal ends occur.
double any_finite() {
  if (*rc::gen::inRange(0, 4) == 0) return *rc::gen::inRange(-3, 4);
  const double x = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
  return std::isfinite(x) ? x : kMax;
}

Interval any_interval() {
  const double a = any_finite();
  const double b = any_finite();
  return {std::min(a, b), std::max(a, b)};
}

// A point of the interval: an end or one in between on the ladder.
double point_of(const Interval& x) {
  const auto offset = *rc::gen::arbitrary<std::uint64_t>();
  const std::uint64_t rungs = steps_between(x.low(), x.high());
  const auto base = static_cast<std::uint64_t>(rung_of(x.low()));
  return double_at(static_cast<std::int64_t>(base + (rungs == ~0ull ? offset : offset % (rungs + 1))));
}

bool holds(const Interval& x, const Rational& value) {
  return (std::isinf(x.low()) || Rational::from_double(x.low()) <= value) &&
         (std::isinf(x.high()) || value <= Rational::from_double(x.high()));
}

using Operation = std::function<Interval(const Interval&, const Interval&)>;
using Exact = std::function<Rational(const Rational&, const Rational&)>;

// Whether the operation on intervals holds what the exact one does to points.
bool encloses(const Operation& on_intervals, const Exact& exact, bool divides) {
  const Interval a = any_interval();
  const Interval b = any_interval();
  if (divides && b.contains(0)) return true;
  const Rational value = exact(Rational::from_double(point_of(a)), Rational::from_double(point_of(b)));
  return holds(on_intervals(a, b), value);
}

// The same for all whole points of all intervals with whole ends from -2 to 2.
bool encloses_small(const Operation& on_intervals, const Exact& exact) {
  bool ok = true;
  const auto each = [](int from, int to, const auto& act) {
    for (int i = from; i <= to; ++i) act(i);
  };
  each(-2, 2, [&](int low) {
    each(low, 2, [&](int high) {
      each(-2, 2, [&](int other_low) {
        each(other_low, 2, [&](int other_high) {
          const Interval result = on_intervals(Interval(low, high), Interval(other_low, other_high));
          each(low, high, [&](int x) {
            each(other_low, other_high, [&](int y) { ok = ok && holds(result, exact(Rational(x), Rational(y))); });
          });
        });
      });
    });
  });
  return ok;
}

RC_GTEST_PROP(Interval, HoldsEverySum, ()) { RC_ASSERT(encloses(std::plus<>(), std::plus<>(), false)); }
RC_GTEST_PROP(Interval, HoldsEveryDifference, ()) { RC_ASSERT(encloses(std::minus<>(), std::minus<>(), false)); }
RC_GTEST_PROP(Interval, HoldsEveryProduct, ()) { RC_ASSERT(encloses(std::multiplies<>(), std::multiplies<>(), false)); }
RC_GTEST_PROP(Interval, HoldsEveryQuotient, ()) { RC_ASSERT(encloses(std::divides<>(), std::divides<>(), true)); }

// Twin: products of the ends alone, low with low and high with high, forget the signs.
Interval planted_product(const Interval& a, const Interval& b) {
  const double low = a.low() * b.low();
  const double high = a.high() * b.high();
  return {std::min(low, high), std::max(low, high)};
}

TEST(Interval, PlantedProductWithoutSignsIsCaught) {
  EXPECT_TRUE(encloses_small(std::multiplies<>(), std::multiplies<>()));
  EXPECT_FALSE(encloses_small(planted_product, std::multiplies<>()));
}

TEST(Interval, EndsAreTheNearestThatHold) {
  EXPECT_EQ(Interval(1) + Interval(2), Interval(3));
  EXPECT_EQ(Interval(1) / Interval(3), Interval(Rational(1, 3)));
  EXPECT_EQ(steps_between(Interval(Rational(1, 3)).low(), Interval(Rational(1, 3)).high()), 1u);
  EXPECT_EQ(Interval(-2, 3) * Interval(-5, 7), Interval(-15, 21));
  EXPECT_EQ(Interval(1, 2) / Interval(-4, -2), Interval(-1, -0.25));
  EXPECT_EQ(Interval(0.1).contains(0.1), true);
  EXPECT_EQ(Interval(1, 3).width(), 2);
}

TEST(Interval, TinyAndHugeRoundOutward) {
  EXPECT_EQ(Interval(kTiny) * Interval(kTiny), Interval(0, kTiny));
  EXPECT_EQ(Interval(kMax) + Interval(kMax), Interval(kMax, kInfinity));
  EXPECT_EQ(Interval(-kMax) - Interval(kMax), Interval(-kInfinity, -kMax));
  EXPECT_EQ(Interval(kMax) / Interval(kTiny), Interval(kMax, kInfinity));
}

TEST(Interval, InfiniteEndsNeverBecomeNan) {
  const Interval all(-kInfinity, kInfinity);
  const Interval up(1, kInfinity);
  EXPECT_EQ(all + all, all);
  EXPECT_EQ(all - all, all);
  EXPECT_EQ(all * Interval(0), Interval(0));
  EXPECT_EQ(Interval(0) * up, Interval(0));
  EXPECT_EQ(all * up, all);
  EXPECT_EQ(up / up, Interval(0, kInfinity));
  EXPECT_EQ(all / up, all);
  EXPECT_EQ(Interval(-1) / up, Interval(-1, 0));
  EXPECT_EQ(all.width(), kInfinity);
}

TEST(Interval, RefusesWhatHoldsNoNumber) {
  EXPECT_EQ(refusal([] { Interval(kNaN, 1); }), Code::bad_number);
  EXPECT_EQ(refusal([] { Interval(0, kNaN); }), Code::bad_number);
  EXPECT_EQ(refusal([] { Interval(2, 1); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { Interval{kInfinity}; }), Code::out_of_range);
  EXPECT_EQ(refusal([] { Interval{-kInfinity}; }), Code::out_of_range);
  EXPECT_EQ(refusal([] { Interval(1) / Interval(0); }), Code::division_by_zero);
  EXPECT_EQ(refusal([] { Interval(1) / Interval(-1, 1); }), Code::division_by_zero);
  EXPECT_EQ(refusal([] { Interval(1) / Interval(0, 1); }), Code::division_by_zero);
}

}  // namespace
}  // namespace dither
