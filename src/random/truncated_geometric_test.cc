#include "random/truncated_geometric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "random/detail/laplace_cells.h"
#include "random/detail/mask.h"
#include "random/pmf.h"
#include "testing/refusal.h"
#include "testing/seed.h"
#include "testing/seeded_source.h"
#include "testing/statistical.h"
#include "testing/tape.h"

namespace dither::random {
namespace {

using testing::Tape;

// Spec: F-68
TEST(TruncatedGeometricPmf, OracleValues) {
  EXPECT_NEAR(truncated_geometric_pmf(1, 10, 0, 0, 128).low_double(), 0.731059, 5e-7);
  EXPECT_NEAR(truncated_geometric_pmf(1, 10, 0, 10, 128).low_double(), 3.319e-5, 5e-9);
}

// Spec: F-68
TEST(TruncatedGeometricPmf, RowsSumToOneAndNeighboursDifferByAtMostE) {
  double worst = 0;
  for (int x = 0; x <= 5; ++x) {
    BigInterval sum(128);
    for (int k = 0; k <= 5; ++k) {
      const BigInterval p = truncated_geometric_pmf(1, 5, x, k, 128);
      sum += p;
      for (int y : {x - 1, x + 1}) {
        if (y >= 0 && y <= 5) worst = std::max(worst, (p / truncated_geometric_pmf(1, 5, y, k, 128)).high_double());
      }
    }
    EXPECT_TRUE(sum.contains(1)) << x;
  }
  EXPECT_NEAR(worst, 2.718282, 5e-7);
  EXPECT_TRUE(truncated_geometric_pmf(1, 0, 0, 0, 64).contains(1));
  EXPECT_TRUE(truncated_geometric_pmf(1, 5, 2, 6, 64).contains(0));
}

// The shipped Laplace cells of scale 1, at 8 bits.
detail::CellSampler<detail::LaplaceCells<true>> laplace_at_8_bits() {
  const detail::LaplaceCells<true> cells([](long bits) { return BigInterval(Rational(1), bits); });
  return {cells, {.table_bits = 8, .step = 4}};
}

// These cells, then the shipped truncation.
// Spec: F-68, D-68
TEST(TruncatedGeometric, EveryTapeGivesTheLaw) {
  const auto noise = laplace_at_8_bits();
  for (Int128 x : {0, 2, 5}) {
    const auto law = testing::enumerate([&](Tape& tape) { return detail::truncated(x, noise.draw(tape), 5); }, 17);
    const auto pmf = [&](Int128 k, long bits) { return truncated_geometric_pmf(1, 5, x, k, bits); };
    EXPECT_LT(law.unresolved_share(), 0.01);
    EXPECT_TRUE(testing::follows(law, pmf, 0, 5));
    const auto neighbour = [&](Int128 k, long bits) {
      return truncated_geometric_pmf(1, 5, x == 0 ? 1 : x - 1, k, bits);
    };
    EXPECT_FALSE(testing::follows(law, neighbour, 0, 5)) << "the check cannot tell neighbours apart";
  }
}

// What falls below zero is reflected where it should stay at zero.
TEST(TruncatedGeometric, PlantedReflectionIsCaught) {
  const auto noise = laplace_at_8_bits();
  const auto reflected = [&](Tape& tape) {
    const Int128 sum = 2 + noise.draw(tape);
    return detail::truncated(sum < 0 ? -sum : sum, 0, 5);
  };
  const auto pmf = [](Int128 k, long bits) { return truncated_geometric_pmf(1, 5, 2, k, bits); };
  EXPECT_FALSE(testing::follows(testing::enumerate(reflected, 17), pmf, 0, 5));
}

// Shipped forms, one by one and in both batches: two tests at 1e-9 each.
// Spec: D-73
TEST(TruncatedGeometric, DrawsFollowTheLaw) {
  Source source = testing::seeded_source(testing::run_seed());
  const Rational scale(7, 3);
  const TruncatedGeometric law(scale, 8);
  std::vector<double> p;
  for (int k = 0; k <= 8; ++k) p.push_back(truncated_geometric_pmf(scale, 8, 3, k, 96).low_double());
  const auto fits = [&](const auto& draws) {
    std::vector<std::int64_t> counts(9);
    for (const auto k : draws) ++counts.at(static_cast<std::size_t>(k));
    return testing::chi_square_accepts(counts, p, 1e-9) && testing::ks_accepts(counts, p, 1e-9);
  };
  std::vector<Int128> wide(50'000);
  for (Int128& k : wide) k = law.draw(3, source);
  EXPECT_TRUE(fits(wide));
  law.fill(3, wide, source);
  EXPECT_TRUE(fits(wide));
  std::vector<std::int64_t> narrow(50'000);
  law.fill(3, narrow, source);
  EXPECT_TRUE(fits(narrow));
  law.fill(4, narrow, source);
  EXPECT_FALSE(fits(narrow)) << "the check cannot tell neighbours apart";
}

TEST(Mask, ComparesLikeTheOperators) {
  const Int128 numbers[] = {kInt128Min, kInt128Min + 1, -1, 0, 1, Int128{1} << 64, kInt128Max - 1, kInt128Max};
  for (Int128 a : numbers) {
    for (Int128 b : numbers) {
      EXPECT_EQ(detail::select(detail::mask_if_less(a, b), Int128{1}, Int128{0}), Int128{a < b});
      const auto c = static_cast<UInt128>(a), d = static_cast<UInt128>(b);
      EXPECT_EQ(detail::select(detail::mask_if_below(c, d), Int128{1}, Int128{0}), Int128{c < d});
    }
  }
}

TEST(TruncatedGeometric, CountsOutsideTheRangeAreTotal) {
  EXPECT_EQ(detail::truncated(-7, 2, 5), 2);
  EXPECT_EQ(detail::truncated(99, -2, 5), 3);
  EXPECT_EQ(detail::truncated(kInt128Max, kInt128Max, kInt128Max), kInt128Max);
  EXPECT_EQ(detail::truncated(0, kInt128Min, kInt128Max), 0);
  EXPECT_EQ(detail::truncated(0, 5, 0), 0);
  EXPECT_EQ(detail::truncated(kInt128Min, kInt128Min, kInt128Max), 0);
  EXPECT_EQ(detail::truncated(kInt128Max, kInt128Min, kInt128Max), 0);
  EXPECT_EQ(detail::truncated(kInt128Max, -1, kInt128Max), kInt128Max - 1);
}

TEST(TruncatedGeometric, BadParametersAreRefused) {
  using testing::refusal;
  EXPECT_EQ(refusal([] { TruncatedGeometric(1, -1); }), Code::bad_count);
  EXPECT_EQ(refusal([] {
              Source source = testing::seeded_source(1);
              std::vector<std::int64_t> out(1);
              TruncatedGeometric(1, Int128{1} << 63).fill(0, out, source);
            }),
            Code::out_of_range);
  EXPECT_EQ(refusal([] { TruncatedGeometric(0, 5); }), Code::bad_scale);
  EXPECT_EQ(refusal([] { TruncatedGeometric(-1, 5); }), Code::bad_scale);
}

}  // namespace
}  // namespace dither::random
