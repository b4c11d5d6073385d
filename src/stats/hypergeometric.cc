#include "stats/hypergeometric.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/detail/deviance.h"
#include "stats/detail/require.h"

namespace dither::stats {

namespace {

struct Urn {
  std::int64_t drawn, marked, all;

  std::int64_t least() const { return std::max<std::int64_t>(0, drawn + marked - all); }
  std::int64_t most() const { return std::min(drawn, marked); }
  std::int64_t left(std::int64_t hits) const { return all - marked - drawn + hits; }  // neither marked nor drawn

  double log_pmf(std::int64_t hits) const {
    const auto kernel = [p = static_cast<double>(drawn) / static_cast<double>(all)](std::int64_t in, std::int64_t out) {
      return detail::log_binomial_kernel(static_cast<double>(in), static_cast<double>(out), p);
    };
    return kernel(hits, marked - hits) + kernel(drawn - hits, left(hits)) - kernel(drawn, all - drawn);
  }

  // The sum of pmf(k) / pmf(hits) over all k from `hits` on upward, or downward: on the side of the mode where it falls.
  double sum_of_ratios(std::int64_t hits, bool upward) const {
    double sum = 0, term = 1;
    for (std::int64_t k = hits; k >= least() && k <= most() && term > 1e-17 * sum; k += upward ? 1 : -1) {
      sum += term;
      const double more = static_cast<double>(marked - k) * static_cast<double>(drawn - k);
      const double fewer = static_cast<double>(k) * static_cast<double>(left(k));
      term *= upward ? more / (static_cast<double>(k + 1) * static_cast<double>(left(k + 1)))
                     : fewer / (static_cast<double>(marked - k + 1) * static_cast<double>(drawn - k + 1));
    }
    return sum;
  }
};

}  // namespace

double hypergeometric_log_upper(std::int64_t hits, std::int64_t drawn, std::int64_t marked, std::int64_t all) {
  detail::require_trials(all);
  detail::require_hits(drawn, all);
  detail::require_hits(marked, all);
  const Urn urn{drawn, marked, all};
  if (hits <= urn.least()) return 0;
  if (hits > urn.most()) return -std::numeric_limits<double>::infinity();
  const double mean = static_cast<double>(drawn) * static_cast<double>(marked) / static_cast<double>(all);
  if (static_cast<double>(hits) > mean)
    return std::min(0.0, urn.log_pmf(hits) + std::log(urn.sum_of_ratios(hits, true)));
  const double lower = std::exp(urn.log_pmf(hits - 1)) * urn.sum_of_ratios(hits - 1, false);
  return std::log1p(-std::min(lower, 1 - 1e-16));
}

}  // namespace dither::stats
