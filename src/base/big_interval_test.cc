#include "base/big_interval.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/ulps.h"
#include "testing/printers.h"
#include "testing/refusal.h"

namespace dither {
namespace {

using testing::refusal;

constexpr long kBits = 64;

Rational any_number() { return Rational(*rc::gen::inRange(-1000, 1001), *rc::gen::inRange(1, 60)); }

// An interval and a point of it.
struct Sample {
  BigInterval interval;
  Rational point;
};

Sample any_sample() {
  const Rational low = any_number();
  const Rational width(*rc::gen::inRange(0, 50), *rc::gen::inRange(1, 7));
  return {BigInterval(low, low + width, kBits), low + width * Rational(*rc::gen::inRange(0, 5), 4)};
}

RC_GTEST_PROP(BigInterval, ArithmeticHoldsEveryPoint, ()) {
  const Sample a = any_sample(), b = any_sample();
  RC_ASSERT((a.interval + b.interval).contains(a.point + b.point));
  RC_ASSERT((a.interval - b.interval).contains(a.point - b.point));
  RC_ASSERT((a.interval * b.interval).contains(a.point * b.point));
  RC_ASSERT((-a.interval).contains(-a.point));
  if (!b.interval.contains(0)) RC_ASSERT((a.interval / b.interval).contains(a.point / b.point));
}

TEST(BigInterval, PlantedNarrowIntervalIsCaught) {
  const BigInterval third = BigInterval(Rational(1), kBits) / BigInterval(Rational(3), kBits);
  EXPECT_TRUE(third.contains(Rational(1, 3)));
  const BigInterval planted(third.high_rational(), third.high_rational(), kBits);  // both ends rounded up
  EXPECT_FALSE(planted.contains(Rational(1, 3)));
}

using Function = BigInterval (*)(const BigInterval&);

// A function at 64 bits holds the value at 300 bits of every point, and is not much wider than it must be.
bool holds_finer(Function f, const Rational& point) {
  const BigInterval coarse = f(BigInterval(point, kBits));
  const BigInterval fine = f(BigInterval(point, 300));
  const Rational size = abs(fine.low_rational()) + Rational::power_of_two(-60);
  return coarse.low_rational() <= fine.low_rational() && fine.high_rational() <= coarse.high_rational() &&
         coarse.high_rational() - coarse.low_rational() <= size * Rational::power_of_two(-35);
}

RC_GTEST_PROP(BigInterval, FunctionsNestAsPrecisionGrows, ()) {
  const Rational x = abs(any_number()) + Rational(1, 64);
  const Function functions[] = {
      [](const BigInterval& y) { return exp(y); },
      [](const BigInterval& y) { return exp(-y); },
      [](const BigInterval& y) { return expm1(y); },
      [](const BigInterval& y) { return log(y); },
      [](const BigInterval& y) { return log1p(y); },
      [](const BigInterval& y) { return sqrt(y); },
      [](const BigInterval& y) { return lgamma(y + BigInterval(Rational(2), y.precision())); },
  };
  for (Function f : functions) RC_ASSERT(holds_finer(f, x));
  const Rational fraction = x - Rational(x.floor()) - Rational(501, 1000);  // between the poles at -1/2 and 1/2
  if (abs(fraction) < Rational(1, 2)) RC_ASSERT(holds_finer([](const BigInterval& y) { return tan_pi(y); }, fraction));
}

TEST(BigInterval, KnownNumbers) {
  EXPECT_EQ(BigInterval::pi(kBits).low_double(), 0x1.921fb54442d18p+1);
  EXPECT_EQ(sqrt(BigInterval(Rational(9, 4), kBits)).low_rational(), Rational(3, 2));
  EXPECT_EQ(log(BigInterval(Rational(1), kBits)).high_rational(), Rational(0));
  EXPECT_EQ(BigInterval(kBits).low_rational(), Rational(0));
  EXPECT_TRUE(exp(log(BigInterval(Rational(7), kBits))).contains(Rational(7)));
  EXPECT_TRUE(lgamma(BigInterval(Rational(3), kBits)).surely_above(Rational(693, 1000)));  // log 2
  EXPECT_EQ(tan_pi(BigInterval(Rational(1, 4), kBits)).low_rational(), Rational(1));
}

TEST(BigInterval, CosineTakesInItsExtremes) {
  const auto cosine = [](const Rational& low, const Rational& high) {
    return cos_two_pi(BigInterval(low, high, kBits));
  };
  EXPECT_EQ(cosine(Rational(1, 4), Rational(1, 4)).low_rational(), Rational(0));
  EXPECT_EQ(cosine(Rational(5), Rational(5)).low_rational(), Rational(1));
  EXPECT_TRUE(cosine(Rational(-1, 10), Rational(1, 10)).contains(Rational(1)));
  EXPECT_TRUE(cosine(Rational(4, 10), Rational(6, 10)).contains(Rational(-1)));
  EXPECT_TRUE(cosine(Rational(1, 8), Rational(3, 8)).contains(Rational(0)));
  EXPECT_TRUE(cosine(Rational(1, 8), Rational(3, 8)).surely_below(Rational(3, 4)));
}

TEST(BigInterval, InfiniteEndsNeverBecomeNan) {
  const BigInterval zero(kBits);
  const BigInterval minus_infinite = log(zero);
  const BigInterval infinite = -minus_infinite;
  const BigInterval one(Rational(1), kBits);
  for (const BigInterval& x : {infinite + minus_infinite, infinite * zero, one / infinite, infinite * minus_infinite,
                               exp(infinite), cos_two_pi(infinite), zero * infinite}) {
    EXPECT_FALSE(mpfr_nan_p(x.low()) || mpfr_nan_p(x.high()));
    EXPECT_TRUE(mpfr_lessequal_p(x.low(), x.high()));
  }
  EXPECT_EQ(minus_infinite.low_double(), -kInfinity);
  EXPECT_EQ(refusal([&] { infinite.low_rational(); }), Code::out_of_range);
}

TEST(BigInterval, DecidesFloorsOnlyWhenItCan) {
  Int128 floor = 0;
  EXPECT_TRUE(BigInterval(Rational(-5, 2), kBits).floor_is_decided(&floor));
  EXPECT_TRUE(floor == -3);
  EXPECT_FALSE(BigInterval(Rational(9, 10), Rational(11, 10), kBits).floor_is_decided(&floor));
  EXPECT_FALSE(BigInterval(Rational::power_of_two(130), kBits).floor_is_decided(&floor));
  EXPECT_TRUE(BigInterval(kBits).floor_is_decided(&floor));
  EXPECT_TRUE(floor == 0);
}

TEST(BigInterval, RefusesWhatHasNoValue) {
  const BigInterval one(Rational(1), kBits), minus(Rational(-2), kBits), around(Rational(-1), Rational(1), kBits);
  EXPECT_EQ(refusal([&] { one / around; }), Code::out_of_range);
  EXPECT_EQ(refusal([&] { log(around); }), Code::out_of_range);
  EXPECT_EQ(refusal([&] { sqrt(minus); }), Code::out_of_range);
  EXPECT_EQ(refusal([&] { log1p(minus); }), Code::out_of_range);
  EXPECT_EQ(refusal([&] { lgamma(one); }), Code::out_of_range);
  EXPECT_EQ(refusal([&] { tan_pi(one); }), Code::out_of_range);
}

TEST(BigInterval, CopiesKeepTheirPrecision) {
  const BigInterval fine(Rational(1, 3), 200);
  BigInterval copy(kBits);
  copy = fine;
  EXPECT_EQ(copy.precision(), 200);
  const BigInterval moved = std::move(copy);
  EXPECT_EQ(moved.low_rational(), fine.low_rational());
  EXPECT_EQ((fine + BigInterval(Rational(1), kBits)).precision(), 200);
}

}  // namespace
}  // namespace dither
