#include "audit/attack_bounds.h"

#include <algorithm>

#include "audit/detail/log_quotient.h"
#include "audit/detail/require_rate.h"
#include "base/directed.h"
#include "stats/clopper_pearson.h"

namespace dither::audit {

double loose_advantage_up(double epsilon) {
  detail::require_not_negative("epsilon", epsilon);
  return std::min(1.0, expm1_up(epsilon));
}

double epsilon_of_accuracy_down(double accuracy, double delta) {
  detail::require_probability("the accuracy", accuracy);
  detail::require_probability("delta", delta);
  return detail::log_quotient_down(sub_down(accuracy, delta), sub_up(1, accuracy));
}

double epsilon_of_advantage_down(double advantage, double delta) {
  detail::require_probability("the advantage", advantage);
  detail::require_probability("delta", delta);
  return detail::log_quotient_down(sub_down(add_down(1, advantage), 2 * delta), sub_up(1, advantage));
}

double epsilon_lower_bound_of_guesses(std::int64_t right, std::int64_t guesses, double delta, double false_alarm) {
  return epsilon_of_accuracy_down(stats::probability_lower_bound(right, guesses, false_alarm), delta);
}

}  // namespace dither::audit
