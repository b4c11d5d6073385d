// Binomial noise on an integer.
#pragma once

#include <cstdint>

#include "base/rational.h"
#include "calculus/typed.h"

namespace dither::mechanisms {

// Adds Bin(trials, 1/2) - trials / 2 to one integer.
//
// Guarantee  inputs at distance d cost (epsilon, delta(d)) with the least delta there is for the epsilon given: the
//            hockey-stick divergence of the law and its shift by d, summed and rounded up. delta(d) grows with d and is
//            1 where the supports part (d > trials). Other epsilons are other measurements of the same noise.
// Holds if   the value is one integer on the grid of `domain`; d is in steps of it.
// Refuses    an odd number of trials, whose noise lies between the steps, none, or more than 10^8 (bad-count); epsilon
//            outside [0, 100] (bad-scale); a domain of other dimension than 1 (no-theorem: a shift of several
//            coordinates may be worse than the same in one).
// Cost       a draw of 8 bytes; 10 sqrt(trials) us once for the tails, 0.1 sqrt(trials) us for each delta.
// Error      standard error sqrt(trials) / 2.
// Proof      detail/symmetric_tails.h. More trials cost less: the difference is noise added to what is released.
// Spec       F-69.
calculus::Measurement<calculus::L1, calculus::Approximate> make_binomial(const calculus::VectorDomain& domain,
                                                                         std::uint64_t trials, const Rational& epsilon);

// delta(distance) of the above.
Rational binomial_delta(std::uint64_t trials, const Rational& epsilon, const Rational& distance);

// The least even number of trials that is (epsilon, delta)-DP at this distance: far fewer than 64 ln(2/delta) /
// epsilon^2. Refuses as above, delta outside (0, 1) (bad-probability), a distance below 1 (bad-distance), and targets
// that 10^8 trials do not reach (unreachable).
std::uint64_t least_trials(const Rational& epsilon, const Rational& delta, const Rational& distance);

inline constexpr std::uint64_t kMostTrials = 100'000'000;

}  // namespace dither::mechanisms
