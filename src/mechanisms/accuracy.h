// How far off an answer will be for a budget, and what budget a wanted accuracy needs.
#pragma once

#include "accounting/accuracy.h"
#include "base/rational.h"

namespace dither::mechanisms {

using accounting::Accuracy;  // of how many coordinates at once, and how often it may fail

// alpha is an error in the unit of the distances: with probability 1 - failure no coordinate is off by more. Noise is
// that of calibrate.h: Laplace at epsilon, normal at (epsilon, delta); on a grid, rounding adds half a step.
//
// Promise    alphas and epsilons are rounded up; one way and back agrees to 1e-9.
// Refuses    as calibrate.h and accounting/accuracy.h.
// Spec       W-36, F-34, F-46, F-56.
double laplace_alpha(const Rational& l1, const Rational& epsilon, const Accuracy& accuracy);
double laplace_epsilon(const Rational& l1, double alpha, const Accuracy& accuracy);
double gaussian_alpha(const Rational& l2_squared, const Rational& epsilon, const Rational& delta,
                      const Accuracy& accuracy);
double gaussian_epsilon(const Rational& l2_squared, double alpha, const Rational& delta, const Accuracy& accuracy);

// How much a count of `value` with Laplace noise of this scale rises on average when negative answers are shown as 0:
// (scale / 2) exp(-value / scale). To be reported with every clipped table. Spec F-50.
double clipping_bias(double scale, double value);

}  // namespace dither::mechanisms
