#include "accounting/failure.h"

#include <algorithm>

#include "accounting/detail/require.h"
#include "base/directed.h"

namespace dither::accounting {

using detail::require_probability;

FailureProbability& FailureProbability::add(double delta, std::uint64_t times) {
  require_probability("delta", delta);
  detail::require_count("times", times);
  if (delta > 0) log_none_ = add_down(log_none_, mul_down(static_cast<double>(times), log1p_down(-delta)));
  return *this;
}

double FailureProbability::up() const { return -expm1_down(log_none_); }

std::optional<double> delta_beside_failure_down(double delta, double failure) {
  require_probability("delta", delta);
  require_probability("the failure probability", failure);
  if (failure == 0) return delta;
  if (delta < failure || failure == 1) return std::nullopt;
  return std::min(1.0, div_down(sub_down(delta, failure), sub_up(1, failure)));
}

double delta_with_failure_up(double delta, double failure) {
  require_probability("delta", delta);
  require_probability("the failure probability", failure);
  return std::min(1.0, add_up(failure, mul_up(sub_up(1, failure), delta)));
}

}  // namespace dither::accounting
