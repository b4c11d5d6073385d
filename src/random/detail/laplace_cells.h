// The cells of laws that fall off like exp(-rate |k|): discrete Laplace and geometric.
#pragma once

#include <cstdint>
#include <vector>

#include "random/detail/cells.h"
#include "random/detail/fixed_point.h"
#include "random/detail/lazy_uniform.h"

namespace dither::random::detail {

// The largest l with 2^l <= 1 / rate, give or take one at a power of two, where either will do.
int log2_of_inverse(const ComputableReal& rate);

// With 2^l <= 1 / rate < 2^(l+1): cells of width 2^(l-4), so that a remainder's exponent rate * R stays below 1/16 and
// a table has at most 1,420 cells. Below 1 / rate = 128 a cell is one value, and a table has at most 5,600.
template <bool kSigned>
class LaplaceCells {
 public:
  static constexpr bool kTwoSided = kSigned;

  explicit LaplaceCells(ComputableReal rate);
  LaplaceCells(ComputableReal rate, int shift);  // tests choose the cells

  int shift() const { return shift_; }
  std::vector<std::uint64_t> weights(int bits) const;
  BigInterval probability(std::uint64_t cell, long precision) const;
  BigInterval exponent(std::uint64_t cell, std::uint64_t remainder, long precision) const;

  // y = rate * R: one truncated product. The constant is low by under one unit of 2^-64 relative to a number of at
  // least 2^63, so y loses under 2^-63 y < 2^-67, and the shift under one unit of 2^-64.
  std::uint64_t rejection(std::uint64_t /*cell*/, std::uint64_t remainder) const {
    return one_minus_exp<10>(
        static_cast<std::uint64_t>(static_cast<UInt128>(remainder) * rate_mantissa_ >> rate_shift_));
  }

 private:
  BigInterval cell_exponent(std::uint64_t cell, long precision) const;
  BigInterval first_probability(long precision) const;

  ComputableReal rate_;
  int shift_;
  std::uint64_t rate_mantissa_;  // floor(2^(64 + rate_shift) rate)
  int rate_shift_;
};

extern template class LaplaceCells<true>;
extern template class LaplaceCells<false>;

}  // namespace dither::random::detail
