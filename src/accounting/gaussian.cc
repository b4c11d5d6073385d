// Errors are counted in u = 2^-53. The C library's exp is taken to be right to 2u, and erfcx_up and erfc_up, which end
// at most 37 and 27 doubles above the exact value, to 74u and 54u (directed.h).
#include "accounting/gaussian.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "accounting/detail/require.h"
#include "base/directed.h"
#include "base/roots.h"
#include "base/ulps.h"

namespace dither::accounting {

namespace {

using detail::require_not_negative;
using detail::require_probability;

constexpr double kUnit = 0x1p-53;
constexpr double kHalfRoot = 0.70710678118654752440;    // 1 / sqrt 2
constexpr double kRootHalfPi = 1.25331413731550025121;  // sqrt(pi / 2)
constexpr double kRootTwoPi = 2.50662827463100050242;   // sqrt(2 pi)
constexpr double kInverseRootTwoPi = 0.39894228040143267794;
// Errors of numbers near the subnormals, absolute: a dozen roundings.
constexpr double kTiny = 1e-321;
constexpr double kMillsError = 90;

// The Mills ratio m(x) = (1 - Phi(x)) / phi(x), x >= -1, to kMillsError: erfcx 74u, constant and product 2u, the
// argument (3u, two of which are in x itself) times a condition number of at most 1.3, and room.
double mills(double x) { return kRootHalfPi * erfcx_up(x * kHalfRoot); }

// delta at one point with its relative error in u, and the logarithmic derivatives that the inversions step along.
struct Profile {
  double value;
  double error;
  double fall;    // -d ln delta / d epsilon = phi(a) m(b) / delta
  double growth;  // d ln delta / d mu = phi(a) / delta

  double up() const {
    const double end = value * (1 + (error + 8) * kUnit) + kTiny;
    return end < 1 ? end : 1.0;  // 1 also when the error is not a number
  }
  double down() const {
    const double end = value * (1 - (error + 8) * kUnit) - kTiny;
    return end > 0 ? std::min(end, 1.0) : 0.0;
  }
};

// x as an unevaluated sum of two doubles.
struct Split {
  double high;
  double low;
};

// a = epsilon / mu - mu / 2 to 2u^2 (epsilon / mu + mu / 2): the remainder of the division and the error of the
// difference are computed exactly (but for subnormals, see profile).
Split lower_end(double mu, double epsilon, double quotient) {
  const double remainder = std::fma(-quotient, mu, epsilon) / mu;
  const double half = 0.5 * mu;
  const double a = quotient - half;
  const double back = a - quotient;
  return {a, (quotient - (a - back)) - (half + back) + remainder};
}

// phi(a) and its relative error in u. The square of a.high is split exactly; what is left goes through a second exp.
// Budget: exp 2u twice, products and constant 4u, the small exponent 3u |rest|, and a itself: 2u^2 |a| b.
struct Density {
  double value;
  double error;
};
Density density(const Split& a, double b) {
  if (std::fabs(a.high) > 40) return {0, 0};  // below the subnormals
  const double square = a.high * a.high;
  const double rest = 0.5 * std::fma(a.high, a.high, -square) + a.high * a.low;
  return {kInverseRootTwoPi * std::exp(-0.5 * square) * std::exp(-rest),
          8 + 3 * std::fabs(rest) + 4 * kUnit * (1 + std::fabs(a.high)) * b};
}

// M_k(c) = the integral over t > 0 of t^k exp(-ct - t^2/2): M_0 = m(c), M_1 = 1 - c M_0, M_{k+1} = k M_{k-1} - c M_k.
struct Moments {
  double m0, m1, m3, m5, m7;
  double error;  // of m1, in u; those of the others are as small when they count
};

// For c < 3 the recurrence loses a factor 12 at most in M_1, and the rest has weights below 1e-4.
Moments moments_forward(double c) {
  const double m0 = mills(c);
  const double m1 = 1 - c * m0;
  const double m2 = m0 - c * m1;
  const double m3 = 2 * m1 - c * m2;
  const double m4 = 3 * m2 - c * m3;
  const double m5 = 4 * m3 - c * m4;
  const double m6 = 5 * m4 - c * m5;
  return {m0, m1, m3, m5, 6 * m5 - c * m6, (c * m0 * (kMillsError + 2) + 2) / m1 + 4};
}

// For c >= 3 backwards: the ratios r_k = M_{k+1} / M_k rise with k (the moments are log-convex), so that the recurrence
// r_{k-1} = k / (c + r_k) puts r_k between s(k) and s(k + 1), s(k) = 2k / (c + sqrt(c^2 + 4k)). Started there, each
// step shrinks the bracket by r / (c + r), and the roundings with it.
Moments moments_backward(double c) {
  const int n = 6 + static_cast<int>(std::ceil(100 / c));
  const auto start = [c](double k) { return 2 * k / (c + std::sqrt(c * c + 4 * k)); };
  double low = steps_down(start(n), 8);
  double high = steps_up(start(n + 1), 8);
  std::array<double, 7> ratio{};
  for (int k = n; k >= 1; --k) {
    const double next_high = k / (c + low);
    low = k / (c + high);
    high = next_high;
    if (k <= 7) ratio[static_cast<std::size_t>(k - 1)] = 0.5 * (low + high);
  }
  const double m0 = 1 / (c + ratio[0]);
  const double m1 = m0 * ratio[0];
  const double m3 = m1 * ratio[1] * ratio[2];
  const double m5 = m3 * ratio[3] * ratio[4];
  return {m0, m1, m3, m5, m5 * ratio[5] * ratio[6], 2 * (high - low) / (high + low) / kUnit + 20};
}

// m(a) - m(b) = 2 (h M_1 + h^3/3! M_3 + ...)(c), h = mu/2, when it would cancel: terms are positive and fall by 7.5e-5
// or faster (M_{k+2} / M_k is at most k + 1, and at most (k+1)(k+2) / c^2), so that the first one left out is 1e-17.
struct Gap {
  double value;
  double upper_mills;  // m(b), roughly
  double error;
};
Gap gap_series(double mu, double c) {
  const Moments m = c < 3 ? moments_forward(c) : moments_backward(c);
  const double s = 0.25 * mu * mu;
  const double value = mu * (m.m1 + s / 6 * (m.m3 + s / 20 * (m.m5 + s / 42 * m.m7)));
  return {value, m.m0 - 0.5 * value, m.error + 6};
}

// The difference itself, a.low to first order: |m'| <= 1.5 m and |m''| <= 5 m here.
Gap gap_difference(const Split& a, double b) {
  const double at_a = mills(a.high);
  const double at_b = mills(b);
  const double value = at_a + (a.high * at_a - 1) * a.low - at_b;
  const double beyond = 5 * a.low * a.low / kUnit + 8 * kUnit * (1 + std::fabs(a.high)) * b;
  return {value, at_b, ((kMillsError + 2 + beyond) * at_a + kMillsError * at_b) / value + 2};
}

// delta = phi(a) (m(a) - m(b)), b = a + mu. Below a = -1 it is 1 - Phi(a) - phi(a) m(b), which does not cancel there.
Profile profile(double mu, double epsilon) {
  const double c = epsilon / mu;
  if (c - 0.5 * mu > 40) return {0, 0, kInfinity, kInfinity};  // below the subnormals
  const Split a = lower_end(mu, epsilon, c);
  const double b = c + 0.5 * mu;
  const Density phi = density(a, b);
  // A subnormal remainder of the division may be lost.
  const double lost = mu < 1e-290 ? 1e-323 / mu / kUnit * (2 + b) : 0;
  if (a.high > -1) {
    const Gap gap = mu < 0.01 * std::max(1.0, c) ? gap_series(mu, c) : gap_difference(a, b);
    return {phi.value * gap.value, phi.error + gap.error + lost + 1, gap.upper_mills / gap.value, 1 / gap.value};
  }
  const double above = 0.5 * erfc_up(a.high * kHalfRoot);
  const double taken = phi.value * mills(b);
  const double value = above - taken;
  const double error =
      (60 * above + (phi.error + kMillsError + 2) * taken + phi.value * std::fabs(a.low) / kUnit) / value;
  return {value, error + lost + 2, taken / value, phi.value / value};
}

// The z with 1 - Phi(z) = p to 5e-4 (Abramowitz and Stegun 26.2.23): where the iterations start.
double upper_quantile_guess(double p) {
  if (p > 0.5) return p < 1 ? -upper_quantile_guess(1 - p) : -9;
  const double t = std::sqrt(-2 * std::log(p));
  return t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

// Newton's method, quadratic from a start on the side where a concave function stays below its tangents. Only a guess:
// what leaves is verified.
struct Guess {
  double x;
  double margin;  // what rounding may cost, in x
};
Guess epsilon_guess(double mu, double delta) {
  const double target = std::log(delta);
  double x = std::max(0.0, mu * (0.5 * mu + upper_quantile_guess(delta)));
  double margin = 0;
  for (int i = 0; i < 30; ++i) {
    const Profile p = profile(mu, x);
    const double height = std::log(p.value) - target;
    margin = (2 * (p.error + 8) * kUnit + 2e-15) / p.fall;
    x = std::max(0.0, x + height / p.fall);
    if (!(std::fabs(height) > 1e-7)) break;
  }
  return {x, margin + 4 * kUnit * x};
}

Guess mu_guess(double epsilon, double delta) {
  const double target = std::log(delta);
  const double z = upper_quantile_guess(delta);
  const double root = std::sqrt(z * z + 2 * epsilon);
  double x = std::max(z > 0 ? 2 * epsilon / (root + z) : root - z, delta * kRootTwoPi);
  double margin = 0;
  for (int i = 0; i < 30; ++i) {
    const Profile p = profile(x, epsilon);
    const double height = std::log(p.value) - target;
    margin = (2 * (p.error + 8) * kUnit + 2e-15) / p.growth;
    x *= std::exp(std::min(2.0, -height / (p.growth * x)));
    if (!(std::fabs(height) > 1e-7)) break;
  }
  return {x, margin + 4 * kUnit * x};
}

// The guess moved out by growing margins until the condition holds there, or the turn found by halving. `holds` must be
// a point of the safe side and `fails` one beyond the turn.
template <typename Condition>
double verified(const Guess& guess, double fails, double holds, const Condition& condition) {
  const double side = holds > fails ? 1 : -1;
  double margin = guess.margin;
  for (int i = 0; i < 6; ++i, margin *= 4) {
    const double x = guess.x + side * margin;
    if (std::isfinite(x) && (x - fails) * side > 0 && (holds - x) * side > 0 && condition(x)) return x;
  }
  if (!condition(holds)) return side > 0 ? kInfinity : 0;
  return condition(fails) ? fails : find_turn(condition, fails, holds).holds;
}

// delta(0) = erf(mu / sqrt 8) is at least 0.38 min(mu, 1).
bool may_need_no_epsilon(double mu, double delta) { return delta > 0.3 * std::min(mu, 1.0); }

// Beyond it delta is below every positive double.
double far_epsilon(double mu) { return mu * (0.5 * mu + 50); }

}  // namespace

double gaussian_delta_up(double mu, double epsilon) {
  require_not_negative("mu", mu);
  require_not_negative("epsilon", epsilon);
  return mu == 0 ? 0 : profile(mu, epsilon).up();
}

double gaussian_delta_down(double mu, double epsilon) {
  require_not_negative("mu", mu);
  require_not_negative("epsilon", epsilon);
  return mu == 0 ? 0 : profile(mu, epsilon).down();
}

double gaussian_epsilon_up(double mu, double delta) {
  require_not_negative("mu", mu);
  require_probability("delta", delta);
  if (mu == 0 || delta == 1) return 0;
  if (delta == 0) return kInfinity;
  const auto is_enough = [=](double x) { return profile(mu, x).up() <= delta; };
  if (may_need_no_epsilon(mu, delta) && is_enough(0)) return 0;
  const double far = far_epsilon(mu);
  return std::isinf(far) ? kInfinity : verified(epsilon_guess(mu, delta), 0, far, is_enough);
}

double gaussian_epsilon_down(double mu, double delta) {
  require_not_negative("mu", mu);
  require_probability("delta", delta);
  if (mu == 0 || delta == 1) return 0;
  if (delta == 0) return kInfinity;
  const auto is_short = [=](double x) { return profile(mu, x).down() >= delta; };
  if (may_need_no_epsilon(mu, delta) && !is_short(0)) return 0;
  const double far = far_epsilon(mu);
  return std::isinf(far) ? 0 : verified(epsilon_guess(mu, delta), far, 0, is_short);
}

double gaussian_mu_down(double epsilon, double delta) {
  require_not_negative("epsilon", epsilon);
  require_probability("delta", delta);
  if (delta == 0 || delta == 1) return delta == 0 ? 0 : kInfinity;
  const auto is_safe = [=](double x) { return x == 0 || profile(x, epsilon).up() <= delta; };
  return verified(mu_guess(epsilon, delta), 1e150, 0, is_safe);
}

double gaussian_mu_up(double epsilon, double delta) {
  require_not_negative("epsilon", epsilon);
  require_probability("delta", delta);
  if (delta == 0 || delta == 1) return delta == 0 ? 0 : kInfinity;
  const auto is_beyond = [=](double x) { return x > 0 && profile(x, epsilon).down() >= delta; };
  return verified(mu_guess(epsilon, delta), 0, 1e150, is_beyond);
}

double gaussian_tail_up(double mu, double epsilon) {
  require_not_negative("epsilon", epsilon);
  require_not_negative("mu", mu);
  if (mu == 0) return 0;
  return exp_up(log_ndtr_up(sub_up(mul_up(0.5, mu), div_down(epsilon, mu))));
}

double gaussian_tail_down(double mu, double epsilon) {
  require_not_negative("epsilon", epsilon);
  require_not_negative("mu", mu);
  if (mu == 0) return 0;
  return exp_down(log_ndtr_down(sub_down(mul_down(0.5, mu), div_up(epsilon, mu))));
}

}  // namespace dither::accounting
