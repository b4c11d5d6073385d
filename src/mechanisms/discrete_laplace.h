// Discrete Laplace (two-sided geometric) noise on integers.
#pragma once

#include "base/rational.h"
#include "calculus/typed.h"

namespace dither::mechanisms {

// Adds to each coordinate k with probability proportional to exp(-|k| / scale).
//
// Guarantee  inputs at L1 distance d cost epsilon = d / scale, in any dimension.
// Holds if   the values are integers on the grid that `domain` declares; the scale is in steps of it.
// Refuses    a scale outside [1/1000, 2^60] (bad-scale).
// Cost       one exact draw per coordinate, 4 to 20 ns; the table behind it is made by the first, in 30 to 130 us.
// Error      standard error sqrt(2 q) / (1 - q), q = exp(-1 / scale): the same for every value.
// Spec       F-44, F-67, W-12, W-70.
calculus::Measurement<calculus::L1, calculus::Pure> make_discrete_laplace(const calculus::VectorDomain& domain,
                                                                          const Rational& scale);

// The same noise for inputs whose distance is known otherwise: l1; linf, times the dimension (no-theorem without one);
// cells, where C numbers that move by m each cost what C numbers cost one by one, and accountants see it so.
calculus::AnyMeasurement make_discrete_laplace(const calculus::VectorDomain& domain, const Rational& scale,
                                               calculus::MetricKind from);

}  // namespace dither::mechanisms
