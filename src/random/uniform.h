// Whole numbers below a bound, all equally likely.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "base/int128.h"
#include "random/source.h"

namespace dither::random {

namespace detail {

[[noreturn]] void refuse_empty_range();

// The multiplication method with words of `width` bits, 1 <= n <= 2^width. A word x gives floor(x n / 2^width), and is
// thrown away when x n mod 2^width < 2^width mod n: that leaves floor(2^width / n) words for every value, no more for
// one than for another. The division is only needed when x n mod 2^width < n, which is true of exactly one word a
// value, so that neither it nor the number of rounds tells anything about the value.
template <BitSource S>
std::uint64_t uniform_below(std::uint64_t n, int width, S& source) {
  if (n == 0) refuse_empty_range();
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
  for (;;) {
    const UInt128 product = static_cast<UInt128>(source.bits(width)) * n;
    const std::uint64_t low = static_cast<std::uint64_t>(product) & mask;
    if (low >= n || low >= ((mask - n + 1) & mask) % n) return static_cast<std::uint64_t>(product >> width);
  }
}

// For bounds beyond one word: as many bits as n - 1 has, thrown away when not below n. Two rounds on average at most.
template <BitSource S>
UInt128 uniform_below_wide(UInt128 n, S& source) {
  if (n == 0) refuse_empty_range();
  const auto high = static_cast<std::uint64_t>((n - 1) >> 64);
  const int low_bits = high == 0 ? static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1))) : 64;
  for (;;) {
    const UInt128 top = source.bits(std::bit_width(high));
    const UInt128 x = top << 64 | source.bits(low_bits);
    if (x < n) return x;
  }
}

}  // namespace detail

// A number in 0 .. n-1.
//
// Promise    exactly uniform: no modulo bias. Rounds are independent of the number.
// Refuses    n = 0 (bad-count).
// Cost       8 bytes and one multiplication; another round with probability below n / 2^64.
// Spec       W-74 (no modulo bias), D-68.
inline std::uint64_t uniform_below(std::uint64_t n, Source& source) { return detail::uniform_below(n, 64, source); }

// The same for bounds up to 2^128 - 1. 16 bytes a round, two rounds on average at most.
inline UInt128 uniform_below_wide(UInt128 n, Source& source) { return detail::uniform_below_wide(n, source); }

// Overwrites the span with independent numbers in 0 .. n-1.
void fill_uniform_below(std::uint64_t n, std::span<std::uint64_t> out, Source& source);

}  // namespace dither::random
