#include "audit/gaussian_audit.h"

#include <algorithm>

#include "accounting/gaussian.h"
#include "audit/detail/require_rate.h"
#include "base/directed.h"

namespace dither::audit {

GaussianBound epsilon_lower_bound_if_gaussian(const ErrorCounts& counts, double delta, double false_alarm) {
  detail::require_probability("delta", delta);
  detail::require_open_probability("the false alarm", false_alarm);
  const ErrorRates rates = error_rates_upper(counts, false_alarm);
  if (rates.false_positive >= 1 || rates.false_negative >= 1) return {};
  const double mu =
      std::max(0.0, sub_down(ndtri_down(sub_down(1, rates.false_positive)), ndtri_up(rates.false_negative)));
  return {mu, mu > 0 ? accounting::gaussian_epsilon_down(mu, delta) : 0};
}

}  // namespace dither::audit
