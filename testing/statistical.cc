#include "testing/statistical.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "stats/binomial.h"
#include "stats/dkw.h"
#include "stats/multinomial.h"

namespace dither::testing {

namespace {

// The logarithm of the level, taken a little lower than asked so that rounding in the tails cannot raise the alarm.
double log_level(double false_alarm) {
  if (!(false_alarm > 0 && false_alarm < 1)) {
    throw Error{Code::bad_probability, "the false alarm of a test must lie in (0, 1)", "1e-9 is the usual one"};
  }
  return std::log(false_alarm) - 1e-6;
}

bool distance_accepts(std::size_t n, double distance, double false_alarm) {
  if (std::isnan(distance)) return false;  // a cdf or a sample that is not a number fits no law
  return stats::dkw_log_tail_bound(static_cast<std::int64_t>(n), std::min(distance, 1.0)) > log_level(false_alarm);
}

// The larger of the two that lets NaN through, unlike std::max.
double larger(double a, double b) { return a > b || std::isnan(a) ? a : b; }

}  // namespace

bool binomial_accepts(std::int64_t hits, std::int64_t n, double p, double false_alarm) {
  const double level = log_level(false_alarm / 2);
  return stats::binomial_log_lower(hits, n, p) > level && stats::binomial_log_upper(hits, n, p) > level;
}

bool chi_square_accepts(std::span<const std::int64_t> counts, std::span<const double> probabilities,
                        double false_alarm) {
  const double divergence = stats::multinomial_divergence(counts, probabilities);
  const auto cells = static_cast<std::int64_t>(counts.size());
  if (stats::divergence_log_tail_bound(divergence, cells) <= log_level(false_alarm / 2)) return false;
  std::int64_t n = 0;
  for (const std::int64_t c : counts) n += c;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (!binomial_accepts(counts[i], n, probabilities[i], false_alarm / 2 / static_cast<double>(cells))) return false;
  }
  return true;
}

bool ks_accepts(std::vector<double> sample, const std::function<double(double)>& cdf, double false_alarm) {
  if (std::any_of(sample.begin(), sample.end(), [](double x) { return std::isnan(x); })) return false;
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double expected = cdf(sample[i]);
    const auto below = static_cast<double>(i);
    distance = larger(larger((below + 1) / n - expected, expected - below / n), distance);
  }
  return distance_accepts(sample.size(), distance, false_alarm);
}

bool ks_accepts(std::vector<Int128> sample, const std::function<double(Int128)>& cdf, double false_alarm) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    // Between two values seen the empirical cdf is flat and the law's grows: the worst places are each value and the
    // integer just below it.
    const Int128 value = sample[i];
    const bool last_of_value = i + 1 == sample.size() || sample[i + 1] != value;
    const bool first_of_value = i == 0 || sample[i - 1] != value;
    if (last_of_value) distance = larger(std::abs(static_cast<double>(i + 1) / n - cdf(value)), distance);
    if (first_of_value && value != kInt128Min) {
      distance = larger(std::abs(static_cast<double>(i) / n - cdf(value - 1)), distance);
    }
  }
  return distance_accepts(sample.size(), distance, false_alarm);
}

bool ks_accepts(std::span<const std::int64_t> counts, std::span<const double> probabilities, double false_alarm) {
  if (counts.size() != probabilities.size()) {
    throw Error{Code::bad_count, "the cells have another number of counts than of probabilities",
                "give one probability for each cell"};
  }
  std::int64_t n = 0;
  for (const std::int64_t c : counts) n += c;
  double distance = 0;
  double expected = 0;
  std::int64_t seen = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    seen += counts[i];
    expected += probabilities[i];
    distance = larger(std::abs(static_cast<double>(seen) / static_cast<double>(n) - expected), distance);
  }
  return distance_accepts(static_cast<std::size_t>(n), distance, false_alarm);
}

}  // namespace dither::testing
