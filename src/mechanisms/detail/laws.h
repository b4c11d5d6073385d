// The symmetric laws whose sums are of the same kind.
#pragma once

#include <cstdint>

#include "mechanisms/detail/symmetric_tails.h"

namespace dither::mechanisms::detail {

// Of Bin(trials, 1/2) - trials / 2, trials even and at least 2. With n = trials / 2 the ratios are (n - k) / (n + k +
// 1).
SymmetricTails binomial_tails(std::uint64_t trials);

// Of the difference of two Poisson numbers of mean variance / 2 each, variance > 0.
//
// Proof      A convolution of log-concave laws, hence one. With m = variance / 2, P(k) is e^-2m I_k(2m), so P(k-1) =
//            P(k+1) + (k/m) P(k): the ratios r_k = P(k+1) / P(k) follow r_(k-1) = 1 / (k/m + r_k), downwards. Started
//            with [0, min(1, m/(k+1))] far out, enclosures shrink by r_k^2 a step.
SymmetricTails skellam_tails(const Rational& variance);

}  // namespace dither::mechanisms::detail
