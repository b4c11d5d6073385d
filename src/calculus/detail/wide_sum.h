// Sums of 128-bit integers that cannot wrap.
#pragma once

#include <cstdint>

#include "base/int128.h"
#include "base/rational.h"

namespace dither::calculus::detail {

// A whole number, cut to 128 bits.
inline Int128 cut(const Rational& value) {
  static const Rational least(kInt128Min), most(kInt128Max);
  return value <= least ? kInt128Min : value >= most ? kInt128Max : value.floor();
}

// The exact sum of fewer than 2^60 numbers, cut to 128 bits at the end alone. The cut moves no two sums apart, so what is
// proven of the exact sum holds of the cut one, in any order of the numbers.
class WideSum {
 public:
  WideSum& operator+=(Int128 x) {
    low_ += static_cast<std::uint64_t>(x);
    high_ += (x >> 64) + static_cast<Int128>(low_ >> 64);
    low_ &= ~std::uint64_t{0};
    return *this;
  }
  WideSum& operator+=(const WideSum& other) {
    low_ += other.low_;
    high_ += other.high_ + static_cast<Int128>(low_ >> 64);
    low_ &= ~std::uint64_t{0};
    return *this;
  }
  Int128 cut() const {
    if (high_ > std::int64_t{0x7fffffffffffffff}) return kInt128Max;
    if (high_ < -std::int64_t{0x7fffffffffffffff} - 1) return kInt128Min;
    return static_cast<Int128>((static_cast<UInt128>(high_) << 64) | low_);
  }

 private:
  Int128 high_ = 0;  // in 2^64
  UInt128 low_ = 0;  // below 2^64
};

}  // namespace dither::calculus::detail
