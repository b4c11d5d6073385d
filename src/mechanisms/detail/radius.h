// Standard errors and 95% radii of the laws of noise, in steps of the grid.
#pragma once

#include "base/rational.h"

namespace dither::mechanisms::detail {

struct Width {
  double standard_error;  // right to 1e-9
  Rational radius;        // |noise| is at most this with probability 95% or more; the least such whole number, or,
                          // beyond 2^40 steps (discrete Gaussian: sigma 300), one that is larger by 2 steps and 10^-12
};

Width discrete_laplace_width(const Rational& scale);
// The radius of discrete Laplace noise for another failure than 5%: a whole number, or infinity.
double discrete_laplace_radius_up(double scale, double failure);
double discrete_laplace_standard_error(double scale);
Width discrete_gaussian_width(const Rational& sigma);
// Of the real laws rounded to the grid.
Width rounded_laplace_width(const Rational& scale);
Width rounded_gaussian_width(const Rational& sigma);

}  // namespace dither::mechanisms::detail
