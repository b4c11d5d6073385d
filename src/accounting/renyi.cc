#include "accounting/renyi.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "accounting/detail/require.h"
#include "base/directed.h"
#include "base/error.h"
#include "base/ulps.h"

namespace dither::accounting {

namespace {

using detail::require_not_negative;
using detail::require_order;
using detail::require_probability;

// Where the rule by the Kullback-Leibler divergence, which every order above 1 bounds, reads the curve.
constexpr double kNearOne = 1.001;

void require_rho(const Rational& rho) {
  if (rho.sign() < 0) {
    throw Error{Code::out_of_range, fmt::format("rho is {}, but it must not be negative", rho.str()), "give rho >= 0"};
  }
}

void sort_table(std::vector<OrderBound>& table) {
  if (table.empty()) {
    throw Error{Code::bad_weights, "a Renyi curve has no orders", "give at least one order and its epsilon"};
  }
  for (const OrderBound& entry : table) {
    require_order(entry.order);
    require_not_negative("epsilon", entry.epsilon);
  }
  std::sort(table.begin(), table.end(), [](const OrderBound& a, const OrderBound& b) { return a.order < b.order; });
}

std::vector<double> make_default_orders() {
  std::vector<double> orders;
  for (int tenths = 11; tenths <= 110; ++tenths) orders.push_back(tenths / 10.0);
  for (int order = 12; order <= 63; ++order) orders.push_back(order);
  for (int order = 64; order <= 1024; order *= 2) orders.push_back(order);
  return orders;
}

// epsilon = D + ln(1 - 1/order) + (ln(1/delta) - ln order) / (order - 1); order - 1 is exact.
double epsilon_at_up(double divergence, double order, double delta) {
  const double gain = log1p_up(-div_down(1, order));
  const double price = div_up(sub_up(-log_down(delta), log_down(order)), order - 1);
  return std::max(0.0, add_up(add_up(divergence, gain), price));
}

double classic_epsilon_at_up(double divergence, double order, double delta) {
  return add_up(divergence, div_up(-log_down(delta), order - 1));
}

// ln delta = (order - 1) (D - epsilon + ln(1 - 1/order)) - ln order.
double delta_at_up(double divergence, double order, double epsilon) {
  const double gain = add_up(sub_up(divergence, epsilon), log1p_up(-div_down(1, order)));
  return std::min(1.0, exp_up(sub_up(mul_up(order - 1, gain), log_down(order))));
}

template <typename Convert>
RenyiBound best_of(std::span<const double> orders, const Convert& convert) {
  RenyiBound best{kInfinity, 0};
  for (const double order : orders) {
    const double value = convert(order);
    if (value < best.value) best = {value, order};
  }
  return best;
}

// A golden-section search around the best default order. Every order is valid, so it may stop anywhere.
template <typename Convert>
RenyiBound refined(const Convert& convert) {
  const std::span<const double> orders = default_orders();
  RenyiBound best = best_of(orders, convert);
  if (best.order == 0) return best;
  const auto here = std::lower_bound(orders.begin(), orders.end(), best.order);
  double low = here == orders.begin() ? 1.01 : *(here - 1);
  double high = here + 1 == orders.end() ? 4 * best.order : *(here + 1);
  constexpr double kGolden = 0.61803398874989485;
  const auto try_at = [&](double order) {
    const double value = convert(order);
    if (value < best.value) best = {value, order};
    return value;
  };
  double left = high - kGolden * (high - low);
  double right = low + kGolden * (high - low);
  double at_left = try_at(left);
  double at_right = try_at(right);
  for (int i = 0; i < 28; ++i) {
    if (at_left <= at_right) {
      high = std::exchange(right, left);
      at_right = at_left;
      left = high - kGolden * (high - low);
      at_left = try_at(left);
    } else {
      low = std::exchange(left, right);
      at_left = at_right;
      right = low + kGolden * (high - low);
      at_right = try_at(right);
    }
  }
  return best;
}

double total_variation_up(const RenyiCurve& curve) {
  const double kl = curve.at(kNearOne);
  return std::isinf(kl) ? 1 : std::min(bretagnolle_huber_up(kl), pinsker_up(kl));
}

template <typename Search>
RenyiBound epsilon_by(const RenyiCurve& curve, double delta, const Search& search) {
  require_probability("delta", delta);
  const std::optional<double> left = delta_beside_failure_down(delta, curve.failure());
  if (delta == 1) return {0, 1};
  if (!left.has_value()) return {kInfinity, 0};
  if (total_variation_up(curve) <= *left) return {0, 1};
  if (*left == 0) return {kInfinity, 0};
  return search([&curve, delta_left = *left](double order) {
    const double divergence = curve.at(order);
    return std::isinf(divergence) ? kInfinity : epsilon_at_up(divergence, order, delta_left);
  });
}

template <typename Search>
RenyiBound delta_by(const RenyiCurve& curve, double epsilon, const Search& search) {
  require_not_negative("epsilon", epsilon);
  RenyiBound best = search([&curve, epsilon](double order) {
    const double divergence = curve.at(order);
    return std::isinf(divergence) ? 1.0 : delta_at_up(divergence, order, epsilon);
  });
  if (const double variation = total_variation_up(curve); variation < best.value) best = {variation, 1};
  return {delta_with_failure_up(best.value, curve.failure()), best.order};
}

}  // namespace

RenyiCurve& RenyiCurve::add(Bound bound, std::uint64_t times, double delta) {
  detail::require_count("times", times);
  failure_.add(delta, times);
  terms_.push_back({std::move(bound), static_cast<double>(times)});
  return *this;
}

RenyiCurve& RenyiCurve::add_zcdp(const Rational& rho, std::uint64_t times, double delta) {
  require_rho(rho);
  detail::require_count("times", times);
  failure_.add(delta, times);
  rho_ += rho * Rational(static_cast<long>(times));
  return *this;
}

RenyiCurve& RenyiCurve::add_truncated_zcdp(const Rational& rho, double omega, std::uint64_t times, double delta) {
  require_rho(rho);
  require_order(omega);
  const double slope = rho.to_double_up();
  return add([=](double order) { return order < omega ? mul_up(slope, order) : kInfinity; }, times, delta);
}

RenyiCurve& RenyiCurve::add_table(std::vector<OrderBound> table, std::uint64_t times, double delta) {
  sort_table(table);
  const auto bound = [table = std::move(table)](double order) {
    double epsilon = kInfinity;  // the smallest of the bounds from this order on
    for (auto entry = table.rbegin(); entry != table.rend() && entry->order >= order; ++entry) {
      epsilon = std::min(epsilon, entry->epsilon);
    }
    return epsilon;
  };
  return add(bound, times, delta);
}

double RenyiCurve::at(double order) const {
  require_order(order);
  double sum = mul_up(rho_.to_double_up(), order);
  for (const Term& term : terms_) {
    const double bound = term.bound(order);
    if (!std::isfinite(bound)) return kInfinity;
    sum = add_up(sum, mul_up(std::max(bound, 0.0), term.times));
  }
  return sum;
}

std::span<const double> default_orders() {
  static const std::vector<double> orders = make_default_orders();
  return orders;
}

RenyiBound renyi_epsilon_up(const RenyiCurve& curve, double delta) {
  return epsilon_by(curve, delta, [](const auto& convert) { return refined(convert); });
}

RenyiBound renyi_epsilon_up(const RenyiCurve& curve, double delta, std::span<const double> orders) {
  return epsilon_by(curve, delta, [orders](const auto& convert) { return best_of(orders, convert); });
}

RenyiBound renyi_delta_up(const RenyiCurve& curve, double epsilon) {
  return delta_by(curve, epsilon, [](const auto& convert) { return refined(convert); });
}

RenyiBound renyi_delta_up(const RenyiCurve& curve, double epsilon, std::span<const double> orders) {
  return delta_by(curve, epsilon, [orders](const auto& convert) { return best_of(orders, convert); });
}

RenyiBound renyi_epsilon_classic_up(const RenyiCurve& curve, double delta, std::span<const double> orders) {
  require_probability("delta", delta);
  const std::optional<double> left = delta_beside_failure_down(delta, curve.failure());
  if (!left.has_value() || *left == 0) return {kInfinity, 0};
  return best_of(orders, [&curve, delta_left = *left](double order) {
    const double divergence = curve.at(order);
    return std::isinf(divergence) ? kInfinity : classic_epsilon_at_up(divergence, order, delta_left);
  });
}

double bretagnolle_huber_up(double kl) {
  require_not_negative("the divergence", kl);
  return std::min(1.0, sqrt_up(-expm1_down(-kl)));
}

double pinsker_up(double kl) {
  require_not_negative("the divergence", kl);
  return std::min(1.0, sqrt_up(mul_up(0.5, kl)));
}

}  // namespace dither::accounting
