#include "audit/one_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "stats/binomial.h"

namespace dither::audit {
namespace {

// The sum as it is written, term by term.
double p_value_reference(const OneRunGuesses& guesses, double epsilon, double delta) {
  const double q = 1 / (1 + std::exp(-epsilon));
  double p = stats::binomial_upper(guesses.right, guesses.guesses, q);
  double window = 0, best = 0;
  for (std::int64_t i = 1; i <= guesses.right; ++i) {
    window += std::exp(stats::binomial_log_pmf(guesses.right - i, guesses.guesses, q));
    best = std::max(best, window / static_cast<double>(i));
  }
  p += 2 * static_cast<double>(guesses.canaries) * delta * best;
  return std::min(1.0, p);
}

// Spec: T-38
TEST(OneRun, KnownNumbers) {
  const auto bound = [](std::int64_t m, std::int64_t r, std::int64_t v, double delta) {
    return epsilon_lower_bound_one_run({m, r, v}, delta, 0.05);
  };
  EXPECT_NEAR(bound(1000, 1000, 1000, 0), 5.8091, 5e-5);
  EXPECT_NEAR(bound(1000, 1000, 1000, 1e-5), 5.7823, 5e-5);
  EXPECT_NEAR(bound(1000, 100, 100, 1e-5), 3.4654, 5e-5);
  EXPECT_NEAR(bound(1000, 1000, 600, 1e-5), 0.2972, 5e-5);
  EXPECT_NEAR(bound(1000, 100, 75, 1e-5), 0.6995, 5e-5);
  EXPECT_NEAR(bound(10'000, 1000, 750, 1e-5), 0.9736, 5e-5);
  EXPECT_NEAR(bound(5000, 500, 500, 1e-5), 4.9778, 5e-5);
  EXPECT_NEAR(bound(1000, 1000, 750, 0), 0.9767, 5e-5);
}

// Spec: T-38
TEST(OneRun, PValueIsTheSumAsWritten) {
  for (const std::int64_t r : {1, 2, 7, 40, 200}) {
    for (std::int64_t v = 0; v <= r; v += r < 10 ? 1 : 9) {
      for (const double epsilon : {0.0, 0.3, 1.0, 4.0}) {
        for (const double delta : {0.0, 1e-6, 1e-3, 0.1, 1.0}) {
          const OneRunGuesses guesses{3 * r, r, v};
          const double wanted = p_value_reference(guesses, epsilon, delta);
          const double found = one_run_p_value_up(guesses, epsilon, delta);
          EXPECT_GE(found, wanted * (1 - 1e-12)) << r << ' ' << v << ' ' << epsilon << ' ' << delta;
          EXPECT_LE(found, wanted * (1 + 2e-8)) << r << ' ' << v << ' ' << epsilon << ' ' << delta;
        }
      }
    }
  }
}

// A million canaries: tails of e^-100000 on the way, and delta's term far from where the count is.
// Spec: T-38
TEST(OneRun, AMillionCanaries) {
  const std::int64_t m = 1'000'000;
  // Without errors and delta: q^m = 0.05.
  EXPECT_NEAR(epsilon_lower_bound_one_run({m, m, m}, 0, 0.05), -std::log(std::expm1(-std::log(0.05) / 1e6)), 1e-6);
  EXPECT_NEAR(epsilon_lower_bound_one_run({m, m, 750'000}, 0, 0.05), std::log(3.0), 5e-3);
  EXPECT_LT(epsilon_lower_bound_one_run({m, m, 750'000}, 1e-7, 0.05),
            epsilon_lower_bound_one_run({m, m, 750'000}, 0, 0.05));
  // epsilon 0, all right: the count lies 5 * 10^5 from its mean, yet the mean of all terms is at least 1 / m.
  EXPECT_GE(one_run_p_value_up({m, m, m}, 0, 1e-3), 2 * 1e-3);
  EXPECT_NEAR(one_run_p_value_up({m, m, m}, 0, 1e-3), 2 * 1e-3 * 2, 2e-4);
}

// Spec: T-38
TEST(OneRun, MoreRightGuessesShowMoreAndDeltaShowsLess) {
  double before = -1;
  for (std::int64_t v = 50; v <= 100; ++v) {
    const double bound = epsilon_lower_bound_one_run({1000, 100, v}, 1e-5, 0.05);
    EXPECT_GE(bound, before);
    EXPECT_LE(bound, epsilon_lower_bound_one_run({1000, 100, v}, 0, 0.05));
    EXPECT_LT(one_run_p_value_up({1000, 100, v}, bound, 1e-5), bound > 0 ? 0.05 : 2);
    before = bound;
  }
}

// m answers of randomised response, one for each canary, are epsilon-DP; guessing all of them right or wrong is then
// exactly binomial. Every outcome weighed: too high with probability at most 5%, and nearly that: the bound is tight.
// Spec: T-38
TEST(OneRun, CoversExactlyAndTightly) {
  const double epsilon = 1, truth = std::exp(epsilon) / (1 + std::exp(epsilon));
  const std::int64_t m = 400;
  double wrong = 0;
  for (std::int64_t v = 0; v <= m; ++v) {
    if (epsilon_lower_bound_one_run({m, m, v}, 0, 0.05) <= epsilon) continue;
    wrong += std::exp(stats::binomial_log_pmf(v, m, truth));
  }
  EXPECT_LE(wrong, 0.05);
  EXPECT_GE(wrong, 0.03);
}

// Spec: T-38
TEST(OneRun, GuessesComeFromTheEndsOfTheOrder) {
  const std::vector<double> scores{5, 1, 4, 2, 3, 3};
  const std::vector<bool> included{true, true, false, false, true, false};
  const OneRunGuesses guesses = guess(scores, included, 2, 2);  // in: 5 (right), 4 (wrong); out: 2 (right), 1 (wrong)
  EXPECT_EQ(guesses.canaries, 6);
  EXPECT_EQ(guesses.guesses, 4);
  EXPECT_EQ(guesses.right, 2);
  EXPECT_EQ(guess(scores, included, 6, 0).right, 3);
  EXPECT_EQ(guess(scores, included, 3, 0).right, 2);  // of the two threes the first is taken
  EXPECT_EQ(guess(scores, included, 0, 0).guesses, 0);
}

TEST(OneRun, RefusesBadInput) {
  EXPECT_THROW(epsilon_lower_bound_one_run({0, 0, 0}, 0, 0.05), Error);
  EXPECT_THROW(epsilon_lower_bound_one_run({10, 11, 0}, 0, 0.05), Error);
  EXPECT_THROW(epsilon_lower_bound_one_run({10, 5, 6}, 0, 0.05), Error);
  EXPECT_THROW(epsilon_lower_bound_one_run({10, 5, 5}, 2, 0.05), Error);
  EXPECT_THROW(epsilon_lower_bound_one_run({10, 5, 5}, 0, 0), Error);
  EXPECT_THROW(one_run_p_value_up({10, 5, 5}, -1, 0), Error);
  EXPECT_THROW(guess(std::vector<double>{1, 2}, {true}, 1, 0), Error);
  EXPECT_THROW(guess(std::vector<double>{1, 2}, {true, false}, 2, 1), Error);
  EXPECT_THROW(guess(std::vector<double>{1, std::nan("")}, {true, false}, 1, 1), Error);
}

}  // namespace
}  // namespace dither::audit
