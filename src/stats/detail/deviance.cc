#include "stats/detail/deviance.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace dither::stats::detail {

namespace {

// (1+u) log(1+u) - u = u^2/2 - u^3/6 + u^4/12 - ..., for |u| < 0.1 where the closed form would cancel.
double small_deviance(double u) {
  double power = u * u;
  double sum = power / 2;
  for (int j = 3; j < 30; ++j) {
    power *= -u;
    const double next = sum + power / (static_cast<double>(j) * (j - 1));
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

}  // namespace

double stirling_error(double x) {
  double shift = 0;  // the error at x exceeds that at x + 1 by (x + 1/2) log(1 + 1/x) - 1
  for (; x < 16; x += 1) shift += (x + 0.5) * std::log1p(1 / x) - 1;
  const double inverse = 1 / x;
  const double square = inverse * inverse;
  // The asymptotic series errs by less than its first term left out, 691 / (360360 x^11), below 1.1e-16 from 16 on.
  const double series =
      inverse *
      (1.0 / 12 + square * (-1.0 / 360 + square * (1.0 / 1260 + square * (-1.0 / 1680 + square * (1.0 / 1188)))));
  return shift + series;
}

double deviance(double x, double mean, double excess) {
  if (x == 0) return mean;
  const double u = excess / mean;
  if (std::abs(u) < 0.1) return mean * small_deviance(u);
  if (u > 1e100) return x * (std::log(x) - std::log(mean)) - excess;
  return x * std::log1p(u) - excess;
}

double log_binomial_kernel(double a, double b, double p) {
  if (a == 0) return b * std::log1p(-p);
  if (b == 0) return a * std::log(p);
  const double n = a + b;
  const double b_seen = n - a;
  const double n_rest = (a - (n - b_seen)) + (b - b_seen);  // a + b is n + n_rest exactly
  const double mean = n * p;
  const double mean_rest = std::fma(n, p, -mean) + n_rest * p;
  const double excess = (a - mean) - mean_rest;
  const double deviances = deviance(a, mean, excess) + deviance(b, n * (1 - p), -excess);
  const double shape = 0.5 * (std::log(n / a) - std::log(2 * std::numbers::pi * b));
  return shape + stirling_error(n) - stirling_error(a) - stirling_error(b) - deviances;
}

}  // namespace dither::stats::detail
