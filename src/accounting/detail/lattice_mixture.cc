#include "accounting/detail/lattice_mixture.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/directed.h"

namespace dither::accounting::detail {

namespace {

constexpr double kUnit = 0x1p-53;

// Five-point Gauss-Legendre on [-1, 1].
constexpr double kNodes[] = {-0.90617984593866399280, -0.53846931010568309104, 0, 0.53846931010568309104,
                             0.90617984593866399280};
constexpr double kWeights[] = {0.23692688505618908751, 0.47862867049936646804, 0.56888888888888888889,
                               0.47862867049936646804, 0.23692688505618908751};

// The normal density. The square is split exactly, so a large y costs no accuracy.
double normal_density(double y) {
  const double square = y * y;
  const double rest = std::fma(y, y, -square);
  return std::exp(-square / 2) * (1 - rest / 2) * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
}

double upper_tail(double y) { return mul_up(0.5, erfc_up(div_down(y, y > 0 ? sqrt_up(2) : sqrt_down(2)))); }

}  // namespace

MixtureCurve::MixtureCurve(const GaussianLoss& loss) : rates_{loss.mu}, weights_{1} {}

MixtureCurve::MixtureCurve(const MixtureLoss& loss) : replace_(loss.direction == MixtureLoss::Direction::replace) {
  weight_zero_ = loss.weights.at(0);
  for (std::size_t j = 1; j < loss.weights.size(); ++j) {
    if (loss.weights[j] <= 0) continue;
    rates_.push_back(static_cast<double>(j) * loss.mu);
    weights_.push_back(loss.weights[j]);
  }
}

double MixtureCurve::tilted(double y) const {
  double sum = 0;
  for (std::size_t j = 0; j < rates_.size(); ++j) sum += weights_[j] * std::expm1(rates_[j] * (y - rates_[j] / 2));
  return sum;
}

double MixtureCurve::plain(double y) const {
  double sum = weight_zero_;
  for (std::size_t j = 0; j < rates_.size(); ++j) sum += weights_[j] * std::exp(rates_[j] * (y - rates_[j] / 2));
  return sum;
}

double MixtureCurve::loss(double y) const {
  const auto log_ratio = [this](double x) {
    const double excess = tilted(x);
    return excess > -0.5 ? std::log1p(excess) : std::log(plain(x));
  };
  return replace_ ? log_ratio(y) - log_ratio(-y) : log_ratio(y);
}

// The argument rate (y - rate/2) has a relative error of 3 u in its parts, so a term weight e^argument is wrong by at
// most 4 u (|rate y| + rate^2 + 2) of itself, and 4 u weight more when it is formed by expm1, which happens where R
// exceeds 1/2. Division by R turns that into the error of the logarithm.
double MixtureCurve::loss_error(double y) const {
  double error = 0;
  for (const double x : {y, -y}) {
    double sum = 0;
    const double whole = plain(x);
    for (std::size_t j = 0; j < rates_.size(); ++j) {
      const double rate = rates_[j];
      const double by_expm1 = whole > 0.25 ? 1 : 0;
      sum += weights_[j] * (std::exp(rate * (x - rate / 2)) * (std::abs(rate * x) + rate * rate + 2) + by_expm1);
    }
    error += 4 * kUnit * sum / whole;
    if (!replace_) break;
  }
  return error + 8 * kUnit * std::abs(loss(y));
}

double MixtureCurve::slope(double y) const {
  const auto growth = [this](double x) {
    double sum = 0;
    for (std::size_t j = 0; j < rates_.size(); ++j) {
      sum += weights_[j] * rates_[j] * std::exp(rates_[j] * (x - rates_[j] / 2));
    }
    return sum / plain(x);
  };
  return replace_ ? growth(y) + growth(-y) : growth(y);
}

double MixtureCurve::inverse(double z, double guess) const {
  if (rates_.size() == 1 && !replace_) {
    const double excess = weight_zero_ == 0 ? std::exp(z) : std::expm1(z) + weights_[0];
    if (excess <= 0) return guess;
    return std::log(excess / weights_[0]) / rates_[0] + rates_[0] / 2;
  }
  double y = guess;
  for (int turn = 0; turn < 60; ++turn) {
    const double move = std::clamp((z - loss(y)) / slope(y), -1.0, 1.0);
    if (!std::isfinite(move)) break;
    y += move;
    if (std::abs(move) <= 1e-13 * (1 + std::abs(y))) break;
  }
  return y;
}

double MixtureCurve::outside_q(double low, double high) const {
  double sum = add_up(upper_tail(high), upper_tail(-low));
  if (replace_) sum = outside_p(-high, -low);
  return sum;
}

double MixtureCurve::outside_p(double low, double high) const {
  double sum = mul_up(weight_zero_, add_up(upper_tail(high), upper_tail(-low)));
  for (std::size_t j = 0; j < rates_.size(); ++j) {
    const double both = add_up(upper_tail(sub_down(high, rates_[j])), upper_tail(sub_down(rates_[j], low)));
    sum = add_up(sum, mul_up(weights_[j], both));
  }
  return sum;
}

void MixtureCurve::start_cell(double low, double width, Cell& cell) const {
  const std::size_t count = rates_.size();
  const double high = low + width;
  cell.low = low;
  cell.width = width;
  cell.grow_low.resize(count);
  cell.grow_high.resize(count);
  cell.shrink_low.assign(replace_ ? count : 0, 0);
  cell.shrink_high.assign(replace_ ? count : 0, 0);
  double rise = 0;
  for (std::size_t j = 0; j < count; ++j) {
    cell.grow_low[j] = weights_[j] * std::exp(rates_[j] * (low - rates_[j] / 2));
    cell.grow_high[j] = cell.grow_low[j] * std::exp(rates_[j] * width);
    rise += cell.grow_low[j] * std::expm1(rates_[j] * width);
  }
  if (replace_) {
    const double ratio_low = std::exp(loss(low));
    const double ratio_high = std::exp(loss(high));
    for (std::size_t j = 0; j < count; ++j) {
      const double mirrored = weights_[j] * std::exp(rates_[j] * (-low - rates_[j] / 2));
      cell.shrink_low[j] = ratio_low * mirrored;
      cell.shrink_high[j] = ratio_high * mirrored * std::exp(-rates_[j] * width);
      rise += cell.shrink_low[j] * -std::expm1(-rates_[j] * width);
    }
    rise /= plain(-high);
  }
  cell.ratio_rise = rise;
}

// Quadrature with a proven remainder. The integrands are entire: phi(y) times a sum of C (e^{rate t} - 1), t = y - low,
// and their mirror images. Expand one in Chebyshev polynomials on a piece with centre m and half-length l. In the
// ellipse with half-axes `reach` = l (rho + 1/rho)/2 and below, the k-th coefficient is at most 2 M rho^-k when the
// integrand is at most M there. The N-point rule is exact up to degree 2N - 1, kills odd polynomials, and is wrong by
// at most 2 + 2/(k^2 - 1) for even k >= 2N, so it leaves at most
//   l * 2 M (2 + 2/(4N^2 - 1)) rho^{-2N} / (1 - rho^-2)   <=   4.3 l M rho^{-2N}  for N = 5, rho >= 30.
// In the ellipse |phi| <= phi(m) e^{|m| reach + reach^2/2} and |e^{rate t} - 1| <= e^{rate (|t_m| + reach)} - 1.
// `reach` is chosen so that the exponent stays near 6; pieces are at most reach/25 long, so that rho >= 98. What is
// left out of `mass`, relative to it, is less still: there M lacks the factor that vanishes at one end of the cell.
MixtureCurve::Part MixtureCurve::integrate(const Cell& cell, double from, double to) const {
  Part part;
  double left_out_up = 0;
  double left_out_down = 0;
  const double centre = cell.low + (from + to) / 2;
  const double reach_all = 6 / (4 + std::abs(centre) + (to - from) / 2 + rates_.back());
  const int pieces = static_cast<int>(std::ceil((to - from) / (reach_all / 25)));
  const double half = (to - from) / (2 * std::max(pieces, 1));
  const std::size_t count = rates_.size();
  for (int piece = 0; piece < pieces; ++piece) {
    const double middle = from + (2 * piece + 1) * half;
    // The density is developed about m = low + middle; what that sum rounds away is put back: it counts |m| times.
    const double m = cell.low + middle;
    const double rounded = (cell.low - (m - middle)) + (middle - (m - (m - middle)));
    const double phi = normal_density(m) * (1 - m * rounded);
    for (int k = 0; k < 5; ++k) {
      const double offset = half * kNodes[k];
      const double t = middle + offset;
      const double s = cell.width - t;
      const double weight = half * kWeights[k] * phi * std::exp(-offset * (m + offset / 2));
      double up = 0;
      double down = 0;
      for (std::size_t j = 0; j < count; ++j) {
        up += cell.grow_low[j] * std::expm1(rates_[j] * t);
        down += cell.grow_high[j] * -std::expm1(-rates_[j] * s);
      }
      for (std::size_t j = 0; j < cell.shrink_low.size(); ++j) {
        up += cell.shrink_low[j] * -std::expm1(-rates_[j] * t);
        down += cell.shrink_high[j] * std::expm1(rates_[j] * s);
      }
      part.up += weight * up;
      part.down += weight * down;
      part.mass += replace_ ? weight * plain(-(cell.low + t)) : weight;
    }
    const double reach = 6 / (4 + std::abs(m) + rates_.back());
    const double rho = (reach + std::sqrt(reach * reach - half * half)) / half;
    const double square = rho * rho;
    const double scale =
        4.3 * half * phi * std::exp(reach * (std::abs(m) + reach / 2)) / (square * square * square * square * square);
    for (std::size_t j = 0; j < count; ++j) {
      left_out_up += scale * cell.grow_low[j] * std::expm1(rates_[j] * (middle + reach));
      left_out_down += scale * cell.grow_high[j] * std::expm1(rates_[j] * (cell.width - middle + reach));
    }
    for (std::size_t j = 0; j < cell.shrink_low.size(); ++j) {
      left_out_up += scale * cell.shrink_low[j] * std::expm1(rates_[j] * (middle + reach));
      left_out_down += scale * cell.shrink_high[j] * std::expm1(rates_[j] * (cell.width - middle + reach));
    }
  }
  if (part.up > 0 && part.down > 0) part.remainder = std::max(left_out_up / part.up, left_out_down / part.down);
  return part;
}

}  // namespace dither::accounting::detail
