#include "accounting/detail/fourier_mixture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace dither::accounting::detail {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr int kHeights = 16;
constexpr double kGreatestHeight = 16;  // beyond sqrt(2 digits) the factor e^(b^2/2) loses more than the strip gains

double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kNever ? a : a + std::log1p(std::exp(b - a));
}

std::vector<Window> intersection(const std::vector<Window>& a, const std::vector<Window>& b) {
  std::vector<Window> result;
  for (const Window& x : a) {
    for (const Window& y : b) {
      const Window both{std::max(x.low, y.low), std::min(x.high, y.high)};
      if (both.low <= both.high) result.push_back(both);
    }
  }
  return result;
}

}  // namespace

std::vector<Window> merged(std::vector<Window> windows) {
  std::sort(windows.begin(), windows.end(), [](const Window& a, const Window& b) { return a.low < b.low; });
  std::vector<Window> result;
  for (const Window& w : windows) {
    if (!result.empty() && w.low <= result.back().high) {
      result.back().high = std::max(result.back().high, w.high);
    } else {
      result.push_back(w);
    }
  }
  return result;
}

double least(const std::vector<QuadratureLine>& lines, double u) {
  double result = -kNever;
  for (const QuadratureLine& line : lines) result = std::min(result, line.constant + line.per_frequency * u);
  return result;
}

Mixture::Mixture(const MixtureLoss& loss, double theta) : mu_(loss.mu), weights_(loss.weights) {
  while (weights_.size() > 1 && weights_.back() == 0) weights_.pop_back();
  top_ = static_cast<double>(weights_.size() - 1);
  for (const double w : weights_) log_weights_.push_back(w > 0 ? std::log(w) : kNever);
  using Direction = MixtureLoss::Direction;
  const bool add = loss.direction == Direction::add;
  const bool replace = loss.direction == Direction::replace;
  forward_ = add ? -theta : 1 + theta;
  mirrored_ = replace ? -theta : 0;
  loss_forward_ = add ? -1 : 1;
  loss_mirrored_ = replace ? -1 : 0;
  reference_ = 0;
  if (forward_ > 1 || weights_[0] == 0) {
    const std::size_t mirror = weights_[0] > 0 ? 0 : weights_.size() - 1;
    for (std::size_t j = 0; j < weights_.size(); ++j) {
      if (weights_[j] > 0) reference_ = std::max(reference_, term(j, mirror).log_mass);
    }
  }
  const double spread = steepness() * (1 + 1e-12);
  const double highest = std::min(std::numbers::pi / spread, kGreatestHeight);
  const double negative = std::max(-forward_, 0.0) + std::max(-mirrored_, 0.0);
  lines_.reserve(kHeights);
  for (int i = 1; i < kHeights; ++i) {
    const double b = highest * i / kHeights;
    const double narrowing = negative > 0 ? negative * std::log(std::cos(spread * b / 2)) : 0;
    lines_.push_back({b, std::numbers::ln2 + b * b / 2 - narrowing, spread * b * (replace ? 2 : 1)});
  }
}

// Errors, with u = 2^-53 and parameters trusted to 8 u: the exponent e_j = j mu y - (j mu)^2 / 2 errs by at most
// 14 u (j mu |y| + (j mu)^2), which moves ln R by its posterior mean. Near R = 1, d = sum over j >= 1 of
// w_j expm1(e_j) uses that the weights sum to 1, and each term errs by 8 + 4 + 1 + k u of itself besides; further below
// all terms are positive and R errs by (14 + k) u of itself. The logarithm adds 4 u |ln R|.
LogRatio Mixture::log_ratio(double y) const {
  if (exponent(top_, y) > 650 || (top_ > 1 && mu_ * std::abs(y) > 30)) return scaled_log_ratio(y);
  double sum = 0;              // R - 1
  double ratio = weights_[0];  // R, without cancellation
  double magnitude = 0;        // sum of the terms' sizes
  double mean = 0;
  double square = 0;
  for (std::size_t j = 1; j < weights_.size(); ++j) {
    const double size = static_cast<double>(j);
    const double e = exponent(size, y);
    const double growth = std::expm1(e);
    const double part = weights_[j] * growth;
    const double posterior = weights_[j] * (e > -2 ? growth + 1 : std::exp(e));
    sum += part;
    magnitude += std::abs(part);
    ratio += posterior;
    mean += size * posterior;
    square += size * size * posterior;
  }
  const bool near = sum > -0.5;
  const double value = near ? std::log1p(sum) : std::log(ratio);
  if (!near) magnitude = ratio;
  const double exponents = 14 * (mu_ * std::abs(y) * mean + mu_ * mu_ * square) / ratio;
  const double error = exponents + (16 + top_) * magnitude / ratio + 4 * std::abs(value);
  return {value, kUnit * error * (1 + 1e-9), mean / ratio};
}

// The same where R may leave the doubles: all terms relative to the greatest, and their logarithms rounded besides.
LogRatio Mixture::scaled_log_ratio(double y) const {
  double greatest = kNever;
  for (std::size_t j = 0; j < weights_.size(); ++j) {
    if (weights_[j] > 0) greatest = std::max(greatest, exponent(static_cast<double>(j), y) + log_weights_[j]);
  }
  double sum = 0;
  double mean = 0;
  double square = 0;
  for (std::size_t j = 0; j < weights_.size(); ++j) {
    if (weights_[j] == 0) continue;
    const double size = static_cast<double>(j);
    const double part = std::exp(exponent(size, y) + log_weights_[j] - greatest);
    sum += part;
    mean += size * part;
    square += size * size * part;
  }
  const double exponents = 24 * (mu_ * std::abs(y) * mean + mu_ * mu_ * square) / sum;
  const double error = exponents + (24 + top_) * (1 + std::abs(greatest));
  return {greatest + std::log(sum), kUnit * error * (1 + 1e-9), mean / sum};
}

MixtureNode Mixture::node(double y) const {
  const LogRatio ahead = log_ratio(y);
  MixtureNode result;
  result.log_ratio = ahead.value;
  result.loss = loss_forward_ * ahead.value;
  result.loss_error = ahead.error;
  result.log_weight = -y * y / 2 + forward_ * ahead.value;
  result.log_weight_error = std::abs(forward_) * ahead.error + 3 * kUnit * (y * y + std::abs(forward_ * ahead.value));
  result.loss_slope = mu_ * ahead.mean;
  result.weight_slope = -y + forward_ * mu_ * ahead.mean;
  if (loss_mirrored_ != 0) {
    const LogRatio back = log_ratio(-y);
    result.loss += loss_mirrored_ * back.value;
    result.loss_error += back.error + kUnit * (std::abs(ahead.value) + std::abs(back.value));
    result.log_weight += mirrored_ * back.value;
    result.log_weight_error += std::abs(mirrored_) * back.error + 3 * kUnit * std::abs(mirrored_ * back.value);
    result.loss_slope += mu_ * back.mean;
    result.weight_slope -= mirrored_ * mu_ * back.mean;
  }
  return result;
}

double Mixture::step(double digits, double frequency) const {
  double best = 0;
  for (const Line& line : lines_) {
    const double needed = digits + line.constant + line.per_frequency * std::abs(frequency);
    best = std::max(best, 2 * std::numbers::pi * line.height / needed);
  }
  // Few bits, so that every multiple that is used is exact.
  int exponent = 0;
  const double mantissa = std::frexp(best, &exponent);
  return std::ldexp(std::floor(mantissa * 4096), exponent - 12);
}

std::vector<QuadratureLine> Mixture::quadrature(double h) const {
  std::vector<QuadratureLine> result;
  result.reserve(lines_.size());
  for (const Line& line : lines_) {
    const double turns = 2 * std::numbers::pi * line.height / h;
    const double constant = line.constant - (turns > 40 ? turns : std::log(std::expm1(turns)));
    result.push_back({constant + 1e-9 * (1 + std::abs(constant) + turns), line.per_frequency * (1 + 1e-9)});
  }
  return result;
}

// For a power c >= 1 convexity gives (sum of a_j)^c <= sum of l_j^(1-c) a_j^c, for weights l_j that sum to 1; for
// 0 <= c <= 1 the same holds without the l_j; for c < 0 each single term bounds R^c from above. Each bound on F is thus
// a sum of Gaussians e^log_mass N(y - centre; 0, 1), centre = (c1 j - c2 i) mu.
Mixture::Term Mixture::term(std::size_t j, std::size_t i) const {
  const double ahead = static_cast<double>(j) * mu_;
  const double back = static_cast<double>(i) * mu_;
  Term result{forward_ * ahead - mirrored_ * back, 0};
  result.log_mass = (result.centre * result.centre - forward_ * ahead * ahead - mirrored_ * back * back) / 2;
  if (forward_ != 0) result.log_mass += forward_ * log_weights_[j];
  if (mirrored_ != 0) result.log_mass += mirrored_ * log_weights_[i];
  return result;
}

std::vector<std::vector<Mixture::Term>> Mixture::bounds_on_integrand() const {
  const std::size_t k = weights_.size() - 1;
  const auto usable = [&](double power) {  // the components, those of weight 0 left out
    std::vector<std::size_t> list;
    if (power == 0) return std::vector<std::size_t>{0};
    for (std::size_t j = 0; j <= k; ++j) {
      if (weights_[j] > 0 && (power > 0 || j == 0 || j == k)) list.push_back(j);
    }
    return list;
  };
  const std::vector<std::size_t> ahead = usable(forward_);
  const std::vector<std::size_t> back = usable(mirrored_);
  std::size_t main = ahead.front();  // the component that carries most; the others share 1 / c1 of the l_j
  for (const std::size_t j : ahead) {
    if (forward_ > 1 && term(j, back.front()).log_mass > term(main, back.front()).log_mass) main = j;
  }
  const auto share = [&](std::size_t j) {  // (1 - c1) ln l_j
    if (forward_ <= 1 || ahead.size() == 1) return 0.0;
    const double others = static_cast<double>(ahead.size() - 1);
    return (1 - forward_) * std::log(j == main ? 1 - 1 / forward_ : 1 / (forward_ * others));
  };
  std::vector<std::vector<Term>> result;
  const auto push = [&](std::vector<Term>& sum, std::size_t j, std::size_t i) {
    Term t = term(j, i);
    t.log_mass += share(j);
    sum.push_back(t);
  };
  const std::size_t ahead_choices = forward_ < 0 ? ahead.size() : 1;
  const std::size_t back_choices = mirrored_ < 0 ? back.size() : 1;
  for (std::size_t a = 0; a < ahead_choices; ++a) {
    for (std::size_t b = 0; b < back_choices; ++b) {
      std::vector<Term>& sum = result.emplace_back();
      for (std::size_t j = 0; j < ahead.size(); ++j) {
        for (std::size_t i = 0; i < back.size(); ++i) {
          if ((forward_ < 0 && j != a) || (mirrored_ < 0 && i != b)) continue;
          push(sum, ahead[j], back[i]);
        }
      }
    }
  }
  return result;
}

// A node outside the windows of one bound is left out. For one Gaussian, the nodes at distance r or more from the
// centre sum to at most 2 (h N(r) + integral from r) <= 2 N(r) (h + 1/r); all of them to at most 1 + h.
Cover Mixture::cover(double digits, double h) const {
  Cover result{{{kNever, -kNever}}, kNever};
  double rarest = 1;  // parameters and rounding: each summand of a log mass is trusted far better than to 1e-12
  for (const double w : log_weights_) rarest = std::max(rarest, w == kNever ? 0 : -w);
  const double powers = 1 + std::abs(forward_) + std::abs(mirrored_);
  const double slack = 1e-12 * powers * (rarest + powers * steepness() * steepness());
  for (const std::vector<Term>& sum : bounds_on_integrand()) {
    std::vector<Window> windows;
    for (const Term& t : sum) {
      const double square = 2 * (digits + t.log_mass - reference_);
      const double radius = square > 4 ? std::sqrt(square) : 0;
      double skipped = t.log_mass + std::log1p(h);
      if (radius > 0) {
        windows.push_back({t.centre - radius, t.centre + radius});
        skipped = t.log_mass - radius * radius / 2 + std::log(0.8 * (h + 1 / radius));  // 2 / sqrt(2 pi) < 0.8
      }
      skipped += slack * (1 + radius * radius);
      result.log_skipped = log_add(result.log_skipped, skipped);
    }
    result.windows = intersection(result.windows, merged(std::move(windows)));
  }
  return result;
}

double Mixture::curvature() const {
  const double negative = std::max(-forward_, 0.0) + std::max(-mirrored_, 0.0);
  return (1 + negative * steepness() * steepness() / 4) * (1 + 1e-12);
}

double Mixture::convexity() const {
  const double positive = std::max(forward_, 0.0) + std::max(mirrored_, 0.0);
  return positive * steepness() * steepness() / 4 * (1 + 1e-12);
}

}  // namespace dither::accounting::detail
