// Skellam noise on an integer: the difference of two Poisson numbers.
#pragma once

#include "base/rational.h"
#include "calculus/typed.h"

namespace dither::mechanisms {

// Adds the difference of two independent Poisson numbers of mean variance / 2 to one integer.
//
// Guarantee  inputs at distance d cost (epsilon, delta(d)) with the least delta there is for the epsilon given: the
//            hockey-stick divergence of the law and its shift by d, summed and rounded up. delta(d) grows with d.
// Holds if   the value is one integer on the grid of `domain`; d is in steps of it.
// Refuses    a variance outside [10^-6, 10^8] (bad-scale); epsilon outside [0, 100] (bad-scale); a domain of other
//            dimension than 1 (no-theorem).
// Cost       two draws of 8 bytes; 40 sqrt(variance) us once for the tails, 0.3 sqrt(variance) us for each delta.
// Error      standard error sqrt(variance).
// Proof      detail/laws.h, detail/symmetric_tails.h. More variance costs less: the difference is noise added to what
//            is released. Sums of Skellam numbers are Skellam (distributed.h).
// Spec       F-60.
calculus::Measurement<calculus::L1, calculus::Approximate> make_skellam(const calculus::VectorDomain& domain,
                                                                        const Rational& variance,
                                                                        const Rational& epsilon);

// delta(distance) of the above.
Rational skellam_delta(const Rational& variance, const Rational& epsilon, const Rational& distance);

// The least multiple of 1/64 whose variance is (epsilon, delta)-DP at this distance. Refuses as above, delta outside
// (0, 1) (bad-probability), a distance below 1 (bad-distance), and targets beyond the largest variance (unreachable).
Rational least_skellam_variance(const Rational& epsilon, const Rational& delta, const Rational& distance);

}  // namespace dither::mechanisms
