#include "accounting/renyi_curves.h"

#include <algorithm>
#include <cmath>

#include "accounting/detail/log_terms.h"
#include "accounting/detail/require.h"
#include "base/directed.h"

namespace dither::accounting {

namespace {

using detail::expm1_less_x_up;
using detail::require_not_negative;
using detail::require_order;

// With e = e^x - 1, sinh x = (e + e / (e + 1)) / 2 grows with e.
double sinh_up(double x) {
  const double e = expm1_up(x);
  return mul_up(0.5, add_up(e, div_up(e, add_down(e, 1))));
}

double cosh_down(double x) { return mul_down(0.5, add_down(exp_down(x), exp_down(-x))); }

}  // namespace

double gaussian_renyi_up(double order, double mu) {
  require_order(order);
  require_not_negative("mu", mu);
  return mul_up(order, mul_up(0.5, mul_up(mu, mu)));
}

double pure_renyi_up(double order, double epsilon) {
  require_order(order);
  require_not_negative("epsilon", epsilon);
  if (epsilon == 0) return 0;
  const double t = order - 1;  // exact
  if (order * epsilon > 30) {  // epsilon + [ln(1 + e^-(2 order - 1) epsilon) - ln(1 + e^-epsilon)] / t
    const double far = log1p_up(exp_up(-mul_down(sub_down(mul_down(2, order), 1), epsilon)));
    return add_up(epsilon, div_up(sub_up(far, log1p_down(exp_down(-epsilon))), t));
  }
  // ln[cosh((order - 1/2) epsilon) / cosh(epsilon / 2)], the difference of the two as a product.
  const double product = mul_up(2, mul_up(sinh_up(mul_up(order, 0.5 * epsilon)), sinh_up(mul_up(t, 0.5 * epsilon))));
  return std::min(epsilon, div_up(log1p_up(div_up(product, cosh_down(0.5 * epsilon))), t));
}

double laplace_renyi_up(double order, double epsilon) {
  require_order(order);
  require_not_negative("epsilon", epsilon);
  if (epsilon == 0) return 0;
  const double t = order - 1;
  const double whole = sub_down(mul_down(2, order), 1);
  const double grows = mul_up(t, epsilon);
  if (grows > 600) {  // epsilon + ln[order / (2 order - 1) + t / (2 order - 1) e^-(2 order - 1) epsilon] / t
    const double bracket = add_up(div_up(order, whole), exp_up(-mul_down(whole, epsilon)));
    return std::min(epsilon, add_up(epsilon, div_up(log_up(bracket), t)));
  }
  // The bracket less 1, where the linear terms cancel exactly and the rest is positive.
  const double falls = mul_up(order, epsilon);
  const double sum = add_up(mul_up(order, expm1_less_x_up(grows)), mul_up(t, expm1_less_x_up(-falls)));
  return std::min(epsilon, div_up(log1p_up(div_up(sum, whole)), t));
}

double bounded_loss_renyi_up(double order, double above, double below) {
  require_order(order);
  require_not_negative("the largest loss", above);
  require_not_negative("the largest gain", below);
  const double range = add_up(above, below);
  return mul_up(mul_up(order, 0.125), mul_up(range, range));
}

double mixture_renyi_up(double order, double share, double first, double second) {
  require_order(order);
  detail::require_probability("the share", share);
  require_not_negative("the first divergence", first);
  require_not_negative("the second divergence", second);
  const double t = order - 1;
  const double low = std::min(first, second);
  const double weight = first < second ? share : sub_up(1, share);
  if (weight == 0 || first == second) return low;
  // t low + ln(1 + weight (e^(t gap) - 1))
  const double gap = mul_up(t, sub_up(std::max(first, second), low));
  detail::LogTerms excess;
  excess.add(add_up(log_up(weight), gap > 30 ? gap : log_up(expm1_up(gap))));
  return std::min(std::max(first, second), add_up(low, div_up(excess.log1p_up(), t)));
}

}  // namespace dither::accounting
