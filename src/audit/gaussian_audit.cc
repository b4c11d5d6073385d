#include "audit/gaussian_audit.h"

#include <algorithm>
#include <limits>

#include "accounting/gaussian.h"
#include "audit/detail/require_rate.h"
#include "base/directed.h"

namespace dither::audit {

double mu_of_rates_down(const ErrorRates& rates) {
  detail::require_probability("the false positive rate", rates.false_positive);
  detail::require_probability("the false negative rate", rates.false_negative);
  if (rates.false_positive >= 1 || rates.false_negative >= 1) return 0;
  if (rates.false_positive <= 0 || rates.false_negative <= 0) return std::numeric_limits<double>::infinity();
  return std::max(0.0, sub_down(ndtri_down(sub_down(1, rates.false_positive)), ndtri_up(rates.false_negative)));
}

GaussianBound epsilon_lower_bound_if_gaussian(const ErrorCounts& counts, double delta, double false_alarm) {
  detail::require_probability("delta", delta);
  detail::require_open_probability("the false alarm", false_alarm);
  const double mu = mu_of_rates_down(error_rates_upper(counts, false_alarm));
  return {mu, mu > 0 ? accounting::gaussian_epsilon_down(mu, delta) : 0};
}

}  // namespace dither::audit
