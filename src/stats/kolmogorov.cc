#include "stats/kolmogorov.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "stats/detail/deviance.h"
#include "stats/detail/durbin.h"
#include "stats/detail/require.h"

namespace dither::stats {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr std::int64_t kMaxDraws = 1'000'000;
constexpr std::int64_t kMaxMatrixDraws = 1000;
constexpr double kSmallTail = 1e-4;

void require(std::int64_t n, double distance) {
  if (n < 1 || n > kMaxDraws) {
    throw Error{Code::bad_count, fmt::format("the number of draws is {}, but it must lie in 1..10^6", n),
                "for more draws use the bound dkw_log_tail_bound"};
  }
  detail::require_between("the distance", distance, 0, 1);
}

// log(e^a + e^b) without overflow.
double log_add(double a, double b) {
  const double high = std::max(a, b);
  const double low = std::min(a, b);
  return low == kNever ? high : high + std::log1p(std::exp(low - high));
}

// 2 times the sum of (-1)^(j-1) exp(-2 j^2 z^2) over j >= first: from 1 on it is the limit of P(sqrt(n) D >= z).
double limit_series(int first, double z) {
  double sum = 0;
  for (int j = first; j < 60; ++j) {
    const double term = std::exp(-2.0 * j * j * z * z);
    sum += j % 2 == 1 ? term : -term;
    if (term < 1e-18) break;
  }
  return 2 * sum;
}

// Beyond the matrix. Where both sides are seldom far out at once, the limit serves only for that small correction of
// twice the one-sided tail, which is exact.
double tail_of_many(std::int64_t n, double distance, double twice_one_sided) {
  const auto draws = static_cast<double>(n);
  const double z = distance * std::sqrt(draws);
  const double shifted = z + 1 / (6 * std::sqrt(draws)) + (z - 1) / (4 * draws);
  if (shifted < 0.25) return 1;  // the truth is above 1 - 1e-8
  return z < 0.8 ? limit_series(1, shifted) : twice_one_sided + limit_series(2, shifted);
}

}  // namespace

double smirnov_log_upper(std::int64_t n, double distance) {
  require(n, distance);
  if (distance == 0) return 0;
  if (distance == 1) return kNever;
  // Term j is d / (d + j/n) times the chance of exactly j hits in n trials at p = d + j/n, while p < 1.
  const auto draws = static_cast<double>(n);
  double log_sum = kNever;
  for (double j = 0; j < draws; ++j) {
    const double p = distance + j / draws;
    if (p >= 1) break;
    log_sum = log_add(log_sum, detail::log_binomial_kernel(j, draws - j, p) + std::log(distance / p));
  }
  return std::min(0.0, log_sum);
}

double kolmogorov_log_upper(std::int64_t n, double distance) {
  require(n, distance);
  const double one_sided = smirnov_log_upper(n, distance);
  const double twice = std::min(0.0, std::numbers::ln2 + one_sided);
  if (twice <= std::log(kSmallTail) || distance >= 0.5) return twice;  // from 1/2 on only one side can be that far
  if (n <= kMaxMatrixDraws) return std::log(std::max(1 - detail::durbin_cdf(n, distance), 0.0));
  return std::log(tail_of_many(n, distance, 2 * std::exp(one_sided)));
}

}  // namespace dither::stats
