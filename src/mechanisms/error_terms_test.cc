#include "mechanisms/error_terms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/roots.h"
#include "testing/refusal.h"

namespace dither::mechanisms {
namespace {

using testing::refusal;

ErrorTerms sum_of_laplace(int n) {
  ErrorTerms sum;
  for (int i = 0; i < n; ++i) sum += ErrorTerms::laplace(1);
  return sum;
}

// P(|X_1 + ... + X_n| > x) for independent Laplace numbers of scale 1, exactly: the density of the sum is
// exp(-s) / ((n-1)! 2^n) times the sum over j < n of (n-1+j)! / ((n-1-j)! j! 2^j) s^(n-1-j).
double sum_tail(int n, double x) {
  double tail = 0;
  for (int j = 0; j < n; ++j) {
    const int m = n - 1 - j;
    double rest = 0;  // integral of s^m exp(-s) from x on, over m!
    for (int i = 0; i <= m; ++i) rest += std::exp(i * std::log(x) - std::lgamma(i + 1) - x);
    tail += 2 * std::exp(std::lgamma(n + j) - std::lgamma(j + 1) - std::lgamma(n) - (n + j) * std::log(2)) * rest;
  }
  return tail;
}
double sum_quantile(int n, double failure) {
  return find_turn([&](double x) { return sum_tail(n, x) <= failure; }, 1e-3, 1e4).holds;
}

TEST(ErrorTerms, ReferenceOfTheSumIsRight) {
  EXPECT_NEAR(sum_tail(1, 3), std::exp(-3), 1e-14);
  EXPECT_NEAR(sum_tail(2, 1), 1.5 * std::exp(-1), 1e-14);  // (1 + x / 2) exp(-x)
  EXPECT_NEAR(sum_tail(10, 1e-9), 1, 1e-8);
}

bool holds_for_ten(double bound) { return bound >= sum_quantile(10, 0.05); }

// Spec: W-38
TEST(ErrorTerms, TenLaplaceNoises) {
  const ErrorTerms sum = sum_of_laplace(10);
  const double chernoff = sum.chernoff_error_up(0.05);
  EXPECT_LT(chernoff, sum.union_error_up(0.05));
  EXPECT_TRUE(holds_for_ten(chernoff)) << chernoff;
  EXPECT_TRUE(holds_for_ten(sum.variance_error_up(0.05)));
  EXPECT_NEAR(sum.union_error_up(0.05), 10 * std::log(200), 1e-9);
  EXPECT_NEAR(sum.standard_error(), std::sqrt(20), 1e-12);
  EXPECT_EQ(sum.error_up(0.05), chernoff);
}
TEST(ErrorTerms, PlantedHalfTheVarianceIsCaught) {  // the radius of one noise, widened for five of ten
  EXPECT_FALSE(holds_for_ten(ErrorTerms::laplace(1).union_error_up(0.05) * std::sqrt(5)));
}

// Spec: W-38
TEST(ErrorTerms, EveryBoundHoldsForEverySum) {
  for (const int n : {1, 2, 3, 10, 40}) {
    for (const double failure : {0.5, 0.05, 1e-3, 1e-9}) {
      const ErrorTerms sum = sum_of_laplace(n);
      const double truth = sum_quantile(n, failure);
      EXPECT_GE(sum.union_error_up(failure), truth * (1 - 1e-9)) << n << " " << failure;
      EXPECT_GE(sum.chernoff_error_up(failure), truth) << n << " " << failure;
      EXPECT_GE(sum.variance_error_up(failure), truth) << n << " " << failure;
    }
  }
}

// A value that is used twice has one noise, not two.
bool knows_shared_noise(const ErrorTerms& forty_times_one) {
  return forty_times_one.error_up(0.05) >= 40 * std::log(20) * (1 - 1e-9);
}
// Spec: W-38
TEST(ErrorTerms, SharedNoiseIsNotIndependent) {
  const ErrorTerms one = ErrorTerms::laplace(1);
  ErrorTerms sum;
  for (int i = 0; i < 40; ++i) sum += one;
  EXPECT_EQ(sum.noises(), 1u);
  EXPECT_TRUE(knows_shared_noise(sum));
  EXPECT_NEAR(sum.error_up(0.05), 40 * std::log(20), 1e-9);
  EXPECT_EQ((one - one).error_up(0.05), 0);
  EXPECT_EQ((one + one - 2 * one).noises(), 0u);
}
TEST(ErrorTerms, PlantedIndependenceOfCopiesIsCaught) { EXPECT_FALSE(knows_shared_noise(sum_of_laplace(40))); }

TEST(ErrorTerms, OtherLaws) {
  // Sums of normal noise are normal: Chernoff is sd sqrt(2 ln(2 / failure)).
  const ErrorTerms normal = ErrorTerms::gaussian(3) + ErrorTerms::gaussian(4);
  EXPECT_NEAR(normal.chernoff_error_up(0.05), 5 * std::sqrt(2 * std::log(40)), 1e-6);
  EXPECT_GE(normal.error_up(0.05), 5 * 1.959963);
  EXPECT_NEAR(ErrorTerms::gaussian(1).union_error_up(0.05), 1.959964, 1e-6);
  EXPECT_NEAR((ErrorTerms::gaussian(1) + ErrorTerms::within(0.5)).union_error_up(0.05), 2.459964, 1e-6);
  EXPECT_NEAR((2 * ErrorTerms::within(0.5)).error_up(0.05), 1, 1e-12);
  // Wide discrete laws are near the continuous ones.
  const auto ten = [](auto make) {
    ErrorTerms sum;
    for (int i = 0; i < 10; ++i) sum += make(1000);
    return sum.chernoff_error_up(0.05);
  };
  EXPECT_NEAR(ten(ErrorTerms::discrete_laplace) / ten(ErrorTerms::laplace), 1, 1e-5);
  EXPECT_NEAR(ten(ErrorTerms::discrete_gaussian) / ten(ErrorTerms::gaussian), 1, 1e-9);
  EXPECT_EQ(ErrorTerms().error_up(0.05), 0);
}

// The exact law of a sum of discrete Laplace numbers, by convolution.
// Spec: W-38
TEST(ErrorTerms, DiscreteLaplaceSumsAreWithinTheBounds) {
  constexpr int kReach = 400;
  const double q = std::exp(-0.5);
  std::vector<double> law(2 * kReach + 1, 0.0);
  law[kReach] = 1;
  ErrorTerms sum;
  for (int n = 1; n <= 5; ++n) {
    sum += ErrorTerms::discrete_laplace(2);
    std::vector<double> next(law.size(), 0.0);
    for (int i = 0; i <= 2 * kReach; ++i) {
      for (int k = std::max(-80, i - 2 * kReach); k <= std::min(80, i); ++k) {
        next[static_cast<std::size_t>(i)] +=
            law[static_cast<std::size_t>(i - k)] * (1 - q) / (1 + q) * std::pow(q, std::abs(k));
      }
    }
    law = next;
    for (const double failure : {0.2, 0.05, 1e-4}) {
      for (const double bound : {sum.union_error_up(failure), sum.chernoff_error_up(failure)}) {
        double beyond = 0;
        for (int i = 0; i <= 2 * kReach; ++i) {
          if (std::abs(i - kReach) > bound) beyond += law[static_cast<std::size_t>(i)];
        }
        EXPECT_LE(beyond, failure) << n << " " << failure;
      }
    }
  }
}

TEST(ErrorTerms, WorstOfSeveralValuesIsAUnionBound) {
  const std::vector<ErrorTerms> bins(100, ErrorTerms::laplace(2));
  EXPECT_NEAR(largest_error_up(bins, 0.05), 15.202, 5e-4);
  EXPECT_EQ(largest_error_up({}, 0.05), 0);
}

// Noise has an error however small or large it is.
TEST(ErrorTerms, ExtremeScalesHaveTheirError) {
  EXPECT_GT(ErrorTerms::discrete_gaussian(1e-200).error_up(0.05), 1e-200);
  EXPECT_NEAR(ErrorTerms::discrete_laplace(1e20).error_up(0.05) / (1e20 * std::log(20)), 1, 1e-9);
}

TEST(ErrorTerms, RefusesWhatIsNoLaw) {
  EXPECT_EQ(refusal([] { ErrorTerms::laplace(0); }), Code::bad_scale);
  EXPECT_EQ(refusal([] { ErrorTerms::gaussian(std::nan("")); }), Code::bad_scale);
  EXPECT_EQ(refusal([] { ErrorTerms::within(-1); }), Code::bad_scale);
  EXPECT_EQ(refusal([] { std::nan("") * ErrorTerms::laplace(1); }), Code::bad_scale);
  for (const double failure : {0.0, 1.0, -1.0}) {
    EXPECT_EQ(refusal([&] { ErrorTerms::laplace(1).error_up(failure); }), Code::bad_probability);
  }
}

}  // namespace
}  // namespace dither::mechanisms
