#include "base/rational.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/ulps.h"
#include "testing/printers.h"
#include "testing/refusal.h"

namespace dither {
namespace {

using testing::refusal;

constexpr double kTiny = std::numeric_limits<double>::denorm_min();
constexpr double kMax = std::numeric_limits<double>::max();

Rational any_rational() {
  const auto numerator = *rc::gen::arbitrary<std::int64_t>();
  const auto denominator = *rc::gen::nonZero<std::int64_t>();
  return Rational(numerator, denominator) * Rational::power_of_two(*rc::gen::inRange(-1100, 1100));
}

RC_GTEST_PROP(Rational, ArithmeticIsExact, ()) {
  const Rational a = any_rational(), b = any_rational(), c = any_rational();
  RC_ASSERT((a + b) - b == a);
  RC_ASSERT((a + b) * c == a * c + b * c);
  if (c.sign() != 0) RC_ASSERT((a / c) * c == a);
  RC_ASSERT(-(-a) == a);
  RC_ASSERT((a < b) == ((a - b).sign() < 0));
  RC_ASSERT(abs(a) == (a < 0 ? -a : a));
  RC_ASSERT(pow(a, 3) == a * a * a);
}

RC_GTEST_PROP(Rational, TextRoundTrips, ()) {
  const Rational a = any_rational();
  RC_ASSERT(Rational::parse(a.str()) == a);
}

// The neighbours of the exact value among the doubles, and no further ones.
bool rounds_outward(const Rational& value, double down, double up) {
  if (std::isfinite(down) && !(Rational::from_double(down) <= value)) return false;
  if (std::isfinite(up) && !(Rational::from_double(up) >= value)) return false;
  const bool exact = std::isfinite(down) && Rational::from_double(down) == value;
  return exact ? up == down : steps_between(down, up) == 1;
}

RC_GTEST_PROP(Rational, DoublesRoundOutward, ()) {
  const Rational a = any_rational();
  RC_ASSERT(rounds_outward(a, a.to_double_down(), a.to_double_up()));
}

TEST(Rational, PlantedRoundingToNearestIsCaught) {
  EXPECT_FALSE(rounds_outward(Rational(1, 3), 1.0 / 3, 1.0 / 3));
  EXPECT_TRUE(rounds_outward(Rational(1, 3), Rational(1, 3).to_double_down(), Rational(1, 3).to_double_up()));
}

RC_GTEST_PROP(Rational, DoublesComeBackExactly, (std::uint64_t bits)) {
  const double x = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(x));
  RC_ASSERT(Rational::from_double(x).to_double_down() == x);
  RC_ASSERT(Rational::from_double(x).to_double_up() == x);
}

TEST(Rational, TinyAndHugeGoToTheSafeSide) {
  const Rational below_tiny = Rational::power_of_two(-2000);
  EXPECT_EQ(below_tiny.to_double_down(), 0);
  EXPECT_EQ(below_tiny.to_double_up(), kTiny);
  EXPECT_EQ((-below_tiny).to_double_down(), -kTiny);
  const Rational huge = Rational::power_of_two(2000);
  EXPECT_EQ(huge.to_double_down(), kMax);
  EXPECT_EQ(huge.to_double_up(), kInfinity);
  EXPECT_EQ((-huge).to_double_up(), -kMax);
  const Rational odd_subnormal = Rational(3, 2) * Rational::from_double(kTiny);
  EXPECT_TRUE(rounds_outward(odd_subnormal, odd_subnormal.to_double_down(), odd_subnormal.to_double_up()));
}

RC_GTEST_PROP(Rational, WholeNumbersAroundIt, ()) {
  const Rational a(*rc::gen::arbitrary<std::int64_t>(), *rc::gen::inRange(1, 9));
  const Rational floor(a.floor()), ceil(a.ceil()), nearest(a.round_half_even());
  RC_ASSERT(floor <= a && a < floor + 1);
  RC_ASSERT(ceil >= a && a > ceil - 1);
  const Rational distance = abs(nearest - a) * 2;
  RC_ASSERT(distance < 1 || (distance == 1 && a.round_half_even() % 2 == 0));
}

TEST(Rational, WholeNumbersAtTheEndOfTheRange) {
  const Rational top(kInt128Max), bottom(kInt128Min), half(1, 2);
  EXPECT_EQ(refusal([&] { (top + 1).floor(); }), Code::out_of_range);
  EXPECT_EQ(refusal([&] { (bottom - 1).ceil(); }), Code::out_of_range);
  EXPECT_EQ(refusal([&] { (top + half).round_half_even(); }), Code::out_of_range) << "up to the even 2^127";
  EXPECT_TRUE((bottom - half).round_half_even() == kInt128Min) << "down to nothing: 2^127 is even";
  EXPECT_EQ(refusal([&] { (bottom - half).floor(); }), Code::out_of_range);
  EXPECT_TRUE(bottom.floor() == kInt128Min && top.ceil() == kInt128Max);
}

RC_GTEST_PROP(Rational, FloorLog2Brackets, ()) {
  const Rational a = any_rational();
  RC_PRE(a.sign() != 0);
  RC_ASSERT(Rational::power_of_two(a.floor_log2()) <= abs(a));
  RC_ASSERT(abs(a) < Rational::power_of_two(a.floor_log2() + 1));
}

// Spec: W-78
TEST(Rational, DecimalsAreTakenAsWritten) {
  EXPECT_EQ(Rational::parse("0.1"), Rational(1, 10));
  EXPECT_NE(Rational::parse("0.1"), Rational::from_double(0.1));
  EXPECT_EQ(Rational::parse("-12.50"), Rational(-25, 2));
  EXPECT_EQ(Rational::parse("1e-6") * 1'000'000, Rational(1));
  EXPECT_EQ(Rational::parse("2.5E+3"), Rational(2500));
  EXPECT_EQ(Rational::parse("+2/7"), Rational(2, 7));
  EXPECT_EQ(Rational::parse(".5"), Rational(1, 2));
  EXPECT_EQ(Rational(6, -4).str(), "-3/2");
  EXPECT_EQ(Rational::from_double(-0.0).str(), "0");
}

// Spec: W-78
TEST(Rational, RefusesWhatIsNoNumber) {
  for (const char* text : {"",      "-",   ".",  "e5", "1e",   "1e+", "1e+-5", "1e++5", "1e5.5", "nan", "inf", "-inf",
                           "0x1p3", "1/0", "1/", "/2", "1/-2", "1 ",  "1,000", "1_000", "1e5e5", "--1", "1..2"}) {
    EXPECT_EQ(refusal([&] { Rational::parse(text); }), Code::bad_number) << text;
  }
  for (const char* text : {"1e10001", "1e-10001", "1e99999999999999999999", "1e-99999999999999999999"}) {
    EXPECT_EQ(refusal([&] { Rational::parse(text); }), Code::out_of_range) << text;
  }
  EXPECT_EQ(refusal([] { Rational::parse(std::string(10'001, '1')); }), Code::out_of_range);
  for (double x : {std::nan(""), kInfinity, -kInfinity}) {
    EXPECT_EQ(refusal([&] { Rational::from_double(x); }), Code::bad_number);
  }
  EXPECT_EQ(refusal([] { Rational(1) / Rational(0); }), Code::division_by_zero);
  EXPECT_EQ(refusal([] { Rational(1, 0); }), Code::division_by_zero);
}

TEST(Rational, CopiesAndMovesKeepTheirValue) {
  Rational a(3, 4);
  Rational b = a;
  b += Rational(1, 4);
  EXPECT_EQ(a, Rational(3, 4));
  EXPECT_EQ(b, Rational(1));
  const Rational c = std::move(b);
  EXPECT_EQ(c, Rational(1));
  const Rational& same = a;
  a = same;
  a /= same;
  EXPECT_EQ(a, Rational(1));
}

}  // namespace
}  // namespace dither
