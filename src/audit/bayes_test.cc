#include "audit/bayes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "base/error.h"
#include "testing/seed.h"

namespace dither::audit {
namespace {

// The printed figures come from 4e5 draws, so their last digit is uncertain.
// Spec: T-36
TEST(Bayes, KnownNumbers) {
  const CredibleEpsilon first = credible_epsilon({50, 1000, 700, 1000}, 1e-5, 0.95);
  EXPECT_NEAR(first.low, 1.514, 2e-3);
  EXPECT_NEAR(first.median, 1.789, 2e-3);
  EXPECT_NEAR(first.high, 2.088, 2e-3);
  const CredibleEpsilon second = credible_epsilon({10, 1000, 800, 1000}, 1e-5, 0.95);
  EXPECT_NEAR(second.low, 2.412, 3e-3);
  EXPECT_NEAR(second.median, 2.979, 3e-3);
  EXPECT_NEAR(second.high, 3.668, 5e-3);
}

// Against draws from both posteriors, as the quantiles are defined. Each quantile of 40,000 draws has the true one
// within 5.5 standard errors of its rank, but for a chance below 1e-7.
// Spec: T-36
TEST(Bayes, AgreesWithDraws) {
  std::mt19937_64 draw(testing::run_seed());
  for (const ErrorCounts& counts : {ErrorCounts{0, 50, 3, 40}, ErrorCounts{200, 1000, 150, 700}}) {
    const auto beta = [&](std::int64_t errors, std::int64_t runs) {
      std::gamma_distribution<double> one(static_cast<double>(errors) + 0.5),
          two(static_cast<double>(runs - errors) + 0.5);
      const double x = one(draw);
      return x / (x + two(draw));
    };
    const int n = 40'000;
    std::vector<double> epsilons;
    for (int i = 0; i < n; ++i) {
      epsilons.push_back(epsilon_of_rates_down(
          {beta(counts.false_positives, counts.negative_runs), beta(counts.false_negatives, counts.positive_runs)},
          0.01));
    }
    std::sort(epsilons.begin(), epsilons.end());
    const CredibleEpsilon found = credible_epsilon(counts, 0.01, 0.9);
    for (const auto& [probability, epsilon] : {std::pair{0.05, found.low}, {0.5, found.median}, {0.95, found.high}}) {
      const auto below = std::lower_bound(epsilons.begin(), epsilons.end(), epsilon) - epsilons.begin();
      const double deviation = std::sqrt(probability * (1 - probability) * n);
      EXPECT_NEAR(static_cast<double>(below), probability * n, 5.5 * deviation + 2) << probability;
    }
  }
}

// It is not a confidence bound: half of its lower tail lies above what the counts prove.
// Spec: T-36
TEST(Bayes, IsBolderThanProof) {
  EXPECT_GT(credible_epsilon({10, 1000, 800, 1000}, 1e-5, 0.95).low,
            epsilon_lower_bound({10, 1000, 800, 1000}, 1e-5, 0.05));
}

TEST(Bayes, EdgesAndRefusals) {
  const CredibleEpsilon nothing = credible_epsilon({500, 1000, 500, 1000}, 0.2, 0.5);
  EXPECT_EQ(nothing.low, 0);
  EXPECT_EQ(nothing.high, 0);
  const CredibleEpsilon perfect = credible_epsilon({0, 1000, 0, 1000}, 0, 0.95);
  EXPECT_GT(perfect.low, 5);
  EXPECT_LT(perfect.low, perfect.median);
  EXPECT_LT(perfect.median, perfect.high);
  EXPECT_THROW(credible_epsilon({0, 0, 0, 1}, 0, 0.95), Error);
  EXPECT_THROW(credible_epsilon({2, 1, 0, 1}, 0, 0.95), Error);
  EXPECT_THROW(credible_epsilon({0, 1, 0, 1}, 0, 1), Error);
  EXPECT_THROW(credible_epsilon({0, 1, 0, 1}, 2, 0.5), Error);
}

}  // namespace
}  // namespace dither::audit
