#include "audit/region.h"

#include <algorithm>

#include "accounting/tradeoff.h"
#include "audit/detail/require_rate.h"
#include "base/directed.h"

namespace dither::audit {

namespace {

// 1 - one - e^epsilon other, rounded down.
double left_over_down(double one, double other, double epsilon) {
  const double weighted = other == 0 ? 0 : mul_up(exp_up(epsilon), other);
  return sub_down(sub_down(1, one), weighted);
}

}  // namespace

double delta_of_rates_down(const ErrorRates& rates, double epsilon) {
  detail::require_probability("the false positive rate", rates.false_positive);
  detail::require_probability("the false negative rate", rates.false_negative);
  detail::require_not_negative("epsilon", epsilon);
  return std::max({0.0, left_over_down(rates.false_positive, rates.false_negative, epsilon),
                   left_over_down(rates.false_negative, rates.false_positive, epsilon)});
}

bool refutes(const ErrorRates& rates, double epsilon, double delta) {
  detail::require_probability("delta", delta);
  return delta_of_rates_down(rates, epsilon) > delta;
}

std::vector<AttackPoint> region_corners(double epsilon, double delta) {
  detail::require_not_negative("epsilon", epsilon);
  detail::require_probability("delta", delta);
  const double middle = div_down(sub_down(1, delta), add_up(1, exp_up(epsilon)));
  return {{0, delta}, {middle, accounting::attack_accuracy_up(epsilon, delta)}, {sub_down(1, delta), 1}, {1, 1}};
}

}  // namespace dither::audit
