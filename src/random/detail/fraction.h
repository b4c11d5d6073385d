// 128-bit fractions, rounded down: enough digits for the weights of a table, at a few nanoseconds each.
#pragma once

#include <cstdint>
#include <vector>

#include "base/big_interval.h"
#include "base/int128.h"

namespace dither::random::detail {

// A number in [0, 1) in units of 2^-128.
using Fraction = UInt128;

// The largest fraction that is not above the interval.
Fraction fraction_below(const BigInterval& x);

// floor(a b).
constexpr Fraction mul_down(Fraction a, Fraction b) {
  const auto low = [](UInt128 x) { return static_cast<UInt128>(static_cast<std::uint64_t>(x)); };
  const UInt128 cross1 = (a >> 64) * low(b);
  const UInt128 cross2 = low(a) * (b >> 64);
  const UInt128 carry = ((low(a) * low(b)) >> 64) + low(cross1) + low(cross2);
  return (a >> 64) * (b >> 64) + (cross1 >> 64) + (cross2 >> 64) + (carry >> 64);
}

// floor(2^bits x), bits <= 63.
constexpr std::uint64_t scaled_down(Fraction x, int bits) { return static_cast<std::uint64_t>(x >> (128 - bits)); }

}  // namespace dither::random::detail
