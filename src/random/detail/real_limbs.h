// Whole numbers of a fixed number of 64-bit limbs: the same instructions whatever the digits.
#pragma once

#include <array>
#include <cstdint>

#include "base/int128.h"

namespace dither::random::detail {

// The least significant limb comes first.
template <int N>
using Limbs = std::array<std::uint64_t, N>;

// All ones when the condition holds. Selections go through masks, since a branch would be mispredicted by value; the
// empty instruction hides from the compiler that only two masks exist, or it would make branches of them again.
inline std::uint64_t mask_if(bool condition) {
  std::uint64_t mask = std::uint64_t{0} - static_cast<std::uint64_t>(condition);
  __asm__("" : "+r"(mask));
  return mask;
}

inline std::uint64_t select(std::uint64_t mask, std::uint64_t yes, std::uint64_t no) {
  return no ^ ((no ^ yes) & mask);
}

template <int N>
Limbs<N> select(std::uint64_t mask, const Limbs<N>& yes, const Limbs<N>& no) {
  Limbs<N> result;
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i) result[i] = select(mask, yes[i], no[i]);
  return result;
}

// a + b modulo 2^(64 N); `carry` comes in and goes out.
template <int N>
Limbs<N> add(const Limbs<N>& a, const Limbs<N>& b, std::uint64_t* carry) {
  Limbs<N> result;
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i) {
    const UInt128 sum = UInt128{a[i]} + b[i] + *carry;
    result[i] = static_cast<std::uint64_t>(sum);
    *carry = static_cast<std::uint64_t>(sum >> 64);
  }
  return result;
}

template <int N>
Limbs<N> add(const Limbs<N>& a, const Limbs<N>& b) {
  std::uint64_t carry = 0;
  return add<N>(a, b, &carry);
}

// a - b modulo 2^(64 N), in two's complement.
template <int N>
Limbs<N> subtract(const Limbs<N>& a, const Limbs<N>& b) {
  Limbs<N> result;
  std::uint64_t borrow = 0;
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i) {
    const UInt128 difference = UInt128{a[i]} - b[i] - borrow;
    result[i] = static_cast<std::uint64_t>(difference);
    borrow = static_cast<std::uint64_t>(difference >> 64) & 1;
  }
  return result;
}

// -a when the mask is all ones, a when it is zero.
template <int N>
Limbs<N> negate_if(std::uint64_t mask, const Limbs<N>& a) {
  Limbs<N> flipped;
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i) flipped[i] = a[i] ^ mask;
  std::uint64_t carry = mask & 1;
  return add<N>(flipped, Limbs<N>{}, &carry);
}

template <int N>
Limbs<2 * N> multiply(const Limbs<N>& a, const Limbs<N>& b) {
  Limbs<2 * N> product{};
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i) {
    std::uint64_t carry = 0;
#pragma GCC unroll 8
    for (int j = 0; j < N; ++j) {
      const UInt128 sum = UInt128{a[i]} * b[j] + product[i + j] + carry;
      product[i + j] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64);
    }
    product[i + N] = carry;
  }
  return product;
}

// floor(a b / 2^(64 N)): the product of two fractions, less than one unit low.
template <int N>
Limbs<N> multiply_high(const Limbs<N>& a, const Limbs<N>& b) {
  const Limbs<2 * N> product = multiply<N>(a, b);
  Limbs<N> high;
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i) high[i] = product[N + i];
  return high;
}

// a 2^amount modulo 2^(64 N), amount < 64.
template <int N>
Limbs<N> shift_left_bits(const Limbs<N>& a, int amount) {
  Limbs<N> result;
#pragma GCC unroll 8
  for (int i = N - 1; i > 0; --i) result[i] = a[i] << amount | (a[i - 1] >> 1) >> (63 - amount);
  result[0] = a[0] << amount;
  return result;
}

// floor(a / 2^amount) for every amount.
template <int N>
Limbs<N> shift_right(const Limbs<N>& a, std::uint64_t amount) {
  static_assert(N < 8);
  amount = select(mask_if(amount > 64 * N), 64 * N, amount);
  Limbs<N> x = a;
#pragma GCC unroll 8
  for (int step = 1; step <= N; step *= 2) {
    const std::uint64_t mask = mask_if((amount / 64 & static_cast<unsigned>(step)) != 0);
#pragma GCC unroll 8
    for (int i = 0; i < N; ++i) x[i] = select(mask, i + step < N ? x[(i + step) % N] : 0, x[i]);
  }
  const auto bits = static_cast<int>(amount % 64);
#pragma GCC unroll 8
  for (int i = 0; i + 1 < N; ++i) x[i] = x[i] >> bits | (x[i + 1] << 1) << (63 - bits);
  x[N - 1] >>= bits;
  return x;
}

// Shifts left until the top bit is set and says how far: 64 N - 1 or more for zero, which stays zero.
template <int N>
Limbs<N> normalise(const Limbs<N>& a, int* amount) {
  Limbs<N> x = a;
  *amount = 0;
#pragma GCC unroll 8
  for (int round = 1; round < N; ++round) {
    const std::uint64_t empty = mask_if(x[N - 1] == 0);
    *amount += static_cast<int>(empty & 64);
#pragma GCC unroll 8
    for (int i = N - 1; i > 0; --i) x[i] = select(empty, x[i - 1], x[i]);
    x[0] &= ~empty;
  }
  const int zeros = __builtin_clzll(x[N - 1] | 1);
  *amount += zeros;
  return shift_left_bits<N>(x, zeros);
}

}  // namespace dither::random::detail
