// What an attacker can do against a guarantee: trade-off functions, accuracies, posteriors.
#pragma once

#include <span>

#include "base/rational.h"

namespace dither::accounting {

// The attacker tests whether a record is in the data. A trade-off function maps a false positive rate to the least
// false negative rate of any test (f-DP): larger is more private, so the safe side is down; convex, falling, at most
// 1 - rate.
// Refuses    rates and deltas outside [0, 1] (bad-probability), negative or infinite losses.
// Spec      , B-10, F-16.

// max{0, 1 - delta - e^epsilon rate, e^-epsilon (1 - delta - rate)}.
double tradeoff_down(double epsilon, double delta, double rate);
// Phi(Phi^-1(1 - rate) - mu), of Gaussian noise.
double gaussian_tradeoff_down(double mu, double rate);
double gaussian_tradeoff_up(double mu, double rate);

// (epsilon, delta)-DP.
struct ProfilePoint {
  double epsilon;
  double delta;
  bool operator==(const ProfilePoint&) const = default;
};
// The best of what several points of one profile say; with all of them, the trade-off function itself (B-10).
double tradeoff_down(std::span<const ProfilePoint> profile, double rate);

// The most a test can catch at a false positive rate: 1 - tradeoff.
double true_positive_rate_up(double epsilon, double delta, double rate);
// The best accuracy when in and out are equally likely, (1 + total variation) / 2; (epsilon, delta):
// 1 - (1 - delta) / (1 + e^epsilon).
double attack_accuracy_up(double epsilon, double delta);
double gaussian_attack_accuracy_up(double mu);
// True less false positive rate: (e^epsilon - 1 + 2 delta) / (e^epsilon + 1).
double membership_advantage_up(double epsilon, double delta);
// What a prior probability can become under epsilon-DP: p e^epsilon / (p e^epsilon + 1 - p).
double posterior_up(double epsilon, double prior);

// mu of Gaussian DP from the exact sum of squares (B-10).
double gdp_mu_up(const Rational& squared_mu);
double gdp_mu_down(const Rational& squared_mu);

}  // namespace dither::accounting
