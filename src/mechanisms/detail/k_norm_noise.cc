#include "mechanisms/detail/k_norm_noise.h"

#include <algorithm>
#include <cmath>

#include "random/bernoulli.h"
#include "random/uniform.h"

namespace dither::mechanisms::detail {

using calculus::Integers;

namespace {

Int128 ceil_div(Int128 a, Int128 b) { return (a + b - 1) / b; }

// The largest |entry| of each row; rows are not zero.
std::vector<std::int64_t> row_radii(const IntegerMatrix& matrix) {
  std::vector<std::int64_t> radii;
  for (const auto& row : matrix) {
    std::int64_t radius = 0;
    for (const std::int64_t entry : row) radius = std::max(radius, std::abs(entry));
    radii.push_back(radius);
  }
  return radii;
}

// Levels of about 1/64 in the exponent, but not finer than the smallest radius.
std::int64_t grain_for(const std::vector<std::int64_t>& radii, const Rational& epsilon) {
  const auto wanted = static_cast<std::int64_t>((epsilon * 64).ceil());
  return std::min(*std::min_element(radii.begin(), radii.end()), wanted);
}

// The row radii, all enlarged until sum of |F_ij| / c_i <= 1 in every column j.
std::vector<Rational> cross_radii(const IntegerMatrix& matrix) {
  const std::vector<std::int64_t> radii = row_radii(matrix);
  Rational most = 0;
  for (std::size_t j = 0; j < matrix.front().size(); ++j) {
    Rational sum = 0;
    for (std::size_t i = 0; i < matrix.size(); ++i) sum += Rational(std::abs(matrix[i][j]), radii[i]);
    most = std::max(most, sum);
  }
  std::vector<Rational> result;
  for (const std::int64_t radius : radii) result.push_back(Rational(radius) * most);
  return result;
}

}  // namespace

BoxNoise::BoxNoise(std::vector<std::int64_t> radii, std::int64_t grain, const Rational& epsilon)
    : radii_(std::move(radii)), grain_(grain), rate_(epsilon / grain), steps_(Rational(1) / rate_) {}

Int128 BoxNoise::count(std::size_t i, Int128 level) const { return 2 * ceil_div((level + 1) * radii_[i], grain_) - 1; }

Int128 BoxNoise::draw_level(random::Source& source) const {
  for (;;) {
    Int128 sum = 0;
    for (std::size_t i = 0; i <= radii_.size(); ++i) {
      Int128 step = -1;
      while (step < 0) step = steps_.draw(source);  // of two-sided draws those that are not negative are geometric
      sum += step;
    }
    if (sum == 0) continue;
    Rational kept = 1;
    for (std::size_t i = 0; i < radii_.size(); ++i) {
      kept *= Rational(count(i, sum - 1) * grain_) / Rational(2 * radii_[i] * (sum + 1 + static_cast<Int128>(i)));
    }
    if (random::bernoulli(kept, source)) return sum - 1;
  }
}

Integers BoxNoise::draw(random::Source& source) const {
  const Int128 level = draw_level(source);
  Integers z;
  for (std::size_t i = 0; i < radii_.size(); ++i) {
    const Int128 values = count(i, level);
    z.push_back(static_cast<Int128>(random::uniform_below_wide(static_cast<UInt128>(values), source)) - values / 2);
  }
  return z;
}

Rational BoxNoise::norm(const Integers& z) const {
  Int128 level = 0;
  for (std::size_t i = 0; i < z.size(); ++i) {
    level = std::max(level, static_cast<Int128>(magnitude(z[i])) * grain_ / radii_[i]);
  }
  return Rational(level) / grain_;
}

double BoxNoise::total() const {
  const double rate = rate_.to_double_down();
  double sum = 0;
  for (Int128 level = 0;; ++level) {
    double term = -std::expm1(-rate) * std::exp(-rate * static_cast<double>(level));
    for (std::size_t i = 0; i < radii_.size(); ++i) term *= static_cast<double>(count(i, level));
    sum += term;
    // Past twice the top of level^d e^(-rate level) terms fall by more than e^(-rate / 2) each.
    const bool past = rate * static_cast<double>(level) > 4 * static_cast<double>(radii_.size()) + 4;
    if (past && term < 1e-9 * rate * sum) return sum;
  }
}

CrossNoise::CrossNoise(std::vector<Rational> radii, const Rational& epsilon)
    : radii_(std::move(radii)), epsilon_(epsilon) {
  for (const Rational& radius : radii_) coordinates_.emplace_back(radius / epsilon);
}

Integers CrossNoise::draw(random::Source& source) const {
  Integers z;
  for (const auto& coordinate : coordinates_) z.push_back(coordinate.draw(source));
  return z;
}

Rational CrossNoise::norm(const Integers& z) const {
  Rational sum = 0;
  for (std::size_t i = 0; i < z.size(); ++i) sum += abs(Rational(z[i])) / radii_[i];
  return sum;
}

double CrossNoise::total() const {
  double product = 1;
  for (const Rational& radius : radii_) product /= std::tanh((epsilon_ / radius / 2).to_double_down());
  return product;
}

KNormNoise::KNormNoise(const IntegerMatrix& matrix, const Rational& epsilon)
    : gauge_(matrix),
      epsilon_(epsilon),
      box_(row_radii(matrix), grain_for(row_radii(matrix), epsilon), epsilon),
      cross_(cross_radii(matrix), epsilon),
      by_cross_(cross_.total() <= box_.total()) {}

double KNormNoise::least_total() const {
  const double half = epsilon_.to_double_up() / 2;
  const auto d = static_cast<double>(gauge_.dimension());
  const double cosets = gauge_.determinant().to_double_down() * std::pow(std::sinh(half), -d);
  return std::max(cosets, std::pow(std::tanh(half), -d));  // the vectors B y alone
}

double KNormNoise::rounds() const { return (by_cross_ ? cross_.total() : box_.total()) / least_total(); }

Integers KNormNoise::draw(random::Source& source) const {
  return by_cross_ ? draw_from(cross_, source) : draw_from(box_, source);
}

template <class Proposal>
Integers KNormNoise::draw_from(const Proposal& proposal, random::Source& source) const {
  for (;;) {
    Integers z = proposal.draw(source);
    if (random::bernoulli_exp(epsilon_ * (gauge_(z) - proposal.norm(z)), source)) return z;
  }
}

}  // namespace dither::mechanisms::detail
