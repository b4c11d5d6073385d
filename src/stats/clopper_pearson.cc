#include "stats/clopper_pearson.h"

#include <algorithm>
#include <cmath>

#include "stats/binomial.h"
#include "stats/detail/bisect.h"
#include "stats/detail/require.h"

namespace dither::stats {

namespace {

// The logarithm of alpha, lowered by more than a log tail of n trials can err there (binomial.h).
double log_with_margin(double alpha, std::int64_t n) {
  const double log = std::log(alpha);
  return log - 2e-14 * (1 - log) - 2e-15 * std::sqrt(static_cast<double>(n));
}

void require(std::int64_t hits, std::int64_t n, double alpha) {
  detail::require_trials(n);
  detail::require_hits(hits, n);
  detail::require_open_probability("alpha", alpha);
}

}  // namespace

double probability_lower_bound(std::int64_t hits, std::int64_t n, double alpha) {
  require(hits, n, alpha);
  if (hits == 0) return 0;
  const double wanted = log_with_margin(alpha, n);
  const double first = detail::first_where(0, 1, [&](double p) { return binomial_log_upper(hits, n, p) >= wanted; });
  return std::nextafter(first, 0.0);  // the last p at which so many hits are still too unlikely
}

double probability_upper_bound(std::int64_t hits, std::int64_t n, double alpha) {
  require(hits, n, alpha);
  if (hits == n) return 1;
  const double wanted = log_with_margin(alpha, n);
  return detail::first_where(0, 1, [&](double p) { return binomial_log_lower(hits, n, p) <= wanted; });
}

ProbabilityInterval clopper_pearson(std::int64_t hits, std::int64_t n, double alpha) {
  require(hits, n, alpha);
  return {probability_lower_bound(hits, n, alpha / 2), probability_upper_bound(hits, n, alpha / 2)};
}

}  // namespace dither::stats
