// Two-sided geometric noise on counts that stay in their range.
#pragma once

#include "base/rational.h"
#include "calculus/typed.h"

namespace dither::mechanisms {

// Adds discrete Laplace noise to each coordinate and moves what leaves the bounds of `domain` to the nearest end, which
// so holds the mass beyond it. For one count in 0 .. n no other mechanism with this epsilon serves any user better.
//
// Guarantee  inputs at L1 distance d cost epsilon = d / scale, in any dimension: cutting is post-processing.
// Holds if   always; values outside the bounds count as the nearest end, which moves nothing further apart.
// Refuses    a domain without bounds, or whose bounds are no whole numbers of 126 bits (bad-bounds); a scale outside
//            [1/1000, 2^60] (bad-scale).
// Cost       as make_discrete_laplace.
// Error      at most that of discrete Laplace noise. At an end the interval has one side, and near it a short one.
// Spec       F-68, W-12.
calculus::Measurement<calculus::L1, calculus::Pure> make_truncated_geometric(const calculus::VectorDomain& domain,
                                                                             const Rational& scale);

// The same for distances in l1, linf or cells, as make_discrete_laplace.
calculus::AnyMeasurement make_truncated_geometric(const calculus::VectorDomain& domain, const Rational& scale,
                                                  calculus::MetricKind from);

}  // namespace dither::mechanisms
