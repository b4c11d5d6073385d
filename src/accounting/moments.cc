#include "accounting/moments.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "accounting/detail/fourier_law.h"
#include "accounting/detail/fourier_mixture.h"
#include "base/directed.h"
#include "base/ulps.h"

namespace dither::accounting {

namespace {

using detail::kTrust;
using detail::kUnit;
using detail::Mixture;

constexpr double kWide = 1.5 * kTrust;  // and the roundings of products with a parameter
constexpr double kMostNodes = 5e4;
constexpr Bounds kUnknown{-kInfinity, kInfinity};

// The interval around a value with an absolute error.
Bounds around(double value, double error) {
  if (!(std::abs(value) < kInfinity) || !(error < kInfinity)) return kUnknown;
  return {sub_down(value, error), add_up(value, error)};
}

Bounds checked(Bounds bounds) {
  if (!(bounds.lower <= bounds.upper)) return kUnknown;
  if (!(std::abs(bounds.lower) < kInfinity)) bounds.lower = -kInfinity;
  return bounds;
}

// e^x - 1 - x, to 600 units of rounding: from 1/64 on the 4 units of expm1 grow by at most 2 / |x|, below it the series
// to x^7 leaves out less than 7 units.
double expm2(double x) {
  if (std::abs(x) >= 1.0 / 64) return std::expm1(x) - x;
  const double x2 = x * x;
  return x2 * ((0.5 + x * (1.0 / 6)) + x2 * ((1.0 / 24 + x * (1.0 / 120)) + x2 * (1.0 / 720 + x * (1.0 / 5040))));
}
constexpr double kExpm2Units = 600;

// What a product that is not 0 may have lost below the normal doubles.
double underflow(bool not_zero) { return not_zero ? 4 * std::numeric_limits<double>::min() : 0; }

// ln E = theta (theta + 1) mu^2 / 2, the parameter squared trusted to 2^-49.
Bounds gaussian_moment(const GaussianLoss& loss, double theta) {
  const double value = theta * (theta + 1) * loss.mu * loss.mu / 2;
  return around(value, std::abs(value) * (2 * kWide + 8 * kUnit) + underflow(theta * loss.mu != 0));
}

// With x = theta + 1/2, E = e^(-epsilon/2) (cosh(x epsilon) + sinh(x epsilon) / (2 x)), so theta and -1 - theta
// agree. For theta >= 0, E - 1 = [(1 + theta) m(theta epsilon) + theta m(-(1 + theta) epsilon)] / (1 + 2 theta) with
// m(x) = e^x - 1 - x: the linear terms cancel, all others are positive, and a relative error r of epsilon moves m(x)
// by at most (2 + |x|) r of itself, since x m'(x) <= (2 + |x|) m(x) (B-11).
Bounds laplace_moment(const LaplaceLoss& loss, double theta) {
  const double epsilon = loss.epsilon;
  if (theta < -0.5) theta = -1 - theta;
  const double ahead = theta * epsilon;
  const double back = (1 + theta) * epsilon;
  if (theta >= 0 && back < 30) {
    const double value = ((1 + theta) * expm2(ahead) + theta * expm2(-back)) / (1 + 2 * theta);
    const double error =
        value * ((2 + back) * 2 * kTrust + (kExpm2Units + 20) * kUnit) + underflow(theta * epsilon != 0);
    return {log1p_down(std::max(0.0, value - 2 * error)), log1p_up(value + 2 * error)};
  }
  const double x = theta + 0.5;
  const double scale = x * epsilon;                                             // >= 0
  const double odd = scale == 0 ? epsilon : -std::expm1(-2 * scale) / (2 * x);  // 2 e^-scale sinh(scale) / (2 x)
  const double value = scale - epsilon / 2 + std::log((1 + std::exp(-2 * scale) + odd) / 2);
  return around(value, (scale + epsilon + 1) * (2 * kTrust + 16 * kUnit));
}

// The same sum with masses in the exponent: for masses so small that their products would lose digits.
Bounds tiny_atom_moment(const AtomLoss& loss, double theta) {
  double shift = -kInfinity;
  for (const LossAtom& a : loss.atoms) {
    if (a.mass > 0) shift = std::max(shift, theta * a.loss + std::log(a.mass));
  }
  double sum = 0;
  double error = 0;
  for (const LossAtom& a : loss.atoms) {
    if (a.mass == 0) continue;
    const double log_mass = std::log(a.mass);
    const double part = std::exp(theta * a.loss + log_mass - shift);
    const double size = 1 + std::abs(theta * a.loss) + std::abs(log_mass) + std::abs(shift);
    sum += part;
    error += part * (kWide * size + 8 * kUnit * size + static_cast<double>(loss.atoms.size()) * kUnit) + 1e-300;
  }
  if (!(sum > 2 * error)) return kUnknown;
  return {add_down(shift, log_down(sum - 2 * error)), add_up(shift, log_up(sum + 2 * error))};
}

// ln of the sum of mass e^(theta loss): positive terms, each off by its mass' and its exponent's error.
Bounds atom_moment(const AtomLoss& loss, double theta) {
  const auto is_tiny = [](const LossAtom& a) { return a.mass > 0 && a.mass < 1e-280; };
  if (std::any_of(loss.atoms.begin(), loss.atoms.end(), is_tiny)) return tiny_atom_moment(loss, theta);
  double greatest = -kInfinity;
  for (const LossAtom& a : loss.atoms) greatest = std::max(greatest, theta * a.loss);
  if (loss.atoms.empty()) return {-kInfinity, -kInfinity};
  const bool near = std::abs(greatest) < 1 && std::abs(theta * loss.atoms.front().loss) < 1;
  const double shift = near ? 0 : greatest;
  double sum = 0;
  double error = 0;
  const double count = static_cast<double>(loss.atoms.size());
  for (const LossAtom& a : loss.atoms) {
    const double exponent = theta * a.loss;
    const double part = a.mass * (near ? std::expm1(exponent) : std::exp(exponent - shift));
    sum += part;
    error += std::abs(part) * (kWide + (count + 8) * kUnit) +
             a.mass * std::exp(exponent - shift) * (std::abs(exponent) * kWide + 2 * kUnit * std::abs(shift));
  }
  if (!near) error += count * 1e-307;  // terms below the normal doubles
  if (near) {                          // the masses sum to 1 - infinite_mass
    error += loss.infinite_mass * kWide;
    sum -= loss.infinite_mass;
    if (sum - 2 * error <= -1) return {-kInfinity, log1p_up(sum + 2 * error)};
    return {log1p_down(sum - 2 * error), log1p_up(sum + 2 * error)};
  }
  if (!(sum > 2 * error)) return kUnknown;
  return {add_down(shift, log_down(sum - 2 * error)), add_up(shift, log_up(sum + 2 * error))};
}

// The nodes of the trapezoid rule in some windows, in turn.
template <typename Visit>
void each_node(const std::vector<detail::Window>& windows, double h, const Visit& visit) {
  for (const detail::Window& w : windows) {
    const double last = std::floor(w.high / h);
    for (double i = std::ceil(w.low / h); i <= last; ++i) visit(i * h);
  }
}

double node_count(const std::vector<detail::Window>& windows, double h) {
  double result = 0;
  for (const detail::Window& w : windows) result += (w.high - w.low) / h;
  return result;
}

// A moment that is large: the rule on N(y) R^c1 R(-y)^c2 itself, scaled. Errors: each node's own, the rule's, and the
// nodes left out, all relative to a sum of positive terms.
Bounds large_moment(const Mixture& mixture, double digits) {
  const double h = mixture.step(digits, 0);
  const detail::Cover cover = mixture.cover(digits, h);
  const double shift = mixture.reference();
  if (!(node_count(cover.windows, h) < kMostNodes)) return kUnknown;
  double sum = 0;
  double error = 0;
  double count = 0;
  each_node(cover.windows, h, [&](double y) {
    const detail::MixtureNode node = mixture.node(y);
    const double part = std::exp(node.log_weight - shift);
    sum += part;
    error += part * (node.log_weight_error + 2 * kUnit * (std::abs(node.log_weight) + std::abs(shift)));
    ++count;
  });
  const double scale = h / std::sqrt(2 * std::numbers::pi);
  const double relative = error / sum + (count + 8) * kUnit;
  const double rule = std::exp(least(mixture.quadrature(h), 0));
  const double skipped = std::exp(cover.log_skipped - shift) / (sum * scale);
  if (!(sum > 0) || !(rule + relative + skipped < 0.1)) return kUnknown;
  const double low = sum * scale * (1 - 1.2 * (relative + rule));
  const double high = sum * scale * (1 + 1.2 * (relative + rule + skipped));
  return {add_down(shift, log_down(low)), add_up(shift, log_up(high))};
}

// A moment near 1. With m(x) = e^x - 1 - x >= 0 and E_P[e^-Z] = 1,
//     E_P[e^(theta Z)] - 1 = E_P[m(theta Z) + theta m(-Z)],
// second order in Z, so nothing cancels. As the difference F_theta - P + theta (Q - P) of moments at
// theta, 0 and -1 its quadrature error is at most (M(theta) + 1 + 2 |theta|) times the rule's at theta (P and Q have
// no negative powers, so theirs is no larger), and nodes left out are bounded by the three covers. A relative error r
// of Z moves m(x) by at most (2 + |x|) r of itself.
Bounds small_moment(const MixtureLoss& loss, const Mixture& mixture, double theta, double digits) {
  const double h = mixture.step(digits, 0);
  const Mixture plain(loss, 0);
  const Mixture other(loss, -1);
  const bool add = loss.direction == MixtureLoss::Direction::add;
  std::vector<detail::Window> windows;
  double log_skipped = -kInfinity;
  for (const Mixture* m : {&mixture, &plain, &other}) {
    const detail::Cover cover = m->cover(digits, h);
    windows.insert(windows.end(), cover.windows.begin(), cover.windows.end());
    log_skipped = std::max(log_skipped, cover.log_skipped);
  }
  windows = detail::merged(std::move(windows));
  if (!(node_count(windows, h) < kMostNodes)) return kUnknown;
  double sum = 0;
  double error = 0;
  double count = 0;
  const double order = std::abs(theta);
  each_node(windows, h, [&](double y) {
    const detail::MixtureNode node = mixture.node(y);
    const double z = node.loss;
    const double weight = std::exp(-y * y / 2 + (add ? 0 : node.log_ratio));  // P
    // far out e^(theta z) leaves the doubles, but not times P
    const double first =
        theta * z > 30 ? std::exp(node.log_weight) - weight * (1 + theta * z) : weight * expm2(theta * z);
    const double second = weight * theta * expm2(-z);
    sum += first + second;
    const double size = std::abs(first) + std::abs(second);
    const double stretch = 2 + (1 + std::max(order, 1.0)) * std::abs(z);  // 1 for P itself
    error += size * (stretch * node.loss_error / std::max(std::abs(z), node.loss_error) +
                     (kExpm2Units + 8 + 3 * y * y + 4 * order * std::abs(z)) * kUnit) +
             weight * 4 * (1 + order) * (1 + order) * node.loss_error * node.loss_error;
    ++count;
  });
  const double scale = h / std::sqrt(2 * std::numbers::pi);
  sum *= scale;
  error = error * scale * 1.1;
  const double rule = std::exp(least(mixture.quadrature(h), 0));
  error += (count + 4) * kUnit * std::abs(sum) * 1.1;
  error += 1.1 * (rule * (2 + sum + 2 * order) + std::exp(log_skipped) * (2 + 2 * order));
  if (!(error < 0.1) || !(sum - error > -1)) return kUnknown;
  return {log1p_down(sum - error), log1p_up(sum + error)};
}

Bounds mixture_moment(const MixtureLoss& loss, double theta) {
  if (theta == 0 || theta == -1) return {0, 0};
  const Mixture mixture(loss, theta);
  if (mixture.reference() > 0.5 || std::abs(theta) > 1e6) return large_moment(mixture, 36);
  double q = 0;
  for (std::size_t j = 1; j < loss.weights.size(); ++j) q += loss.weights[j];
  const double spread = std::min(1.0, q * std::min(1.0, loss.mu));
  const double guess = std::abs(theta) * (1 + std::abs(theta)) / 2 * spread * spread;
  return small_moment(loss, mixture, theta, 33 + std::max(0.0, -std::log(guess)));
}

}  // namespace

Bounds log_moment(const Loss& loss, double theta) {
  if (!(theta >= -1) || !(theta < kInfinity)) return kUnknown;
  if (!detail::is_law(loss)) return kUnknown;
  if (const auto* gaussian = std::get_if<GaussianLoss>(&loss)) return checked(gaussian_moment(*gaussian, theta));
  if (const auto* laplace = std::get_if<LaplaceLoss>(&loss)) return checked(laplace_moment(*laplace, theta));
  if (const auto* atoms = std::get_if<AtomLoss>(&loss)) return checked(atom_moment(*atoms, theta));
  const auto& mixture = std::get<MixtureLoss>(loss);
  if (detail::is_nothing(loss)) return {0, 0};
  return checked(mixture_moment(mixture, theta));
}

double greatest_loss(const Loss& loss) {
  const auto above = [](double x) { return add_up(x, std::abs(x) * kWide); };
  if (!detail::is_law(loss)) return kInfinity;
  if (const auto* gaussian = std::get_if<GaussianLoss>(&loss)) return gaussian->mu == 0 ? 0 : kInfinity;
  if (const auto* laplace = std::get_if<LaplaceLoss>(&loss)) return above(laplace->epsilon);
  if (const auto* atoms = std::get_if<AtomLoss>(&loss)) {
    double greatest = -kInfinity;
    for (const LossAtom& a : atoms->atoms) greatest = std::max(greatest, a.loss);
    return greatest == -kInfinity ? greatest : above(greatest);
  }
  const auto& mixture = std::get<MixtureLoss>(loss);
  if (detail::is_nothing(loss)) return 0;
  // remove and replace grow without bound; the ratio of add is 1 / R <= 1 / weights[0]
  if (mixture.direction != MixtureLoss::Direction::add || mixture.weights[0] == 0) return kInfinity;
  return add_up(-log_down(mixture.weights[0]), 2 * kTrust);
}

}  // namespace dither::accounting
