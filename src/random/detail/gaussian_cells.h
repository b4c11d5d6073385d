// The cells of the discrete Gaussian.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rational.h"
#include "random/detail/cells.h"
#include "random/detail/fixed_point.h"

namespace dither::random::detail {

// With cells of width m = 2^shift, m the power of two with 32 <= sigma / m < 64: at most 560 cells, and the exponent
// y = R (2 m Q + R) / (2 sigma^2) stays below 0.3. Below sigma = 106 a cell is one value.
class GaussianCells {
 public:
  static constexpr bool kTwoSided = true;

  explicit GaussianCells(const Rational& sigma_squared);
  GaussianCells(const Rational& sigma_squared, int shift);  // tests choose the cells

  int shift() const { return shift_; }
  std::vector<std::uint64_t> weights(int bits) const;
  BigInterval probability(std::uint64_t cell, long precision) const;
  BigInterval exponent(std::uint64_t cell, std::uint64_t remainder, long precision) const;

  // y = r (2 Q + r) c with r = R / m in units of 2^-64 (exact) and c = m^2 / (2 sigma^2) <= 2^-11. The sum 2 Q + r is
  // kept in units of 2^-53 and loses under one; so does the first product; times c that is under one unit of 2^-64
  // each. c is known to 63 bits, which makes less than one unit, and the last shift loses one: y is low by under 4.
  // Cells from the residual may lie beyond 2^10, where this overflows: they are always resolved exactly.
  std::uint64_t rejection(std::uint64_t cell, std::uint64_t remainder) const {
    const std::uint64_t r = remainder << (64 - shift_);
    const std::uint64_t sum = (cell << 54) + (r >> 11);
    return one_minus_exp<14>(static_cast<std::uint64_t>(static_cast<UInt128>(mul_high(r, sum)) * rate_ >> rate_shift_));
  }

 private:
  Rational cell_rate_;  // c
  BigInterval normaliser_;
  int shift_;
  std::uint64_t rate_;  // floor(2^(rate_shift + 11) c), 63 or 64 bits long
  int rate_shift_;

  BigInterval normaliser(long precision) const;
};

}  // namespace dither::random::detail
