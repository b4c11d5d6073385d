// 128-bit integers: the exact sums and noise of every private aggregate.
#pragma once

#include <limits>
#include <string>
#include <string_view>

namespace dither {

using Int128 = __int128;
using UInt128 = unsigned __int128;

inline constexpr Int128 kInt128Max = std::numeric_limits<Int128>::max();
inline constexpr Int128 kInt128Min = std::numeric_limits<Int128>::min();

// Checked arithmetic: exact, or an out-of-range error. Never wraps.
Int128 add_checked(Int128 a, Int128 b);
Int128 sub_checked(Int128 a, Int128 b);
Int128 mul_checked(Int128 a, Int128 b);

// Saturating arithmetic: exact, or the nearest end of the range. For values that are already released.
Int128 add_saturating(Int128 a, Int128 b);
Int128 sub_saturating(Int128 a, Int128 b);
Int128 mul_saturating(Int128 a, Int128 b);

// The value as an int64, or an out-of-range error.
long to_int64_checked(Int128 value);

// The value, or the nearest end of the int64 range.
constexpr long to_int64_saturating(Int128 value) {
  constexpr Int128 low = std::numeric_limits<long>::min();
  constexpr Int128 high = std::numeric_limits<long>::max();
  return static_cast<long>(value < low ? low : value > high ? high : value);
}

// |value| as an unsigned number, right at the smallest Int128 too.
constexpr UInt128 magnitude(Int128 value) {
  return value < 0 ? UInt128{0} - static_cast<UInt128>(value) : static_cast<UInt128>(value);
}

std::string to_string(Int128 value);
std::string to_string(UInt128 value);

// Reads an optional sign and decimal digits; bad-number or out-of-range otherwise.
Int128 parse_int128(std::string_view text);

}  // namespace dither
