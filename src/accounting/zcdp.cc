#include "accounting/zcdp.h"

#include <algorithm>
#include <cmath>

#include "accounting/detail/require.h"
#include "base/directed.h"
#include "base/ulps.h"

namespace dither::accounting {

namespace {

using detail::require_not_negative;
using detail::require_probability;

void require(double loss, const char* name, double delta) {
  require_not_negative(name, loss);
  require_probability("delta", delta);
}

// ln(1/delta); delta > 0.
double log_inverse_up(double delta) { return -log_down(delta); }

// What the bounds share: (ln(1/delta) - ln(1+t)) / t - ln(1 + 1/t), epsilon less rho (t+1).
double excess_up(double t, double delta) {
  return sub_up(div_up(sub_up(log_inverse_up(delta), log1p_down(t)), t), log1p_down(div_down(1, t)));
}

double epsilon_at_up(double rho, double delta, double t) {
  return add_up(mul_up(rho, add_up(t, 1)), excess_up(t, delta));
}

double log_delta_at_up(double rho, double epsilon, double t) {
  const double growth = mul_up(t, sub_up(mul_up(rho, add_up(t, 1)), epsilon));
  return sub_up(sub_up(growth, log1p_down(t)), mul_down(t, log1p_down(div_down(1, t))));
}

double rho_at_down(double epsilon, double delta, double t) {
  return div_down(sub_down(epsilon, excess_up(t, delta)), add_up(t, 1));
}

// Newton's method on a rising function from `t`, kept positive; the result is only a good place to evaluate a bound.
template <typename Step>
double search(double t, const Step& newton) {
  t = t > 0 ? std::clamp(t, 1e-100, 1e100) : 1;
  for (int i = 0; i < 40; ++i) {
    const double next = std::clamp(t - newton(t), 0.25 * t, 16 * t);
    if (!(next >= 1e-100 && next <= 1e100)) return t;
    const bool is_close = std::fabs(next - t) <= 1e-9 * t;
    t = next;
    if (is_close) break;
  }
  return t;
}

// d epsilon / dt = 0: rho t^2 + ln(1 + t) = ln(1/delta).
double best_t_for_delta(double rho, double delta) {
  const double wanted = -std::log(delta);
  return search(std::sqrt(wanted / rho),
                [=](double t) { return (rho * t * t + std::log1p(t) - wanted) / (2 * rho * t + 1 / (1 + t)); });
}

// d ln delta / dt = 0: (2t + 1) rho - epsilon - ln(1 + 1/t) = 0, concave: Newton from the left stays left.
double best_t_for_epsilon(double rho, double epsilon) {
  const double start =
      std::max(0.5 * (epsilon / rho - 1), std::min(1.0, 1 / std::expm1(std::max(0.0, 3 * rho - epsilon) + 1)));
  return search(start, [=](double t) {
    return ((2 * t + 1) * rho - epsilon - std::log1p(1 / t)) / (2 * rho + 1 / (t * (1 + t)));
  });
}

// d rho / dt = 0: t^2 (epsilon + ln(1 + 1/t)) = (2t + 1) (ln(1/delta) - ln(1 + t)).
double best_t_for_rho(double epsilon, double delta) {
  const double wanted = -std::log(delta);
  const double simple = epsilon / (std::sqrt(wanted + epsilon) + std::sqrt(wanted));
  return search(std::min(std::sqrt(wanted) / simple, 2 / delta), [=](double t) {
    const double left = epsilon + std::log1p(1 / t);
    const double right = wanted - std::log1p(t);
    return (t * t * left - (2 * t + 1) * right) / (2 * t * left - 2 * right + 1);
  });
}

}  // namespace

Rational zcdp_of_gaussian(const Rational& squared_mu) { return squared_mu / Rational(2); }
Rational zcdp_of_pure(const Rational& epsilon) { return epsilon * epsilon / Rational(2); }
Rational zcdp_of_bounded_range(const Rational& eta) { return eta * eta / Rational(8); }

double zcdp_epsilon_up(double rho, double delta) {
  require(rho, "rho", delta);
  if (rho == 0 || delta == 1) return 0;
  if (delta == 0) return kInfinity;
  const double t = best_t_for_delta(rho, delta);
  return std::max(0.0, std::min(epsilon_at_up(rho, delta, t), zcdp_epsilon_simple_up(rho, delta)));
}

double zcdp_delta_up(double rho, double epsilon) {
  require_not_negative("rho", rho);
  require_not_negative("epsilon", epsilon);
  if (rho == 0) return 0;
  const double t = best_t_for_epsilon(rho, epsilon);
  return std::min(1.0, exp_up(log_delta_at_up(rho, epsilon, t)));
}

double zcdp_rho_down(double epsilon, double delta) {
  require(epsilon, "epsilon", delta);
  if (delta == 1) return kInfinity;
  if (delta == 0) return 0;
  double rho =
      std::max(rho_at_down(epsilon, delta, best_t_for_rho(epsilon, delta)), zcdp_rho_simple_down(epsilon, delta));
  // The two directions search on their own; a step back where they disagree by a rounding.
  for (int steps = 1; rho > 0 && zcdp_epsilon_up(rho, delta) > epsilon; steps *= 2) rho = steps_down(rho, steps);
  return std::max(rho, 0.0);
}

double zcdp_epsilon_simple_up(double rho, double delta) {
  require(rho, "rho", delta);
  if (rho == 0 || delta == 1) return 0;
  if (delta == 0) return kInfinity;
  return add_up(rho, mul_up(2, sqrt_up(mul_up(rho, log_inverse_up(delta)))));
}

double zcdp_rho_simple_down(double epsilon, double delta) {
  require(epsilon, "epsilon", delta);
  if (delta == 1) return kInfinity;
  if (delta == 0) return 0;
  const double wanted = log_inverse_up(delta);
  const double root = div_down(epsilon, add_up(sqrt_up(add_up(wanted, epsilon)), sqrt_up(wanted)));
  return mul_down(root, root);
}

}  // namespace dither::accounting
