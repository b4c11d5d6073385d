#include "mechanisms/noise_radius.h"

#include "base/error.h"
#include "mechanisms/detail/radius.h"

namespace dither::mechanisms {
namespace {

NoiseReach reach(detail::Width (*width)(const Rational&, double), const Rational& scale, double failure) {
  if (!(failure > 0 && failure < 1)) {
    throw Error{Code::bad_probability, "the failure probability is not between 0 and 1", "give e.g. 0.05"};
  }
  if (scale <= 0) throw Error{Code::bad_scale, "the scale of the noise is not positive", "give a positive scale"};
  auto [standard_error, radius] = width(scale, failure);
  return {standard_error, std::move(radius)};
}

}  // namespace

NoiseReach discrete_laplace_reach(const Rational& scale, double failure) {
  return reach(detail::discrete_laplace_width, scale, failure);
}

NoiseReach discrete_gaussian_reach(const Rational& sigma, double failure) {
  return reach(detail::discrete_gaussian_width, sigma, failure);
}

NoiseReach rounded_gaussian_reach(const Rational& sigma, double failure) {
  return reach(detail::rounded_gaussian_width, sigma, failure);
}

}  // namespace dither::mechanisms
