#include "accounting/allocation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accounting/detail/require.h"
#include "accounting/detail/require_exact.h"
#include "base/directed.h"
#include "base/ulps.h"

namespace dither::accounting {
namespace {

constexpr double kUnit = 0x1p-53;
constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr double kMiddle = 690;  // e^z is a double up to here
constexpr double kFarRatio = 1.03;

// The log of the sum of exp(x): adds size + 3 units, and 2 units of the largest |x|, to the errors of x.
double log_sum(const std::vector<double>& logs) {
  const double most = logs.empty() ? kNever : *std::max_element(logs.begin(), logs.end());
  if (most == kNever) return kNever;
  double sum = 0;
  for (const double x : logs) sum += std::exp(x - most);
  return most + std::log(sum);
}

// log(e^y - 1), y > 0.
double log_expm1(double y) { return y > 30 ? y + std::log1p(-std::exp(-y)) : std::log(std::expm1(y)); }

// ---- remove. E X^a counts, for a balls thrown into T bins, exp(c / sigma^2) with c the number of pairs that meet:
// a! / T^a [x^a] f(x)^T with f(x) = sum of e^(k (k-1) / (2 sigma^2)) x^k / k! = e^x + g(x), g from k = 2 on. So
// E X^a - 1 = sum over j >= 1 of C(T, j) a! / T^a [x^a] e^((T - j) x) g(x)^j, in which every term is positive.
double log_remove_excess_up(double inverse, std::uint64_t steps, std::size_t a) {
  std::vector<double> g(a + 1, kNever);
  for (std::size_t k = 2; k <= a; ++k) {
    const auto x = static_cast<double>(k);
    g[k] = log_expm1(x * (x - 1) * inverse) - std::lgamma(x + 1);
  }
  const auto order = static_cast<double>(a);
  const auto t = static_cast<double>(steps);
  double largest = 16;
  const auto seen = [&largest](double x) {
    if (x != kNever) largest = std::max(largest, std::abs(x));
    return x;
  };
  std::vector<double> power = g;  // g^j
  std::vector<double> terms;
  double log_choose = 0;
  for (std::size_t j = 1; 2 * j <= a && j <= steps; ++j) {
    const auto count = static_cast<double>(j);
    log_choose += std::log((t - count + 1) / count);
    for (std::size_t m = 2 * j; m <= a; ++m) {
      if (seen(power[m]) == kNever) continue;
      const auto used = static_cast<double>(m);
      const double others = m == a ? 0 : j == steps ? kNever : (order - used) * std::log1p(-count / t);
      const double scale = others - used * std::log(t) + std::lgamma(order + 1) - std::lgamma(order - used + 1);
      terms.push_back(seen(log_choose) + power[m] + seen(scale));
    }
    std::vector<double> next(a + 1, kNever);
    std::vector<double> products;
    for (std::size_t m = 2 * j + 2; m <= a; ++m) {
      products.clear();
      for (std::size_t k = 2; k + 2 * j <= m; ++k) products.push_back(g[k] + power[m - k]);
      next[m] = log_sum(products);
    }
    power = std::move(next);
  }
  // Every number is at most `largest` in size; a product adds its factors' errors, 8 units of it and one for each term.
  const double error = kUnit * (order / 2 + 4) * (16 * largest + order + 32);
  return log_sum(terms) + error;
}

// ---- add. E_Q (Q/P)^(a-1) = E X^-b, b = a - 1, and x^-b - 1 + b (x - 1) is the integral over z of
// z^(b-1) (e^(-z x) - e^-z (1 - z (x - 1))) / Gamma(b). With E X = 1,
//   E X^-b - 1 = integral of gamma_b(z) (e^h(z) - 1) dz,   h(z) = T k(z/T),   k(y) = log E e^(-y R) + y,
// gamma_b the density of the gamma law. k is convex with k(0) = k'(0) = 0, so e^h - 1 is convex: chords lie above it.
// R is replaced by finitely many values: each cell's mass moves to the cell's ends, its mean kept, which makes the mean
// of every convex function larger, so also k and E X^-b.
struct Spread {
  std::vector<double> values;
  std::vector<double> masses;
  double missing;  // at least 1 - E R after the outer tails moved down to 0 and to the last value
};

double normal_between(double a, double b) {  // from the side on which nothing cancels
  if (a > 0) return .5 * (std::erfc(a / std::sqrt(2.0)) - std::erfc(b / std::sqrt(2.0)));
  return .5 * (std::erfc(-b / std::sqrt(2.0)) - std::erfc(-a / std::sqrt(2.0)));
}

Spread spread_lognormal(double sigma) {
  const double low = -37;
  const double high = 37 + 1 / sigma;
  const auto cells = static_cast<std::size_t>(std::min(4000.0, std::ceil((high - low) / (.1 * std::min(sigma, 1.0)))));
  const double width = (high - low) / static_cast<double>(cells);
  const auto node = [&](std::size_t i) { return low + static_cast<double>(i) * width; };
  Spread spread{{0}, {.5 * std::erfc(37 / std::sqrt(2.0))}, 0};
  const auto value = [&](std::size_t i) { return std::exp(node(i) / sigma - 1 / (2 * sigma * sigma)); };
  spread.missing = value(0) * spread.masses[0] + .5 * std::erfc(37 / std::sqrt(2.0));
  for (std::size_t i = 0; i <= cells; ++i) {
    spread.values.push_back(value(i));
    spread.masses.push_back(0);
  }
  for (std::size_t i = 0; i < cells; ++i) {
    const double mass = normal_between(node(i), node(i + 1));
    const double mean = normal_between(node(i) - 1 / sigma, node(i + 1) - 1 / sigma);
    const double gap = value(i + 1) - value(i);
    const double up = std::clamp((mean - value(i) * mass) / gap, 0.0, mass);
    spread.masses[i + 2] += up;
    spread.masses[i + 1] += std::clamp((value(i + 1) * mass - mean) / gap, 0.0, mass);
  }
  spread.masses.back() += .5 * std::erfc(high / std::sqrt(2.0));
  return spread;
}

// e^-v - 1 + v without cancellation.
double convex_part(double v) {
  if (std::abs(v) > .05) return v > 700 ? v - 1 : std::expm1(-v) + v;
  double term = v * v / 2;
  double sum = term;
  for (int n = 3; n < 12; ++n) sum += term *= -v / n;
  return sum;
}

// k(y), at least. Cells lose at most 1e-11 of their shares to rounding, convex_part 1e-14; 1e-9 covers all of it.
double cumulant_up(const Spread& spread, double y) {
  double sum = 0;
  for (std::size_t i = 0; i < spread.values.size(); ++i) {
    sum += spread.masses[i] * convex_part(y * (spread.values[i] - 1));
  }
  return std::log1p(sum * (1 + 1e-9) + y * spread.missing) * (1 + 1e-14);
}

// log E e^(-y R), at least: the same without what cancels only for small y.
double log_transform_up(const Spread& spread, double y) {
  double sum = 0;
  for (std::size_t i = 0; i < spread.values.size(); ++i) sum += spread.masses[i] * std::exp(-y * spread.values[i]);
  return std::min(0.0, std::log(sum) * (1 - 1e-14) + 1e-9);
}

// Of the gamma law with whole shape b: P(Z > z) and the integral of that from z on, sums of positive Poisson terms.
struct GammaTail {
  double tail;
  double integral;
};
GammaTail gamma_tail(std::uint64_t b, double z) {
  GammaTail result{0, 0};
  double term = std::exp(-z);
  for (std::uint64_t i = 0; i < b; ++i) {
    result.tail += term;
    result.integral += static_cast<double>(b - i) * term;
    term *= z / static_cast<double>(i + 1);
  }
  return result;
}

// The log of the integral of z^(b-1) E e^(-z X) / Gamma(b) from `from` on: E e^(-y R) <= (c / (e y))^c E R^-c for every
// c > 0, and E R^-c = e^(c (c+1) / (2 sigma^2)); any c with c T > b will do.
double log_last_tail_up(double inverse, double t, double b, double from) {
  double best = std::numeric_limits<double>::infinity();
  for (double c = 1.001 * b / t; c < 1e6; c *= 1.1) {
    if (c * t <= b) continue;
    const double exponent = t * (c * std::log(c * t / from) - c + c * (c + 1) * inverse);
    best = std::min(best, exponent + b * std::log(from) - std::log(c * t - b) - std::lgamma(b));
  }
  return best + 1e-9 * std::abs(best) + 1e-9;
}

// From the log of a moment minus 1 to the divergence, b = order - 1.
double divergence_up(double log_excess, double b) {
  const double log_moment =
      log_excess < 0 ? log1p_up(exp_up(log_excess)) : add_up(log_excess, log1p_up(exp_up(-log_excess)));
  return div_up(log_moment, b);
}

}  // namespace

Allocation::Allocation(const Rational& sigma, std::uint64_t steps) : sigma_(sigma), steps_(steps) {
  detail::require_scale("sigma", sigma, pow(Rational(10), 15));
  detail::require_count("steps", steps);
  if (steps > 1 && sigma >= Rational(1, 10)) prepare_add();
}

void Allocation::prepare_add() {
  const Spread spread = spread_lognormal(sigma_.to_double_down());  // less noise: E X^-b is larger
  const auto t = static_cast<double>(steps_);
  const auto h = [&](double z) { return t * cumulant_up(spread, z / t); };
  z_ = {0};
  excess_ = {0};
  double last = 0;
  for (double z = 1e-4; z < kMiddle; z *= 1.02) {
    const double now = std::min(h(z), z);
    z_.push_back(z);
    excess_.push_back(std::expm1(now) * (1 + 1e-12));
    if (now > last + .5) break;  // from here a chord of e^h would be far above it
    last = now;
  }
  for (double z = z_.back(); far_z_.size() < 1000; z *= kFarRatio) {
    far_z_.push_back(z);
    const double direct = t * log_transform_up(spread, z / t);
    far_log_.push_back(z < 50 * t ? std::min(direct, h(z) - z + 1e-12 * z) : direct);
  }
}

double Allocation::unsampled_up(double order) const {
  return (Rational::from_double(order) / (2 * sigma_ * sigma_)).to_double_up();
}

double Allocation::remove_up(double order) const {
  detail::require_order(order);
  const double whole = std::ceil(order);
  if (steps_ == 1 || whole > static_cast<double>(kMostOrder)) return unsampled_up(order);
  const double inverse = (1 / (2 * sigma_ * sigma_)).to_double_up();
  if (!(inverse * whole * whole < 1e12)) return unsampled_up(order);
  const double log_excess = log_remove_excess_up(inverse, steps_, static_cast<std::size_t>(whole));
  return std::min(divergence_up(log_excess, whole - 1), unsampled_up(order));
}

double Allocation::add_up(double order) const {
  detail::require_order(order);
  const double whole = std::ceil(order);
  if (z_.empty() || whole > static_cast<double>(kMostOrder)) return unsampled_up(order);
  const double b = whole - 1;
  const auto shape = static_cast<std::uint64_t>(b);
  const double slack = 4 * (b + 8) * kUnit;  // of the Poisson sums

  // The integral of a chord times the gamma density is, by parts, slope times the integral of the tail.
  double sum = 0;
  GammaTail here = gamma_tail(shape, 0);
  for (std::size_t i = 0; i + 1 < z_.size(); ++i) {
    const GammaTail next = gamma_tail(shape, z_[i + 1]);
    const double width = z_[i + 1] - z_[i];
    const double slope = (excess_[i + 1] - excess_[i]) / width;
    const double by_difference = here.integral * (1 + slack) - next.integral * (1 - slack);
    sum += std::max(0.0, slope) * std::min(width * here.tail * (1 + slack), std::max(by_difference, 0.0));
    here = next;
  }
  sum = std::max(0.0, sum * (1 + 1e-11) - excess_.back() * here.tail * (1 - slack));

  // Beyond, chords of E e^(-z X), which is convex in z, times z^(b-1) / Gamma(b): a cell [z, q z] weighs its ends by
  // z^b (q a - c) / (q - 1) and z^b (c - a) / (q - 1), a = (q^b - 1) / b, c = (q^(b+1) - 1) / (b + 1).
  const double a = std::expm1(b * std::log(kFarRatio)) / b;
  const double c = std::expm1((b + 1) * std::log(kFarRatio)) / (b + 1);
  const double left = std::log((kFarRatio * a - c) / (kFarRatio - 1));
  const double right = std::log((c - a) / (kFarRatio - 1));
  std::vector<double> logs{std::log(sum)};
  for (std::size_t i = 0; i + 1 < far_z_.size(); ++i) {
    const double scale = b * std::log(far_z_[i]) - std::lgamma(b);
    logs.push_back(far_log_[i] + left + scale);
    logs.push_back(far_log_[i + 1] + right + scale);
  }
  const double inverse = (1 / (2 * sigma_ * sigma_)).to_double_up();
  logs.push_back(log_last_tail_up(inverse, static_cast<double>(steps_), b, far_z_.back()));
  const double log_excess = log_sum(logs) + 1e-9;  // the logs above err by less than 1e-10
  if (std::isnan(log_excess)) return unsampled_up(order);
  return std::min(divergence_up(log_excess, b), unsampled_up(order));
}

}  // namespace dither::accounting
