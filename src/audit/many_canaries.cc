#include "audit/many_canaries.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "audit/detail/require_rate.h"
#include "audit/lower_bound.h"
#include "base/roots.h"
#include "base/sum.h"

namespace dither::audit {

namespace {

constexpr std::int64_t kMostTests = 1'000'000'000;
constexpr double kMargin = 1 + 1e-12;  // above what rounding in the few steps below can lose

// The largest mean in [found, 1] that Bernstein's inequality does not rule out: exp(-n t^2 / (2 variance + 2 t / 3)) is
// the chance that the mean of n results in [0, 1] falls t short. The variance is concave in the mean, so what is not
// ruled out is an interval.
double bernstein_upper(double found, double runs, double alpha, const std::function<double(double)>& variance) {
  const double scaled = -std::log(alpha) / runs;
  const auto ruled_out = [&](double mean) {
    const double short_by = mean - found;
    return short_by > 0 && short_by * short_by > 2 * scaled * (std::max(0.0, variance(mean)) + short_by / 3) * kMargin;
  };
  if (!ruled_out(1)) return 1;
  return find_turn(ruled_out, found, 1).holds;
}

}  // namespace

double exchangeable_upper_bound(std::span<const std::int64_t> hits, std::int64_t tests, double alpha) {
  detail::require_open_probability("alpha", alpha);
  detail::require_count("the number of runs", static_cast<std::int64_t>(hits.size()), 1, kMostTests);
  detail::require_count("the number of tests a run", tests, 1, kMostTests);
  const double runs = static_cast<double>(hits.size());
  const double each = static_cast<double>(tests);
  RunningSum means;  // of up to 10^9 terms: a plain sum would lose more than kMargin covers
  RunningSum products;
  for (const std::int64_t hit : hits) {
    detail::require_count("the number of hits of a run", hit, 0, tests);
    const double share = static_cast<double>(hit) / each;
    means += share / runs;
    products += tests == 1 ? 0 : share * (static_cast<double>(hit) - 1) / (each - 1) / runs;
  }
  const double mean = std::min(means.up(), 1.0);
  const double most_product = tests == 1 ? 0
                                         : bernstein_upper(std::min(products.up(), 1.0), runs, alpha / 2,
                                                           [](double m2) { return m2 * (1 - m2); });
  return bernstein_upper(mean, runs, alpha / 2, [&](double m1) {
    const double m2 = std::min(most_product, m1);
    return (m2 - m1 * m1) + (m1 - m2) / each;
  });
}

double epsilon_lower_bound_many_canaries(const ManyCanaries& counts, double delta, double false_alarm) {
  detail::require_open_probability("the false alarm", false_alarm);
  const ErrorRates rates{exchangeable_upper_bound(counts.false_positives, counts.tests_out, false_alarm / 2),
                         exchangeable_upper_bound(counts.false_negatives, counts.tests_in, false_alarm / 2)};
  return epsilon_of_rates_down(rates, delta);
}

}  // namespace dither::audit
