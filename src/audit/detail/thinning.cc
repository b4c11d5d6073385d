#include "audit/detail/thinning.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "audit/detail/require_rate.h"
#include "stats/hypergeometric.h"

namespace dither::audit {

namespace {

constexpr int kThinnings = 20;

double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

// Binomial, for choices only: exact where that is cheap, the rounded normal beyond.
std::int64_t thin(std::int64_t hits, double keep, std::mt19937_64& random) {
  const double mean = static_cast<double>(hits) * keep;
  const double spread = std::sqrt(mean * (1 - keep));
  if (hits > 2000 && spread > 10) {
    const double normal = std::sqrt(-2 * std::log(1 - uniform(random))) * std::cos(6.283185307179586 * uniform(random));
    return std::clamp<std::int64_t>(std::llround(mean + spread * normal), 0, hits);
  }
  std::int64_t kept = 0;
  for (std::int64_t i = 0; i < hits; ++i) kept += uniform(random) < keep ? 1 : 0;
  return kept;
}

}  // namespace

namespace detail {

double log_p_value(const EventCounts& counts, double epsilon, double delta, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto allowed = static_cast<std::int64_t>(std::ceil(delta * static_cast<double>(counts.first_runs)));
  const std::int64_t hits = std::max<std::int64_t>(0, counts.first - allowed);
  double largest = -HUGE_VAL;
  double sum = 0;  // of exp(log p - largest)
  for (int i = 0; i < kThinnings; ++i) {
    const std::int64_t kept = thin(hits, std::exp(-epsilon), random);
    const double log_p = stats::hypergeometric_log_upper(kept, kept + counts.second, counts.first_runs,
                                                         counts.first_runs + counts.second_runs);
    if (log_p > largest) {
      sum = sum * std::exp(largest - log_p) + 1;
      largest = log_p;
    } else {
      sum += std::exp(log_p - largest);
    }
  }
  return std::min(0.0, largest + std::log(sum / kThinnings));
}

}  // namespace detail

double thinned_p_value(const EventCounts& counts, double epsilon, double delta, std::uint64_t seed) {
  constexpr std::int64_t most = 500'000'000'000;
  detail::require_count("runs", std::min(counts.first_runs, counts.second_runs), 1, most);
  detail::require_count("hits of the first input", counts.first, 0, counts.first_runs);
  detail::require_count("hits of the second input", counts.second, 0, counts.second_runs);
  detail::require_not_negative("epsilon", epsilon);
  detail::require_probability("delta", delta);
  return std::exp(detail::log_p_value(counts, epsilon, delta, seed));
}

}  // namespace dither::audit
