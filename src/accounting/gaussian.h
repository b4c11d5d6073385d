// Gaussian noise: its exact privacy profile, and both ways back.
#pragma once

namespace dither::accounting {

// The pair is N(mu, 1) and N(0, 1), mu = L2 sensitivity / sigma; k releases have mu^2 = the sum of theirs.
// delta(epsilon) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu), attained whenever some pair of
// neighbours attains the sensitivity.
//
// Promise    _up and _down lie on their sides of the exact value; for 1e-3 <= mu <= 1e3 and deltas above 1e-300 they
//            are within 1e-11 of each other, relative to delta, 1e-11 max(1, epsilon) for epsilon, 1e-10 mu for mu.
// Refuses    NaN and infinities (bad-number), negative epsilon or mu (out-of-range), delta outside [0, 1]
//            (bad-probability).
// Cost       delta about 0.2 us, epsilon and mu about 1 us.
// Spec      , B-28.
double gaussian_delta_up(double mu, double epsilon);
double gaussian_delta_down(double mu, double epsilon);

// The smallest epsilon >= 0 for which delta is enough: infinite when delta = 0 < mu.
double gaussian_epsilon_up(double mu, double delta);
double gaussian_epsilon_down(double mu, double delta);

// The largest mu that (epsilon, delta) allows; the least noise is sigma = sensitivity / mu, rounded up. Infinite when
// delta = 1. gaussian_mu_down is the safe side: delta_up there is at most delta.
double gaussian_mu_down(double epsilon, double delta);
double gaussian_mu_up(double epsilon, double delta);

// The probability that the privacy loss exceeds epsilon: at least delta(epsilon), and not to be reported as it.
double gaussian_tail_up(double mu, double epsilon);
double gaussian_tail_down(double mu, double epsilon);

}  // namespace dither::accounting
