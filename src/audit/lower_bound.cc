#include "audit/lower_bound.h"

#include <algorithm>

#include "audit/detail/log_quotient.h"
#include "audit/detail/require_rate.h"
#include "base/directed.h"
#include "stats/clopper_pearson.h"

namespace dither::audit {

namespace {

// log((1 - delta - small) / other), rounded down.
double log_ratio_down(double delta, double small, double other) {
  return detail::log_quotient_down(sub_down(sub_down(1, delta), small), other);
}

}  // namespace

ErrorRates error_rates_upper(const ErrorCounts& counts, double false_alarm) {
  return {stats::probability_upper_bound(counts.false_positives, counts.negative_runs, false_alarm / 2),
          stats::probability_upper_bound(counts.false_negatives, counts.positive_runs, false_alarm / 2)};
}

double epsilon_of_rates_down(const ErrorRates& rates, double delta) {
  detail::require_probability("delta", delta);
  detail::require_probability("the false positive rate", rates.false_positive);
  detail::require_probability("the false negative rate", rates.false_negative);
  return std::max(log_ratio_down(delta, rates.false_positive, rates.false_negative),
                  log_ratio_down(delta, rates.false_negative, rates.false_positive));
}

double epsilon_lower_bound(const ErrorCounts& counts, double delta, double false_alarm) {
  detail::require_open_probability("the false alarm", false_alarm);
  return epsilon_of_rates_down(error_rates_upper(counts, false_alarm), delta);
}

double ceiling(std::int64_t negative_runs, std::int64_t positive_runs, double delta, double false_alarm) {
  return epsilon_lower_bound({0, negative_runs, 0, positive_runs}, delta, false_alarm);
}

}  // namespace dither::audit
