#include "audit/cosine_canaries.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "accounting/gaussian.h"
#include "base/directed.h"
#include "base/error.h"

namespace dither::audit {
namespace {

// The integral of (p - e^epsilon q)^+, on a fine grid.
double delta_reference(const NormalLaw& p, const NormalLaw& q, double epsilon) {
  const auto density = [](const NormalLaw& law, double x) {
    const double z = (x - law.mean) / law.deviation;
    return std::exp(-z * z / 2) / (law.deviation * std::sqrt(2 * M_PI));
  };
  double sum = 0;
  const double step = 1e-4;
  for (double x = -40; x < 40; x += step)
    sum += std::max(0.0, density(p, x) - std::exp(epsilon) * density(q, x)) * step;
  return sum;
}

TEST(CosineCanaries, EqualDeviationsAreGaussianNoise) {
  for (const double mu : {0.5, 1.0, 2.0}) {
    for (const double epsilon : {0.0, 0.5, 3.0}) {
      EXPECT_NEAR(normal_pair_delta({mu, 1}, {0, 1}, epsilon), accounting::gaussian_delta_up(mu, epsilon), 1e-12);
      EXPECT_NEAR(normal_pair_delta({-3, 2}, {-3 + 2 * mu, 2}, epsilon), accounting::gaussian_delta_up(mu, epsilon),
                  1e-12);
    }
  }
  EXPECT_EQ(normal_pair_delta({1, 2}, {1, 2}, 0), 0);
}

TEST(CosineCanaries, OtherDeviationsAreTheIntegral) {
  for (const NormalLaw& p : {NormalLaw{1, 1.3}, NormalLaw{0.5, 0.6}, NormalLaw{0, 2}, NormalLaw{2, 1 + 1e-9}}) {
    for (const double epsilon : {0.0, 0.4, 2.0}) {
      const NormalLaw q{0, 1};
      EXPECT_NEAR(normal_pair_delta(p, q, epsilon),
                  std::max(delta_reference(p, q, epsilon), delta_reference(q, p, epsilon)), 1e-7);
    }
  }
}

// Canaries whose cosines have mean mu / sqrt(d) and the deviation of others: the epsilon of Gaussian noise with that
// mu.
// Spec: T-39
TEST(CosineCanaries, EstimatesTheNoiseThatMadeThem) {
  const std::int64_t dimensions = 10'000;
  const int canaries = 20'000;
  for (const auto& [mu, epsilon] : {std::pair{0.5, 1.993}, {1.0, 4.377}, {2.0, 9.997}}) {
    std::vector<double> cosines;
    for (int i = 0; i < canaries; ++i) cosines.push_back((mu + ndtri_down((i + 0.5) / canaries)) / 100);
    EXPECT_NEAR(cosine_canary_estimate(cosines, dimensions, 1e-5), epsilon, 0.01);
  }
}

// Spec: T-39
TEST(CosineCanaries, CanariesThatLeftNoTraceEstimateLittle) {
  std::vector<double> cosines;
  for (int i = 0; i < 20'000; ++i) cosines.push_back(ndtri_down((i + 0.5) / 20'000) / 100);
  EXPECT_LT(cosine_canary_estimate(cosines, 10'000, 1e-5), 0.01);
}

TEST(CosineCanaries, RefusesBadInput) {
  EXPECT_THROW(cosine_canary_estimate(std::vector<double>{0.1}, 100, 1e-5), Error);
  EXPECT_THROW(cosine_canary_estimate(std::vector<double>{0.1, 1.1}, 100, 1e-5), Error);
  EXPECT_THROW(cosine_canary_estimate(std::vector<double>{0.1, 0.1}, 100, 1e-5), Error);
  EXPECT_THROW(cosine_canary_estimate(std::vector<double>{0.1, 0.2}, 1, 1e-5), Error);
  EXPECT_THROW(cosine_canary_estimate(std::vector<double>{0.1, 0.2}, 100, 0), Error);
  EXPECT_THROW(normal_pair_delta({0, 1}, {0, 1}, -1), Error);
}

}  // namespace
}  // namespace dither::audit
