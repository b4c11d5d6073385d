#include "random/detail/real_ball.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "base/big_interval.h"
#include "testing/seed.h"
#include "testing/seeded_source.h"

namespace dither::random::detail {
namespace {

constexpr long kPrecision = 600;

int points() { return std::getenv("DITHER_NIGHTLY") != nullptr ? 50'000 : 2'000; }

template <int N>
Rational limb_value(const Limbs<N>& limbs) {
  Rational result;
  for (int i = N - 1; i >= 0; --i) {
    result = result * Rational::power_of_two(64) + Rational(static_cast<Int128>(limbs[i]));
  }
  return result;
}

template <int N>
Rational unit(const Ball<N>& x) {
  return Rational::power_of_two(static_cast<long>(x.exponent) - 64 * N);
}

template <int N>
Rational middle_of(const Ball<N>& x) {
  const Rational magnitude = limb_value<N>(x.mantissa) * unit(x);
  return x.negative != 0 ? -magnitude : magnitude;
}

template <int N>
Rational radius_of(const Ball<N>& x) {
  return (Rational(static_cast<Int128>(x.error >> 64)) * Rational::power_of_two(64) +
          Rational(static_cast<Int128>(static_cast<std::uint64_t>(x.error)))) *
         unit(x);
}

template <int N>
bool holds(const Ball<N>& x, const BigInterval& value) {
  const Rational middle = middle_of(x), radius = radius_of(x);
  return !value.surely_below(middle - radius) && !value.surely_above(middle + radius);
}

// A ball with exponent in [lowest, lowest + span) and an error of up to 2^most_error_bits units.
template <int N>
Ball<N> random_ball(int lowest, int span, int most_error_bits, Source& source) {
  Ball<N> x;
  for (auto& limb : x.mantissa) limb = source.word();
  if (source.bits(3) == 0) x.mantissa[N - 1] = ~std::uint64_t{0};  // near the ends of the range, too
  if (source.bits(3) == 0) x.mantissa[N - 1] = 0;
  x.mantissa[N - 1] |= std::uint64_t{1} << 63;
  x.exponent = lowest + static_cast<int>(source.word() % static_cast<unsigned>(span));
  x.error = most_error_bits == 0 ? 0 : UInt128{1} << source.word() % static_cast<unsigned>(most_error_bits);
  return x;
}

using Exact = std::function<BigInterval(const BigInterval&)>;

// Checks one function over its range: exact operands give errors of a few units, and balls of any error hold the
// function of both their ends and their middle.
template <int N>
void check(Ball<N> (*function)(const Ball<N>&), const Exact& exact, int lowest, int span) {
  Source source = testing::seeded_source(testing::run_seed());
  for (int i = 0; i < points(); ++i) {
    Ball<N> x = random_ball<N>(lowest, span, 0, source);
    const Ball<N> sharp = function(x);
    ASSERT_TRUE(holds(sharp, exact(BigInterval(middle_of(x), kPrecision))));
    x.error = UInt128{1} << source.word() % 123;
    const Ball<N> wide = function(x);
    if (!wide.is_known()) continue;
    for (int side = -1; side <= 1; ++side) {
      const Rational at = middle_of(x) + Rational(side) * radius_of(x);
      ASSERT_TRUE(holds(wide, exact(BigInterval(at, kPrecision)))) << "side " << side;
    }
  }
}

template <int N>
void check_all() {
  const BigInterval one(Rational(1), kPrecision);
  const BigInterval half(Rational(1, 2), kPrecision);
  check<N>(
      sqrt<N>, [](const BigInterval& x) { return sqrt(x); }, -40, 80);
  check<N>(
      log<N>, [](const BigInterval& x) { return log(x); }, -40, 80);
  check<N>(
      log<N>, [](const BigInterval& x) { return log(x); }, 0, 2);
  check<N>(
      exp<N>, [](const BigInterval& x) { return exp(x); }, -20, 30);
  check<N>(
      expm1<N>, [](const BigInterval& x) { return expm1(x); }, -20, 23);
  check<N>(
      cos_two_pi<N>, [](const BigInterval& x) { return cos_two_pi(x); }, -20, 21);
  check<N>(
      cot_half_pi<N>, [&](const BigInterval& x) { return one / tan_pi(x * half); }, -20, 20);
}

// Spec: W-70
TEST(RealBall, FunctionsHoldTheTrueValueAtTwoLimbs) { check_all<2>(); }
TEST(RealBall, FunctionsHoldTheTrueValueAtThreeLimbs) { check_all<3>(); }

template <int N>
void check_arithmetic() {
  Source source = testing::seeded_source(testing::run_seed());
  for (int i = 0; i < points(); ++i) {
    Ball<N> a = random_ball<N>(-30, 60, 124, source);
    Ball<N> b = random_ball<N>(-30, 60, 124, source);
    a.negative = mask_if(source.bits(1) != 0);
    b.negative = mask_if(source.bits(1) != 0);
    if (source.bits(2) == 0) b = -a;  // full cancellation leaves nothing known
    const Rational left = middle_of(a) + radius_of(a), right = middle_of(b) - radius_of(b);
    const auto fits = [](const Ball<N>& x, const Rational& value) {
      return !x.is_known() || (abs(value - middle_of(x)) <= radius_of(x));
    };
    ASSERT_TRUE(fits(a + b, left + right));
    ASSERT_TRUE(fits(a - b, left - right));
    ASSERT_TRUE(fits(a * b, left * right));
    ASSERT_TRUE(fits(a / b, left / right));
    ASSERT_EQ((a + b).is_known() && (!a.is_known() || !b.is_known()), false);
  }
}

TEST(RealBall, ArithmeticHoldsTheTrueValue) {
  check_arithmetic<2>();
  check_arithmetic<3>();
}

// What the laws rely on for their rate of undecided draws: exact operands lose a few bits, no more.
template <int N>
void check_sharpness() {
  Source source = testing::seeded_source(testing::run_seed());
  const UInt128 few = 1 << 13;
  for (int i = 0; i < points(); ++i) {
    const Ball<N> x = random_ball<N>(-8, 8, 0, source);
    EXPECT_LT(sqrt(x).error, few);
    EXPECT_LT((x / x).error, few);
    EXPECT_LT(exp(x).error, few);
    EXPECT_LT(log(x.scaled(-1)).error, few);
    Ball<N> below_one = x;
    below_one.exponent = 0;
    below_one.mantissa[N - 1] &= ~(std::uint64_t{1} << 54);  // not nearer to one than 2^-10, where bits cancel
    EXPECT_LT(log(below_one).error, few << 10);
    EXPECT_LT(cos_two_pi(x.scaled(-4)).error, few);
    EXPECT_LT(cot_half_pi(x.scaled(-1)).error, few);
  }
}

TEST(RealBall, ExactOperandsLoseFewBits) {
  check_sharpness<2>();
  check_sharpness<3>();
}

TEST(RealBall, UniformsHoldAllTheirContinuations) {
  Source source = testing::seeded_source(testing::run_seed());
  for (int bits = 1; bits <= 184; ++bits) {
    Limbs<3> prefix = {source.word(), source.word(), source.word()};
    prefix = shift_right<3>(prefix, static_cast<std::uint64_t>(192 - bits));
    prefix[0] |= 1;
    const Rational low = limb_value<3>(prefix) * Rational::power_of_two(-bits);
    const auto fits = [&](const auto& x) {
      if (!x.is_known()) return;
      EXPECT_EQ(middle_of(x) - radius_of(x), low);
      EXPECT_EQ(middle_of(x) + radius_of(x), low + Rational::power_of_two(-bits));
    };
    if (bits <= 120) fits(Ball<2>::uniform(prefix, bits));
    fits(Ball<3>::uniform(prefix, bits));
  }
  EXPECT_FALSE(Ball<2>::uniform(Limbs<3>{}, 120).is_known());  // may be zero
}

}  // namespace
}  // namespace dither::random::detail
