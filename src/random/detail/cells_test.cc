#include "random/detail/cells.h"

#include <gtest/gtest.h>

#include "random/detail/gaussian_cells.h"
#include "random/detail/laplace_cells.h"
#include "random/pmf.h"
#include "testing/planted.h"
#include "testing/remembered.h"
#include "testing/tape.h"

namespace dither::random::detail {
namespace {

using dither::testing::enumerate;
using dither::testing::follows;
using dither::testing::Remembered;
using dither::testing::Tape;

ComputableReal rate_of(const Rational& scale) {
  return [rate = Rational(1) / scale](long bits) { return BigInterval(rate, bits); };
}

dither::testing::Pmf laplace_law(const Rational& scale) {
  return [scale](Int128 k, long bits) { return discrete_laplace_pmf(scale, k, bits); };
}

dither::testing::Pmf gaussian_law(const Rational& sigma_squared) {
  return [sigma_squared](Int128 k, long bits) { return discrete_gaussian_pmf(sigma_squared, k, bits); };
}

template <typename Law>
std::function<Int128(Tape&)> drawing(const CellSampler<Law>& sampler) {
  return [&sampler](Tape& tape) { return sampler.draw(tape); };
}

// Every string of bits through the shipped sampler, at 8 and 16 bits a word instead of 64. The residual, which takes
// 2^-50 of the draws as shipped, takes up to 8% of them here.
// Spec: F-67, D-68
TEST(Cells, SmallLaplaceTableHasTheExactLaw) {
  for (const Rational& scale : {Rational(1), Rational(7, 3), Rational(1, 3)}) {
    const CellSampler<Remembered<LaplaceCells<true>>> eight(
        Remembered<LaplaceCells<true>>(LaplaceCells<true>(rate_of(scale))), {.table_bits = 7, .step = 4});
    const auto law = enumerate(drawing(eight), 24);
    EXPECT_LT(law.unresolved_share(), 1e-4);
    EXPECT_TRUE(follows(law, laplace_law(scale), -60, 60)) << scale.str();
    const CellSampler<Remembered<LaplaceCells<true>>> sixteen(
        Remembered<LaplaceCells<true>>(LaplaceCells<true>(rate_of(scale))), {.table_bits = 15, .step = 8});
    const auto fine = enumerate(drawing(sixteen), 24);
    EXPECT_LT(fine.unresolved_share(), 1e-4);
    EXPECT_TRUE(follows(fine, laplace_law(scale), -60, 60)) << scale.str();
  }
}

// Spec: F-70, D-68
TEST(Cells, SmallGaussianTableHasTheExactLaw) {
  for (const Rational& sigma_squared : {Rational(1), Rational(25, 2), Rational(1, 4)}) {
    const CellSampler<Remembered<GaussianCells>> eight(Remembered<GaussianCells>(GaussianCells(sigma_squared)),
                                                       {.table_bits = 7, .step = 4});
    const auto law = enumerate(drawing(eight), 24);
    EXPECT_LT(law.unresolved_share(), 1e-4);
    EXPECT_TRUE(follows(law, gaussian_law(sigma_squared), -60, 60)) << sigma_squared.str();
    const CellSampler<Remembered<GaussianCells>> sixteen(Remembered<GaussianCells>(GaussianCells(sigma_squared)),
                                                         {.table_bits = 15, .step = 8});
    const auto fine = enumerate(drawing(sixteen), 24);
    EXPECT_LT(fine.unresolved_share(), 1e-4);
    EXPECT_TRUE(follows(fine, gaussian_law(sigma_squared), -60, 60)) << sigma_squared.str();
  }
}

// One side: the law P(K = k) = (1 - q) q^k.
TEST(Cells, GeometricTableHasTheExactLaw) {
  const Rational success(1, 3);
  const auto rate = [&](long bits) { return -log1p(-BigInterval(success, bits)); };
  const CellSampler<Remembered<LaplaceCells<false>>> eight(Remembered<LaplaceCells<false>>(LaplaceCells<false>(rate)),
                                                           {.table_bits = 7, .step = 4});
  const auto law = enumerate(drawing(eight), 24);
  EXPECT_LT(law.unresolved_share(), 1e-4);
  EXPECT_TRUE(follows(
      law, [&](Int128 k, long bits) { return geometric_pmf(success, k, bits); }, -3, 60));
}

// A rejected round counts as an outcome of its own, so that one round shows the whole law.
constexpr Int128 kRejected = kInt128Max;

// A round keeps k with probability P(cell 0) / (2 width) * pmf(k) / pmf(0): cell, sign and remainder are drawn apart,
// and the acceptance exp(-y) makes up the rest.
template <typename Law>
dither::testing::Pmf round_law(const Law& law, const dither::testing::Pmf& pmf) {
  return [law, pmf](Int128 k, long bits) {
    if (k == kRejected) return BigInterval(Rational(0), Rational(1), bits);
    const BigInterval at_zero = law.probability(0, bits) * BigInterval(Rational::power_of_two(-law.shift() - 1), bits);
    return at_zero * pmf(k, bits) / pmf(0, bits);
  };
}

// Cells of two values with a remainder bit and a W of three bits: the slack is so wide that most acceptances go to
// arbitrary precision, as 2^-47 of them do as shipped.
// Spec: F-67, D-68
TEST(Cells, LaplaceCellsHaveTheExactLaw) {
  const Remembered cells(LaplaceCells<true>(rate_of(Rational(4)), 1));
  const Precision coarse{.table_bits = 6, .accept_bits = 3, .slack = std::uint64_t{1} << 61, .step = 3};
  const CellSampler<Remembered<LaplaceCells<true>>> sampler(cells, coarse);
  const auto law = enumerate([&](Tape& tape) { return sampler.round(tape).value_or(kRejected); }, 20);
  EXPECT_LT(law.unresolved_share(), 0.01);
  EXPECT_TRUE(follows(law, round_law(cells, laplace_law(Rational(4))), -40, 40));
}

// Spec: F-70, D-68
TEST(Cells, GaussianCellsHaveTheExactLaw) {
  const Rational sigma_squared(256);
  const Remembered cells(GaussianCells(sigma_squared, 1));
  const Precision coarse{.table_bits = 9, .accept_bits = 3, .slack = std::uint64_t{1} << 59, .step = 3};
  const CellSampler<Remembered<GaussianCells>> sampler(cells, coarse);
  const auto law = enumerate([&](Tape& tape) { return sampler.round(tape).value_or(kRejected); }, 20);
  EXPECT_LT(law.unresolved_share(), 0.03);
  EXPECT_TRUE(follows(law, round_law(cells, gaussian_law(sigma_squared)), -120, 120));
}

// The planted samplers read the same tapes and are judged by the same function.
TEST(Cells, PlantedHalfScaleIsCaught) {
  EXPECT_FALSE(follows(enumerate(planted::half_scale, 20), laplace_law(Rational(1)), -60, 60));
}
TEST(Cells, PlantedOffByOneAtZeroIsCaught) {
  EXPECT_FALSE(follows(enumerate(planted::off_by_one_at_zero, 20), laplace_law(Rational(1)), -60, 60));
}
TEST(Cells, PlantedSignBiasIsCaught) {
  EXPECT_FALSE(follows(enumerate(planted::sign_bias, 20), laplace_law(Rational(1)), -60, 60));
}
TEST(Cells, PlantedDoubleZeroIsCaught) {
  EXPECT_FALSE(follows(enumerate(planted::double_zero, 20), laplace_law(Rational(1)), -60, 60));
}
TEST(Cells, PlantedTruncatedTailIsCaught) {
  EXPECT_FALSE(follows(enumerate(planted::truncated_tail, 20), laplace_law(Rational(1)), -60, 60));
}
TEST(Cells, PlantedForgottenResidualIsCaught) {
  EXPECT_FALSE(follows(enumerate(planted::forgotten_residual, 20), laplace_law(Rational(1)), -60, 60));
}
TEST(Cells, PlantedSharedSignBitIsCaught) {
  EXPECT_FALSE(follows(enumerate(planted::shared_sign_bit, 20), laplace_law(Rational(1)), -60, 60));
}
TEST(Cells, PlantedSkippedAcceptanceIsCaught) {
  const LaplaceCells<true> cells(rate_of(Rational(4)), 1);
  EXPECT_FALSE(
      follows(enumerate(planted::skipped_acceptance, 20), round_law(cells, laplace_law(Rational(4))), -40, 40));
}
TEST(Cells, PlantedUndecidedTakenAsAcceptedIsCaught) {
  const LaplaceCells<true> cells(rate_of(Rational(4)), 1);
  EXPECT_FALSE(
      follows(enumerate(planted::undecided_accepted, 20), round_law(cells, laplace_law(Rational(4))), -40, 40));
}
TEST(Cells, PlantedSigmaForSigmaSquaredIsCaught) {
  EXPECT_FALSE(follows(enumerate(planted::sigma_for_sigma_squared, 20), gaussian_law(Rational(4)), -60, 60));
}

// As shipped: the fallback's probability a round, over all scales, is below 2^-45, and a round's bytes are as stated.
// Spec: W-72
TEST(Cells, FallbackIsRareAtEveryScale) {
  for (int log2 = -9; log2 <= 60; ++log2) {
    for (const Rational& factor : {Rational(1), Rational(4, 3), Rational(31, 16)}) {
      const Rational scale = std::min(Rational::power_of_two(log2) * factor, Rational::power_of_two(60));
      const LaplaceCells<true> laplace(rate_of(scale));
      const GaussianCells gaussian(scale * scale);
      const CellSampler<LaplaceCells<true>> l(laplace, laplace.shift() == 0 ? kSmallTable : kCellTable);
      const CellSampler<GaussianCells> g(gaussian, gaussian.shift() == 0 ? kSmallTable : kCellTable);
      EXPECT_LT(l.fallback_probability(), 0x1p-45) << scale.str();
      EXPECT_LT(g.fallback_probability(), 0x1p-45) << scale.str();
      const std::size_t most = log2 < 20 ? 15 : log2 <= 40 ? 18 : 20;
      EXPECT_LE(l.record_bytes(), most) << scale.str();
      EXPECT_LE(g.record_bytes(), most) << scale.str();
    }
  }
}

// The fixed-point decision against arbitrary precision, over the shipped laws' whole range of cells and remainders.
// Spec: D-68
TEST(Cells, RejectionIsWithinItsSlack) {
  const auto check = [](const auto& law) {
    const std::uint64_t cells = law.weights(kCellTable.table_bits).size();
    const std::uint64_t last = (std::uint64_t{1} << law.shift()) - 1;
    for (std::uint64_t cell = 0; cell < cells; cell += 7) {
      for (std::uint64_t r : {std::uint64_t{0}, std::uint64_t{1}, last / 3, last / 2, last - 1, last}) {
        const BigInterval exact = -expm1(-law.exponent(cell, r, 192));
        const Rational error =
            exact.low_rational() * Rational::power_of_two(64) - Rational(static_cast<Int128>(law.rejection(cell, r)));
        ASSERT_LE(abs(error), Rational(8)) << cell << " " << r;  // a third of the slack
      }
    }
  };
  for (const Rational& scale :
       {Rational(128), Rational(1'000'001, 3), Rational::power_of_two(40), Rational::power_of_two(60)}) {
    check(LaplaceCells<true>(rate_of(scale)));
    check(GaussianCells(scale * scale));
  }
  check(GaussianCells(Rational::power_of_two(62) / Rational(5)));
}

// Weights are lower bounds, and off by less than one unit: what the table leaves out is small and never negative.
// Spec: D-68
TEST(Cells, WeightsAreCertifiedLowerBounds) {
  const auto check = [](const auto& law, int bits) {
    const std::vector<std::uint64_t> weights = law.weights(bits);
    for (std::uint64_t i = 0; i < weights.size(); ++i) {
      const BigInterval scaled = law.probability(i, 300) * BigInterval(Rational::power_of_two(bits), 300);
      const Rational weight(static_cast<Int128>(weights[i]));
      ASSERT_FALSE(scaled.surely_below(weight)) << i;
      ASSERT_TRUE(scaled.surely_below(weight + Rational(2))) << i;
    }
  };
  check(LaplaceCells<true>(rate_of(Rational(100))), 63);
  check(LaplaceCells<true>(rate_of(Rational(1, 1000))), 63);
  check(LaplaceCells<true>(rate_of(Rational::power_of_two(60))), 55);
  check(GaussianCells(Rational(10'000)), 63);
  check(GaussianCells(Rational::power_of_two(120)), 55);
}

}  // namespace
}  // namespace dither::random::detail
