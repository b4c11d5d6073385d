#include "stats/chi_square.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "stats/detail/deviance.h"
#include "stats/detail/require.h"

namespace dither::stats {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// log of t^a e^-t / Gamma(a + 1), the Poisson kernel for real a > 0, t > 0.
double log_poisson_kernel(double a, double t) {
  return -0.5 * std::log(2 * std::numbers::pi * a) - detail::stirling_error(a) - detail::deviance(a, t, a - t);
}

// Sum of t^i / ((a+1)...(a+i)) over i >= 0: positive terms, falling fast for t < a + 1.
double lower_series(double a, double t) {
  double sum = 1;
  double term = 1;
  for (double i = 1; term > 1e-17 * sum; ++i) {
    term *= t / (a + i);
    sum += term;
  }
  return sum;
}

// The upper incomplete gamma function over t^a e^-t, by Legendre's continued fraction (Lentz's way), for t >= a + 1.
double upper_fraction(double a, double t) {
  double b = t + 1 - a;
  double c = kInfinity;
  double d = 1 / b;
  double product = d;
  for (double i = 1; i < 1e7; ++i) {
    const double numerator = -i * (i - a);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    const double step = c * d;
    product *= step;
    if (std::abs(step - 1) < 2e-16) break;
  }
  return product;
}

bool upper_is_direct(double a, double t) { return t >= a + 1; }

double log_upper(double a, double t) { return log_poisson_kernel(a, t) + std::log(a * upper_fraction(a, t)); }
double log_lower(double a, double t) { return log_poisson_kernel(a, t) + std::log(lower_series(a, t)); }

void require(double x, double degrees) {
  detail::require_between("the statistic", x, 0, kInfinity);
  detail::require_between("the number of degrees of freedom", degrees, 1e-3, 1e10);
}

}  // namespace

double chi_square_log_upper(double x, double degrees) {
  require(x, degrees);
  if (x == 0) return 0;
  if (std::isinf(x)) return -kInfinity;
  if (upper_is_direct(degrees / 2, x / 2)) return log_upper(degrees / 2, x / 2);
  return std::log1p(-std::exp(log_lower(degrees / 2, x / 2)));
}

double chi_square_upper(double x, double degrees) {
  require(x, degrees);
  if (x == 0) return 1;
  if (std::isinf(x)) return 0;
  if (upper_is_direct(degrees / 2, x / 2)) return std::exp(log_upper(degrees / 2, x / 2));
  return -std::expm1(log_lower(degrees / 2, x / 2));
}

double pearson_statistic(std::span<const std::int64_t> counts, std::span<const double> probabilities) {
  const auto n = static_cast<double>(detail::require_cells(counts, probabilities));
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double mean = n * probabilities[i];
    const double excess = static_cast<double>(counts[i]) - mean;
    if (mean == 0 && excess > 0) return kInfinity;
    if (mean > 0) sum += excess * excess / mean;
  }
  return sum;
}

}  // namespace dither::stats
