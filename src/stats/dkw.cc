#include "stats/dkw.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stats/detail/require.h"

namespace dither::stats {

double dkw_log_tail_bound(std::int64_t n, double distance) {
  detail::require_trials(n);
  detail::require_between("the distance", distance, 0, 1);
  return std::min(0.0, std::numbers::ln2 - 2 * static_cast<double>(n) * distance * distance);
}

double dkw_band(std::int64_t n, double alpha) {
  detail::require_trials(n);
  detail::require_open_probability("alpha", alpha);
  const double width = std::sqrt((std::numbers::ln2 - std::log(alpha)) / (2 * static_cast<double>(n)));
  return width * (1 + 1e-14);  // covers the few roundings above
}

}  // namespace dither::stats
