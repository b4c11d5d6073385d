#include "accounting/tradeoff.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "accounting/closed_forms_check.h"
#include "accounting/gaussian.h"
#include "base/ulps.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

// Spec: A-10, B-10
TEST(Tradeoff, Oracles) {
  expect_close(gaussian_tradeoff_down(1, .05), .74048897715856, 1e-12);
  expect_close(gaussian_tradeoff_up(1, .05), .74048897715856, 1e-12);
  expect_close(gaussian_tradeoff_down(.5, .01), .96610106087716, 1e-12);
  expect_close(tradeoff_down(1, .01, .1), .7181718171541, 1e-12);
  EXPECT_LE(gaussian_tradeoff_down(1, .05), gaussian_tradeoff_up(1, .05));
}

// Spec: A-09, F-16
TEST(Tradeoff, WhatAnAttackerCanDo) {
  expect_close(gaussian_attack_accuracy_up(1), .69146246127);
  expect_close(attack_accuracy_up(1, 0), .73105857863);
  expect_close(attack_accuracy_up(1, .01), .73374799284);
  expect_close(membership_advantage_up(1, 0), .462117, 1e-6);
  expect_close(posterior_up(1, .5), .731059, 1e-6);
  expect_close(posterior_up(std::log(3), .5), .75);
  expect_close(posterior_up(1, .01), .0267236, 2e-6);
  EXPECT_NEAR(true_positive_rate_up(1, .01, 0), .01, 1e-15);
  EXPECT_GE(true_positive_rate_up(1, .01, .1), M_E * .1 + .01);
  EXPECT_NEAR(true_positive_rate_up(1, .01, .1), M_E * .1 + .01, 1e-15);
  EXPECT_LT(true_positive_rate_up(1, .01, .5), 1);
  EXPECT_LT(true_positive_rate_up(1, .01, .5), M_E * .5 + .01);  // the other half of the region
}

// Convex, falling, at most 1 - rate.
// Spec: A-10
TEST(Tradeoff, HasTheShapeOfATradeoff) {
  const auto check = [](auto f) {
    double before = 1;
    for (int i = 0; i <= 200; ++i) {
      const double rate = i / 200.0;
      EXPECT_LE(f(rate), before);
      EXPECT_LE(f(rate), 1 - rate + 1e-15);
      if (i > 0 && i < 200) {
        EXPECT_LE(2 * f(rate), f(rate - .005) + f(rate + .005) + 1e-12);
      }
      before = f(rate);
    }
  };
  check([](double rate) { return gaussian_tradeoff_down(1.5, rate); });
  check([](double rate) { return tradeoff_down(1.5, .02, rate); });
}

// The two sides of the duality meet: the profile's points give the trade-off function, and
// delta(epsilon) = max over rates of 1 - f(rate) - e^epsilon rate.
// Spec: B-10
TEST(Tradeoff, IsDualToTheProfile) {
  std::vector<ProfilePoint> profile;
  for (int i = 0; i <= 4000; ++i) profile.push_back({i * .002, gaussian_delta_up(1, i * .002)});
  for (const double rate : {1e-4, .01, .05, .3, .7, .99}) {
    const double from_profile = tradeoff_down(profile, rate);
    EXPECT_LE(from_profile, gaussian_tradeoff_up(1, rate));
    EXPECT_NEAR(from_profile, gaussian_tradeoff_down(1, rate), 1e-6);
  }
  for (const double epsilon : {0.0, 1.0, 2.5}) {
    double best = 0;
    for (int i = 1; i < 20000; ++i) {
      const double rate = i / 20000.0;
      best = std::max(best, 1 - gaussian_tradeoff_up(1, rate) - std::exp(epsilon) * rate);
    }
    EXPECT_LE(best, gaussian_delta_up(1, epsilon));
    EXPECT_NEAR(best, gaussian_delta_up(1, epsilon), 1e-7);
  }
}

// Spec: A-09
TEST(Tradeoff, AccuracyIsHalfPlusHalfTotalVariation) {
  for (const double mu : {.01, .5, 1.0, 4.0}) {
    EXPECT_NEAR(gaussian_attack_accuracy_up(mu), .5 + gaussian_delta_up(mu, 0) / 2, 1e-14);
  }
}

// Spec: A-18, B-10
TEST(Tradeoff, GdpComposesBySquares) {
  const Rational squares = Rational(1, 4) + Rational(1, 25) + Rational(1, 100);  // sigma 2, 5, 10
  EXPECT_EQ(squares, Rational(3, 10));
  expect_close(gdp_mu_up(squares), 0.54772255750517, 1e-13);
  EXPECT_LE(gdp_mu_down(squares), gdp_mu_up(squares));
  EXPECT_EQ(gdp_mu_up(Rational(1, 4)), .5);
}

TEST(Tradeoff, LimitsAndRefusals) {
  EXPECT_EQ(tradeoff_down(0, 0, .25), .75);  // perfect privacy: guessing
  EXPECT_EQ(gaussian_tradeoff_down(1, 0), 1);
  EXPECT_EQ(gaussian_tradeoff_up(1, 1), 0);
  EXPECT_NEAR(tradeoff_down(1e6, .1, 0), .9, 1e-15);
  EXPECT_EQ(tradeoff_down(1e6, .1, .5), 0);
  EXPECT_EQ(posterior_up(1, 0), 0);
  EXPECT_EQ(posterior_up(1, 1), 1);
  EXPECT_EQ(tradeoff_down(std::vector<ProfilePoint>{}, .5), 0);
  EXPECT_EQ(refusal([] { tradeoff_down(-1, 0, .5); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { tradeoff_down(1, 0, 1.5); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { gaussian_tradeoff_down(std::nan(""), .5); }), Code::bad_number);
  EXPECT_EQ(refusal([] { posterior_up(1, -1); }), Code::bad_probability);
}

}  // namespace
}  // namespace dither::accounting
