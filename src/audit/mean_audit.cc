#include "audit/mean_audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "audit/detail/means.h"
#include "audit/detail/require_rate.h"
#include "base/directed.h"
#include "base/error.h"

namespace dither::audit {

namespace {

constexpr double kMargin = 1e-12;  // of the range: more than sums of 10^9 draws lose, which are added up in pairs

void require_inside(double value, double low, double high) {
  if (value >= low && value <= high) return;
  throw Error{Code::out_of_range, fmt::format("a value lies outside [{}, {}] or is NaN", low, high),
              "clamp outputs to the range before the audit"};
}

// Sums halves, so that errors grow with the logarithm of the length.
double pairwise_sum(std::span<const double> values) {
  if (values.size() <= 64) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
  }
  const std::size_t half = values.size() / 2;
  return pairwise_sum(values.first(half)) + pairwise_sum(values.subspan(half));
}

// The sample in units of the range, from its low end.
detail::Mean scaled_mean(std::span<const double> draws, const Range& range, double alpha) {
  detail::require_open_probability("alpha", alpha);
  detail::require_count("the number of draws", static_cast<std::int64_t>(draws.size()), 2, 1'000'000'000);
  const double width = range.high - range.low;
  if (!(width > 0) || !std::isfinite(width)) {
    throw Error{Code::out_of_range, fmt::format("the range is [{}, {}]", range.low, range.high), "give low < high"};
  }
  std::vector<double> scaled;
  for (const double draw : draws) {
    require_inside(draw, range.low, range.high);
    scaled.push_back((draw - range.low) / width);
  }
  const double n = static_cast<double>(scaled.size());
  const double mean = pairwise_sum(scaled) / n;
  for (double& value : scaled) value = (value - mean) * (value - mean);
  return {static_cast<std::int64_t>(scaled.size()), mean, pairwise_sum(scaled) / (n - 1)};
}

// log(1 + (gap - slack) / size), rounded down, where gap and slack are already on their safe sides.
double epsilon_of_gap_down(double gap, double slack, double size_up) {
  const double left = sub_down(gap, slack);
  if (left <= 0) return 0;
  if (size_up <= 0) return std::numeric_limits<double>::infinity();
  return std::max(0.0, log1p_down(div_down(left, size_up)));
}

}  // namespace

double mean_lower_bound(std::span<const double> draws, const Range& range, double alpha) {
  const double least = detail::mean_at_least(scaled_mean(draws, range, alpha), alpha) - kMargin;
  return range.low + (range.high - range.low) * std::max(0.0, least);
}

double mean_upper_bound(std::span<const double> draws, const Range& range, double alpha) {
  const double most = detail::mean_at_most(scaled_mean(draws, range, alpha), alpha) + kMargin;
  return range.low + (range.high - range.low) * std::min(1.0, most);
}

double epsilon_lower_bound_of_means(std::span<const double> first, std::span<const double> second, double bound,
                                    double delta, double false_alarm) {
  detail::require_probability("delta", delta);
  detail::require_open_probability("the false alarm", false_alarm);
  const Range range{-bound, bound};
  const double each = false_alarm / 3;
  const double gap = sub_down(mean_lower_bound(first, range, each), mean_upper_bound(second, range, each));
  std::vector<double> sizes(second.begin(), second.end());
  for (double& size : sizes) size = std::abs(size);
  return epsilon_of_gap_down(gap, mul_up(2 * delta, bound), mean_upper_bound(sizes, {0, bound}, each));
}

double epsilon_lower_bound_of_tracing(std::span<const TracingRound> rounds, std::int64_t records, double delta,
                                      double false_alarm) {
  detail::require_probability("delta", delta);
  detail::require_open_probability("the false alarm", false_alarm);
  detail::require_count("the number of records", records, 1, 1'000'000);
  const double n = static_cast<double>(records);
  std::vector<double> followed;  // how far the answer follows each record, on average over records: in [-1, 1]
  std::vector<double> strayed;   // how far from P it is, times the records' own spread: in [0, 1/2]
  for (const TracingRound& round : rounds) {
    detail::require_probability("the probability of a round", round.probability);
    detail::require_count("the number of ones", round.ones, 0, records);
    require_inside(round.answer, 0, 1);
    const double off = round.answer - round.probability;
    followed.push_back(std::clamp(off * (static_cast<double>(round.ones) / n - round.probability), -1.0, 1.0));
    strayed.push_back(2 * round.probability * (1 - round.probability) * std::abs(off));
  }
  const double mean = mean_lower_bound(followed, {-1, 1}, false_alarm / 2);
  return epsilon_of_gap_down(mean, 2 * delta, mean_upper_bound(strayed, {0, 0.5}, false_alarm / 2));
}

TracingTerms tracing_terms(const std::function<double(std::int64_t ones)>& answer, std::int64_t records) {
  detail::require_count("the number of records", records, 1, 1000);
  const auto n = static_cast<double>(records);
  // E over P of C(n,k) P^k (1-P)^(n-k) is 1/(n+1) for every k, and P is then Beta(k+1, n-k+1): mean and mean square.
  TracingTerms terms;
  for (std::int64_t k = 0; k <= records; ++k) {
    const double ones = static_cast<double>(k);
    const double mean = (ones + 1) / (n + 2);
    const double square = mean * (ones + 2) / (n + 3);
    const double f = answer(k);
    terms.tracing += (f * ones - f * n * mean - mean * ones + n * square) / (n + 1);
    terms.squared_bias += -2 * f * mean / (n + 1);
  }
  // E[E[f]^2]: two answers of independent records of one P; ones k and l come with C(n,k) C(n,l) B(k+l+1, 2n-k-l+1).
  const auto log_choose = [](double a, double b) {
    return std::lgamma(a + 1) - std::lgamma(b + 1) - std::lgamma(a - b + 1);
  };
  for (std::int64_t k = 0; k <= records; ++k) {
    for (std::int64_t l = 0; l <= records; ++l) {
      const auto one = static_cast<double>(k), other = static_cast<double>(l);
      const double log_weight = log_choose(n, one) + log_choose(n, other) - log_choose(2 * n, one + other);
      terms.squared_bias += answer(k) * answer(l) * std::exp(log_weight) / (2 * n + 1);
    }
  }
  terms.squared_bias += 1.0 / 3;
  return terms;
}

}  // namespace dither::audit
