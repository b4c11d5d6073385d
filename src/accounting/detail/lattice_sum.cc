// Let the parts have masses p_i at places i (steps from a centre). Tilted by t = theta * step and divided by their sum
// M, the masses y_i = p_i e^{t i} / M form a law, and the composed mass at place k is
//   p*_k = (product of M^times) e^{-t k} y*_k,
// and delta(epsilon) is the sum over z_k > epsilon of p*_k (1 - e^{epsilon - z_k}).
// y* is found from its Fourier transform on a cycle of N places. t is a double with few bits, so that t * i is exact.
//
// Error of y*.  A spectrum value of a part is wrong by at most e = fourier.error() * (sum of y) plus what rounding y
//   costs. With m = |computed value| + e, at most 1 + e, the product of powers is wrong by at most (sum of times e / m)
//   (product of m^times), each step of a telescope replacing one factor; powers by polar form cost 16 u a time, and 400
//   u for a logarithm of at most 120. Values whose bound is below e^-120 are dropped, and counted as that error. The
//   mean of these errors over all frequencies bounds the error of every y*_k; synthesis adds its own.
// Cycle.  y* of the cycle is the sum of the true y*_k over k, k + N, ... With W the tilted place, P(W >= b) is at most
//   exp(sum of times ln (M(t + s) / M(t)) - s b) for each s > 0 (Chernoff), and alike on the other side. The window is
//   laid so that both are at most e^-34, or 0 where the support ends. For the upper bound such mass may be missing, for
//   the lower it may be folded in where it does not belong: both are at most that mass times the largest weight.
// Read-out.  y*_k is at least max(0, computed - error), at most max(0, computed) + error, and the weights
//   e^{-t(k - k0)} (1 - e^{epsilon - z_k}) are positive, so each sum keeps its direction.
#include "accounting/detail/lattice_sum.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "accounting/detail/lattice_fft.h"

namespace dither::accounting::detail {

namespace {

constexpr double kUnit = 0x1p-53;
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kDropped = -120;
constexpr double kBeyond = 34;
constexpr int kLongestLog2 = 22;

// Rounded so that products with places below 2^22 are exact.
double few_bits(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::round(std::ldexp(mantissa, 30)), exponent - 30);
}

// The place with most of the mass around it: the mean, rounded.
std::int64_t centre_of(const LatticePart& part) {
  double mass = 0;
  double moment = 0;
  for (std::size_t i = 0; i < part.mass.size(); ++i) {
    mass += part.mass[i];
    moment += part.mass[i] * static_cast<double>(i);
  }
  return mass > 0 ? std::llround(moment / mass) : 0;
}

struct Moments {
  double log_mass;  // ln of the sum of mass e^{t i}
  double mean;
  double variance;
};

Moments tilted_moments(const LatticePart& part, std::int64_t centre, double t) {
  // Scaled by the largest term so that nothing overflows.
  const auto last = static_cast<std::int64_t>(part.mass.size()) - 1;
  double largest = -kInfinite;
  for (std::int64_t i = 0; i <= last; ++i) {
    if (part.mass[i] > 0) largest = std::max(largest, t * static_cast<double>(i - centre) + std::log(part.mass[i]));
  }
  if (!std::isfinite(largest)) return {largest, 0, 0};
  const double shift = std::abs(largest) < 600 && std::abs(t) * static_cast<double>(last) < 600 ? 0 : largest;
  long double sum = 0;
  long double first = 0;
  long double second = 0;
  for (std::int64_t i = 0; i <= last; ++i) {
    if (part.mass[i] <= 0) continue;
    const auto place = static_cast<double>(i - centre);
    const double term =
        shift == 0 ? part.mass[i] * std::exp(t * place) : std::exp(t * place + std::log(part.mass[i]) - shift);
    sum += term;
    first += term * place;
    second += term * place * place;
  }
  const auto mean = static_cast<double>(first / sum);
  return {shift + static_cast<double>(std::log(sum)), mean,
          std::max(0.0, static_cast<double>(second / sum) - mean * mean)};
}

// A small copy for searches: at most 1024 masses, each for a run of places.
struct Sketch {
  std::vector<double> loss;
  std::vector<double> log_mass;
  double times;
};

const LatticePart& part_in(const LatticePart& part) { return part; }
const LatticePart& part_in(const Centred& one) { return *one.part; }

template <class Parts>
std::vector<Sketch> sketches(const Parts& parts) {
  std::vector<Sketch> all;
  for (const auto& one : parts) {
    const LatticePart& part = part_in(one);
    Sketch sketch;
    sketch.times = static_cast<double>(part.times);
    const std::size_t run = part.mass.size() / 1024 + 1;
    for (std::size_t i = 0; i < part.mass.size(); i += run) {
      double mass = 0;
      double moment = 0;
      for (std::size_t k = i; k < std::min(i + run, part.mass.size()); ++k) {
        mass += part.mass[k];
        moment += part.mass[k] * static_cast<double>(k);
      }
      if (mass <= 0) continue;
      sketch.loss.push_back(part.anchor + (static_cast<double>(part.first) + moment / mass) * part.step);
      sketch.log_mass.push_back(std::log(mass));
    }
    if (!sketch.loss.empty()) all.push_back(std::move(sketch));
  }
  return all;
}

// ln E[e^{theta Z}] of the sum, and its slope.
struct Cumulant {
  double value;
  double slope;
};

Cumulant cumulant(const std::vector<Sketch>& all, double theta) {
  Cumulant total{0, 0};
  for (const Sketch& sketch : all) {
    double largest = -kInfinite;
    for (std::size_t i = 0; i < sketch.loss.size(); ++i) {
      largest = std::max(largest, theta * sketch.loss[i] + sketch.log_mass[i]);
    }
    double sum = 0;
    double moment = 0;
    for (std::size_t i = 0; i < sketch.loss.size(); ++i) {
      const double term = std::exp(theta * sketch.loss[i] + sketch.log_mass[i] - largest);
      sum += term;
      moment += term * sketch.loss[i];
    }
    total.value += sketch.times * (largest + std::log(sum));
    total.slope += sketch.times * moment / sum;
  }
  return total;
}

// The theta in [1e-3, 1e4] where an increasing function passes `goal`.
template <class Function>
double search_theta(double goal, const Function& increasing) {
  double low = std::log(1e-3);
  double high = std::log(1e4);
  for (int turn = 0; turn < 26; ++turn) {
    const double middle = (low + high) / 2;
    (increasing(std::exp(middle)) < goal ? low : high) = middle;
  }
  return std::exp((low + high) / 2);
}

// Near the supremum of the loss the saddle runs away, and a tilt beyond some 40 deviations would read nothing but the
// topmost atom.
double tilt_for(const std::vector<Sketch>& all, double theta) {
  const double near = 1e-4;
  const double variance = (cumulant(all, near).slope - cumulant(all, 0).slope) / near;
  return std::min(0.75 * theta, 40 / std::sqrt(std::max(variance, 1e-12)));
}

}  // namespace

Saddle saddle_for_delta(std::span<const LatticePart> parts, double delta) {
  const auto all = sketches(parts);
  const double theta = search_theta(-std::log(delta), [&](double order) {
    const Cumulant at = cumulant(all, order);
    return order * at.slope - at.value;
  });
  return {tilt_for(all, theta), cumulant(all, theta).slope, std::log(delta)};
}

Saddle saddle_for_epsilon(std::span<const LatticePart> parts, double epsilon) {
  const auto all = sketches(parts);
  const double theta = search_theta(epsilon, [&](double order) { return cumulant(all, order).slope; });
  return {tilt_for(all, theta), epsilon, std::min(0.0, cumulant(all, theta).value - theta * epsilon)};
}

LatticeSum::LatticeSum(std::span<const LatticePart> parts, double theta) {
  if (parts.empty() || !(theta > 0)) return;
  step_ = parts.front().step;
  tilt_ = few_bits(theta * step_);
  Support support;
  std::vector<Centred> centred;
  if (!centre(parts, centred, support) || !lay_window(centred, support)) return;
  if (centred.size() == 1 && parts.front().times == 1) {  // nothing to compose
    double rounding = 0;
    turn(tilted_signal(centred.front(), rounding));
    relative_ += rounding;
  } else {
    compose(centred, support.times);
  }
  relative_ += 1e-12;
  usable_ = std::isfinite(value_error_) && std::isfinite(log_moment_) && std::isfinite(slip_);
}

// Centres the parts, and adds up what needs no transform: losses, moments, slips, infinite masses.
bool LatticeSum::centre(std::span<const LatticePart> parts, std::vector<Centred>& centred, Support& support) {
  long double base = 0;
  double log_finite = 0;
  for (const LatticePart& part : parts) {
    const auto times = static_cast<double>(part.times);
    const std::int64_t place = centre_of(part);
    const Moments at = tilted_moments(part, place, tilt_);
    if (!std::isfinite(at.log_mass) || !(part.infinite_mass < 1) || part.step != step_) return false;
    centred.push_back({&part, place, at.log_mass});
    const auto middle = static_cast<long double>(part.first + place) * step_ + part.anchor;
    base += middle * times;
    slip_ += times * (part.slip + 0x1p-62 * std::abs(static_cast<double>(middle)));
    log_moment_ += times * at.log_mass;
    // Moments are wrong by 4 u, tilted masses by 4 u more; the sum of logarithms by u of its terms.
    relative_ += times * 8 * kUnit + 4 * kUnit * std::abs(times * at.log_mass);
    log_finite += times * std::log1p(-part.infinite_mass);
    support.times += times;
    support.variance += times * at.variance;
    support.lowest -= times * static_cast<double>(place);
    support.highest += times * (static_cast<double>(part.mass.size()) - 1 - static_cast<double>(place));
  }
  base_ = static_cast<double>(base);
  slip_ = slip_ * (1 + 1e-9) + 4 * kUnit * std::abs(base_);
  infinite_upper_ = std::min(1.0, -std::expm1(log_finite * (1 + 1e-14)) * (1 + 1e-14));
  infinite_lower_ = std::max(0.0, -std::expm1(log_finite * (1 - 1e-14)) * (1 - 1e-14));
  return support.times <= 1e12;
}

// The window ends where Chernoff's bound is e^-34. The exponent is chosen on a sketch, the bound is computed.
bool LatticeSum::lay_window(const std::vector<Centred>& centred, const Support& support) {
  const auto all = sketches(centred);
  const double here = cumulant(all, tilt_ / step_).value;
  const double scale = std::sqrt(2 * kBeyond / std::max(support.variance, 1e-12));
  const double slack = kBeyond + 1000 * kUnit * support.times + 1e-9;  // exponents are rounded, 600 u in each factor
  double ends[2] = {support.lowest, support.highest};
  for (const int side : {0, 1}) {
    const double sign = side == 0 ? -1 : 1;
    double chosen = 0;
    double nearest = kInfinite;
    for (double exponent = scale * 4; exponent > scale / 300; exponent /= 1.4) {
      const double reach = (cumulant(all, (tilt_ + sign * exponent) / step_).value - here + kBeyond) / exponent;
      if (!(reach < nearest)) continue;
      nearest = reach;
      chosen = few_bits(exponent);
    }
    if (chosen == 0 || chosen > 500) continue;
    double growth = 0;
    for (const Centred& one : centred) {
      const double moved = tilted_moments(*one.part, one.place, tilt_ + sign * chosen).log_mass;
      growth += static_cast<double>(one.part->times) * (moved - one.log_mass);
    }
    const double reach = std::ceil((growth + slack + 1e-9 * std::abs(growth)) / chosen);
    if (!(reach < sign * ends[side])) continue;  // the support ends before that
    ends[side] = sign * reach;
    beyond_ += std::exp(-kBeyond);
  }
  if (!(ends[1] - ends[0] < std::ldexp(1.0, kLongestLog2) - 4) || std::abs(ends[0]) > 1e15) return false;
  std::size_t size = 16;
  while (static_cast<double>(size) < ends[1] - ends[0] + 2) size *= 2;
  start_ = static_cast<std::int64_t>(ends[0]);
  law_.resize(size);
  return true;
}

// The tilted masses of a part around the cycle; `rounding` becomes at least their relative error.
std::vector<double> LatticeSum::tilted_signal(const Centred& one, double& rounding) const {
  const std::vector<double>& mass = one.part->mass;
  std::vector<double> signal(law_.size(), 0);
  for (std::size_t i = 0; i < mass.size(); ++i) {
    if (mass[i] <= 0) continue;
    const std::int64_t place = static_cast<std::int64_t>(i) - one.place;
    const double exponent = tilt_ * static_cast<double>(place);
    const bool plain = std::abs(exponent) < 600 && std::abs(one.log_mass) < 600;
    const double value = plain ? mass[i] * std::exp(exponent) / std::exp(one.log_mass)
                               : std::exp(exponent + std::log(mass[i]) - one.log_mass);
    rounding = std::max(rounding, 8 * kUnit * (plain ? 1 : std::abs(exponent) + std::abs(one.log_mass) + 800));
    signal[static_cast<std::size_t>(place) & (law_.size() - 1)] += value;
  }
  return signal;
}

void LatticeSum::turn(const std::vector<double>& cycle) {
  for (std::size_t i = 0; i < law_.size(); ++i) {
    law_[i] = cycle[static_cast<std::size_t>(start_ + static_cast<std::int64_t>(i)) & (law_.size() - 1)];
  }
}

void LatticeSum::compose(const std::vector<Centred>& centred, double total_times) {
  const std::size_t size = law_.size();
  const std::size_t half = size / 2;
  const RealFourier fourier(size);
  // Of the product of all spectra: logarithm of the modulus and angle, of the bound on both the computed and the true
  // modulus, and what the errors of the factors add up to, relative to that bound.
  std::vector<double> log_size(half + 1, 0);
  std::vector<double> angle(half + 1, 0);
  std::vector<double> log_bound(half + 1, 0);
  std::vector<double> share(half + 1, 0);
  for (const Centred& one : centred) {
    double rounding = 0;
    const auto spectrum = fourier.analyse(tilted_signal(one, rounding));
    const double error = fourier.error() * (1 + 1e-12) + rounding;
    const auto times = static_cast<double>(one.part->times);
    for (std::size_t k = 0; k <= half; ++k) {
      if (log_bound[k] < kDropped) continue;
      const double modulus = std::abs(spectrum[k]);
      const double bound = std::min(modulus, 1.0) + error;
      log_bound[k] += times * std::log(bound);
      share[k] += times * error / bound;
      log_size[k] += modulus > 0 ? times * std::log(modulus) : -1e9;
      angle[k] += modulus > 0 ? times * std::arg(spectrum[k]) : 0;
    }
  }
  std::vector<std::complex<double>> product(half + 1);
  double sum = 0;
  double sum_error = 0;
  // Angles up to pi total_times are added up part by part.
  const double power_error = (16 + 4 * static_cast<double>(centred.size())) * kUnit * total_times + 400 * kUnit;
  for (std::size_t k = 0; k <= half; ++k) {
    const double weight = k == 0 || k == half ? 1 : 2;
    const double bound = std::exp(std::max(log_bound[k], kDropped) + 1e-12);
    const bool dropped = log_bound[k] < kDropped || log_size[k] < kDropped - 10;
    sum_error += weight * bound * (dropped ? 1 : share[k] + power_error);
    sum += weight * bound;
    if (!dropped) product[k] = std::polar(std::exp(log_size[k]), angle[k]);
  }
  value_error_ = (1 + 1e-9) * (sum_error + 2 * fourier.error() * sum) / static_cast<double>(size);
  turn(fourier.synthesise(product));
}

// Sums of law times weight from the first place above epsilon on. Weights and what is missing of 1 in the bracket are
// carried on by products in blocks of 32, so they are wrong by 64 u; the bracket, being a difference, by 64 u of 1.
LatticeSum::Reading LatticeSum::read(double epsilon, bool upper) const {
  const double first = std::floor((epsilon - base_) / step_) + 1;
  const auto start = static_cast<double>(start_);
  const double end = start + static_cast<double>(law_.size());
  const double theta = tilt_ / step_;
  const double fall = std::exp(-tilt_);
  const double shrink = std::exp(-step_);
  double sum = 0;
  double whole = 0;  // without the bracket
  for (double place = std::max(first, start); place < end;) {
    double weight = std::exp(-tilt_ * (place - first));
    double missing = std::exp(std::min(0.0, epsilon - (base_ + place * step_)));
    if (weight < 1e-24) {
      // What is left has at most mass 1 under the tilt, up to errors, and smaller weights.
      if (upper) sum += weight * (1 + 1e-6) + weight * value_error_ * (end - place);
      break;
    }
    for (int i = 0; i < 32 && place < end; ++i, place += 1) {
      const double value = law_[static_cast<std::size_t>(place - start)];
      const double certain = upper ? std::max(value, 0.0) + value_error_ : std::max(value - value_error_, 0.0);
      sum += weight * certain * (1 - missing);
      whole += weight * certain;
      weight *= fall;
      missing *= shrink;
    }
  }
  const double rounding = 128 * kUnit * whole + (128 + static_cast<double>(law_.size())) * kUnit * sum;
  // The largest weight at any loss above epsilon; the first place lies up to a step above it.
  const double largest = std::exp(tilt_ + theta * std::log(theta / (1 + theta)) - std::log1p(theta)) * (1 + 1e-9);
  return {upper ? sum + rounding + beyond_ * largest : sum - rounding - beyond_ * largest, log_moment_ - tilt_ * first};
}

double LatticeSum::delta_upper(double epsilon) const {
  if (!usable_) return 1;
  const Reading reading = read(epsilon - slip_ - 8 * kUnit * (std::abs(epsilon) + std::abs(base_) + step_), true);
  const double log_error = relative_ + 8 * kUnit * (std::abs(reading.log_scale) + std::abs(log_moment_));
  const double finite = reading.sum * std::exp(std::min(reading.log_scale + log_error, 700.0)) * (1 + 1e-14) + 1e-300;
  const double total = (infinite_upper_ + finite) * (1 + 8 * kUnit);
  return std::isfinite(total) ? std::min(1.0, total) : 1;
}

double LatticeSum::delta_lower(double epsilon) const {
  if (!usable_) return 0;
  const Reading reading = read(epsilon + slip_ + 8 * kUnit * (std::abs(epsilon) + std::abs(base_) + step_), false);
  if (!(reading.sum > 0)) return infinite_lower_;
  const double log_error = relative_ + 8 * kUnit * (std::abs(reading.log_scale) + std::abs(log_moment_));
  const double finite = reading.sum * std::exp(reading.log_scale - log_error) * (1 - 1e-14) - 1e-300;
  const double total = (infinite_lower_ + std::max(0.0, finite)) * (1 - 8 * kUnit);
  return std::isfinite(total) ? total : 0;
}

}  // namespace dither::accounting::detail
