#include "audit/lower_bound.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "stats/binomial.h"
#include "stats/clopper_pearson.h"

namespace dither::audit {
namespace {

// The oracle numbers, at 95% for both rates together.
// Spec: T-34
TEST(LowerBound, KnownNumbers) {
  EXPECT_NEAR(epsilon_lower_bound({0, 1000, 0, 1000}, 0, 0.05), 5.6006, 5e-5);
  EXPECT_NEAR(error_rates_upper({0, 1000, 0, 1000}, 0.05).false_positive, 0.0036821, 5e-8);
  EXPECT_NEAR(epsilon_lower_bound({0, 500, 0, 500}, 0, 0.05), 4.9056, 5e-5);
  EXPECT_NEAR(epsilon_lower_bound({50, 1000, 700, 1000}, 1e-5, 0.05), 1.4244, 5e-5);
  EXPECT_NEAR(epsilon_lower_bound({10, 1000, 800, 1000}, 1e-5, 0.05), 2.2606, 5e-5);
  EXPECT_NEAR(epsilon_lower_bound({250, 1000, 250, 1000}, 0, 0.05), 0.9542, 5e-5);
  EXPECT_NEAR(epsilon_lower_bound({2500, 10'000, 2500, 10'000}, 0, 0.05), 1.0532, 5e-5);
}

// Spec: T-34
TEST(LowerBound, CeilingIsTheBoundWithoutErrors) {
  EXPECT_NEAR(ceiling(1000, 1000, 0, 0.05), 5.6006, 5e-5);
  EXPECT_NEAR(ceiling(500, 500, 0, 0.05), 4.9056, 5e-5);
  for (int errors = 0; errors <= 20; ++errors) {
    EXPECT_LE(epsilon_lower_bound({errors, 300, 20 - errors, 700}, 1e-3, 0.01), ceiling(300, 700, 1e-3, 0.01));
  }
}

TEST(LowerBound, BothKindsOfRunsAndErrorsAreAlike) {
  EXPECT_EQ(epsilon_lower_bound({3, 100, 7, 400}, 0.01, 0.1), epsilon_lower_bound({7, 400, 3, 100}, 0.01, 0.1));
}

TEST(LowerBound, GuessingShowsNothing) {
  EXPECT_EQ(epsilon_lower_bound({500, 1000, 500, 1000}, 0, 0.05), 0);
  EXPECT_EQ(epsilon_lower_bound({1000, 1000, 0, 1000}, 0, 0.05), 0);  // "in" always
  EXPECT_EQ(epsilon_lower_bound({0, 1000, 0, 1000}, 1, 0.05), 0);     // delta 1 promises nothing
}

TEST(LowerBound, RatesThatNobodyMeasured) {
  EXPECT_EQ(epsilon_of_rates_down({0, 0.5}, 0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(epsilon_of_rates_down({0, 0.5}, 0.5), std::log(1.0));
  EXPECT_NEAR(epsilon_of_rates_down({0.25, 0.25}, 0), std::log(3.0), 1e-14);
  EXPECT_LE(epsilon_of_rates_down({0.25, 0.25}, 0), std::log(3.0));
}

// Randomised response at its epsilon, every outcome of 30 + 30 runs weighed exactly: the bound is too high with
// probability at most the false alarm. A bound from the observed rates themselves would be too high about half the
// time.
// Spec: T-34
TEST(LowerBound, CoversExactly) {
  const int n = 30;
  const double alarm = 0.05;
  for (const double epsilon : {0.1, 1.0, 3.0}) {
    const double lie = 1 / (1 + std::exp(epsilon));
    double wrong = 0, planted = 0;
    for (int fp = 0; fp <= n; ++fp) {
      for (int fn = 0; fn <= n; ++fn) {
        const double p = std::exp(stats::binomial_log_pmf(fp, n, lie) + stats::binomial_log_pmf(fn, n, lie));
        wrong += epsilon_lower_bound({fp, n, fn, n}, 0, alarm) > epsilon ? p : 0;
        planted += epsilon_of_rates_down({fp / double{n}, fn / double{n}}, 0) > epsilon ? p : 0;
      }
    }
    EXPECT_LE(wrong, alarm) << epsilon;
    EXPECT_GT(planted, 0.3) << epsilon;
  }
}

TEST(LowerBound, RefusesBadInput) {
  EXPECT_THROW(epsilon_lower_bound({0, 0, 0, 10}, 0, 0.05), Error);
  EXPECT_THROW(epsilon_lower_bound({11, 10, 0, 10}, 0, 0.05), Error);
  EXPECT_THROW(epsilon_lower_bound({0, 10, -1, 10}, 0, 0.05), Error);
  EXPECT_THROW(epsilon_lower_bound({0, 10, 0, 10}, -0.1, 0.05), Error);
  EXPECT_THROW(epsilon_lower_bound({0, 10, 0, 10}, 0, 0), Error);
  EXPECT_THROW(epsilon_lower_bound({0, 10, 0, 10}, 0, 1), Error);
  EXPECT_THROW(epsilon_of_rates_down({1.5, 0}, 0), Error);
}

}  // namespace
}  // namespace dither::audit
