#include "testing/statistical.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "base/error.h"
#include "stats/binomial.h"
#include "stats/multinomial.h"
#include "testing/seed.h"

namespace dither::testing {
namespace {

using Counts = std::vector<std::int64_t>;
using Law = std::vector<double>;

// The probability that a check rejects, summed over every outcome of a law.
double binomial_false_alarm(std::int64_t n, double p, double level) {
  double rejected = 0;
  for (std::int64_t hits = 0; hits <= n; ++hits) {
    if (!binomial_accepts(hits, n, p, level)) rejected += std::exp(stats::binomial_log_pmf(hits, n, p));
  }
  return rejected;
}

double cells_false_alarm(std::int64_t n, const Law& law, const std::function<bool(const Counts&)>& accepts) {
  double rejected = 0;
  Counts counts;
  const std::function<void(std::int64_t)> place = [&](std::int64_t left) {
    const bool last = counts.size() + 1 == law.size();
    for (std::int64_t here = last ? left : 0; here <= left; ++here) {
      counts.push_back(here);
      if (!last) place(left - here);
      if (last && !accepts(counts)) rejected += std::exp(stats::multinomial_log_pmf(counts, law));
      counts.pop_back();
    }
  };
  place(n);
  return rejected;
}

// Spec: D-73
TEST(BinomialAccepts, FalseAlarmSummedOverAllOutcomesIsBelowTheStatedOne) {
  for (const std::int64_t n : {1, 5, 40, 1000}) {
    for (const double p : {0.0, 0.001, 0.3, 0.5, 0.97, 1.0}) {
      for (const double level : {0.3, 0.05, 1e-3, 1e-9}) EXPECT_LE(binomial_false_alarm(n, p, level), level);
    }
  }
  EXPECT_GT(binomial_false_alarm(1000, 0.3, 0.05), 0.03) << "the level is used, not thrown away";
}

// Spec: D-73
TEST(ChiSquareAccepts, FalseAlarmSummedOverAllOutcomesIsBelowTheStatedOne) {
  for (const Law& law : {Law{0.5, 0.5}, Law{0.9375, 0.0625}, Law{0.25, 0.25, 0.5}, Law{0.5, 0.375, 0.0625, 0.0625}}) {
    for (const std::int64_t n : {1, 6, 18}) {
      for (const double level : {0.3, 0.05, 1e-3}) {
        const auto accepts = [&](const Counts& counts) { return chi_square_accepts(counts, law, level); };
        EXPECT_LE(cells_false_alarm(n, law, accepts), level) << n << " " << level;
      }
    }
  }
}

// Spec: D-73
TEST(KsAccepts, FalseAlarmSummedOverAllOutcomesIsBelowTheStatedOne) {
  for (const Law& law : {Law{0.5, 0.5}, Law{0.25, 0.25, 0.5}, Law{0.25, 0.25, 0.25, 0.25}}) {
    for (const std::int64_t n : {1, 6, 18}) {
      for (const double level : {0.3, 0.05, 1e-3}) {
        const auto accepts = [&](const Counts& counts) { return ks_accepts(counts, law, level); };
        EXPECT_LE(cells_false_alarm(n, law, accepts), level) << n << " " << level;
      }
    }
  }
}

// Power. Each planted law is caught unless something less likely than 1e-9 happens, which the comment computes.
class StatisticalPower : public ::testing::Test {
 protected:
  double uniform() { return std::generate_canonical<double, 53>(engine_); }
  std::mt19937_64 engine_{run_seed()};
};

// 5% off: at 10^6 trials the two means lie 10000 apart, which is 24 standard deviations; the check needs 6.
TEST_F(StatisticalPower, PlantedFivePercentIsCaughtByBinomial) {
  const auto hits_at = [&](double p) { return count(1'000'000, [&] { return uniform() < p; }); };
  EXPECT_TRUE(binomial_accepts(hits_at(0.2), 1'000'000, 0.2, 1e-9));
  EXPECT_FALSE(binomial_accepts(hits_at(0.21), 1'000'000, 0.2, 1e-9));
}

// The miss of a 5% error is itself computed: the acceptance region's weight under the wrong law.
TEST(BinomialAccepts, PlantedFivePercentSlipsThroughWithProbabilityBelowTenToTheMinusNine) {
  const std::int64_t n = 100'000;
  double missed = 0;
  for (std::int64_t hits = 0; hits <= n; ++hits) {
    if (binomial_accepts(hits, n, 0.5, 1e-9)) missed += std::exp(stats::binomial_log_pmf(hits, n, 0.525));
  }
  EXPECT_LT(missed, 1e-9);
  EXPECT_GT(missed, 0);
}

TEST_F(StatisticalPower, PlantedModuloBiasIsCaughtByChiSquare) {
  // 8 bits modulo 6: four cells have 43/256, two have 42/256, against 1/6 each. The divergence is
  // 6.1e-5 a draw, 244 in all, with a standard deviation of 22; the check needs 45.
  const Law fair(6, 1.0 / 6);
  const auto draw = [&](bool biased) {
    Counts counts(6, 0);
    for (int i = 0; i < 4'000'000; ++i) {
      const auto byte = static_cast<unsigned>(engine_() >> 56);
      if (biased || byte < 252) ++counts[byte % 6];
    }
    return counts;
  };
  EXPECT_TRUE(chi_square_accepts(draw(false), fair, 1e-9));
  EXPECT_FALSE(chi_square_accepts(draw(true), fair, 1e-9));
}

TEST_F(StatisticalPower, PlantedRareCellIsCaughtByChiSquare) {
  Counts counts(1000, 100);
  const Law fair(1000, 1e-3);
  EXPECT_TRUE(chi_square_accepts(counts, fair, 1e-9));
  counts[7] = 200;  // ten standard deviations in one of a thousand cells: too little for the whole, enough for the cell
  EXPECT_FALSE(chi_square_accepts(counts, fair, 1e-9));
}

TEST(ChiSquareAccepts, ImpossibleCellIsRejected) {
  EXPECT_FALSE(chi_square_accepts(Counts{1, 999}, Law{0, 1}, 1e-9));
  EXPECT_TRUE(chi_square_accepts(Counts{0, 999}, Law{0, 1}, 1e-9));
}

TEST_F(StatisticalPower, PlantedNarrowScaleIsCaughtByKs) {
  // Exponential of scale 1 against 0.95: the cdfs lie 0.0188 apart; Massart's distance at 1e-9 is 0.0060 for 300000,
  // and by the same bound such a sample comes that close with probability below 1e-40.
  const auto cdf = [](double x) { return -std::expm1(-x); };
  const auto sample = [&](double scale) {
    std::vector<double> values(300'000);
    for (double& x : values) x = -scale * std::log1p(-uniform());
    return values;
  };
  EXPECT_TRUE(ks_accepts(sample(1), cdf, 1e-9));
  EXPECT_FALSE(ks_accepts(sample(0.95), cdf, 1e-9));
}

TEST_F(StatisticalPower, PlantedOffByOneIsCaughtByKsOnIntegers) {
  const auto cdf = [](Int128 k) { return k < 0 ? 0 : k > 9 ? 1 : static_cast<double>(k + 1) / 10; };
  const auto sample = [&](int shift) {
    std::vector<Int128> values(10'000);
    for (Int128& x : values) x = static_cast<Int128>(uniform() * 10) + shift;
    return values;
  };
  EXPECT_TRUE(ks_accepts(sample(0), cdf, 1e-9));
  EXPECT_FALSE(ks_accepts(sample(1), cdf, 1e-9));
}

// One draw only, far from the law: an integer that the law gives no weight must count as distance 1 from below too.
TEST(KsAccepts, LooksJustBelowEachInteger) {
  const auto cdf = [](Int128 k) { return k < 0 ? 0.0 : 1.0; };  // always 0
  EXPECT_FALSE(ks_accepts(std::vector<Int128>(50, 7), cdf, 1e-9));
  EXPECT_FALSE(ks_accepts(std::vector<Int128>(50, -7), cdf, 1e-9));
  EXPECT_TRUE(ks_accepts(std::vector<Int128>(50, 0), cdf, 1e-9));
}

TEST(KsAccepts, NotANumberFitsNoLaw) {
  EXPECT_FALSE(ks_accepts(
      std::vector<double>{0.5, std::nan("")}, [](double) { return 0.5; }, 1e-9));
  EXPECT_FALSE(ks_accepts(
      std::vector<double>(5, 0.5), [](double) { return std::nan(""); }, 1e-9));
}

TEST(StatisticalChecks, RefuseBadInput) {
  EXPECT_THROW(binomial_accepts(1, 0, 0.5, 1e-9), Error);
  EXPECT_THROW(binomial_accepts(1, 10, std::nan(""), 1e-9), Error);
  EXPECT_THROW(binomial_accepts(1, 10, 0.5, 0), Error);
  EXPECT_THROW(binomial_accepts(1, 10, 0.5, std::nan("")), Error);
  EXPECT_THROW(chi_square_accepts(Counts{1, 2}, Law{0.5, 0.4}, 1e-9), Error);
  EXPECT_THROW(ks_accepts(Counts{1, 2}, Law{1.0}, 1e-9), Error);
  EXPECT_THROW(ks_accepts(
                   std::vector<double>{}, [](double) { return 0.5; }, 1e-9),
               Error);
}

}  // namespace
}  // namespace dither::testing
