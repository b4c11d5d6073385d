#include "random/detail/gaussian_cells.h"

#include "random/detail/fraction.h"
#include "random/pmf.h"

namespace dither::random::detail {

namespace {

constexpr int kCellsLog2 = 5;  // sigma is 32 to 64 cells

int shift_for(const Rational& sigma_squared) {
  if (sigma_squared < Rational(106 * 106)) return 0;
  const long log2_squared = sigma_squared.floor_log2();  // 2 log2(sigma), rounded down
  return static_cast<int>(log2_squared / 2) - kCellsLog2;
}

}  // namespace

GaussianCells::GaussianCells(const Rational& sigma_squared) : GaussianCells(sigma_squared, shift_for(sigma_squared)) {}

GaussianCells::GaussianCells(const Rational& sigma_squared, int shift)
    : cell_rate_(Rational::power_of_two(2 * shift) / (Rational(2) * sigma_squared)), normaliser_(64), shift_(shift) {
  normaliser_ = normaliser(256);
  rate_shift_ = 52 - static_cast<int>(cell_rate_.floor_log2());
  rate_ = static_cast<std::uint64_t>((cell_rate_ * Rational::power_of_two(rate_shift_ + 11)).floor());
}

// Over |K| for single values, over Q >= 0 for cells whose sign is drawn apart.
BigInterval GaussianCells::normaliser(long precision) const {
  BigInterval all = theta(BigInterval(cell_rate_, precision));
  if (shift_ == 0) return all;
  return (all + BigInterval(Rational(1), precision)) * BigInterval(Rational(1, 2), precision);
}

BigInterval GaussianCells::probability(std::uint64_t cell, long precision) const {
  const Rational q(static_cast<Int128>(cell));
  const BigInterval weight = exp(-BigInterval(cell_rate_ * q * q, precision));
  const BigInterval p = weight / (precision <= normaliser_.precision() ? normaliser_ : normaliser(precision));
  const bool both_signs = shift_ == 0 && cell > 0;
  return both_signs ? p * BigInterval(Rational(2), precision) : p;
}

std::vector<std::uint64_t> GaussianCells::weights(int bits) const {
  constexpr long precision = 192;
  std::vector<std::uint64_t> result = {scaled_down(fraction_below(probability(0, precision)), bits)};
  const std::size_t most = std::size_t{1} << (bits - 2);
  // exp(-c (k+1)^2) = exp(-c k^2) * ratio_k, and ratio_k falls by exp(-2 c) a step.
  const Fraction fall = fraction_below(exp(-BigInterval(Rational(2) * cell_rate_, precision)));
  Fraction ratio = fraction_below(exp(-BigInterval(Rational(3) * cell_rate_, precision)));
  for (Fraction p = fraction_below(probability(1, precision)); scaled_down(p, bits) > 0 && result.size() < most;
       p = mul_down(p, ratio), ratio = mul_down(ratio, fall)) {
    result.push_back(scaled_down(p, bits));
  }
  return result;
}

BigInterval GaussianCells::exponent(std::uint64_t cell, std::uint64_t remainder, long precision) const {
  const Rational r = Rational(static_cast<Int128>(remainder)) * Rational::power_of_two(-shift_);
  const Rational q(static_cast<Int128>(cell));
  return BigInterval(cell_rate_ * r * (Rational(2) * q + r), precision);
}

}  // namespace dither::random::detail
