#include "accounting/optimal.h"

#include <gtest/gtest.h>

#include <cmath>

#include "accounting/closed_forms_check.h"
#include "accounting/gaussian.h"
#include "base/big_interval.h"
#include "base/ulps.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

// Spec: A-63, O-08, F-29, W-17
TEST(Optimal, EpsilonOracles) {
  const double expected[][5] = {{.1, 0, 100, 1e-6, 4.774567588108},       {1, 0, 3, .1, 2.70436219895168},
                                {.1, 1e-8, 100, 1e-5, 4.329636714016606}, {.01, 1e-10, 1000, 1e-6, 1.372816525370057},
                                {1, 0, 10, 1e-6, 9.999977065820733},      {.1, 0, 30, 1e-5, 2.110154422242382}};
  for (const auto& [epsilon, step_delta, k, delta, total] : expected) {
    const auto times = static_cast<std::uint64_t>(k);
    expect_close(optimal_epsilon_up(epsilon, step_delta, times, delta), total, 1e-11);
    expect_close(optimal_epsilon_down(epsilon, step_delta, times, delta), total, 1e-11);
  }
  expect_close(optimal_epsilon_up(.01, 0, 10000, 1e-6), 4.885516, 1e-6);
  expect_close(optimal_epsilon_up(1, 0, 100, 1e-5), 79.841322, 1e-7);
  expect_close(optimal_epsilon_up(.1, 0, 14, 1e-4), 1.15086, 1e-5);
  expect_close(optimal_epsilon_up(.0017168072711331, 0, 1000, 1e-6), .20632336606885, 1e-9);
}

// Spec: A-63, O-11
TEST(Optimal, DeltaOracles) {
  expect_close(optimal_delta_up(1, 0, 2, 1), .3378347121470412, 1e-13);
  expect_close(optimal_delta_up(.5, 0, 10, 2), .145466446441117, 1e-13);
  expect_close(optimal_delta_up(.5, 1e-4, 10, 2), .1463205955571029, 1e-13);
  expect_close(optimal_delta_down(.5, 1e-4, 10, 2), .1463205955571029, 1e-13);
}

// Spec: A-64
TEST(Optimal, BelowTheFloorNothingHolds) {
  EXPECT_EQ(optimal_epsilon_up(.1, 1e-6, 10, 9.9999e-6), kInfinity);
  EXPECT_EQ(optimal_epsilon_down(.1, 1e-6, 10, 9.9999e-6), kInfinity);
  EXPECT_LT(optimal_epsilon_up(.1, 1e-6, 10, 1.00001e-5), kInfinity);
  expect_close(optimal_delta_up(.1, 1e-6, 10, 100), 9.99995500012e-6);
}

// The definition, summed in intervals over every outcome.
BigInterval exact_delta(double epsilon, int k, double total) {
  constexpr long kBits = 300;
  const auto exactly = [](const Rational& value) { return BigInterval(value, kBits); };
  const BigInterval e = exactly(Rational::from_double(epsilon));
  const BigInterval one = exactly(Rational(1));
  const BigInterval log_all = exactly(Rational(k)) * log(one + exp(e));
  BigInterval sum(kBits);
  Rational binomial(1);
  for (int l = 0; l <= k; ++l) {
    const Rational loss = Rational(2 * l - k) * Rational::from_double(epsilon);
    const Rational gap = Rational::from_double(total) - loss;
    const BigInterval share = -expm1(exactly(gap));
    if (gap < Rational(0)) sum += exactly(binomial) * exp(exactly(Rational(l)) * e - log_all) * share;
    binomial = binomial * Rational(k - l, l + 1);
  }
  return sum;
}

TEST(Optimal, EnclosesTheDefinition) {
  for (const double epsilon : {1e-6, .01, .1, 1.0, 7.0, 100.0}) {
    for (const int k : {1, 2, 3, 17, 100, 333}) {
      for (const double share : {0.0, .01, .3, .5, .9, .999}) {
        const double total = share * k * epsilon;
        const BigInterval exact = exact_delta(epsilon, k, total);
        const double up = optimal_delta_up(epsilon, 0, k, total);
        const double down = optimal_delta_down(epsilon, 0, k, total);
        EXPECT_FALSE(exact.surely_above(Rational::from_double(up))) << epsilon << " " << k << " " << share;
        EXPECT_FALSE(exact.surely_below(Rational::from_double(down))) << epsilon << " " << k << " " << share;
        EXPECT_LE(up - down, 1e-10 * up + 1e-290) << epsilon << " " << k << " " << share;
      }
    }
  }
}

TEST(Optimal, EpsilonIsVerifiedAndTight) {
  for (const double epsilon : {1e-4, .01, .1, 1.0, 20.0}) {
    for (const std::uint64_t k : {1u, 2u, 10u, 1000u, 100000u}) {
      for (const double delta : {1e-280, 1e-30, 1e-6, .01, .5}) {
        const double up = optimal_epsilon_up(epsilon, 0, k, delta);
        const double down = optimal_epsilon_down(epsilon, 0, k, delta);
        EXPECT_LE(down, up);
        EXPECT_LE(up - down, 1e-9 * std::max(up, epsilon)) << epsilon << " " << k << " " << delta;
        EXPECT_LE(optimal_delta_up(epsilon, 0, k, up), delta * (1 + 1e-9) + 1e-300);
        EXPECT_LE(up, static_cast<double>(k) * epsilon * (1 + 1e-15));
      }
    }
  }
}

// With many small steps the law becomes Gaussian.
// Spec: A-19
TEST(Optimal, AMillionStepsAndMore) {
  const double million = optimal_epsilon_up(1e-3, 0, 1'000'000, 1e-6);
  EXPECT_NEAR(million, gaussian_epsilon_up(1, 1e-6), 1e-3);
  EXPECT_LE(million - optimal_epsilon_down(1e-3, 0, 1'000'000, 1e-6), 1e-9);
  EXPECT_NEAR(optimal_epsilon_up(1e-4, 0, 100'000'000, 1e-6), gaussian_epsilon_up(1, 1e-6), 1e-4);
  EXPECT_EQ(optimal_epsilon_up(1e-6, 0, 1'000'000'000'000, 1e-6), 1e6);  // the sum, which always holds
  EXPECT_EQ(optimal_delta_up(1e-6, 0, 1'000'000'000'000, 5), 1);
  EXPECT_EQ(optimal_delta_down(1e-6, 0, 1'000'000'000'000, 5), 0);
}

TEST(Optimal, Limits) {
  EXPECT_EQ(optimal_epsilon_up(0, 0, 5, 0), 0);
  EXPECT_EQ(optimal_epsilon_up(1, 0, 5, 0), 5);
  EXPECT_NEAR(optimal_epsilon_down(1, 0, 5, 0), 5, 1e-13);
  EXPECT_EQ(optimal_epsilon_up(1, 1, 5, .5), kInfinity);
  EXPECT_EQ(optimal_epsilon_up(1, 1, 5, 1), 0);
  EXPECT_EQ(optimal_epsilon_up(1, 0, 1, .47), 0);  // total variation is tanh(1/2) = .4621
  EXPECT_EQ(optimal_epsilon_down(1, 0, 1, .47), 0);
  EXPECT_EQ(optimal_delta_up(1, 0, 5, 5), 0);
  EXPECT_EQ(optimal_delta_up(1, 0, 5, 6), 0);
  EXPECT_EQ(optimal_epsilon_up(1e308, 0, 100, .1), kInfinity);
  EXPECT_EQ(optimal_delta_up(1e308, 0, 100, 1), 1);
}

TEST(Optimal, RefusesBadInput) {
  EXPECT_EQ(refusal([] { optimal_epsilon_up(-1, 0, 5, .1); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { optimal_epsilon_up(1, 2, 5, .1); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { optimal_epsilon_up(1, 0, 0, .1); }), Code::bad_count);
  EXPECT_EQ(refusal([] { optimal_delta_up(1, 0, 5, std::nan("")); }), Code::bad_number);
  EXPECT_EQ(refusal([] { optimal_epsilon_down(1, 0, 5, -.1); }), Code::bad_probability);
}

}  // namespace
}  // namespace dither::accounting
