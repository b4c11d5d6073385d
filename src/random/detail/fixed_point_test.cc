#include "random/detail/fixed_point.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/big_interval.h"
#include "testing/seed.h"
#include "testing/seeded_source.h"

namespace dither::random::detail {
namespace {

int points() { return std::getenv("DITHER_NIGHTLY") != nullptr ? 1'000'000 : 10'000; }

// A number of any length, so that small, middle and large arguments are equally likely.
std::uint64_t any_length(Source& source) { return source.word() >> source.bits(6); }

// |exact * 2^unit - computed|.
Rational distance(const BigInterval& exact, int unit, std::uint64_t computed) {
  return abs(exact.low_rational() * Rational::power_of_two(unit) - Rational(static_cast<Int128>(computed)));
}

BigInterval units(std::uint64_t value, int unit) {
  return {Rational(static_cast<Int128>(value)) * Rational::power_of_two(-unit), 256};
}

// Spec: D-68
TEST(FixedPoint, OneMinusExpIsWithinItsError) {
  Source source = dither::testing::seeded_source(dither::testing::run_seed());
  const auto below = [](double limit) { return static_cast<std::uint64_t>(limit * 0x1p63) * 2; };
  for (int i = 0; i < points(); ++i) {
    const std::uint64_t y = any_length(source);
    const std::uint64_t y14 = y % below(0.3);
    const std::uint64_t y10 = y % below(0.0625);
    const std::uint64_t y19 = y % below(0.7);
    ASSERT_LE(distance(-expm1(-units(y14, 64)), 64, one_minus_exp<14>(y14)), Rational(4)) << y14;
    ASSERT_LE(distance(-expm1(-units(y10, 64)), 64, one_minus_exp<10>(y10)), Rational(4)) << y10;
    ASSERT_LE(distance(-expm1(-units(y19, 64)), 64, one_minus_exp<19>(y19)), Rational(6)) << y19;
  }
}

TEST(FixedPoint, ExpNegIsWithinItsError) {
  Source source = dither::testing::seeded_source(dither::testing::run_seed() + 1);
  const Rational bound(static_cast<Int128>(kExpNegError));
  for (int i = 0; i < points(); ++i) {
    const std::uint64_t y = any_length(source);
    ASSERT_LE(distance(exp(-units(y, 58)), 64, exp_neg(y)), bound) << y;
  }
  for (std::uint64_t y : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}, kLn2 >> 6, (kLn2 >> 6) + 1}) {
    ASSERT_LE(distance(exp(-units(y, 58)), 64, exp_neg(y)), bound) << y;
  }
}

TEST(FixedPoint, NegLogIsWithinItsError) {
  Source source = dither::testing::seeded_source(dither::testing::run_seed() + 2);
  const Rational bound(static_cast<Int128>(kNegLogError));
  for (int i = 0; i < points(); ++i) {
    const std::uint64_t u = i < 500    ? static_cast<std::uint64_t>(i) + 1
                            : i < 1000 ? ~std::uint64_t{0} - static_cast<std::uint64_t>(i)
                                       : any_length(source) | 1;
    ASSERT_LE(distance(-log(units(u, 64)), 58, neg_log(u)), bound) << u;
  }
}

}  // namespace
}  // namespace dither::random::detail
