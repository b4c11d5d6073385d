// Normal noise rounded to the grid.
#pragma once

#include "base/rational.h"
#include "calculus/typed.h"

namespace dither::mechanisms {

// Adds sigma * Z to each coordinate, Z normal, and rounds to the grid; which grid point is nearest is decided exactly,
// no floating point takes part.
//
// Guarantee  inputs at L2 distance d cost rho = d^2 / (2 sigma^2) zCDP and mu = d / sigma Gaussian DP, in any
//            dimension: rounding is post-processing. Its (epsilon, delta) is that of the continuous law, which for
//            vectors nothing discrete here attains.
// Holds if   the values are integers on the grid that `domain` declares; sigma is in steps of it.
// Refuses    sigma outside [1/1000, 2^60] (bad-scale).
// Cost       about 2 us per coordinate, a hundred times that of make_gaussian.
// Error      standard error sqrt(sigma^2 + 1/12), the same for every value.
// Spec       F-52, F-54, A-14, A-22, W-12, W-70. From (epsilon, delta) to sigma: calibrate.h.
calculus::Measurement<calculus::L2, calculus::Zcdp> make_real_gaussian(const calculus::VectorDomain& domain,
                                                                       const Rational& sigma);
// The same release, its loss stated as squared mu.
calculus::Measurement<calculus::L2, calculus::Gdp> make_real_gaussian_gdp(const calculus::VectorDomain& domain,
                                                                          const Rational& sigma);

// The same for distances in l2, l1, linf or cells, as make_gaussian, with the loss in `measure`: concentrated or
// gaussian (mixed-metrics otherwise).
calculus::AnyMeasurement make_real_gaussian(const calculus::VectorDomain& domain, const Rational& sigma,
                                            calculus::MetricKind from, const calculus::Measure& measure);

}  // namespace dither::mechanisms
