#include "random/detail/table_free.h"

#include <gtest/gtest.h>

#include "random/pmf.h"
#include "testing/tape.h"

namespace dither::random::detail {
namespace {

using dither::testing::enumerate;
using dither::testing::follows;
using dither::testing::Tape;

// Few bits and wide slacks, so that most decisions go to arbitrary precision.
constexpr TableFreePrecision kCoarse{.uniform_bits = 6,
                                     .log_slack = std::uint64_t{1} << 55,
                                     .accept_bits = 4,
                                     .accept_slack = std::uint64_t{1} << 60,
                                     .gaussian_bits = 4,
                                     .gaussian_slack = std::uint64_t{1} << 61,
                                     .step = 3};
// Few bits and the shipped slacks: what is decided in fixed point must be right.
constexpr TableFreePrecision kShort{.uniform_bits = 7, .accept_bits = 5, .gaussian_bits = 5, .step = 4};

constexpr Int128 kRejected = kInt128Max;  // a rejected round is an outcome of its own

// What a round keeps: `at_zero` * pmf(k) / pmf(0).
dither::testing::Pmf round_law(const std::function<BigInterval(long)>& at_zero, const dither::testing::Pmf& pmf) {
  return [=](Int128 k, long bits) {
    if (k == kRejected) return BigInterval(Rational(0), Rational(1), bits);
    return at_zero(bits) * pmf(k, bits) / pmf(0, bits);
  };
}

// A sign, a cell of 2^shift values and a uniform remainder meet at zero with this probability.
BigInterval laplace_at_zero(const Rational& scale, int shift, long bits) {
  const Rational width = Rational::power_of_two(shift);
  return -expm1(-BigInterval(width / scale, bits)) * BigInterval(Rational(1) / (Rational(2) * width), bits);
}

bool laplace_is_exact(const Rational& scale, int shift, const TableFreePrecision& precision, int depth,
                      double most_unresolved) {
  const LaplaceOnce laplace(SmallRatio(scale), precision);
  const auto law = enumerate(
      [&](Tape& tape) {
        const auto draw = laplace.round(tape);
        return draw ? draw->value() : kRejected;
      },
      depth);
  EXPECT_LT(law.unresolved_share(), most_unresolved) << scale.str();
  const auto pmf = [&](Int128 k, long bits) { return discrete_laplace_pmf(scale, k, bits); };
  return follows(law, round_law([&](long bits) { return laplace_at_zero(scale, shift, bits); }, pmf), -200, 200);
}

// Spec: F-67, D-68
TEST(TableFree, LaplaceHasTheExactLaw) {
  for (const Rational& scale : {Rational(1), Rational(5, 2), Rational(1, 3)}) {
    EXPECT_TRUE(laplace_is_exact(scale, 0, kCoarse, 17, 0.03)) << scale.str();
    EXPECT_TRUE(laplace_is_exact(scale, 0, kShort, 17, 0.03)) << scale.str();
  }
  EXPECT_TRUE(laplace_is_exact(Rational(65), 1, kShort, 19, 0.2));  // two values a cell
}

// Spec: F-70, D-68
TEST(TableFree, GaussianHasTheExactLaw) {
  for (const Rational& sigma : {Rational(1), Rational(5, 2), Rational(1, 2)}) {
    for (const TableFreePrecision& precision : {kCoarse, kShort}) {
      const GaussianOnce gaussian(SmallRatio(sigma), precision);
      const auto law = enumerate([&](Tape& tape) { return gaussian.round(tape).value_or(kRejected); }, 18);
      EXPECT_LT(law.unresolved_share(), 0.05) << sigma.str();
      const Rational ratio = sigma * Rational::power_of_two(-gaussian.proposal_log2());
      const auto at_zero = [&](long bits) {
        const Rational scale = Rational::power_of_two(gaussian.proposal_log2());
        return laplace_at_zero(scale, 0, bits) * exp(-BigInterval(ratio * ratio / Rational(2), bits));
      };
      const auto pmf = [&](Int128 k, long bits) { return discrete_gaussian_pmf(sigma * sigma, k, bits); };
      EXPECT_TRUE(follows(law, round_law(at_zero, pmf), -30, 30)) << sigma.str();
    }
  }
}

TEST(TableFree, ScaledRatioIsTheFloor) {
  for (const auto& [n, d, shift] : {std::tuple{3ULL, 7ULL, 64},
                                    {1ULL, 3ULL, 60},
                                    {~0ULL, ~0ULL - 1, 63},
                                    {5ULL, 1ULL, -1},
                                    {1ULL << 63, 3ULL, -60},
                                    {1ULL, ~0ULL, 127}}) {
    const Rational exact =
        Rational(static_cast<Int128>(n)) / Rational(static_cast<Int128>(d)) * Rational::power_of_two(shift);
    const Int128 expected = std::min(exact.floor(), static_cast<Int128>(~std::uint64_t{0}));
    EXPECT_EQ(static_cast<Int128>(scaled_ratio(n, d, shift)), expected) << n << "/" << d << " shift " << shift;
  }
}

}  // namespace
}  // namespace dither::random::detail
