#include "accounting/matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "accounting/detail/require.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/sum.h"
#include "base/ulps.h"

namespace dither::accounting {
namespace {

constexpr double kMostWork = 1e8;

void require_pattern(Participation once) {
  detail::require_count("participations", once.count);
  detail::require_count("separation", once.separation);
}

// The squared norm of the sum of columns 0, b, 2b, ... for coefficients that are >= 0 and do not grow.
double earliest_pattern(const std::vector<double>& c, std::uint64_t steps, Participation once) {
  const std::uint64_t uses = std::min(once.count, (steps - 1) / once.separation + 1);
  const std::uint64_t rows = std::min<std::uint64_t>(steps, (uses - 1) * once.separation + c.size());
  if (static_cast<double>(rows) * static_cast<double>(uses) > kMostWork) {
    throw Error{Code::out_of_range, fmt::format("{} steps with {} participations are too many to add up", rows, uses),
                "account for fewer steps at a time"};
  }
  RunningSum sum;
  for (std::uint64_t t = 0; t < rows; ++t) {
    RunningSum entry;
    for (std::uint64_t m = 0; m < uses && m * once.separation <= t; ++m) {
      if (const std::uint64_t j = t - m * once.separation; j < c.size()) entry += c[j];
    }
    sum += mul_up(entry.up(), entry.up());
  }
  return sum.up();
}

double square_sum(const std::vector<double>& c, std::uint64_t steps) {
  RunningSum sum;
  for (std::uint64_t j = 0; j < std::min<std::uint64_t>(steps, c.size()); ++j) sum += mul_up(c[j], c[j]);
  return sum.up();
}

std::vector<double> square_root_coefficients(std::uint64_t count) {
  std::vector<double> c{1};
  while (c.size() < count) {
    const auto j = static_cast<double>(c.size());
    c.push_back(mul_up(c.back(), div_up(2 * j - 1, 2 * j)));
  }
  return c;
}

// The largest sum of `values` over patterns, where `must` (if any) belongs to the pattern: best[k] after column i is
// the largest sum of a pattern of at most k columns among the first i.
double best_pattern(const std::vector<double>& values, Participation once, std::size_t must) {
  const std::size_t n = values.size();
  const std::size_t b = std::min<std::size_t>(once.separation, n);
  const std::size_t uses = std::min<std::size_t>(once.count, (n - 1) / b + 1);
  const bool chosen = must < n;
  std::vector<std::vector<double>> best(uses + 1, std::vector<double>(n + 1, 0));
  for (std::size_t k = 1; k <= uses; ++k) {
    for (std::size_t i = 1; i <= n; ++i) {
      const std::size_t distance = chosen ? (i - 1 > must ? i - 1 - must : must - (i - 1)) : n;
      const bool allowed = distance == 0 || distance >= b;
      best[k][i] = best[k][i - 1];
      if (!allowed) continue;
      const double taken = add_up(values[i - 1], best[k - 1][i > b ? i - b : 0]);
      best[k][i] = std::max(best[k][i], taken);
    }
  }
  return best[uses][n];
}

}  // namespace

Rational tree_sensitivity_squared(std::uint64_t leaves) {
  detail::require_count("leaves", leaves);
  return static_cast<long>(std::bit_width(leaves - 1)) + 1;
}

double toeplitz_sensitivity_squared(const std::vector<Rational>& coefficients, std::uint64_t steps,
                                    Participation once) {
  detail::require_count("steps", steps);
  detail::require_count("coefficients", coefficients.size());
  require_pattern(once);
  std::vector<double> c;
  for (const Rational& x : coefficients) c.push_back(abs(x).to_double_up());
  const std::uint64_t uses = std::min(once.count, (steps - 1) / once.separation + 1);
  if (uses == 1) return square_sum(c, steps);
  if (once.separation >= c.size()) return mul_up(static_cast<double>(uses), square_sum(c, steps));
  for (std::size_t j = c.size() - 1; j > 0; --j) c[j - 1] = std::max(c[j - 1], c[j]);
  return earliest_pattern(c, steps, once);
}

double square_root_sensitivity_squared(std::uint64_t steps, Participation once) {
  detail::require_count("steps", steps);
  require_pattern(once);
  if (once.count > 1 && once.separation < steps) {
    if (static_cast<double>(steps) > kMostWork) {
      throw Error{Code::out_of_range, fmt::format("{} steps are too many to add up", steps), "account for fewer steps"};
    }
    return earliest_pattern(square_root_coefficients(steps), steps, once);
  }
  constexpr std::uint64_t kSummed = 1 << 14;
  const double head = square_sum(square_root_coefficients(std::min(steps, kSummed)), steps);
  if (steps <= kSummed) return head;
  // 1 / (j + 1/4) is convex, so its sum from m to n - 1 is at most its integral from m - 1/2 to n - 1/2.
  const double ratio = div_up(static_cast<double>(steps) - .25, static_cast<double>(kSummed) - .25);
  return add_up(head, div_up(log_up(ratio), 0x1.921fb54442d18p+1));  // the nearest double to pi lies below it
}

double matrix_sensitivity_squared(const std::vector<std::vector<double>>& rows, Participation once) {
  require_pattern(once);
  const std::size_t n = rows.empty() ? 0 : rows.front().size();
  for (const std::vector<double>& row : rows) {
    if (row.size() != n) throw Error{Code::bad_count, "the rows of the matrix differ in length", "give a full matrix"};
    for (const double x : row) {
      if (!std::isfinite(x)) throw Error{Code::bad_number, "an entry of the matrix is not finite", "give numbers"};
    }
  }
  if (n == 0 || n > 2000) {
    throw Error{Code::bad_count, fmt::format("the matrix has {} columns, but it must have 1..2000", n),
                "give a smaller matrix, or a Toeplitz one by its coefficients"};
  }
  std::vector<double> worst(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> partners(n);
    for (std::size_t j = 0; j < n; ++j) {
      double high = 0;
      double low = 0;
      for (const std::vector<double>& row : rows) {
        high = add_up(high, mul_up(row[i], row[j]));
        low = add_down(low, mul_down(row[i], row[j]));
      }
      partners[j] = std::max(high, -low);
    }
    worst[i] = best_pattern(partners, once, i);
  }
  return best_pattern(worst, once, n);
}

CyclicPoisson cyclic_poisson(std::uint64_t steps, std::uint64_t bands, const Rational& rate) {
  detail::require_count("steps", steps);
  detail::require_count("bands", bands);
  const Rational part_rate = rate * Rational(static_cast<Int128>(bands));
  if (rate < 0 || part_rate > 1) {
    throw Error{Code::bad_probability, fmt::format("bands times rate is {}, but it is a probability", part_rate.str()),
                "lower the rate, or use fewer bands"};
  }
  return {(steps - 1) / bands + 1, part_rate};
}

}  // namespace dither::accounting
