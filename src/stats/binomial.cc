#include "stats/binomial.h"

#include <cmath>
#include <limits>

#include "stats/detail/deviance.h"
#include "stats/detail/require.h"

namespace dither::stats {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

double log_pmf(std::int64_t hits, std::int64_t n, double p) {
  if (p == 0) return hits == 0 ? 0 : kNever;
  if (p == 1) return hits == n ? 0 : kNever;
  return detail::log_binomial_kernel(static_cast<double>(hits), static_cast<double>(n - hits), p);
}

// The sum of pmf(k + i) / pmf(k) over i >= 0, on the side of the mean where it falls: `misses` is n - k and `odds`
// p/(1-p). The ratio of neighbours falls too, so the rest after a term is at most term * ratio / (1 - ratio).
double sum_of_ratios(double hits, double misses, double odds) {
  double sum = 1;
  double term = 1;
  while (misses > 0) {
    hits += 1;
    const double ratio = misses / hits * odds;
    term *= ratio;
    sum += term;
    misses -= 1;
    if (term * ratio <= 1e-17 * sum * (1 - ratio)) break;
  }
  return sum;
}

// The log of one tail: `direct` when the tail asked for is the small one, and then `log` is its logarithm; otherwise
// `log` is that of the other tail.
struct SmallTail {
  bool direct;
  double log;

  double asked_log() const { return direct ? log : std::log1p(-std::exp(log)); }
  double asked() const { return direct ? std::exp(log) : -std::expm1(log); }
};

double log_upper_sum(std::int64_t hits, std::int64_t n, double p) {
  return log_pmf(hits, n, p) +
         std::log(sum_of_ratios(static_cast<double>(hits), static_cast<double>(n - hits), p / (1 - p)));
}

double log_lower_sum(std::int64_t hits, std::int64_t n, double p) {
  return log_pmf(hits, n, p) +
         std::log(sum_of_ratios(static_cast<double>(n - hits), static_cast<double>(hits), (1 - p) / p));
}

SmallTail upper_tail(std::int64_t hits, std::int64_t n, double p) {
  if (hits == 0) return {true, 0};
  if (p == 0) return {true, kNever};
  if (p == 1) return {true, 0};
  if (static_cast<double>(hits) > static_cast<double>(n) * p) return {true, log_upper_sum(hits, n, p)};
  return {false, log_lower_sum(hits - 1, n, p)};
}

SmallTail lower_tail(std::int64_t hits, std::int64_t n, double p) {
  if (hits == n) return {true, 0};
  const SmallTail above = upper_tail(hits + 1, n, p);
  return {!above.direct, above.log};
}

void require(std::int64_t hits, std::int64_t n, double p) {
  detail::require_trials(n);
  detail::require_hits(hits, n);
  detail::require_probability("the probability of a hit", p);
}

}  // namespace

double binomial_log_pmf(std::int64_t hits, std::int64_t n, double p) {
  return require(hits, n, p), log_pmf(hits, n, p);
}

double binomial_log_lower(std::int64_t hits, std::int64_t n, double p) {
  return require(hits, n, p), lower_tail(hits, n, p).asked_log();
}

double binomial_log_upper(std::int64_t hits, std::int64_t n, double p) {
  return require(hits, n, p), upper_tail(hits, n, p).asked_log();
}

double binomial_lower(std::int64_t hits, std::int64_t n, double p) {
  return require(hits, n, p), lower_tail(hits, n, p).asked();
}

double binomial_upper(std::int64_t hits, std::int64_t n, double p) {
  return require(hits, n, p), upper_tail(hits, n, p).asked();
}

}  // namespace dither::stats
