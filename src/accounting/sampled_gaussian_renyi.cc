// Errors are counted in u = 2^-53; exp is right to 2u, expm1 and log1p to 4u (directed.h).
#include "accounting/sampled_gaussian_renyi.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "accounting/detail/require.h"
#include "accounting/renyi_curves.h"
#include "accounting/sampling_renyi.h"
#include "base/directed.h"
#include "base/ulps.h"

namespace dither::accounting {

namespace {

constexpr double kUnit = 0x1p-53;
constexpr double kPi = 3.14159265358979323846;
constexpr double kLogRootTwoPi = 0.91893853320467274178;
constexpr double kReach = 12;       // beyond the mean of the last mode; what lies further is below 1e-29 of it
constexpr double kTableOrder = 12;  // the largest order whose points are kept
constexpr double kMaxPoints = 20000;
constexpr double kExponent = 60;  // of the quadrature's error, roughly

// A point y = k step: the weight step phi(y), v and ln(1 + v), with errors relative to each in u.
struct Point {
  double log_weight;  // right to 4u (1 + y^2/2)
  double weight;      // right to 6u
  double v;
  double log1p_v;
  double error_v;
  double error_log;
};

// |Im w| on the lines: less for negative powers, which suffer near the negative axis.
double widest(bool is_add) { return is_add ? 2 : 3; }

// The step, a multiple of 2^-10 so that y and y^2 are exact, for which eta^2/2 - 2 pi eta / step is about -kExponent.
double step_for(double mu, double b) {
  const double free = 2 * kPi / std::sqrt(2 * kExponent);  // eta = 2 pi / step is best
  const double step = 2 * kPi / free * mu <= b ? free : 2 * kPi * b / (kExponent * mu + 0.5 * b * b / mu);
  return std::floor(step * 1024) / 1024;
}

Point point_at(double y, double step, double log_step, double mu, double rate) {
  const double w = mu * (y - 0.5 * mu);   // two roundings: 2u
  const double v = rate * std::expm1(w);  // 4u, 1u, and w / (1 - e^-w) <= 1 + |w| times the error of w
  const double error_v = 7 + 2 * std::fabs(w);
  const double log_weight = log_step - kLogRootTwoPi - 0.5 * y * y;
  const double weight = step * 0.39894228040143267794 * std::exp(-0.5 * y * y);
  if (w > 600) return {log_weight, weight, v, w + std::log(rate), error_v, error_v + 4};  // e^-600 / rate apart
  const double log = std::log1p(v);
  const double condition = log == 0 ? 1 : v / ((1 + v) * log);
  return {log_weight, weight, v, log, error_v, 4 + 1.01 * condition * error_v};
}

// weight g(v), g(v) = (1+v)^p - 1 - p v, rounded up.
double term_up(const Point& point, double p) {
  const double scale = (std::fabs(p) + 2) * std::fabs(point.v);
  const double exponent = p * point.log1p_v;
  if (exponent > 200) {  // g < (1+v)^p, with the weight inside: neither need fit alone
    const double error = exponent * (point.error_log + 1) + 4 * (1 - point.log_weight) + 8;
    return std::exp(exponent + point.log_weight) * (1 + 1.01 * error * kUnit);
  }
  if (scale >= 0.1) {
    const double power = std::expm1(exponent);
    const double error = (1 + std::fabs(power)) * (std::fabs(exponent) * (point.error_log + 1) + 1) +
                         4 * std::fabs(power) + std::fabs(p * point.v) * (point.error_v + 3);
    return point.weight * (power - p * point.v + error * 1.01 * kUnit) * (1 + 8 * kUnit);
  }
  // p (p-1) / 2 v^2 (1 + (p-2)/3 v (1 + (p-3)/4 v (...))). The factors are below scale <= 0.1 in size, so that n terms
  // leave out 1.2 scale^n, and roundings sum to 8u beside the error of v^2 and 0.3 times that of v.
  const int terms = scale > 1e-3 ? 17 : scale > 1e-8 ? 6 : 2;
  double bracket = 1;
  for (int k = terms + 1; k >= 2; --k) bracket = 1 + (p - k) / (k + 1) * point.v * bracket;
  const double left_out = 1.2 * std::pow(scale, terms);
  return point.weight * 0.5 * p * (p - 1) * point.v * point.v * (bracket + left_out) *
         (1 + (2.3 * point.error_v + 28) * kUnit);
}

// ln of a bound on the integral of |phi g| over a line, without the factor e^(eta^2/2). For p >= 2
//   p (p-1) rate^2 2^beta [1 + e^(mu^2) + rate^beta (e^(beta(beta-1)mu^2/2) + e^((beta+2)(beta+1)mu^2/2))],
// beta = p - 2; below 2, beta = 0 and a factor ((1 - rate) cos(b/2))^(p - 2). Not rounded: the caller adds 1e-9.
double log_line_bound(double p, double mu, double rate, double b) {
  const double beta = std::max(0.0, p - 2);
  const double half = 0.5 * mu * mu;
  const double sampled = beta * std::log(rate);
  const double last = sampled + (beta + 2) * (beta + 1) * half;
  const double most = std::max(2 * half, last);
  const double sum = std::exp(-most) + std::exp(2 * half - most) + std::exp(sampled + beta * (beta - 1) * half - most) +
                     std::exp(last - most);
  const double low = p < 2 ? (p - 2) * (std::log1p(-rate) + std::log(std::cos(0.5 * b))) : 0;
  return std::log(p * (p - 1)) + 2 * std::log(rate) + beta * std::log(2.0) + most + std::log(sum) + low;
}

// The last point: kReach beyond the mean of e^(cw) phi for the largest c in the bounds.
double right_end(double mu, double p) { return std::max(p, 2.0) * mu + kReach; }

}  // namespace

struct SampledGaussianRenyi::Points {
  double step;
  double left;  // the first y
  std::vector<Point> points;

  Points(double mu, double rate, bool is_add, double order) : step(step_for(mu, widest(is_add))) {
    const double first = std::floor(-kReach / step);
    const double last = std::ceil(right_end(mu, is_add ? 2 : order) / step);
    const double log_step = std::log(step);
    left = first * step;
    points.reserve(static_cast<std::size_t>(last - first) + 1);
    for (double k = first; k <= last; ++k) points.push_back(point_at(k * step, step, log_step, mu, rate));
  }

  static bool are_few(double mu, bool is_add, double order) {
    const double step = step_for(mu, widest(is_add));
    return step > 0 && (kReach + right_end(mu, order)) / step < kMaxPoints;
  }
};

SampledGaussianRenyi::SampledGaussianRenyi(double mu, double rate, Direction direction)
    : mu_(mu), rate_(rate), direction_(direction) {
  detail::require_not_negative("mu", mu);
  detail::require_probability("the rate", rate);
  const bool is_add = direction == Direction::add;
  if (mu * rate > 1e-120 && rate < 1 && Points::are_few(mu, is_add, kTableOrder)) {
    points_ = std::make_shared<const Points>(mu, rate, is_add, kTableOrder);
  }
}

double SampledGaussianRenyi::operator()(double order) const {
  detail::require_order(order);
  if (mu_ == 0 || rate_ == 0) return 0;
  double best = gaussian_renyi_up(order, mu_);
  if (rate_ == 1) return best;
  const bool is_add = direction_ == Direction::add;
  if ((is_add || order != std::floor(order)) && points_ && Points::are_few(mu_, is_add, order)) {
    const Result found = quadrature(order);
    if (found.is_sharp) return found.up;
    best = std::min(best, found.up);
  }
  const double whole = poisson_renyi_ceil_up(order, rate_, [mu = mu_](double k) { return gaussian_renyi_up(k, mu); });
  return std::min(best, whole);
}

SampledGaussianRenyi::Result SampledGaussianRenyi::quadrature(double order) const {
  const bool is_add = direction_ == Direction::add;
  const double p = is_add ? 1 - order : order;
  std::shared_ptr<const Points> own;
  if (p > kTableOrder) own = std::make_shared<const Points>(mu_, rate_, is_add, order);
  const Points& grid = own ? *own : *points_;

  // Points up to this order's own end; the terms are positive, so that n of them sum to n u.
  const auto wanted = static_cast<std::size_t>(std::ceil((right_end(mu_, p) - grid.left) / grid.step)) + 1;
  const std::size_t count = std::min(grid.points.size(), wanted);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += term_up(grid.points[i], p);
  if (!std::isfinite(sum)) return {kInfinity, false};
  sum *= 1 + (4 + static_cast<double>(count)) * kUnit;

  // The quadrature errs by 2 M e^(eta^2/2) / (e^(2 pi eta / step) - 1), where the exponent is above 40.
  const double eta = std::min(2 * kPi / grid.step, widest(is_add) / mu_);
  const double log_error = log_line_bound(p, mu_, rate_, mu_ * eta) + 0.5 * eta * eta - 2 * kPi * eta / grid.step + 0.7;
  // The tails: on the real axis |phi g| has the same bound with b = 0, and its parts e^(cw) phi are Gaussians with
  // means c mu, 0 <= c <= max(p, 2), all at least kReach - step away from the points left out.
  const double log_tails = log_line_bound(p, mu_, rate_, 0) + log_ndtr_up(grid.step - kReach) + 0.7;
  const double rest = add_up(exp_up(log_error + 1e-9), exp_up(log_tails + 1e-9));
  if (!std::isfinite(rest)) return {kInfinity, false};
  return {div_up(log1p_up(add_up(steps_up(sum, 4), rest)), order - 1), rest <= 1e-6 * sum};
}

}  // namespace dither::accounting
