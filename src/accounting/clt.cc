#include "accounting/clt.h"

#include <cmath>

#include "accounting/detail/require.h"
#include "accounting/gaussian.h"

namespace dither::accounting {

namespace {

constexpr const char* kMethod = "central limit theorem";

}  // namespace

Estimate clt_sgd_mu(double rate, double sigma, std::uint64_t steps) {
  detail::require_probability("the rate", rate);
  detail::require_positive("sigma", sigma);
  detail::require_count("steps", steps);
  return {rate * std::sqrt(static_cast<double>(steps) * std::expm1(1 / (sigma * sigma))), kMethod};
}

Estimate clt_sgd_epsilon(double rate, double sigma, std::uint64_t steps, double delta) {
  return {gaussian_epsilon_up(clt_sgd_mu(rate, sigma, steps).value, delta), kMethod};
}

Estimate clt_sgd_delta(double rate, double sigma, std::uint64_t steps, double epsilon) {
  return {gaussian_delta_up(clt_sgd_mu(rate, sigma, steps).value, epsilon), kMethod};
}

Estimate clt_pure_epsilon(double epsilon, std::uint64_t k, double delta) {
  detail::require_not_negative("epsilon", epsilon);
  detail::require_count("k", k);
  return {gaussian_epsilon_up(epsilon * std::sqrt(static_cast<double>(k)), delta), kMethod};
}

}  // namespace dither::accounting
