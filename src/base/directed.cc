#include "base/directed.h"

#include <math.h>  // lgamma_r, which unlike lgamma writes no global

#include <algorithm>
#include <cmath>

#include "base/detail/approximation.h"
#include "base/error.h"
#include "base/ulps.h"

namespace dither {

namespace {

using detail::Approximation;
using detail::exactly;
using detail::refuse_nan;
using detail::throw_outside;

// A result of arithmetic and the sign of (exact - nearest).
struct Rounded {
  double nearest;
  double error_sign;
};

double up(const Rounded& r) { return r.error_sign > 0 ? steps_up(r.nearest, 1) : r.nearest; }
double down(const Rounded& r) { return r.error_sign < 0 ? steps_down(r.nearest, 1) : r.nearest; }

// An infinity that came from finite numbers is too far out; a NaN came from infinities that have no limit.
Rounded without_limit(const char* operation, double a, double b, double nearest) {
  if (std::isnan(nearest)) throw_outside(operation, "has no limit at these infinities");
  const bool finite = std::isfinite(a) && std::isfinite(b);
  return {nearest, finite ? -nearest : 0};
}

Rounded add(double a, double b) {
  refuse_nan("add", a, b);
  const double sum = a + b;
  if (!std::isfinite(sum)) return without_limit("add", a, b, sum);
  // Fast two-sum: exact for |a| >= |b|, subnormals included, and nothing in it can overflow when the sum does not.
  if (std::fabs(a) < std::fabs(b)) std::swap(a, b);
  return {sum, b - (sum - a)};
}

// Inside this range products, quotients and their error terms stay clear of overflow and underflow.
bool is_plain(double x) { return std::fabs(x) > 0x1p-400 && std::fabs(x) < 0x1p400; }

Rounded multiply(double a, double b) {
  refuse_nan("mul", a, b);
  const double product = a * b;
  if (is_plain(a) && is_plain(b)) return {product, std::fma(a, b, -product)};
  if (!std::isfinite(product)) return without_limit("mul", a, b, product);
  if (a == 0 || b == 0) return {product, 0};
  // Fractions in [1/2, 1): their product and its error are exact, and so is the rounded product brought to their scale,
  // where it lies within a factor 2 of theirs or is 0.
  int exponent_a, exponent_b;
  const double fraction_a = std::frexp(a, &exponent_a);
  const double fraction_b = std::frexp(b, &exponent_b);
  const double scaled = fraction_a * fraction_b;
  const double error = std::fma(fraction_a, fraction_b, -scaled);
  return {product, (scaled - std::scalbn(product, -exponent_a - exponent_b)) + error};
}

Rounded divide(double a, double b) {
  refuse_nan("div", a, b);
  if (b == 0) throw Error{Code::division_by_zero, "a number is divided by 0", "give a divisor other than 0"};
  const double quotient = a / b;
  if (is_plain(a) && is_plain(b)) return {quotient, std::copysign(1.0, b) * std::fma(-quotient, b, a)};
  if (!std::isfinite(quotient)) return without_limit("div", a, b, quotient);
  if (a == 0 || std::isinf(b)) return {quotient, 0};
  int exponent_a, exponent_b;
  const double fraction_a = std::frexp(a, &exponent_a);
  const double fraction_b = std::frexp(b, &exponent_b);
  const double scaled = std::scalbn(quotient, exponent_b - exponent_a);  // exact: at most 53 bits near 1
  return {quotient, std::copysign(1.0, b) * std::fma(-scaled, fraction_b, fraction_a)};
}

Rounded square_root(double x) {
  refuse_nan("sqrt", x);
  if (x < 0) throw_outside("sqrt", "needs a number that is not negative");
  const double root = std::sqrt(x);
  if (x == 0 || std::isinf(x)) return {root, 0};
  // x is scaled by an even power of two so that the square of the root has no subnormal bits.
  const double scale = x < 0x1p-900 ? 0x1p100 : 1;
  return {root, -std::fma(root * scale, root * scale, -x * scale * scale)};
}

Approximation exp_near(double x) {
  refuse_nan("exp", x);
  if (x == 0 || std::isinf(x)) return exactly(std::exp(x));
  return {std::exp(x), 3, x < 0 ? 0.0 : 1.0, x < 0 ? 1.0 : kInfinity};  // 1 ulp
}

Approximation expm1_near(double x) {
  refuse_nan("expm1", x);
  if (x == 0 || std::isinf(x)) return exactly(std::expm1(x));
  return {std::expm1(x), 5, std::max(x, -1.0), x < 0 ? 0.0 : kInfinity};  // 2 ulp; e^x - 1 > x
}

Approximation log_near(double x) {
  refuse_nan("log", x);
  if (x < 0) throw_outside("log", "needs a number that is not negative");
  if (x == 0 || x == 1 || std::isinf(x)) return exactly(std::log(x));
  return {std::log(x), 3, -kInfinity, kInfinity};  // 1 ulp
}

Approximation log1p_near(double x) {
  refuse_nan("log1p", x);
  if (x < -1) throw_outside("log1p", "needs a number that is not below -1");
  if (x == 0 || x == -1 || std::isinf(x)) return exactly(std::log1p(x));
  return {std::log1p(x), 5, -kInfinity, x};  // 2 ulp; log(1 + x) < x
}

// Both forms keep away from the zero of the outer log: 1 - e^x or e^x is at most 1/2, where a relative error of the
// inner value grows by at most 1/log 2 < 1.45. Inner expm1 4u, outer log 2u: 8u. Inner exp 2u, outer log1p 4u: 7u.
Approximation log1mexp_near(double x) {
  refuse_nan("log1mexp", x);
  if (x > 0) throw_outside("log1mexp", "needs a number that is not positive");
  if (x == 0 || std::isinf(x)) return exactly(x == 0 ? -kInfinity : 0.0);
  return {x > -0.6931 ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x)), 10, -kInfinity, 0.0};
}

Approximation lgamma_near(double x) {
  refuse_nan("lgamma", x);
  if (x <= 0) throw_outside("lgamma", "needs a positive number");
  int sign;
  const double value = lgamma_r(x, &sign);
  if (x == 1 || x == 2 || std::isinf(x)) return exactly(value);
  return {value, 17, x > 1 && x < 2 ? -kInfinity : 0.0, x > 1 && x < 2 ? 0.0 : kInfinity};  // 8 ulp
}

}  // namespace

double add_up(double a, double b) { return up(add(a, b)); }
double add_down(double a, double b) { return down(add(a, b)); }
double sub_up(double a, double b) { return up(add(a, -b)); }
double sub_down(double a, double b) { return down(add(a, -b)); }
double mul_up(double a, double b) { return up(multiply(a, b)); }
double mul_down(double a, double b) { return down(multiply(a, b)); }
double div_up(double a, double b) { return up(divide(a, b)); }
double div_down(double a, double b) { return down(divide(a, b)); }
double sqrt_up(double x) { return up(square_root(x)); }
double sqrt_down(double x) { return down(square_root(x)); }
double exp_up(double x) { return exp_near(x).up(); }
double exp_down(double x) { return exp_near(x).down(); }
double expm1_up(double x) { return expm1_near(x).up(); }
double expm1_down(double x) { return expm1_near(x).down(); }
double log_up(double x) { return log_near(x).up(); }
double log_down(double x) { return log_near(x).down(); }
double log1p_up(double x) { return log1p_near(x).up(); }
double log1p_down(double x) { return log1p_near(x).down(); }
double log1mexp_up(double x) { return log1mexp_near(x).up(); }
double log1mexp_down(double x) { return log1mexp_near(x).down(); }
double lgamma_up(double x) { return lgamma_near(x).up(); }
double lgamma_down(double x) { return lgamma_near(x).down(); }

}  // namespace dither
