// Central limit theorems for composed privacy loss: quick, close for many small steps, and proof of nothing.
#pragma once

#include <cstdint>

#include "accounting/certified.h"

namespace dither::accounting {

// They can be far too small (A-19: 1e-70 where the truth is 1e-5), so they come as Estimates and in no other form.
// Refuses    parameters as gaussian.h; rates outside [0, 1], sigma <= 0, more than 10^12 steps.
// Spec       A-19, B-10.

// DP-SGD as Gaussian DP with mu = rate sqrt(steps (e^(1/sigma^2) - 1)).
Estimate clt_sgd_mu(double rate, double sigma, std::uint64_t steps);
Estimate clt_sgd_epsilon(double rate, double sigma, std::uint64_t steps, double delta);
Estimate clt_sgd_delta(double rate, double sigma, std::uint64_t steps, double epsilon);
// k steps of epsilon-DP as a loss N(k epsilon^2 / 2, k epsilon^2): Gaussian DP with mu = epsilon sqrt k.
Estimate clt_pure_epsilon(double epsilon, std::uint64_t k, double delta);

}  // namespace dither::accounting
