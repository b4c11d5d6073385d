// Standard errors and radii of the laws of noise, in steps of the grid.
#pragma once

#include "base/rational.h"

namespace dither::mechanisms::detail {

inline constexpr double kBarFailure = 0.05;  // of the error bars that measurements show

struct Width {
  double standard_error;  // right to 1e-9
  Rational radius;        // |noise| is at most this with probability 1 - failure or more; the least such whole number,
                          // or, beyond 2^40 steps (discrete Gaussian: sigma 300, or failures below a millionth), one
                          // that is larger by 2 steps and 10^-12
};

Width discrete_laplace_width(const Rational& scale, double failure = kBarFailure);
// The radius of discrete Laplace noise: a whole number, or infinity.
double discrete_laplace_radius_up(double scale, double failure);
double discrete_laplace_standard_error(double scale);
Width discrete_gaussian_width(const Rational& sigma, double failure = kBarFailure);
// Of the real laws rounded to the grid.
Width rounded_laplace_width(const Rational& scale);
Width rounded_gaussian_width(const Rational& sigma, double failure = kBarFailure);

}  // namespace dither::mechanisms::detail
