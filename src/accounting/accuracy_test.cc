#include "accounting/accuracy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using dither::testing::refusal;

constexpr Accuracy kNames{10'000, 0.05};

// Spec: F-46, F-47
TEST(Accuracy, LaplaceErrorOfManyNames) {
  EXPECT_NEAR(laplace_union_error_up(1, kNames), 12.206073, 5e-7);
  EXPECT_NEAR(laplace_error_up(1, kNames), 12.180538, 5e-7);
  EXPECT_NEAR(laplace_mean_largest_up(1, 10'000), 9.787606, 5e-7);
}

TEST(Accuracy, HarmonicSumsMeetTheirBound) {  // on both sides of where summing stops
  const double by_sum = laplace_mean_largest_up(1, 100'000);
  const double by_bound = laplace_mean_largest_up(1, 100'001);
  EXPECT_NEAR(by_bound - by_sum, 1e-5, 1e-10);
  EXPECT_NEAR(by_sum, 12.090146129863428, 1e-13);
}

// Spec: F-48
TEST(Accuracy, OneCount) {
  EXPECT_NEAR(laplace_error_up(1, {1, 0.1}), std::log(10), 1e-14);
  EXPECT_NEAR(laplace_failure_up(1, 1, 1), std::exp(-1), 1e-15);
}

// Spec: F-49, F-50, F-51
TEST(Accuracy, LaplaceExamples) {
  EXPECT_NEAR(laplace_union_error_up(1, {100, std::exp(-3)}), 7.605170, 5e-7);
  EXPECT_LE(laplace_failure_up(1, 7.605170, 100), 0.049787);
  EXPECT_NEAR(laplace_union_error_up(0.01, {100, 0.05}), 0.076009, 5e-7);
  EXPECT_NEAR(laplace_union_error_up(2, {200, 0.05}), 16.588099, 5e-7);
  EXPECT_NEAR(laplace_error_up(2, {200, 0.05}), 16.537282, 5e-7);
  EXPECT_NEAR(laplace_error_up(0.02, {1, 0.05}), 0.0599146, 5e-8);
  EXPECT_NEAR(laplace_error_up(0.01, {1, 0.05}), 0.0299573, 5e-8);
}

// Spec: F-34
TEST(Accuracy, MeanAgeInAllDirections) {
  const Accuracy once{1, 0.05};
  const double epsilon = laplace_epsilon_for(0.01, 0.03, once);
  EXPECT_NEAR(epsilon, 0.998577, 5e-7);
  EXPECT_LE(laplace_error_up(0.01 / epsilon, once), 0.03 * (1 + 1e-15));
  EXPECT_EQ(laplace_records_for(100, 0.03, 0.9986, once), 10'000);  // a range of 100 years: sensitivity 100 / n
  EXPECT_EQ(laplace_records_for(100, 0.03, 0.9985, once), 10'001);
  EXPECT_NEAR(laplace_scale_for(0.03, once), 0.03 / std::log(20), 1e-16);
}

// Spec: F-56, F-57
TEST(Accuracy, GaussianErrors) {
  EXPECT_NEAR(gaussian_union_error_up(1, kNames), 4.940865, 5e-7);
  EXPECT_NEAR(gaussian_error_up(1, kNames), 4.559428, 5e-7);
  EXPECT_NEAR(gaussian_union_error_up(1, {10, 0.05}), 3.255247, 5e-7);
  EXPECT_NEAR(gaussian_error_up(1, {10, 0.05}), 2.799625, 5e-7);
  EXPECT_NEAR(gaussian_error_up(1, {10, 0.1}), 2.559551, 5e-7);
  EXPECT_NEAR(gaussian_union_error_up(1, {10, 0.1}), 3.034854, 5e-7);
  EXPECT_NEAR(gaussian_error_up(1, {1, 0.05}), 1.959963984540054, 1e-13);
}

// A radius of sigma sqrt(ln(K / failure)), as one of the sources prints it, lacks the 2 under the root.
double planted_radius(const Accuracy& accuracy) {
  return std::sqrt(std::log(static_cast<double>(accuracy.coordinates) / accuracy.failure));
}

// Spec: F-56
TEST(Accuracy, PlantedGaussianRadiusWithoutTheTwoIsCaught) {
  EXPECT_NEAR(gaussian_failure_up(1, planted_radius({1, 0.05}), 1), 0.083484, 5e-7);
  EXPECT_NEAR(gaussian_failure_up(1, planted_radius(kNames), 10'000), 0.991473, 5e-7);
  EXPECT_LT(planted_radius(kNames), gaussian_error_up(1, kNames));
  EXPECT_LE(gaussian_failure_up(1, gaussian_union_error_up(1, kNames), 10'000), 0.05);
}

// Spec: F-34
TEST(Accuracy, ErrorAndFailureAreInverse) {
  for (const std::uint64_t coordinates : {1ull, 7ull, 1'000'000ull, 1ull << 53}) {
    for (const double failure : {1e-12, 0.05, 0.5, 0.999}) {
      const Accuracy accuracy{coordinates, failure};
      for (const double scale : {1e-6, 1.0, 1e9}) {
        const double laplace = laplace_failure_up(scale, laplace_error_up(scale, accuracy), coordinates);
        const double gaussian = gaussian_failure_up(scale, gaussian_error_up(scale, accuracy), coordinates);
        EXPECT_NEAR(laplace, failure, 1e-11 * failure) << coordinates;
        EXPECT_NEAR(gaussian, failure, 1e-11 * failure) << coordinates;
      }
      EXPECT_NEAR(laplace_error_up(laplace_scale_for(3, accuracy), accuracy), 3, 1e-13);
      EXPECT_NEAR(gaussian_error_up(gaussian_sigma_for(3, accuracy), accuracy), 3, 1e-13);
      EXPECT_LE(laplace_error_up(1, accuracy), laplace_union_error_up(1, accuracy) * (1 + 1e-14));  // equal at 1
      EXPECT_LE(gaussian_error_up(1, accuracy), gaussian_union_error_up(1, accuracy));
    }
  }
}

// Slow and obvious: sums the law. The largest of K is within m with probability (P(|X| <= m))^K.
double discrete_failure_reference(double scale, std::uint64_t error, double coordinates) {
  const double q = std::exp(-1 / scale);
  double within = (1 - q) / (1 + q);
  for (std::uint64_t x = 1; x <= error; ++x) within += 2 * (1 - q) / (1 + q) * std::pow(q, static_cast<double>(x));
  return -std::expm1(coordinates * std::log(within));
}

TEST(Accuracy, DiscreteLaplaceErrorIsTheSmallest) {
  for (const double scale : {0.2, 1.0, 3.7, 40.0}) {
    for (const std::uint64_t coordinates : {1u, 10u, 500u}) {
      for (const double failure : {0.3, 0.05, 1e-4}) {
        const std::uint64_t error = discrete_laplace_error(scale, {coordinates, failure});
        const auto count = static_cast<double>(coordinates);
        EXPECT_LE(discrete_failure_reference(scale, error, count), failure * (1 + 1e-9));
        if (error > 0) {
          EXPECT_GT(discrete_failure_reference(scale, error - 1, count), failure);
        }
        EXPECT_NEAR(discrete_laplace_failure_up(scale, error, coordinates),
                    discrete_failure_reference(scale, error, count), 1e-9 * failure);
        const double most = discrete_laplace_scale_for(error, {coordinates, failure});
        EXPECT_GE(most, scale * (1 - 1e-12));
        EXPECT_LE(discrete_laplace_error(most, {coordinates, failure}), error);
        EXPECT_GT(discrete_laplace_error(most * (1 + 1e-9), {coordinates, failure}), error);
      }
    }
  }
  EXPECT_EQ(discrete_laplace_error(1e-3, {1, 0.05}), 0u);
}

// Spec: F-59
TEST(Accuracy, GaussianNoiseWinsFromSevenQueries) {
  const auto first_win = [](double sigma_of_one) {
    int k = 1;
    while (quieter_noise(k, 1, sigma_of_one * std::sqrt(k)) == NoiseLaw::laplace) ++k;
    return k;
  };
  EXPECT_EQ(first_win(3.7306316348159), 7);  // analytic sigma at (1, 1e-5)
  EXPECT_EQ(first_win(4.844805), 12);        // classical sigma
}

// Spec: F-83, F-58
TEST(Accuracy, CountingQueriesScaleAsTheTableSays) {
  const double sigma = 4.2246788893268;  // (1, 1e-6)
  const auto errors = [&](std::uint64_t k) { return counting_errors(k, 10'000, 1, sigma, 1024, 0.05); };
  EXPECT_NEAR(errors(100).laplace, 0.0760090, 5e-8);
  EXPECT_NEAR(errors(100).gaussian, 0.0146764, 5e-8);
  EXPECT_NEAR(errors(100).weights_rate, 0.0348, 5e-5);
  EXPECT_NEAR(errors(100).local_rate, 0.1, 1e-15);
  const auto slope = [&](double CountingErrors::*which) {  // on log-log axes, logarithms of k taken out by size
    return std::log(errors(1'000'000'000'000'000).*which / (errors(1'000'000'000).*which)) / std::log(1e6);
  };
  EXPECT_NEAR(slope(&CountingErrors::laplace), 1, 0.05);
  EXPECT_NEAR(slope(&CountingErrors::gaussian), 0.5, 0.05);
  EXPECT_NEAR(slope(&CountingErrors::local_rate), 0.5, 1e-12);
  EXPECT_NEAR(slope(&CountingErrors::weights_rate), 0, 0.05);
}

TEST(Accuracy, CostsOfAWantedError) {
  const Accuracy accuracy{100, 0.05};
  EXPECT_NEAR(1 / gaussian_mu_for(1, 1, accuracy), gaussian_sigma_for(1, accuracy), 1e-15);
  EXPECT_LE(gaussian_error_up(1 / gaussian_mu_for(1, 1, accuracy), accuracy), 1 + 1e-15);
}

TEST(Accuracy, BadInputIsRefused) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Accuracy once{1, 0.05};
  for (const double scale : {0.0, -1.0, infinity, nan}) {
    EXPECT_EQ(refusal([&] { laplace_error_up(scale, once); }), Code::bad_scale);
    EXPECT_EQ(refusal([&] { gaussian_error_up(scale, once); }), Code::bad_scale);
    EXPECT_EQ(refusal([&] { discrete_laplace_error(scale, once); }), Code::bad_scale);
    EXPECT_EQ(refusal([&] { laplace_records_for(1, scale, 1, once); }), Code::bad_scale);
  }
  for (const double failure : {0.0, 1.0, -0.1, nan}) {
    EXPECT_EQ(refusal([&] { gaussian_error_up(1, {1, failure}); }), Code::bad_probability);
  }
  EXPECT_EQ(refusal([&] { laplace_error_up(1, {0, 0.05}); }), Code::bad_count);
  EXPECT_EQ(refusal([&] { discrete_laplace_error(1e300, once); }), Code::out_of_range);
  EXPECT_EQ(refusal([&] { laplace_records_for(1, 1e-200, 1e-200, once); }), Code::out_of_range);
}

}  // namespace
}  // namespace dither::accounting
