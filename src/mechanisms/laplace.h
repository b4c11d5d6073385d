// Laplace noise on numbers of a grid.
#pragma once

#include "base/rational.h"
#include "calculus/typed.h"

namespace dither::mechanisms {

// Adds scale * Z to each coordinate, Z of density exp(-|z|) / 2, and rounds to the grid; which grid point is nearest is
// decided exactly, no floating point takes part.
//
// Guarantee  inputs at L1 distance d cost epsilon = d / scale, in any dimension: rounding is post-processing (F-66).
// Holds if   the values are integers on the grid that `domain` declares; the scale is in steps of it.
// Refuses    a scale outside [1/1000, 2^60] (bad-scale).
// Cost       0.6 us or more per coordinate. Discrete Laplace noise at the same scale costs the same epsilon, has the
//            smaller error and is a hundred times faster: prefer it unless the law itself must be Laplace.
// Error      the same for every value; 95% of the noise lies within scale ln 20.
// Spec       F-43, F-44, F-66, W-12, W-70.
calculus::Measurement<calculus::L1, calculus::Pure> make_laplace(const calculus::VectorDomain& domain,
                                                                 const Rational& scale);

// The same for distances in l1, linf or cells, as make_discrete_laplace.
calculus::AnyMeasurement make_laplace(const calculus::VectorDomain& domain, const Rational& scale,
                                      calculus::MetricKind from);

}  // namespace dither::mechanisms
