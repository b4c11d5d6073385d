// How far off noise on a grid may be, at any level.
#pragma once

#include "base/rational.h"

namespace dither::mechanisms {

// How far the noise of a law reaches, in steps of its grid.
struct NoiseReach {
  double standard_error;  // right to 1e-9
  Rational radius;        // |noise| is at most this with probability 1 - failure or more
};

// Promise    the radius is the least whole number; beyond 2^40 steps, and of the discrete Gaussian beyond sigma = 300
//            and for failures below a millionth, one that is larger by 2 steps and 10^-12 at most. At failure 1/20 it
//            is that of the measurement's own error bar.
// Refuses    failures outside (0, 1) (bad-probability); scales that are not positive and finite (bad-scale).
// Cost       some microseconds; discrete Gaussian noise of sigma up to 300 a few exponentials for each unit of sigma.
// Spec       W-36, F-34.
NoiseReach discrete_laplace_reach(const Rational& scale, double failure);
NoiseReach discrete_gaussian_reach(const Rational& sigma, double failure);
// Of the normal law, rounded to the grid.
NoiseReach rounded_gaussian_reach(const Rational& sigma, double failure);

}  // namespace dither::mechanisms
