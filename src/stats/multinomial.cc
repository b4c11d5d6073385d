#include "stats/multinomial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "base/error.h"
#include "stats/detail/deviance.h"
#include "stats/detail/require.h"

namespace dither::stats {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMaxOutcomes = 1e6;

double divergence(std::span<const std::int64_t> counts, std::span<const double> probabilities, std::int64_t n) {
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto count = static_cast<double>(counts[i]);
    const double mean = static_cast<double>(n) * probabilities[i];
    if (count > 0 && mean == 0) return kInfinity;
    if (mean > 0) {
      const double rest = std::fma(static_cast<double>(n), probabilities[i], -mean);
      sum += detail::deviance(count, mean, (count - mean) - rest);
    }
  }
  return sum;
}

double log_pmf(std::span<const std::int64_t> counts, std::span<const double> probabilities, std::int64_t n) {
  const auto log_root = [](double x) { return detail::stirling_error(x) + 0.5 * std::log(2 * std::numbers::pi * x); };
  double result = log_root(static_cast<double>(n)) - divergence(counts, probabilities, n);
  for (const std::int64_t count : counts) {
    if (count > 0) result -= log_root(static_cast<double>(count));
  }
  return result;
}

double number_of_outcomes(std::int64_t n, std::size_t cells) {  // C(n + cells - 1, cells - 1)
  double outcomes = 1;
  for (std::size_t i = 1; i < cells && outcomes <= kMaxOutcomes; ++i) {
    outcomes *= (static_cast<double>(n) + static_cast<double>(i)) / static_cast<double>(i);
  }
  return outcomes;
}

// Steps to the next way of putting n balls into the cells; false after the last one, which has all in the last cell.
bool next_outcome(std::vector<std::int64_t>& counts) {
  const std::size_t last = counts.size() - 1;
  const std::int64_t carried = counts[last];
  counts[last] = 0;
  for (std::size_t i = last; i-- > 0;) {
    if (counts[i] == 0) continue;
    counts[i] -= 1;
    counts[i + 1] = carried + 1;
    return true;
  }
  counts[last] = carried;
  return false;
}

}  // namespace

double multinomial_log_pmf(std::span<const std::int64_t> counts, std::span<const double> probabilities) {
  return log_pmf(counts, probabilities, detail::require_cells(counts, probabilities));
}

double multinomial_exact_p_value(std::span<const std::int64_t> counts, std::span<const double> probabilities) {
  const std::int64_t n = detail::require_cells(counts, probabilities);
  if (number_of_outcomes(n, counts.size()) > kMaxOutcomes) {
    throw Error{
        Code::bad_count,
        fmt::format("{} draws in {} cells have more than a million outcomes, too many to list", n, counts.size()),
        "use divergence_log_tail_bound, which holds for any number"};
  }
  const double observed = log_pmf(counts, probabilities, n);
  const double limit = observed + 1e-12 * (1 + std::abs(observed));  // equally likely outcomes count, whatever rounding
  std::vector<std::int64_t> outcome(counts.size(), 0);
  outcome[0] = n;
  double total = 0;
  do {
    const double log = log_pmf(outcome, probabilities, n);
    if (log <= limit) total += std::exp(log);
  } while (next_outcome(outcome));
  return std::min(total, 1.0);
}

double multinomial_divergence(std::span<const std::int64_t> counts, std::span<const double> probabilities) {
  return divergence(counts, probabilities, detail::require_cells(counts, probabilities));
}

double divergence_log_tail_bound(double g, std::int64_t cells) {
  if (cells < 2) {
    throw Error{Code::bad_count, fmt::format("the number of cells is {}, but it must be 2 or more", cells),
                "count every outcome that has its own probability"};
  }
  detail::require_between("the divergence", g, 0, kInfinity);
  const auto shape = static_cast<double>(cells - 1);
  if (g <= shape) return 0;
  if (std::isinf(g)) return -kInfinity;
  return shape * (1 + std::log(g / shape)) - g;
}

}  // namespace dither::stats
