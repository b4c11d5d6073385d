// Discrete Gaussian noise on integers.
#pragma once

#include "base/rational.h"
#include "calculus/typed.h"

namespace dither::mechanisms {

// Adds to each coordinate k with probability proportional to exp(-k^2 / (2 sigma^2)).
//
// Guarantee  inputs at L2 distance d cost rho = d^2 / (2 sigma^2) zCDP, in any dimension.
// Holds if   the values are integers on the grid that `domain` declares; sigma is in steps of it.
// Refuses    sigma outside [1/1000, 2^60] (bad-scale).
// Cost       one exact draw per coordinate, 4 to 25 ns; the table behind it is made by the first, in 30 to 50 us.
// Error      standard error at most sigma, the same for every value.
// Spec       F-70, A-22 (rho), D-68, W-12. From (epsilon, delta) to sigma: calibrate.h.
calculus::Measurement<calculus::L2, calculus::Zcdp> make_gaussian(const calculus::VectorDomain& domain,
                                                                  const Rational& sigma);

// The same noise for inputs whose distance is known otherwise: l2; l1, which bounds it; linf, times the dimension
// (no-theorem without one); cells, where C numbers that move by m each cost what C numbers cost one by one.
calculus::AnyMeasurement make_gaussian(const calculus::VectorDomain& domain, const Rational& sigma,
                                       calculus::MetricKind from);

}  // namespace dither::mechanisms
