#include "accounting/sampling_renyi.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accounting/detail/log_terms.h"
#include "accounting/detail/require.h"
#include "accounting/group.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/ulps.h"

namespace dither::accounting {

namespace {

using detail::LogTerms;
using detail::require_not_negative;
using detail::require_order;
using detail::require_probability;

constexpr std::uint64_t kMaxOrder = 1'000'000;

void require_whole_order(std::uint64_t order) {
  if (order >= 2 && order <= kMaxOrder) return;
  throw Error{Code::bad_count, fmt::format("the order is {}, but it must be a whole number from 2 to 10^6", order),
              "give an order such as 2"};
}

// ln(e^x - 1), x > 0.
double log_expm1_up(double x) { return x > 40 ? x : log_up(expm1_up(x)); }

// A value of a curve, where NaN and negative numbers mean that it is not one.
double value_of(const RenyiFunction& curve, double order) {
  const double value = curve(order);
  return value >= 0 ? value : kInfinity;
}

[[noreturn]] void throw_no_theorem(const char* theorem, const std::string& condition) {
  throw Error{Code::no_theorem, fmt::format("{}: it needs {}", theorem, condition),
              "use the bound for whole orders, which holds always"};
}

}  // namespace

// The binomial weights sum to 1 and the terms 0 and 1 have divergence 0, so that the moment less 1 is the sum over
// k >= 2 of C(order, k) rate^k (1 - rate)^(order - k) (e^((k-1) curve(k)) - 1): positive, nothing cancels.
double poisson_renyi_up(std::uint64_t order, double rate, const RenyiFunction& curve) {
  require_whole_order(order);
  require_probability("the rate", rate);
  const double all = static_cast<double>(order);
  if (rate == 0) return 0;
  if (rate == 1) return value_of(curve, all);
  const std::vector<double> binomials = detail::log_binomials_up(order);
  const double log_rate = log_up(rate);
  const double log_rest = log1p_up(-rate);
  LogTerms terms;
  for (std::uint64_t k = 2; k <= order; ++k) {
    const double taken = static_cast<double>(k);
    const double growth = mul_up(taken - 1, value_of(curve, taken));
    if (growth == 0) continue;
    const double weight = add_up(mul_up(taken, log_rate), mul_up(all - taken, log_rest));
    terms.add(add_up(add_up(binomials[k], weight), log_expm1_up(growth)));
  }
  return div_up(terms.log1p_up(), all - 1);
}

double poisson_renyi_ceil_up(double order, double rate, const RenyiFunction& curve) {
  require_order(order);
  if (order > static_cast<double>(kMaxOrder)) return kInfinity;
  return poisson_renyi_up(static_cast<std::uint64_t>(std::ceil(order)), rate, curve);
}

double poisson_renyi_analytic_up(double order, double rate, double at_two, double omega, double at_omega) {
  require_order(order);
  require_probability("the rate", rate);
  require_not_negative("the divergence at order 2", at_two);
  require_not_negative("the divergence at omega", at_omega);
  if (!(rate <= 0.6321205588)) throw_no_theorem("the analytic bound", "a rate of at most 1 - 1/e");
  if (!(omega >= order && std::isfinite(omega))) throw_no_theorem("the analytic bound", "omega >= order");
  if (rate == 0) return 0;
  const double t = order - 1;
  LogTerms terms;
  if (at_two > 0) {  // (e/2) order (order - 1) rate^2 (e^D2 - 1)
    const double half_e = mul_up(0.5, exp_up(1));
    terms.add(add_up(log_up(mul_up(mul_up(half_e, mul_up(order, t)), mul_up(rate, rate))), log_expm1_up(at_two)));
  }
  terms.add(add_up(mul_up(omega, log_up(mul_up(t, rate))), mul_up(sub_up(omega, 1), at_omega)));
  return div_up(terms.log1p_up(), t);
}

double poisson_renyi_analytic_zcdp_up(double order, double rate, double rho) {
  require_order(order);
  require_probability("the rate", rate);
  detail::require_positive("rho", rho);
  if (rate == 0) return 0;
  // The exponent omega ln((order-1) rate) + omega (omega-1) rho is smallest here.
  const double best = 0.5 - std::log((order - 1) * rate) / (2 * rho);
  const double omega = std::max(order, std::isfinite(best) ? best : order);
  return poisson_renyi_analytic_up(order, rate, mul_up(2, rho), omega, mul_up(omega, rho));
}

double poisson_renyi_large_order_up(double order, double rate, double at_order) {
  require_order(order);
  require_probability("the rate", rate);
  require_not_negative("the divergence", at_order);
  if (rate == 0 || at_order == 0) return 0;
  // order / (order - 1) ln(1 + rate (e^x - 1)), x = (1 - 1/order) D
  LogTerms terms;
  terms.add(add_up(log_up(rate), log_expm1_up(mul_up(div_up(order - 1, order), at_order))));
  return mul_up(div_up(order, order - 1), terms.log1p_up());
}

double poisson_renyi_floor_down(double order, double rate, double unsampled) {
  require_order(order);
  require_probability("the rate", rate);
  require_not_negative("the divergence", unsampled);
  if (rate == 0) return 0;
  return std::max(0.0, add_down(unsampled, mul_down(div_up(order, order - 1), log_down(rate))));
}

TruncatedZcdp poisson_truncated_zcdp(double rate, double rho) {
  require_probability("the rate", rate);
  detail::require_positive("rho", rho);
  if (!(rate > 0 && rate <= 0.5))
    throw_no_theorem("the asymptotic bound", fmt::format("0 < rate <= 1/2, not {}", rate));
  if (!(rho <= 1)) throw_no_theorem("the asymptotic bound", fmt::format("rho <= 1, not {}", rho));
  const double log_inverse_down = -log_up(rate);
  const double omega =
      std::min(div_down(log_inverse_down, mul_up(4, rho)), add_down(1, div_down(1, sqrt_up(sqrt_up(rate)))));
  const double needed = add_up(3, mul_up(2, div_up(-log_down(rho), log_inverse_down)));
  if (!(omega >= needed)) {
    throw_no_theorem("the asymptotic bound",
                     fmt::format("omega >= 3 + 2 ln(1/rho) / ln(1/rate), but {} < {}", omega, needed));
  }
  return {mul_up(mul_up(10, mul_up(rate, rate)), rho), omega};
}

double fixed_size_renyi_up(double order, const RenyiFunction& remove, const RenyiFunction& add) {
  return triangle_renyi_up(order, remove, add);
}

double without_replacement_renyi_up(std::uint64_t order, double rate, const RenyiFunction& curve, double largest) {
  require_whole_order(order);
  require_probability("the rate", rate);
  if (!(largest >= 0)) throw Error{Code::bad_number, "the curve at infinity is negative or NaN", "give pure epsilon"};
  if (rate == 0) return 0;
  const std::vector<double> binomials = detail::log_binomials_up(order);
  const double log_rate = log_up(rate);
  const double log_two = log_up(2);
  const double log_range = largest < 2 ? log_expm1_up(largest) : log_two;  // ln(e^largest - 1), -infinity at 0
  LogTerms terms;
  for (std::uint64_t j = 2; j <= order; ++j) {
    const double taken = static_cast<double>(j);
    const double divergence = std::min(value_of(curve, taken), largest);
    const double cap = std::min(log_two, mul_up(taken, log_range));  // ln min(2, (e^largest - 1)^j)
    double factor = add_up(mul_up(taken - 1, divergence), cap);
    if (j == 2 && divergence > 0) factor = std::min(factor, add_up(log_up(4), log_expm1_up(divergence)));
    if (divergence == 0) continue;  // the same law with and without the record
    terms.add(add_up(add_up(binomials[j], mul_up(taken, log_rate)), factor));
  }
  const double all = static_cast<double>(order);
  return std::min(value_of(curve, all), div_up(terms.log1p_up(), all - 1));
}

}  // namespace dither::accounting
