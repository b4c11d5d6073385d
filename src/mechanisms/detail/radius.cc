#include "mechanisms/detail/radius.h"

#include <algorithm>
#include <cmath>

#include "accounting/accuracy.h"
#include "base/directed.h"

namespace dither::mechanisms::detail {

namespace {

constexpr double kSummed = 1e-6;  // failures from here on are summed up, below they are bounded

// The least whole number >= x, for x that may have been rounded up; at least 0.
Rational whole_up(double x) { return Rational::from_double(std::max(0.0, std::ceil(x))); }

// The sum over k >= 1 of (2 k - 1) P(|K| >= k), which is the second moment of K.
template <typename Tail>
double second_moment(const Tail& tail) {
  double sum = 0;
  for (int k = 1;; ++k) {
    const double term = (2 * k - 1) * tail(k);
    sum += term;
    if (term <= 1e-18 * sum || term == 0) return sum;
  }
}

}  // namespace

double discrete_laplace_radius_up(double scale, double failure) {
  if (scale <= 0x1p40) return static_cast<double>(accounting::discrete_laplace_error(scale, {1, failure}));
  // P(|K| > m) = 2 q^(m+1) / (1 + q) <= exp(-(m + 1/2) / scale), since (1 + q) / 2 >= sqrt(q).
  return std::ceil(accounting::laplace_error_up(scale, {1, failure}));
}

double discrete_laplace_standard_error(double scale) {
  return std::sqrt(2 * std::exp(-1 / scale)) / -std::expm1(-1 / scale);
}

Width discrete_laplace_width(const Rational& scale, double failure) {
  const double b = scale.to_double_up();
  return {discrete_laplace_standard_error(b), Rational::from_double(discrete_laplace_radius_up(b, failure))};
}

Width discrete_gaussian_width(const Rational& sigma, double failure) {
  const double s = sigma.to_double_up();
  // For integers m, P(K >= m) <= P(N >= m - 1) with N normal (Canonne, Kamath, Steinke 2020), so m =
  // ceil(1.96 sigma) does for 5%. The variance is sigma^2 to within exp(-2 pi^2 sigma^2).
  const auto bounded = [&] { return whole_up(accounting::gaussian_error_up(s, {1, failure})); };
  if (s > 300) return {s, bounded()};
  const double c = -1 / (2 * s * s);
  const auto last = static_cast<int>(40 * s) + 2;  // what lies beyond weighs less than exp(-800)
  double sum = 0;
  double squares = 0;
  for (int k = last; k >= 1; --k) {
    const double p = 2 * std::exp(c * k * k);
    sum += p;
    squares += p * k * k;
  }
  const double all = 1 + sum;
  const double standard_error = std::sqrt(squares / all);
  if (failure < kSummed) return {standard_error, bounded()};
  int radius = 0;
  double beyond = sum;  // right to 1e-12 of the whole
  while (beyond > (failure - 1e-10) * all) {
    ++radius;
    beyond -= 2 * std::exp(c * radius * radius);
  }
  return {standard_error, radius};
}

Width rounded_laplace_width(const Rational& scale) {
  const double b = scale.to_double_up();
  const double q = std::exp(-1 / b);
  const double rest = -std::expm1(-1 / b);
  // |K| > m when |scale Z| > m + 1/2. Variance: the sum of (2 k - 1) exp(-(k - 1/2) / b).
  return {std::sqrt(std::exp(-0.5 / b) * (1 + q)) / rest,
          whole_up(sub_up(accounting::laplace_error_up(b, {1, kBarFailure}), 0.5))};
}

Width rounded_gaussian_width(const Rational& sigma, double failure) {
  const double s = sigma.to_double_up();
  // Rounding adds 1/12 to the variance, to within exp(-2 pi^2 sigma^2).
  const double variance =
      s > 2 ? s * s + 1.0 / 12 : second_moment([s](int k) { return std::erfc((k - 0.5) / s / std::sqrt(2)); });
  return {std::sqrt(variance), whole_up(sub_up(accounting::gaussian_error_up(s, {1, failure}), 0.5))};
}

}  // namespace dither::mechanisms::detail
