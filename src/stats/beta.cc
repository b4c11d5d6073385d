#include "stats/beta.h"

#include <cmath>
#include <limits>

#include "stats/detail/bisect.h"
#include "stats/detail/deviance.h"
#include "stats/detail/require.h"

namespace dither::stats {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// F with I_x(a, b) = x^a y^b / (B(a, b) F), y = 1 - x, for x up to about the mean; by Lentz's way.
double fraction(double a, double b, double x, double y) {
  const auto denominator = [&](double m) {
    const double odd = a + 2 * m - 1;
    return m + m * (b - m) * x / odd + (a + m) * (a * y - b * x + 1 + m * (2 - x)) / (odd + 2);
  };
  double c = a * (a * y - b * x + 1) / (a + 1);  // the denominator of m = 0
  double d = 0;
  double product = c;
  for (double m = 1; m < 1e8; ++m) {
    const double odd = a + 2 * m - 1;
    const double numerator = (a + m - 1) / odd * ((a + b + m - 1) / odd) * m * (b - m) * x * x;
    const double next = denominator(m);
    d = 1 / (next + numerator * d);
    c = next + numerator / c;
    const double step = c * d;
    product *= step;
    if (std::abs(step - 1) < 4e-16) break;
  }
  return product;
}

// The log of the smaller tail, and whether that is the lower one.
struct SmallTail {
  bool lower;
  double log;

  double log_of(bool want_lower) const { return want_lower == lower ? log : std::log1p(-std::exp(log)); }
  double of(bool want_lower) const { return want_lower == lower ? std::exp(log) : -std::expm1(log); }
};

SmallTail small_tail(double x, double a, double b) {
  detail::require_between("x", x, 0, 1);
  detail::require_between("the first shape", a, 1e-3, 2e12);
  detail::require_between("the second shape", b, 1e-3, 2e12);
  if (x == 0) return {true, kNever};
  if (x == 1) return {false, kNever};
  const double log_power = detail::log_binomial_kernel(a, b, x) + std::log(a) + std::log(b) - std::log(a + b);
  const double y = 1 - x;
  if (x * (a + b + 2) <= a + 1) return {true, log_power - std::log(fraction(a, b, x, y))};
  return {false, log_power - std::log(fraction(b, a, y, x))};
}

}  // namespace

double beta_log_lower(double x, double a, double b) { return small_tail(x, a, b).log_of(true); }
double beta_log_upper(double x, double a, double b) { return small_tail(x, a, b).log_of(false); }
double beta_lower(double x, double a, double b) { return small_tail(x, a, b).of(true); }
double beta_upper(double x, double a, double b) { return small_tail(x, a, b).of(false); }

double beta_quantile(double probability, double a, double b) {
  detail::require_open_probability("the probability", probability);
  if (probability <= 0.5) {
    const double wanted = std::log(probability);
    return detail::first_where(0, 1, [&](double x) { return beta_log_lower(x, a, b) >= wanted; });
  }
  const double wanted = std::log1p(-probability);
  return detail::first_where(0, 1, [&](double x) { return beta_log_upper(x, a, b) <= wanted; });
}

}  // namespace dither::stats
