#include <algorithm>
#include <cmath>

#include "accounting/detail/atoms.h"
#include "accounting/detail/require.h"
#include "accounting/detail/require_exact.h"
#include "accounting/detail/response_weight.h"
#include "accounting/native_atoms.h"
#include "base/directed.h"
#include "base/ulps.h"

namespace dither::accounting {
namespace {

// The moment of a response with probability w is 1 + c (e^x - 1), x = (order - 1) epsilon,
// c = w (1 - e^(-order epsilon)) / (1 + e^-epsilon): all terms are positive, and it grows with epsilon and w.
double response_rdp(const Rational& epsilon, double weight_up, double order) {
  detail::require_order(order);
  const double e = epsilon.to_double_up();
  if (e == 0 || weight_up == 0) return 0;
  const double order_less = sub_down(order, 1);
  const double x = mul_up(sub_up(order, 1), e);
  const double top = -expm1_down(-mul_up(order, e));
  const double c = div_up(mul_up(weight_up, top), add_down(1, exp_down(-epsilon.to_double_down())));
  const double log_moment =
      x < 1 ? log1p_up(mul_up(c, expm1_up(x))) : add_up(x, log_up(add_up(exp_up(-x), mul_up(c, -expm1_down(-x)))));
  return std::min(div_up(log_moment, order_less), e);
}

}  // namespace

double lazy_response_rdp(const Rational& epsilon, const Rational& weight, double order) {
  detail::require_epsilon(epsilon);
  detail::require_probability("the weight", weight);
  return response_rdp(epsilon, weight.to_double_up(), order);
}

double k_ary_response_rdp(const Rational& epsilon, std::uint64_t categories, double order) {
  return response_rdp(epsilon, detail::k_ary_weight(epsilon, categories).active.high_double(), order);
}

double staircase_rdp(const Rational& epsilon, const Rational& gamma, double order) {
  return response_rdp(epsilon, detail::staircase_weight(epsilon, gamma).active.high_double(), order);
}

// Summing the d + 1 atoms gives the moment 1 + [(1 + k)(e^((order - 1) L) - 1) - (r - k)(1 - e^(-order L))] / (1 + r),
// with L = d / scale, r = e^(-1 / scale), k = (1 - r) / (e^((2 order - 1) / scale) - 1). The difference loses digits
// when L is small, hence the many bits.
double discrete_laplace_rdp(const Rational& scale, std::uint64_t sensitivity, double order) {
  detail::require_laplace(scale, sensitivity);
  detail::require_order(order);
  constexpr long kMoreBits = 192;
  const auto exact = [](const Rational& value) { return BigInterval(value, kMoreBits); };
  const Rational alpha = Rational::from_double(order);
  const Rational loss = Rational(static_cast<Int128>(sensitivity)) / scale;
  const double most = loss.to_double_up();
  const double simple = (alpha * loss * loss / 2).to_double_up();  // of anything that is L-DP, best for small L
  if (mul_up(order, most) > 1e6 || simple < 1e-25) return std::min(most, simple);
  const BigInterval r = exp(exact(-1 / scale));
  const BigInterval k = -expm1(exact(-1 / scale)) / expm1(exact((2 * alpha - 1) / scale));
  const BigInterval gain = (exact(1) + k) * expm1(exact((alpha - 1) * loss));
  const BigInterval cost = (r - k) * (-expm1(exact(-alpha * loss)));
  const BigInterval excess = (gain - cost) / (exact(1) + r);
  return std::min({(log1p(excess) / exact(alpha - 1)).high_double(), most, simple});
}

double discrete_gaussian_rdp(const Rational& sigma, std::uint64_t sensitivity, double order) {
  detail::require_gaussian(sigma, sensitivity);
  detail::require_order(order);
  const Rational ratio = Rational(static_cast<Int128>(sensitivity)) / sigma;
  return (Rational::from_double(order) * ratio * ratio / 2).to_double_up();
}

// With the largest divergence D taken out, 1 + sum of w_i (exp((order - 1)(D_i - D)) - 1): no term is positive.
double mixture_rdp(const std::vector<Rational>& weights, const std::vector<double>& divergences, double order) {
  detail::require_weights(weights, divergences.size());
  detail::require_order(order);
  double most = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] > 0) most = std::max(most, divergences[i]);
  }
  if (most == kInfinity) return kInfinity;
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double gap = mul_down(sub_down(order, 1), sub_down(most, std::min(divergences[i], most)));
    sum = add_up(sum, -mul_down(weights[i].to_double_down(), -expm1_up(-gap)));
  }
  return std::min(most, add_up(most, div_up(log1p_up(std::max(sum, -1.0)), sub_up(order, 1))));
}

}  // namespace dither::accounting
