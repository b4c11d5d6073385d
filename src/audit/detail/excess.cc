#include "audit/detail/excess.h"

#include <algorithm>
#include <cmath>

namespace dither::audit::detail {

namespace {

constexpr double kLeastEpsilon = 1e-3;  // of a promise of less, or of 0

}  // namespace

double beyond(double bound, double epsilon) { return (bound - epsilon) / std::max(epsilon, kLeastEpsilon); }

Excess::Excess(const Promise& promise, std::int64_t first_runs, std::int64_t second_runs, const Effort& effort,
               double training_deviations)
    : epsilons_(promise.epsilons()),
      deltas_(promise.deltas()),
      training_deviations_(training_deviations),
      // Half of the alarm for each bound, half of that at the last look; sqrt(2 log(1/x)) is above the normal quantile.
      deviations_(std::sqrt(2 * std::log(4 / std::min(0.5, effort.false_alarm)))),
      certify_(static_cast<double>(std::max<std::int64_t>(1, effort.certify))),
      first_(errors(first_runs)),
      second_(errors(second_runs)) {}

Excess::Errors Excess::errors(std::int64_t training_runs) const {
  const auto runs = static_cast<double>(std::max<std::int64_t>(1, training_runs));
  return {deviations_ / std::sqrt(certify_), training_deviations_ / std::sqrt(runs)};
}

// Above a share by some deviations, and by more where few hits are expected.
double Excess::Errors::upper(double share) const {
  return share + (test + training) * std::sqrt(share * (1 - share)) + (test * test + training * training) / 2;
}

Excess::Best Excess::of(double first, double second) const {
  const double rest = first_.upper(1 - first);
  const double most = second_.upper(second);
  const double variance = first * (1 - first) + second * (1 - second);
  const double apart = variance > 0 ? std::abs(first - second) / std::sqrt(variance) : first == second ? 0.0 : HUGE_VAL;
  const double doubt = 1 / (1 + apart * std::sqrt(certify_));  // the fewer, the more deviations between the two
  const double unproven = first >= second ? -1 - doubt : -3 + doubt;
  Best best{-HUGE_VAL, epsilons_.front()};
  for (std::size_t i = 0; i < epsilons_.size(); ++i) {
    const double odds = std::max((1 - rest - deltas_[i]) / most, (1 - most - deltas_[i]) / rest);
    const double margin = odds > 1 ? beyond(std::log(odds), epsilons_[i]) : unproven;
    if (margin > best.margin) best = {margin, epsilons_[i]};
  }
  return best;
}

}  // namespace dither::audit::detail
