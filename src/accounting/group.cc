#include "accounting/group.h"

#include <algorithm>
#include <cmath>

#include "accounting/detail/require.h"
#include "base/directed.h"
#include "base/ulps.h"

namespace dither::accounting {

namespace {

using detail::require_count;
using detail::require_not_negative;

Rational whole(std::uint64_t k) {
  require_count("the size of the group", k);
  return Rational(static_cast<long>(k));
}

// The bound through one c > order. The inner order is rounded up, where the curve is no smaller.
double through(double c, double order, const std::function<double(double)>& first,
               const std::function<double(double)>& second) {
  const double inner = div_up(mul_up(order, c - 1), sub_down(c, order));
  const double near = first(inner);
  const double far = second(c);
  if (!(std::isfinite(near) && std::isfinite(far))) return kInfinity;
  return add_up(mul_up(div_up(c, c - 1), near), far);
}

}  // namespace

Rational group_epsilon(const Rational& epsilon, std::uint64_t k) { return epsilon * whole(k); }
Rational group_rho(const Rational& rho, std::uint64_t k) { return rho * whole(k) * whole(k); }
Rational group_squared_mu(const Rational& squared_mu, std::uint64_t k) { return squared_mu * whole(k) * whole(k); }

double group_delta_up(double epsilon, double delta, std::uint64_t k) {
  require_not_negative("epsilon", epsilon);
  detail::require_probability("delta", delta);
  require_count("the size of the group", k);
  const double size = static_cast<double>(k);
  if (delta == 0) return 0;
  if (epsilon == 0) return std::min(1.0, mul_up(delta, size));
  const double growth = expm1_up(mul_up(size, epsilon));
  if (std::isinf(growth)) return 1;
  return std::min(1.0, mul_up(delta, div_up(growth, expm1_down(epsilon))));
}

double triangle_rho_up(double first, double second) {
  require_not_negative("the first rho", first);
  require_not_negative("the second rho", second);
  return add_up(add_up(first, second), mul_up(2, sqrt_up(mul_up(first, second))));
}

// c = order + x: the first term grows without bound as x -> 0, the second as x -> infinity. A coarse scan over x /
// order on a logarithmic scale, whole c among them, and a golden-section search around the best; every c is valid.
double triangle_renyi_up(double order, const std::function<double(double order)>& first,
                         const std::function<double(double order)>& second) {
  detail::require_order(order);
  const auto bound = [&](double log_x) { return through(order + order * std::exp(log_x), order, first, second); };
  double best = kInfinity;
  double center = 0;
  for (int i = -20; i <= 20; ++i) {
    const double value = bound(0.35 * i);
    if (value < best) {
      best = value;
      center = 0.35 * i;
    }
  }
  if (std::isinf(best)) return best;
  double low = center - 0.35;
  double high = center + 0.35;
  for (int i = 0; i < 25; ++i) {
    const double left = low + 0.382 * (high - low);
    const double right = low + 0.618 * (high - low);
    const double at_left = bound(left);
    const double at_right = bound(right);
    best = std::min({best, at_left, at_right});
    (at_left <= at_right ? high : low) = at_left <= at_right ? right : left;
  }
  for (double c = std::floor(order) + 1; c <= order + 16; ++c) best = std::min(best, through(c, order, first, second));
  return best;
}

}  // namespace dither::accounting
