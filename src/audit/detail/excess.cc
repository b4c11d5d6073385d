#include "audit/detail/excess.h"

#include <algorithm>
#include <cmath>

namespace dither::audit::detail {

Excess::Excess(const Promise& promise, std::int64_t first_runs, std::int64_t second_runs, const Effort& effort)
    : epsilons_(promise.epsilons()), deltas_(promise.deltas()) {
  const auto one_over = [](std::int64_t runs) { return 1 / static_cast<double>(std::max<std::int64_t>(1, runs)); };
  spread_first_ = one_over(first_runs) + one_over(effort.certify);
  spread_second_ = one_over(second_runs) + one_over(effort.certify);
  // Half of the alarm for each bound, half of that at the last look; sqrt(2 log(1/x)) is above the normal quantile.
  deviations_ = std::sqrt(2 * std::log(4 / std::min(0.5, effort.false_alarm)));
}

// Above a share by some deviations, and by more where few hits are expected.
double Excess::upper(double share, double spread) const {
  return share + deviations_ * std::sqrt(share * (1 - share) * spread) + deviations_ * deviations_ * spread / 2;
}

Excess::Best Excess::of(double first, double second) const {
  const double rest = upper(1 - first, spread_first_);
  const double most = upper(second, spread_second_);
  Best best{-HUGE_VAL, epsilons_.front()};
  for (std::size_t i = 0; i < epsilons_.size(); ++i) {
    const double event = 1 - rest - deltas_[i];
    const double complement = 1 - most - deltas_[i];
    const double odds = std::max(event / most, complement / rest);
    if (!(odds > 0)) continue;
    const double margin = std::log(odds) - epsilons_[i];
    if (margin > best.margin) best = {margin, epsilons_[i]};
  }
  return best;
}

}  // namespace dither::audit::detail
