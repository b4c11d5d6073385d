#include "mechanisms/accuracy.h"

#include <fmt/format.h>

#include <cmath>

#include "accounting/gaussian.h"
#include "base/directed.h"
#include "base/error.h"
#include "mechanisms/calibrate.h"

namespace dither::mechanisms {

double laplace_alpha(const Rational& l1, const Rational& epsilon, const Accuracy& accuracy) {
  return accounting::laplace_error_up(laplace_scale(l1, epsilon).to_double_up(), accuracy);
}

double laplace_epsilon(const Rational& l1, double alpha, const Accuracy& accuracy) {
  return accounting::laplace_epsilon_for(l1.to_double_up(), alpha, accuracy);
}

double gaussian_alpha(const Rational& l2_squared, const Rational& epsilon, const Rational& delta,
                      const Accuracy& accuracy) {
  return accounting::gaussian_error_up(analytic_sigma(l2_squared, epsilon, delta).to_double_up(), accuracy);
}

double gaussian_epsilon(const Rational& l2_squared, double alpha, const Rational& delta, const Accuracy& accuracy) {
  const double mu = accounting::gaussian_mu_for(sqrt_up(l2_squared.to_double_up()), alpha, accuracy);
  return accounting::gaussian_epsilon_up(mu, delta.to_double_down());
}

double clipping_bias(double scale, double value) {
  if (!(scale > 0) || !std::isfinite(scale)) {
    throw Error{Code::bad_scale, fmt::format("the scale is {}, but must be positive and finite", scale),
                "give the scale of the noise"};
  }
  if (!(value >= 0)) {
    throw Error{Code::out_of_range, fmt::format("the count is {}, but counts are not negative", value),
                "give the count at which the bias is wanted"};
  }
  return scale / 2 * std::exp(-value / scale);
}

}  // namespace dither::mechanisms
