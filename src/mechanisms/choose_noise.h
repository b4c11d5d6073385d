// Laplace or Gaussian: whichever is quieter for the same budget.
#pragma once

#include "accounting/accuracy.h"
#include "calculus/measurement.h"

namespace dither::mechanisms {

struct NoiseChoice {
  accounting::NoiseLaw law;
  Rational scale;         // scale of discrete Laplace noise or sigma of normal noise, in steps
  double standard_error;  // of one released number, on the grid
};

// Discrete Laplace noise of scale l1 / epsilon, or normal noise with the least sigma for (epsilon, delta), rounded to
// the grid: the one with the smaller standard error, Laplace when they are equal. Both distances bound the same inputs.
//
// Guarantee  inputs within both distances cost (epsilon, delta); with Laplace noise delta is not used.
// Refuses    as calibrate.h; a delta of 0 leaves Laplace noise alone.
// Spec       F-59. In one dimension Gaussian noise wins for large delta only (0.0396 at epsilon 1); for k counts at
//            (1, 1e-5) from k = 7 on.
NoiseChoice choose_noise(const Rational& l1, const Rational& l2_squared, const Rational& epsilon,
                         const Rational& delta);

// The chosen noise for inputs within `distance` of each other. It is priced in its own measure, pure or gaussian, whose
// loss at `distance` is (epsilon, delta) or less, and takes distances of the metric cells.
calculus::AnyMeasurement make_best_noise(const calculus::VectorDomain& domain, const calculus::CellsDistance& distance,
                                         const Rational& epsilon, const Rational& delta);

}  // namespace dither::mechanisms
