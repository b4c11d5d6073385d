// Comparisons of 128-bit numbers as masks, in arithmetic that no compiler turns into a branch.
//
// A mask made from `a < b` is not enough: g++ 12 compares 128-bit numbers with a jump, which is then mispredicted by
// value. The formulas are the borrow of a - b.
#pragma once

#include "base/int128.h"

namespace dither::random::detail {

// All ones if a < b, otherwise zero.
constexpr UInt128 mask_if_below(UInt128 a, UInt128 b) {
  const UInt128 borrow = (~a & b) | ((~a | b) & (a - b));
  return UInt128{0} - (borrow >> 127);
}

// The same for signed numbers: with their sign bits turned round they are in the order of unsigned ones.
constexpr UInt128 mask_if_less(Int128 a, Int128 b) {
  constexpr UInt128 sign = UInt128{1} << 127;
  return mask_if_below(static_cast<UInt128>(a) ^ sign, static_cast<UInt128>(b) ^ sign);
}

// a where the mask is all ones, b where it is zero.
constexpr UInt128 select(UInt128 mask, UInt128 a, UInt128 b) { return b ^ ((a ^ b) & mask); }
constexpr Int128 select(UInt128 mask, Int128 a, Int128 b) {
  return static_cast<Int128>(select(mask, static_cast<UInt128>(a), static_cast<UInt128>(b)));
}

}  // namespace dither::random::detail
