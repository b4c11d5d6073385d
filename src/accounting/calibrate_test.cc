#include "accounting/calibrate.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

Rational decimal(const char* text) { return Rational::parse(text); }

EventList one(Event event, Neighbours neighbours = Neighbours::add_remove) {
  return {neighbours, {"record"}, 1, {std::move(event)}};
}

double solve(const EventList& list, Unknown unknown, const char* epsilon, const char* delta, int digits = 12) {
  const Calibrated found = calibrate(list, 0, unknown, decimal(epsilon), decimal(delta), digits);
  // Certified at the rounded value itself.
  EXPECT_LE(found.reached.epsilon.upper, decimal(epsilon).to_double_up());
  EXPECT_LE(found.reached.delta.upper, decimal(delta).to_double_up());
  return found.value.to_double_down();
}

const EventList kGaussian = one({{}, Gaussian{Rational(1)}, 1});

// Spec: B-28
TEST(Calibrate, SigmaOfGaussianNoise) {
  EXPECT_NEAR(solve(kGaussian, Unknown::noise, "1", "1e-5"), 3.7306316348159, 4e-11);
  EXPECT_NEAR(solve(kGaussian, Unknown::noise, "1", "1e-6"), 4.2246788893268, 4e-11);
  EXPECT_NEAR(solve(kGaussian, Unknown::noise, "0.1", "1e-6"), 36.304690426196, 4e-10);
  EXPECT_NEAR(solve(kGaussian, Unknown::noise, "8", "1e-6"), 0.65293538435822, 4e-12);
}

// Spec: B-28
TEST(Calibrate, SigmaOfSampledGaussianNoise) {
  const EventList training = one({Poisson{decimal("0.01"), {}}, Gaussian{Rational(1)}, 10000});
  const double sigma = solve(training, Unknown::noise, "1", "1e-5", 6);
  EXPECT_NEAR(sigma, 3.81282, 2e-5);
  const auto epsilon = [&](const char* value) {
    EventList list = training;
    list.events[0].mechanism = Gaussian{decimal(value)};
    return Composition(list).epsilon_at(decimal("1e-5")).epsilon;
  };
  EXPECT_GT(*epsilon("3.8125").lower, 1);
  EXPECT_NEAR(epsilon("3.8125").upper, 1.000095, 1e-6);
  EXPECT_LT(epsilon("3.8130").upper, 1);
  EXPECT_NEAR(epsilon("3.8130").upper, 0.999945, 1e-6);
}

// A hundred releases need scale 100; one release of all of them together, whose absolute sum moves by 3, needs scale 3.
// Spec: A-03
TEST(Calibrate, JointSensitivityIsCheaperThanManyReleases) {
  EXPECT_EQ(solve(one({{}, Laplace{Rational(1)}, 100}), Unknown::noise, "1", "0"), 100);
  EXPECT_EQ(solve(one({{}, Laplace{Rational(1), Rational(3)}, 1}), Unknown::noise, "1", "0"), 3);
}

TEST(Calibrate, PureNoiseNeedsNoDelta) {
  EXPECT_NEAR(solve(one({{}, SparseVector{Rational(1)}, 4}), Unknown::epsilon, "1", "0"), 0.25, 1e-11);
}

TEST(Calibrate, FewDigitsStayOnTheSafeSide) {
  EXPECT_EQ(calibrate(kGaussian, 0, Unknown::noise, Rational(1), decimal("1e-5"), 3).value, decimal("3.74"));
  EXPECT_EQ(calibrate(kGaussian, 0, Unknown::noise, Rational(1), decimal("1e-5"), 1).value, Rational(4));
}

TEST(Calibrate, TheMostReleasesAndNotOneMore) {
  const EventList list = one({{}, Gaussian{Rational(10)}, 1});
  const Calibrated found = calibrate(list, 0, Unknown::times, Rational(1), decimal("1e-6"));
  EventList more = list;
  more.events[0].times = static_cast<std::uint64_t>(found.value.floor()) + 1;
  EXPECT_GT(*Composition(more).epsilon_at(decimal("1e-6")).epsilon.lower, 1);
  EXPECT_LE(found.reached.delta.upper, 1e-6);
}

TEST(Calibrate, TheLargestRate) {
  const EventList list = one({Poisson{Rational(1, 2), {}}, Gaussian{Rational(1)}, 1000});
  const double rate = solve(list, Unknown::rate, "2", "1e-6", 6);
  EventList more = list;
  more.events[0].sample = Poisson{Rational::from_double(rate * 1.0001), {}};
  EXPECT_GT(*Composition(more).epsilon_at(decimal("1e-6")).epsilon.lower, 2);
}

TEST(Calibrate, WhatCannotBeSolvedIsRefused) {
  const auto refused = [](const EventList& list, Unknown unknown, const char* epsilon) {
    return testing::refusal([&] { calibrate(list, 0, unknown, decimal(epsilon), decimal("1e-6")); });
  };
  EXPECT_EQ(refused(kGaussian, Unknown::rate, "1"), Code::bad_argument);
  EXPECT_EQ(refused(kGaussian, Unknown::epsilon, "1"), Code::bad_argument);
  EXPECT_EQ(refused(kGaussian, Unknown::times, "0.01"), Code::unreachable);
  EXPECT_EQ(refused(kGaussian, Unknown::noise, "0"), Code::bad_number);
  EXPECT_EQ(refused(kGaussian, Unknown::noise, "-1"), Code::bad_number);
}

}  // namespace
}  // namespace dither::accounting
