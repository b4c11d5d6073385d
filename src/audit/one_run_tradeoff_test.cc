#include "audit/one_run_tradeoff.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "accounting/gaussian.h"
#include "base/directed.h"
#include "base/error.h"
#include "stats/binomial.h"
#include "stats/roc.h"

namespace dither::audit {
namespace {

double normal(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }

LeastOther gaussian(double mu) {
  return [mu](double x) { return x >= 1 ? 1 : normal(ndtri_down(x) - mu); };
}

// 10,000 scores of each kind, the normal quantiles at (i + 1/2) / n, shifted for those that are in; says "in" from each
// corner of the curve's hull on, and divides the false alarm by the number of corners. That number comes from the
// scores, so this is no valid audit; it is how the values to compare with were made (JAX-Privacy's own test).
struct Best {
  double epsilon = 0;
  double epsilon_if_gaussian = 0;
};
Best best_of_hull(double shift, double delta, double false_alarm) {
  const int n = 10'000;
  std::vector<double> out, in;
  for (int i = 0; i < n; ++i) {
    out.push_back(ndtri_down((i + 0.5) / n));
    in.push_back(out.back() + shift);
  }
  const std::vector<stats::RocStep> hull = stats::Roc(out, in).hull();
  const double each = false_alarm / static_cast<double>(hull.size());
  Best best;
  for (std::size_t i = 1; i < hull.size(); ++i) {
    const OneRunGuesses guesses{2 * n, hull[i].true_positives + hull[i].false_positives, hull[i].true_positives};
    if (one_run_p_value_up(guesses, best.epsilon, delta) < each) {
      best.epsilon = std::max(best.epsilon, epsilon_lower_bound_one_run(guesses, delta, each));
    }
    best.epsilon_if_gaussian =
        std::max(best.epsilon_if_gaussian, epsilon_lower_bound_one_run_if_gaussian(guesses, delta, each));
  }
  return best;
}

// Spec: T-39, T-38
TEST(OneRunTradeoff, ValuesOfAnotherProgram) {
  for (const auto& [shift, plain, with_shape] :
       {std::tuple{0.0, 0.0, 0.0}, {1.0, 1.13346, 2.164749}, {2.0, 2.311945, 4.7218075}, {4.0, 4.395568, 9.133752}}) {
    const Best best = best_of_hull(shift, 1e-6, 0.05);
    EXPECT_NEAR(best.epsilon, plain, 1e-5 * plain) << shift;
    EXPECT_NEAR(best.epsilon_if_gaussian, with_shape, 1e-5 * with_shape) << shift;
  }
}

// m answers N(+-mu/2, 1), one for each canary, are mu-GDP for each canary; guessing all by sign is right with
// probability Phi(mu/2). Every outcome weighed exactly: the true curve is refuted with probability at most the false
// alarm, and one that claims a fifth of mu nearly always.
// Spec: T-39
TEST(OneRunTradeoff, RefutesTheTruthRarelyAndAFifthOfItSurely) {
  const std::int64_t m = 2000;
  for (const double mu : {0.5, 1.0, 2.0}) {
    double wrong = 0, caught = 0;
    for (std::int64_t v = 0; v <= m; ++v) {
      const double p = std::exp(stats::binomial_log_pmf(v, m, normal(mu / 2)));
      wrong += one_run_refutes({m, m, v}, gaussian(mu), 0.05) ? p : 0;
      caught += one_run_refutes({m, m, v}, gaussian(mu / 5), 0.05) ? p : 0;
    }
    EXPECT_LE(wrong, 0.05) << mu;
    EXPECT_GE(caught, 0.95) << mu;
  }
}

// A claim of "nothing leaks" gives every output the same probability with and without; guesses are then fair coins.
// Spec: T-39
TEST(OneRunTradeoff, FairCoinsRefuteNothing) {
  const LeastOther same = [](double x) { return x; };
  EXPECT_FALSE(one_run_refutes({1000, 1000, 500}, same, 0.05));
  EXPECT_FALSE(one_run_refutes({1000, 1000, 520}, same, 0.05));
  EXPECT_TRUE(one_run_refutes({1000, 1000, 600}, same, 0.05));
  EXPECT_EQ(epsilon_lower_bound_one_run_if_gaussian({1000, 1000, 500}, 1e-5, 0.05), 0);
}

// Spec: T-39
TEST(OneRunTradeoff, MoreRightGuessesShowMore) {
  double before = 0;
  for (std::int64_t v = 500; v <= 1000; v += 50) {
    const double bound = epsilon_lower_bound_one_run_if_gaussian({1000, 1000, v}, 1e-5, 0.05);
    EXPECT_GE(bound, before);
    before = bound;
  }
  EXPECT_GT(before, 10);
}

TEST(OneRunTradeoff, RefusesBadInput) {
  EXPECT_THROW(one_run_refutes({1'000'000'001, 11, 1}, gaussian(1), 0.05), Error);
  EXPECT_THROW(one_run_refutes({10, 11, 1}, gaussian(1), 0.05), Error);
  EXPECT_THROW(one_run_refutes({10, 5, 6}, gaussian(1), 0.05), Error);
  EXPECT_THROW(one_run_refutes({10, 5, 5}, gaussian(1), 0), Error);
  EXPECT_THROW(epsilon_lower_bound_one_run_if_gaussian({10, 5, 5}, 0, 0.05), Error);
}

}  // namespace
}  // namespace dither::audit
