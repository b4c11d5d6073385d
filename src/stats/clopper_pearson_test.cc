#include "stats/clopper_pearson.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/error.h"
#include "stats/beta.h"
#include "stats/binomial.h"

namespace dither::stats {
namespace {

TEST(ClopperPearson, ClosedForms) {
  // No hits: the upper end solves (1-p)^n = alpha/2; all hits: the lower end solves p^n = alpha/2.
  const ProbabilityInterval none = clopper_pearson(0, 10, 0.05);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 1 - std::pow(0.025, 0.1), 1e-13);
  const ProbabilityInterval all = clopper_pearson(10, 10, 0.05);
  EXPECT_NEAR(all.low, std::pow(0.025, 0.1), 1e-13);
  EXPECT_EQ(all.high, 1);
}

TEST(ClopperPearson, TableValue) {  // 10 of 20 at 95%: (0.2720, 0.7280) in the usual tables
  const ProbabilityInterval half = clopper_pearson(10, 20, 0.05);
  EXPECT_NEAR(half.low, 0.27196, 5e-6);
  EXPECT_NEAR(half.high, 0.72804, 5e-6);
}

TEST(ClopperPearson, EndsAreBetaQuantilesRoundedOutward) {
  for (const auto& [hits, n] : {std::pair{3, 17}, {500, 1000}, {1, 1'000'000}, {999'999, 1'000'000}}) {
    for (const double alpha : {0.05, 1e-9}) {
      const ProbabilityInterval interval = clopper_pearson(hits, n, alpha);
      const double low = beta_quantile(alpha / 2, hits, n - hits + 1);
      const double one_less_high = beta_quantile(alpha / 2, n - hits, hits + 1);
      EXPECT_NEAR(interval.low, low, 1e-11 * low);
      EXPECT_NEAR(interval.high, 1 - one_less_high, 1e-11 * one_less_high + 2e-16);
      EXPECT_LE(binomial_log_upper(hits, n, interval.low), std::log(alpha / 2));
      EXPECT_LE(binomial_log_lower(hits, n, interval.high), std::log(alpha / 2));
    }
  }
}

// At every p the chance to miss it, summed exactly, is at most alpha.
TEST(ClopperPearson, CoversWhateverTheProbability) {
  const int n = 30;
  const double alpha = 0.1;
  std::vector<ProbabilityInterval> intervals;
  for (int hits = 0; hits <= n; ++hits) intervals.push_back(clopper_pearson(hits, n, alpha));
  for (int step = 0; step <= 256; ++step) {
    const double p = step / 256.0;
    double missed = 0;
    for (int hits = 0; hits <= n; ++hits) {
      const ProbabilityInterval& interval = intervals[static_cast<std::size_t>(hits)];
      if (p < interval.low || p > interval.high) missed += std::exp(binomial_log_pmf(hits, n, p));
    }
    EXPECT_LE(missed, alpha) << p;
  }
}

TEST(ClopperPearson, ABillionTrials) {
  const double p = probability_lower_bound(500'000'000, 1'000'000'000, 1e-9);
  EXPECT_NEAR((0.5 - p) / std::sqrt(0.25 / 1e9), 5.9978, 1e-3);  // the normal quantile of 1e-9
  EXPECT_LE(binomial_upper(500'000'000, 1'000'000'000, p), 1e-9);
}

TEST(ClopperPearson, OneSidedBoundsUseTheWholeAlpha) {
  EXPECT_EQ(probability_upper_bound(3, 10, 0.025), clopper_pearson(3, 10, 0.05).high);
  EXPECT_EQ(probability_lower_bound(3, 10, 0.025), clopper_pearson(3, 10, 0.05).low);
}

TEST(ClopperPearson, RefusesBadInput) {
  EXPECT_THROW(clopper_pearson(0, 0, 0.05), Error);
  EXPECT_THROW(clopper_pearson(11, 10, 0.05), Error);
  EXPECT_THROW(clopper_pearson(-1, 10, 0.05), Error);
  EXPECT_THROW(clopper_pearson(1, 10, 0), Error);
  EXPECT_THROW(clopper_pearson(1, 10, 1), Error);
  EXPECT_THROW(clopper_pearson(1, 10, std::nan("")), Error);
}

}  // namespace
}  // namespace dither::stats
