#include "accounting/detail/fourier_spectrum.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "accounting/moments.h"
#include "base/directed.h"
#include "base/ulps.h"

namespace dither::accounting::detail {

namespace {

using Complex = std::complex<double>;

constexpr double kGaussianTrust = 0x1p-48;
constexpr std::size_t kFresh = 32;  // frequencies between fresh sines and cosines in a series
constexpr double kMostFewTimes = 16;

// Moves away from and towards zero by more than a dozen roundings.
double larger(double x) { return x * (1 + 0x1p-48); }
double smaller(double x) { return x * (1 - 0x1p-48); }

Complex product(Complex a, Complex b) {  // plain, without the library's care for infinities
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

double weight(double theta, double u) {
  return 1 / std::sqrt((theta * theta + u * u) * ((theta + 1) * (theta + 1) + u * u));
}

}  // namespace

Bounds total_log_moment(const Composition& composition, double theta) {
  const double gaussian = theta * (theta + 1) / 2 * composition.gaussian_square;
  Bounds result{smaller(gaussian * (1 - kGaussianTrust)), larger(gaussian * (1 + kGaussianTrust))};
  if (theta < 0) std::swap(result.lower, result.upper);
  for (const Group& group : composition.groups) {
    const Bounds one = log_moment(group.loss, theta);
    if (!(one.upper < kInfinity) || !(one.lower > -kInfinity)) return {-kInfinity, kInfinity};
    result.lower = add_down(result.lower, mul_down(one.lower, group.times));
    result.upper = add_up(result.upper, mul_up(one.upper, group.times));
  }
  return result;
}

double log_chernoff(const Order& order) {
  const double factor = -order.theta * std::log1p(1 / order.theta) - std::log1p(order.theta);
  return order.log_moment + factor + 1e-14 * (1 + std::abs(factor) + std::abs(order.log_moment) * 0.1);
}

FrequencyTail frequency_tail(const Decay& decay, const Grid& grid, double gaussian_square, double u) {
  if (decay.edge.empty() || u < decay.edge.front()) return {kInfinity, kInfinity};
  const double square = gaussian_square * (1 - kGaussianTrust) + grid.smoothing * grid.smoothing;
  FrequencyTail result{0, 0};
  for (std::size_t i = 0; i < decay.edge.size(); ++i) {
    const bool last = i + 1 == decay.edge.size();
    if (!last && decay.edge[i + 1] <= u) continue;
    const double from = std::max(u, decay.edge[i]);
    const double bound = std::exp(decay.log_bound[i] - square * from * from / 2);
    // spacing times the number of frequencies, weighted; without end: at most the first term and the integral
    const double gaussian_length = square > 0 ? 1 / (square * from) : kInfinity;
    const double length = grid.spacing + (last ? gaussian_length : decay.edge[i + 1] - from);
    const double w = weight(grid.theta, from);
    result.curve += bound * (last ? std::min(length * w, grid.spacing * w + 1 / from) : length * w);
    result.density += bound * length;
  }
  const double scale = larger(larger(1 / std::numbers::pi)) * (1 + 1e-12);
  return {result.curve * scale, result.density * scale};
}

Bounds CurveParts::bounds() const {
  Bounds result;
  result.upper = larger(sum + sum_error);
  result.lower = smaller(sum - sum_error) - larger(larger(alias_below + alias_above) + smoothing);
  if (!(result.upper >= 0)) result.upper = kInfinity;  // also NaN
  if (!(result.lower >= 0)) result.lower = 0;
  if (!(result.lower <= result.upper)) return {0, kInfinity};
  return result;
}

Spectrum::Spectrum(const Composition& composition, const std::vector<Factor>& factors, const Grid& grid,
                   const Decay& decay, std::vector<Order> orders)
    : grid_(grid), gaussian_square_(composition.gaussian_square), orders_(std::move(orders)) {
  const std::size_t count = grid.blocks * kBlock;
  real_.assign(count, 1);
  imaginary_.assign(count, 0);
  modulus_.assign(count, 1);
  relative_.assign(count, 0);
  const double square = grid.smoothing * grid.smoothing;
  const double half = grid.theta * (grid.theta + 1) / 2;
  const double gaussian = half * gaussian_square_;
  log_moment_ = {smaller(half * square) + smaller(gaussian) * (1 - kGaussianTrust),
                 larger(half * square) + larger(gaussian) * (1 + kGaussianTrust)};
  for (const Factor& factor : factors) {
    const Bounds one = factor.log_moment();
    log_moment_.lower = add_down(log_moment_.lower, mul_down(one.lower, factor.times()));
    log_moment_.upper = add_up(log_moment_.upper, mul_up(one.upper, factor.times()));
  }
  for (Order& order : orders_)
    order.log_moment = add_up(order.log_moment, larger(order.theta * (order.theta + 1) / 2 * square));
  // The Gaussian factor: exp(-v u^2 / 2 + i u (theta + 1/2) v), v = mu^2 + s^2.
  const double v = gaussian_square_ + square;
  for (std::size_t k = 0; k < count; ++k) {
    const double u = static_cast<double>(k) * grid.spacing;
    const double fall = v * u * u / 2;
    const double phase = u * (grid.theta + 0.5) * v;
    modulus_[k] = std::max(std::exp(-fall), 1e-300);
    real_[k] = modulus_[k] * std::cos(phase);
    imaginary_[k] = modulus_[k] * std::sin(phase);
    relative_[k] = (fall + std::abs(phase)) * (kGaussianTrust + 8 * kUnit) + 8 * kUnit;
    modulus_[k] *= 1 + 2 * relative_[k];
  }
  const double negligible = 1e-25;
  for (const Factor& factor : factors) multiply(factor, negligible);
  const FrequencyTail tail = frequency_tail(decay, grid, gaussian_square_, static_cast<double>(count) * grid.spacing);
  finish(negligible);
  curve_error_ += tail.curve;
  density_error_ += tail.density;
}

namespace {

// phi^n, a bound of its exact modulus, and of its error relative to that.
struct Power {
  Complex value;
  double bound;
  double relative;
};

Power few_times(Complex phi, double most, double e, double n) {
  Power result{phi, most, n * (e / most + 8 * kUnit)};
  for (double j = 1; j < n; ++j) {
    result.value = product(result.value, phi);
    result.bound *= most;
  }
  return result;
}

// By logarithms of 1 + d, which see d with an error of 8 u |d| (1 + |d|) / |phi|^2.
Power many_times(Complex d, double size, double most, double e, double n) {
  const double square = d.real() * d.real() + d.imag() * d.imag();
  const double log_size = n * 0.5 * std::log1p(2 * d.real() + square);
  if (size < 0.01 || !(log_size > -200)) {  // at most 1e-32: nothing but the bound is kept
    return {0, std::exp(std::max(-600.0, n * std::log(most))), 1};
  }
  const double phase = n * std::atan2(d.imag(), 1 + d.real());
  const double power_size = std::exp(log_size);
  const double length = std::sqrt(square);
  const double rounding =
      n * 8 * kUnit * length * (1 + length) / (size * size) + 4 * kUnit * (3 + std::abs(log_size) + std::abs(phase));
  return {{power_size * std::cos(phase), power_size * std::sin(phase)},
          power_size * std::exp(n * e / size + 2 * rounding) * (1 + 1e-12),
          n * e / most + rounding};
}

}  // namespace

// Frequencies whose modulus is negligible are left as they are: every further factor is at most 1.
void Spectrum::multiply(const Factor& factor, double negligible) {
  Walker walker(factor, grid_.spacing);
  const double n = factor.times();
  Block block;
  for (std::size_t b = 0; b < grid_.blocks; ++b) {
    const auto first = modulus_.begin() + static_cast<std::ptrdiff_t>(b * kBlock);
    if (*std::max_element(first, first + kBlock) < negligible) continue;
    walker.at(b, block);
    const double e = factor.error(static_cast<double>(b * kBlock + kBlock - 1) * grid_.spacing);
    for (std::size_t i = 0; i < kBlock; ++i) {
      const std::size_t k = b * kBlock + i;
      const Complex d{block.real[i], block.imaginary[i]};
      const Complex phi{1 + d.real(), d.imag()};
      const double size = std::sqrt(phi.real() * phi.real() + phi.imag() * phi.imag());
      const double most = std::min(1.0, size * (1 + 4 * kUnit) + e);
      const Power power =
          n <= kMostFewTimes ? few_times(phi, size * (1 + 4 * kUnit) + e, e, n) : many_times(d, size, most, e, n);
      const Complex now = product({real_[k], imaginary_[k]}, power.value);
      real_[k] = now.real();
      imaginary_[k] = now.imag();
      modulus_[k] = std::max(modulus_[k] * power.bound, 1e-300);
      relative_[k] += power.relative + 4 * kUnit;
    }
  }
}

// Divides by t (t + 1) and adds up the errors. A series turns each term by e^(-i u epsilon) with an error of 200 u +
// 4 u |u epsilon| and sums in chunks of 32.
void Spectrum::finish(double negligible) {
  const std::size_t count = real_.size();
  const bool smooth = grid_.smoothing > 0;
  const double units = (300 + static_cast<double>(count) / kFresh) * kUnit;
  curve_real_.resize(count);
  curve_imaginary_.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double u = static_cast<double>(k) * grid_.spacing;
    const double copies = k == 0 ? 0.5 : 1;  // u and -u; the series doubles the real part
    const bool kept = modulus_[k] >= negligible && relative_[k] < 1;
    const double error = copies * modulus_[k] * (kept ? relative_[k] + units : 1);
    const double phase = kept ? copies * modulus_[k] * 4 * kUnit * u : 0;
    const double w = weight(grid_.theta, u);
    const Complex t{grid_.theta, u};
    const Complex term = kept ? copies * Complex{real_[k], imaginary_[k]} : 0;
    const Complex divided = term / (t * (t + 1.0));
    curve_real_[k] = divided.real();
    curve_imaginary_[k] = divided.imag();
    curve_error_ += error * w;
    curve_phase_ += phase * w;
    density_error_ += error;
    density_phase_ += phase;
    if (smooth) {
      density_real_.push_back(term.real());
      density_imaginary_.push_back(term.imag());
    }
  }
  const double scale = grid_.spacing / std::numbers::pi * (1 + 1e-10);
  for (double* x : {&curve_error_, &curve_phase_, &density_error_, &density_phase_}) *x *= scale;
  real_.clear();
  imaginary_.clear();
}

// (spacing / pi) times the real part of the sum of terms e^(-i u epsilon).
double Spectrum::series(const std::vector<double>& real, const std::vector<double>& imaginary, double epsilon) const {
  const Complex step{std::cos(grid_.spacing * epsilon), -std::sin(grid_.spacing * epsilon)};
  double total = 0;
  for (std::size_t first = 0; first < real.size(); first += kFresh) {
    const double x = static_cast<double>(first) * grid_.spacing * epsilon;
    Complex turn{std::cos(x), -std::sin(x)};
    double chunk = 0;
    for (std::size_t k = first; k < std::min(real.size(), first + kFresh); ++k) {
      chunk += real[k] * turn.real() - imaginary[k] * turn.imag();
      turn = product(turn, step);
    }
    total += chunk;
  }
  return total * grid_.spacing / std::numbers::pi;
}

CurveParts Spectrum::parts(double epsilon) const {
  const double theta = grid_.theta;
  const double length = smaller(2 * std::numbers::pi / grid_.spacing);
  // e^(ln M - theta epsilon); its uncertainty joins the error of the sum
  const double high = exp_up(sub_up(log_moment_.upper, mul_down(theta, epsilon)));
  const double low = exp_down(sub_down(log_moment_.lower, mul_up(theta, epsilon)));
  CurveParts result;
  const double sum = series(curve_real_, curve_imaginary_, epsilon);
  result.sum = sum * high;
  result.sum_error = larger(high * (curve_error_ + std::abs(epsilon) * curve_phase_ + 4 * kUnit * std::abs(sum)) +
                            (high - low) * std::abs(sum));
  const double fall = theta * length;
  result.alias_below = larger(1 / std::expm1(fall));
  result.alias_above = kInfinity;
  for (const Order& order : orders_) {
    if (order.theta <= theta) continue;
    const double exponent = sub_up(log_chernoff(order), mul_down(order.theta, epsilon));
    const double alias = exp_up(exponent) / std::expm1(smaller((order.theta - theta) * length));
    result.alias_above = std::min(result.alias_above, larger(alias));
  }
  result.smoothing = 0;
  if (grid_.smoothing > 0) {
    const double s = grid_.smoothing;
    const double density = series(density_real_, density_imaginary_, epsilon);
    const double above = density + density_error_ + std::abs(epsilon) * density_phase_ + 4 * kUnit * std::abs(density);
    result.smoothing = larger(high * std::max(0.0, above) * s * s * (1 + 0.8 * s));
  }
  return result;
}

}  // namespace dither::accounting::detail
