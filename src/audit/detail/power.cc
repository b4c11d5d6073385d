#include "audit/detail/power.h"

#include <algorithm>
#include <cmath>

#include "stats/binomial.h"

namespace dither::audit::detail {

double smoothed_share(std::int64_t hits, std::int64_t runs) {
  return (static_cast<double>(hits) + 0.5) / (static_cast<double>(runs) + 1);
}

double power_of_event(double times, const SeenShares& seen, double delta,
                      const std::function<bool(std::int64_t hits)>& refutes) {
  const double beyond = std::max(0.0, seen.likelier - delta);
  const double loss = std::log(beyond / seen.other);
  if (!(loss > 0) || seen.other_runs < 1 || !refutes(0)) return 0;
  std::int64_t low = 0;
  std::int64_t high = seen.other_runs + 1;  // refutes(low), not refutes(high): so many runs there are not
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (refutes(middle) ? low : high) = middle;
  }
  return stats::binomial_lower(low, seen.other_runs, beyond * std::exp(-times * loss));
}

double power_of_means(double times, const SeenMeans& seen, double epsilon, double delta, double alarm) {
  const double beyond = std::max(0.0, seen.likelier.mean - delta);
  const double least = 1 / (2 * static_cast<double>(std::max<std::int64_t>(1, seen.other.runs)));
  const double before = std::max(seen.other.mean, least);
  const double loss = std::log(beyond / before);
  if (!(loss > 0)) return 0;
  Mean other = seen.other;
  other.mean = beyond * std::exp(-times * loss);
  other.variance *= other.mean / before;
  const double grown = std::exp(epsilon);
  const double margin = mean_at_least(seen.likelier, alarm / 2) - delta - grown * mean_at_most(other, alarm / 2);
  const double variance = seen.likelier.variance / static_cast<double>(seen.likelier.runs) +
                          grown * grown * other.variance / static_cast<double>(other.runs);
  return chance_above(margin, std::sqrt(variance));
}

double best_of_points(const Promise& promise, const std::function<double(double epsilon, double delta)>& power) {
  double best = 0;
  for (std::size_t i = 0; i < promise.epsilons().size(); ++i)
    best = std::max(best, power(promise.epsilons()[i], promise.deltas()[i]));
  return best;
}

double chance_above(double margin, double deviation) {
  constexpr double kLeast = 1e-9;  // where nothing varies, what is seen is seen again
  if (!std::isfinite(margin) || !std::isfinite(deviation)) return 0;
  return 0.5 * std::erfc(-margin / std::max(deviation, kLeast) / std::sqrt(2.0));
}

}  // namespace dither::audit::detail
