#include "accounting/limits.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "accounting/detail/require.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/ulps.h"

namespace dither::accounting {

namespace {

// C(n, k) exactly.
std::vector<Rational> binomials(std::size_t n) {
  std::vector<Rational> row{Rational(1)};
  for (std::size_t k = 1; k <= n; ++k) {
    row.push_back(row.back() * Rational(static_cast<long>(n - k + 1), static_cast<long>(k)));
  }
  return row;
}

}  // namespace

std::optional<double> mean_error_floor(std::uint64_t n, std::uint64_t k, double epsilon, double delta) {
  detail::require_count("n", n);
  detail::require_count("k", k);
  detail::require_positive("epsilon", epsilon);
  detail::require_probability("delta", delta);
  const double people = static_cast<double>(n);
  const double means = static_cast<double>(k);
  const double grown = expm1_up(epsilon);
  if (mul_up(mul_up(100, people), delta) > 1) return std::nullopt;
  if (means < mul_up(200, mul_up(mul_up(grown, grown), people))) return std::nullopt;
  return std::min(div_down(1, 10), div_down(sqrt_down(means), mul_up(mul_up(16, people), grown)));
}

// With p uniform, c ones have probability 1 / (n+1) and p is then Beta(c+1, n-c+1): mean m = (c+1) / (n+2) and second
// moment m (c+2) / (n+3). Products of two counts integrate to C(n,c) C(n,d) / ((2n+1) C(2n, c+d)).
Rational tracing_sum(std::span<const Rational> answers) {
  if (answers.size() < 2) {
    throw Error{Code::bad_count, "an estimate of a mean needs an answer for 0 and for n ones", "give n + 1 answers"};
  }
  const std::size_t n = answers.size() - 1;
  const auto whole = [](std::size_t i) { return Rational(static_cast<long>(i)); };
  const std::vector<Rational> once = binomials(n);
  const std::vector<Rational> twice = binomials(2 * n);
  Rational follows;
  Rational off;
  for (std::size_t c = 0; c <= n; ++c) {
    const Rational mean = whole(c + 1) / whole(n + 2);
    const Rational second = mean * whole(c + 2) / whole(n + 3);
    // E (answer - p)(c - n p)
    follows += answers[c] * (whole(c) - whole(n) * mean) - whole(c) * mean + whole(n) * second;
    const Rational error = answers[c] - whole(c) / whole(n);
    for (std::size_t d = 0; d <= n; ++d) {
      off += error * (answers[d] - whole(d) / whole(n)) * once[c] * once[d] / (whole(2 * n + 1) * twice[c + d]);
    }
  }
  return follows / whole(n + 1) + off;
}

double expectation_transfer_up(double mean, double mean_size, double range, double epsilon, double delta) {
  detail::require_not_negative("epsilon", epsilon);
  detail::require_not_negative("the range", range);
  detail::require_not_negative("the mean size", mean_size);
  detail::require_probability("delta", delta);
  const double moved = add_up(mul_up(expm1_up(epsilon), mean_size), mul_up(mul_up(2, delta), range));
  return add_up(mean, moved);
}

double epsilon_from_means_down(double mean_x, double mean_y, double mean_size_y, double range, double delta) {
  detail::require_not_negative("the range", range);
  detail::require_not_negative("the mean size", mean_size_y);
  detail::require_probability("delta", delta);
  const double gap = sub_down(sub_down(mean_x, mean_y), mul_up(mul_up(2, delta), range));
  if (gap <= 0) return 0;
  return mean_size_y == 0 ? kInfinity : log1p_down(div_down(gap, mean_size_y));
}

}  // namespace dither::accounting
