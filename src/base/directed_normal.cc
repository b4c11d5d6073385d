// The error function, the normal distribution and its inverse, rounded to the safe side. Errors are counted in
// u = 2^-53; the C library's erf is taken to be right to 6u, exp and log to 2u, log1p to 4u, erfc to 16u (directed.h).
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/detail/approximation.h"
#include "base/directed.h"
#include "base/ulps.h"

namespace dither {

namespace {

using detail::Approximation;
using detail::exactly;
using detail::refuse_nan;
using detail::throw_outside;

constexpr double kInverseSqrtPi = 0.56418958354775628695;
constexpr double kSqrtPi = 1.77245385090551602730;
constexpr double kSqrtTwo = 1.41421356237309504880;
constexpr double kSqrtTwoOverPi = 0.79788456080286535588;
// 1/sqrt(2) = kHalfRoot + kHalfRootRest to 106 bits.
constexpr double kHalfRoot = 0x1.6a09e667f3bcdp-1;
constexpr double kHalfRootRest = -0x1.bdd3413b26456p-55;

// erfcx for x >= 10 by its asymptotic series, which alternates and envelops: stopped after z^12 it is wrong by less
// than the next term, 25!! / 200^13 < 0.1u. Budget: series 2u, constant 1u, quotient 1u, product 1u.
double erfcx_series(double x) {
  const double z = 0.5 / (x * x);
  double sum = 1;
  for (int k = 23; k >= 1; k -= 2) sum = 1 - k * z * sum;
  return kInverseSqrtPi / x * sum;
}

Approximation erfc_near(double x) {
  refuse_nan("erfc", x);
  if (x == 0 || std::isinf(x)) return exactly(std::erfc(x));
  return {std::erfc(x), 17, x < 0 ? 1.0 : 0.0, x < 0 ? 2.0 : 1.0};
}

Approximation erfcx_near(double x) {
  refuse_nan("erfcx", x);
  if (x == 0) return exactly(1);
  if (std::isinf(x)) return exactly(x < 0 ? kInfinity : 0.0);
  if (x >= 10) return {erfcx_series(x), 8, 0.0, 1.0};
  if (x < -27) return {kInfinity, 1, 1.0, kInfinity};  // beyond e^729
  // x^2 = square + rest exactly (but for bits below 1e-300), and e^rest = 1 + rest up to 2e-27.
  // Budget: erfc 16u, exp 2u, 1 + rest 1u, two products 2u.
  const double square = x * x;
  const double rest = std::fma(x, x, -square);
  return {std::exp(square) * std::erfc(x) * (1 + rest), 23, x < 0 ? 1.0 : 0.0, x < 0 ? kInfinity : 1.0};
}

// Phi(-x) for x >= 1, relative error at most 18u while it is normal. With t = fl(x / sqrt 2) and d = x / sqrt 2 - t,
// erfc(t + d) = erfc(t) (1 - d r) where r = 2 / (sqrt(pi) erfcx(t)) lies within 7% of t + sqrt(t^2 + 2) at t = 0.7 and
// within 0.3 / t^4 of it further out. As |d| <= 1.01u t, using that in place of r costs less than 1u, second order
// none.
double upper_tail(double x) {
  const double t = x * kHalfRoot;
  const double d = std::fma(x, kHalfRoot, -t) + x * kHalfRootRest;
  return 0.5 * std::erfc(t) * (1 - d * (t + std::sqrt(t * t + 2)));
}

// Below this Phi nears the subnormals and log Phi is taken apart.
constexpr double kFarTail = -36;

// log Phi(x) for x <= -1. Up to the far tail: 18u / |log Phi(-1)| + 2u < 12u, and less further out.
// Beyond: -x^2/2 within 1u, log(erfcx / 2) within (7u + 2u |log|), which is under 1% of the sum, and a sum 1u.
double log_lower_tail(double x) {
  if (x > kFarTail) return std::log(upper_tail(-x));
  return -0.5 * x * x + std::log(0.5 * erfcx_series(-x * kHalfRoot));
}

Approximation log_ndtr_near(double x) {
  refuse_nan("log_ndtr", x);
  if (std::isinf(x)) return exactly(x < 0 ? -kInfinity : 0.0);
  if (x <= -1) return {log_lower_tail(x), 14, -kInfinity, 0.0};
  // log1p(-Q) with Q <= 0.16: its error is 1.1 times that of Q, and 4u.
  if (x >= 1) return {std::log1p(-upper_tail(x)), 26, -kInfinity, 0.0};
  // Phi = (1 + erf(x / sqrt 2)) / 2: erf is right to 8u (argument 2u) and at most 0.683, the sum to 1u.
  // x < 0: the error of Phi is at most 19u at -1 (where |log Phi| = 1.84) and falls faster than |log Phi|: 11u + 2u.
  // x > 0: the error of Phi is at most 4.3u, |log Phi| at least 0.172: 25u + 2u.
  return {std::log(0.5 * (1 + std::erf(x * kHalfRoot))), x < 0 ? 14 : 28, -kInfinity, 0.0};
}

// Whether erf(x / sqrt 2) is surely at least, or at most, q > 0. kHalfRoot is above 1/sqrt 2 and the double before it
// is below.
bool erf_surely_at_least(double x, double q) {
  return steps_down(std::erf(mul_down(x, steps_down(kHalfRoot, 1))), 7) >= q;
}
bool erf_surely_at_most(double x, double q) { return steps_up(std::erf(mul_up(x, kHalfRoot)), 7) <= q; }

enum class End { low, high };

End opposite(End end) { return end == End::high ? End::low : End::high; }

// The nearest double on the asked side of the guess, starting `steps` away, that the check accepts. The distance grows
// by halves, so that it ends after some hundred tries at an infinity, which every check here accepts.
template <typename Check>
double move_out(double guess, End end, std::int64_t steps, const Check& is_safe) {
  for (;; steps += steps / 2) {
    const double x = end == End::high ? steps_up(guess, steps) : steps_down(guess, steps);
    if (std::isinf(x) || is_safe(x)) return x;
  }
}

// The x > 0 with erf(x / sqrt 2) = q for 0 < q <= 1/2: five terms of the inverse's series, then two steps of Halley's
// method (each cubes the relative error: 1e-4, 1e-12, 1e-36).
double center_end(double q, End end) {
  const double s = q * q * 0.78539816339744831;  // pi/4 q^2
  double y = 0.5 * kSqrtPi * q * (1 + s * (1.0 / 3 + s * (7.0 / 30 + s * (127.0 / 630 + s * 4369.0 / 22680))));
  for (int i = 0; i < 2; ++i) {
    const double newton = (std::erf(y) - q) * (0.5 * kSqrtPi) * std::exp(y * y);
    y -= newton / (1 + y * newton);
  }
  const auto is_safe = [q, end](double x) {
    return end == End::high ? erf_surely_at_least(x, q) : erf_surely_at_most(x, q);
  };
  return move_out(y * kSqrtTwo, end, 16, is_safe);
}

// The x < 0 with log Phi(x) = l for l <= log(1/4), as a first guess good to 5e-4 (Abramowitz and Stegun 26.2.23) and
// two steps of Halley's method, for which (log Phi)' = h = phi / Phi and (log Phi)'' = -h (x + h).
double lower_tail_guess(double l) {
  const double t = std::sqrt(-l) * kSqrtTwo;
  if (t > 1e9) return -t;  // off by log(t) / t^2 relative
  double x = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (int i = 0; i < 2; ++i) {
    const double hazard = x > kFarTail ? 0.5 * kSqrtTwoOverPi * std::exp(-0.5 * x * x) / upper_tail(-x)
                                       : kSqrtTwoOverPi / erfcx_series(-x * kHalfRoot);
    const double newton = (log_lower_tail(x) - l) / hazard;
    x -= newton / (1 + 0.5 * newton * (x + hazard));
  }
  return x;
}

// An end of the x with log Phi(x) somewhere in [low, high].
double lower_tail_end(double low, double high, End end) {
  const auto is_safe = [=](double x) { return end == End::high ? log_ndtr_down(x) >= high : log_ndtr_up(x) <= low; };
  return move_out(lower_tail_guess(0.5 * low + 0.5 * high), end, 24, is_safe);
}

// Subtractions from 1/2 and 1 are exact where they are used (p >= 1/4 and p > 1/2), so symmetry costs nothing.
double ndtri_end(double p, End end) {
  refuse_nan("ndtri", p);
  if (p < 0 || p > 1) throw_outside("ndtri", "needs a probability from 0 to 1");
  if (p == 0 || p == 1) return p == 0 ? -kInfinity : kInfinity;
  if (p == 0.5) return 0;
  if (p > 0.5 && p <= 0.75) return center_end(2 * (p - 0.5), end);
  if (p > 0.5) return -ndtri_end(1 - p, opposite(end));
  if (p >= 0.25) return -center_end(2 * (0.5 - p), opposite(end));
  return lower_tail_end(log_down(p), log_up(p), end);
}

double ndtri_exp_end(double l, End end) {
  refuse_nan("ndtri_exp", l);
  if (l > 0) throw_outside("ndtri_exp", "needs the log of a probability, which is not positive");
  if (l == 0 || std::isinf(l)) return l == 0 ? kInfinity : -kInfinity;
  if (l <= -1.4) return lower_tail_end(l, l, end);
  if (l < -0.28) return ndtri_end(end == End::high ? exp_up(l) : exp_down(l), end);
  return -lower_tail_end(log1mexp_down(l), log1mexp_up(l), opposite(end));  // log Phi(-x)
}

}  // namespace

double erfc_up(double x) { return erfc_near(x).up(); }
double erfc_down(double x) { return erfc_near(x).down(); }
double erfcx_up(double x) { return erfcx_near(x).up(); }
double erfcx_down(double x) { return erfcx_near(x).down(); }
double log_ndtr_up(double x) { return log_ndtr_near(x).up(); }
double log_ndtr_down(double x) { return log_ndtr_near(x).down(); }
double ndtri_up(double p) { return ndtri_end(p, End::high); }
double ndtri_down(double p) { return ndtri_end(p, End::low); }
double ndtri_exp_up(double l) { return ndtri_exp_end(l, End::high); }
double ndtri_exp_down(double l) { return ndtri_exp_end(l, End::low); }

}  // namespace dither
