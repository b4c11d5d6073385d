#include "mechanisms/accuracy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "mechanisms/calibrate.h"
#include "mechanisms/noise_check.h"
#include "testing/refusal.h"

namespace dither::mechanisms {
namespace {

Rational exact(const char* text) { return Rational::parse(text); }

// Spec: W-36
TEST(NoiseAccuracy, LaplaceOracles) {
  EXPECT_NEAR(laplace_alpha(1, exact("0.5"), {1, 0.05}), 5.991, 5e-4);
  EXPECT_NEAR(accounting::laplace_union_error_up(2, {100, 0.05}), 15.202, 5e-4);
  EXPECT_LE(laplace_alpha(1, exact("0.5"), {100, 0.05}), 15.202);  // exact, and so a little less than the union bound
  EXPECT_GE(laplace_alpha(1, exact("0.5"), {100, 0.05}), 15.1);
}

// Spec: W-36
TEST(NoiseAccuracy, ThereAndBackAgain) {
  for (const char* epsilon : {"0.01", "0.5", "1", "3", "10"}) {
    for (const Accuracy& accuracy : {Accuracy{1, 0.05}, Accuracy{100, 0.05}, Accuracy{7, 1e-6}}) {
      const double wanted = exact(epsilon).to_double_up();
      EXPECT_NEAR(laplace_epsilon(3, laplace_alpha(3, exact(epsilon), accuracy), accuracy), wanted, 1e-9);
      const double alpha = gaussian_alpha(2, exact(epsilon), exact("1e-6"), accuracy);
      EXPECT_NEAR(gaussian_epsilon(2, alpha, exact("1e-6"), accuracy), wanted, 1e-9);
    }
  }
}

// Spec: F-45, F-47, F-48, F-49, F-51
TEST(NoiseAccuracy, ExamplesOfTheSources) {
  // Mean absolute error of ten values at epsilon 1/2, summed from the law on a fine grid: 10 * 2.
  const check::OutputLaw law = check::laplace_family(40).law;  // a scale of 2 in steps of 1/20
  double mean = 0;
  for (Int128 y = -law.reach; y <= law.reach; ++y) mean += std::abs(static_cast<double>(y)) / 20 * law(0, y);
  EXPECT_NEAR(10 * mean, 20, 20 * 2e-4);
  // First names: 10^4 cells at epsilon 1.
  EXPECT_LE(laplace_alpha(1, 1, {10'000, 0.05}), 12.206073);
  EXPECT_NEAR(laplace_alpha(1, 1, {10'000, 0.05}), 12.180538, 5e-7);
  // One count: P(|error| >= ln 10) = 1/10, with equality.
  EXPECT_NEAR(laplace_alpha(1, 1, {1, 0.1}), std::log(10), 1e-12);
  // k = 100 counts over n = 10^4 records, L1 distance k / n.
  EXPECT_NEAR(accounting::laplace_union_error_up(laplace_scale(exact("0.01"), 1).to_double_up(), {100, 0.05}), 0.076009,
              5e-7);
  // The mean age of 10^4 people.
  EXPECT_NEAR(laplace_alpha(exact("0.01"), exact("0.5"), {1, 0.05}), 0.0599146, 5e-8);
  EXPECT_NEAR(laplace_alpha(exact("0.01"), 1, {1, 0.05}), 0.0299573, 5e-8);
}

// Spec: F-58
TEST(NoiseAccuracy, HundredCountsByGaussianNoise) {
  // Each of 100 fractions moves by 1/n, so the Euclidean distance is sqrt(100) / n.
  const Rational squared = Rational(100) / (Rational(10'000) * 10'000);
  EXPECT_NEAR(analytic_sigma(squared, 1, exact("1e-6")).to_double_up(), 0.00422468, 5e-9);
  EXPECT_NEAR(gaussian_alpha(squared, 1, exact("1e-6"), {100, 0.05}), 0.0146764, 5e-8);
}

// Spec: F-50
TEST(NoiseAccuracy, ClippingBias) {
  EXPECT_NEAR(clipping_bias(2, 0), 1, 1e-12);
  EXPECT_NEAR(clipping_bias(2, 5), 0.082085, 5e-7);
  // Against the mean of max(0, c + noise) on a fine grid.
  const check::OutputLaw law = check::laplace_family(40).law;
  for (const int c : {0, 5}) {
    double mean = 0;
    for (Int128 y = -law.reach; y <= law.reach; ++y) mean += std::max(0.0, c + static_cast<double>(y) / 20) * law(0, y);
    EXPECT_NEAR(mean - c, clipping_bias(2, c), 1e-3);
  }
  EXPECT_EQ(testing::refusal([] { clipping_bias(0, 1); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { clipping_bias(1, -1); }), Code::out_of_range);
}

// Quantiles far out, where thresholds lie, against 256-bit arithmetic.
// Spec: F-56
TEST(NoiseAccuracy, Hole28GaussianTailQuantiles) {
  for (const double failure : {0.05, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15}) {
    const double x = accounting::gaussian_error_up(1, {1, failure});
    const BigInterval tail = random::real_cdf(random::RealLaw::normal(), -Rational::from_double(x), 256);
    EXPECT_LE(2 * tail.high_double(), failure);               // on the safe side
    EXPECT_GE(2 * tail.low_double(), failure * (1 - 1e-12));  // and no further than rounding
  }
}
TEST(NoiseAccuracy, PlantedCoarseQuantileIsCaught) {  // to four decimals, as in a printed table
  const double x = 7.9414;                            // for 1e-15, one sided
  const BigInterval tail = random::real_cdf(random::RealLaw::normal(), -Rational::from_double(x), 256);
  EXPECT_GT(std::abs(tail.low_double() / 1e-15 - 1), 1e-12);
}

}  // namespace
}  // namespace dither::mechanisms
