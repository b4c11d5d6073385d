#include "audit/gaussian_audit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "accounting/gaussian.h"
#include "base/error.h"

namespace dither::audit {
namespace {

// Spec: T-37
TEST(GaussianAudit, KnownNumbers) {
  const GaussianBound first = epsilon_lower_bound_if_gaussian({50, 1000, 700, 1000}, 1e-5, 0.05);
  EXPECT_NEAR(first.mu, 0.9034, 5e-5);
  EXPECT_NEAR(first.epsilon, 3.893, 5e-4);
  const GaussianBound second = epsilon_lower_bound_if_gaussian({10, 1000, 800, 1000}, 1e-5, 0.05);
  EXPECT_NEAR(second.mu, 1.1577, 5e-5);
  EXPECT_NEAR(second.epsilon, 5.191, 5e-4);
  // What the shape of the noise adds to what the counts alone say.
  EXPECT_NEAR(epsilon_lower_bound({50, 1000, 700, 1000}, 1e-5, 0.05), 1.424, 5e-4);
}

// Spec: T-37
TEST(GaussianAudit, MuToEpsilon) {
  EXPECT_NEAR(accounting::gaussian_epsilon_down(0.5, 1e-5), 1.993, 5e-4);
  EXPECT_NEAR(accounting::gaussian_epsilon_down(1, 1e-5), 4.377, 5e-4);
  EXPECT_NEAR(accounting::gaussian_epsilon_down(2, 1e-5), 9.997, 5e-4);
}

// mu is a bound for every mechanism that claims Gaussian DP, and comes close with many runs.
// Spec: T-37
TEST(GaussianAudit, ApproachesTheTruth) {
  const double rate = std::erfc(0.5 / std::sqrt(2.0)) / 2;  // both error rates of mu = 1, cut in the middle
  double before = 0;
  for (const std::int64_t n : {1000, 100'000, 10'000'000}) {
    const auto errors = static_cast<std::int64_t>(rate * static_cast<double>(n));
    const double mu = epsilon_lower_bound_if_gaussian({errors, n, errors, n}, 1e-5, 0.05).mu;
    EXPECT_LT(mu, 1);
    EXPECT_GT(mu, before);
    before = mu;
  }
  EXPECT_GT(before, 0.998);
}

TEST(GaussianAudit, NothingShown) {
  EXPECT_EQ(epsilon_lower_bound_if_gaussian({500, 1000, 500, 1000}, 1e-5, 0.05).mu, 0);
  EXPECT_EQ(epsilon_lower_bound_if_gaussian({500, 1000, 500, 1000}, 1e-5, 0.05).epsilon, 0);
  EXPECT_EQ(epsilon_lower_bound_if_gaussian({10, 10, 0, 10}, 1e-5, 0.05).mu, 0);
  EXPECT_TRUE(std::isinf(epsilon_lower_bound_if_gaussian({0, 1000, 0, 1000}, 0, 0.05).epsilon));
  EXPECT_THROW(epsilon_lower_bound_if_gaussian({0, 0, 0, 1}, 1e-5, 0.05), Error);
  EXPECT_THROW(epsilon_lower_bound_if_gaussian({0, 1, 0, 1}, 2, 0.05), Error);
}

}  // namespace
}  // namespace dither::audit
