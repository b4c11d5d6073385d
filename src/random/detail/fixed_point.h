// Exponentials and logarithms in 64-bit integers, with certified error. The hot arithmetic of every sampler.
//
// Only additions, multiplications, shifts and one small table: no rounding mode, no contraction, no denormals to think
// of, and the same number of steps whatever the argument.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/int128.h"

namespace dither::random::detail {

constexpr std::uint64_t mul_high(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(static_cast<UInt128>(a) * b >> 64);
}

// floor(2^64 / n!), n >= 2.
constexpr std::array<std::uint64_t, 20> kInverseFactorials = [] {
  std::array<std::uint64_t, 20> table{};
  UInt128 factorial = 1;
  for (unsigned n = 2; n < table.size(); ++n) {
    factorial *= n;
    table[n] = static_cast<std::uint64_t>((UInt128{1} << 64) / factorial);
  }
  return table;
}();

// 1 - exp(-y), y and result in units of 2^-64, by the Taylor sum up to y^kDegree.
//
// Error      below 4 units for y < 0.3 and below 6 for y < 0.7 (plus the error of y itself, which passes through with a
//            factor of at most 1), if the first omitted term, y^(kDegree+1) / (kDegree+1)!, is below one unit: degree
//            10 for y < 1/16, degree 14 for y < 0.3, degree 19 for y < 0.7.
// Proof      p = 1/2! - y (1/3! - y (...)) in Horner form: a step loses under one unit for its constant and under one
//            for its product, and is then multiplied by y, so p is off by under 2 / (1 - y) units. The result is
//            y - y (y p): that error shrinks by y^2, and the two products lose under 1 + y units. With the omitted
//            term that makes under 2.6 units for y < 0.3 and under 6 for y < 0.7.
template <int kDegree>
constexpr std::uint64_t one_minus_exp(std::uint64_t y) {
  static_assert(kDegree >= 3 && kDegree < static_cast<int>(kInverseFactorials.size()));
  std::uint64_t p = kInverseFactorials[kDegree];
  for (int n = kDegree - 1; n >= 2; --n) p = kInverseFactorials[static_cast<unsigned>(n)] - mul_high(y, p);
  return y - mul_high(y, mul_high(y, p));
}

// floor(ln 2 * 2^64) and floor(2^63 / ln 2).
inline constexpr std::uint64_t kLn2 = 0xB17217F7D1CF79AB;
inline constexpr std::uint64_t kInverseLn2 = 0xB8AA3B295C17F0BB;

// exp(-i / 16) in units of 2^-64, within 7 units; exp(0) one unit low.
constexpr std::array<std::uint64_t, 12> kExpSixteenths = [] {
  std::array<std::uint64_t, 12> table{};
  for (unsigned i = 0; i < table.size(); ++i) table[i] = ~std::uint64_t{0} - one_minus_exp<19>(std::uint64_t{i} << 60);
  return table;
}();

// exp(-y) for y in units of 2^-58 (so y < 64), result in units of 2^-64.
//
// Error      below kExpNegError units, plus 64 exp(-y) units for each unit by which y is off.
// Proof      y = k ln 2 + f with k the floor of y / ln 2, possibly one less, which leaves f < 0.7. The constant for ln
//            2 is low by under one unit, so f is high by under k units, which 2^-k turns into less than one. f is i /
//            16 and a rest below 1/16: the table is off by 7 units, the Taylor sum by 4, and the complement, the
//            product and the last shift by one each.
inline constexpr std::uint64_t kExpNegError = 24;
constexpr std::uint64_t exp_neg(std::uint64_t y) {
  const std::uint64_t k = mul_high(y, kInverseLn2) >> 57;
  const auto f = static_cast<std::uint64_t>((static_cast<UInt128>(y) << 6) - static_cast<UInt128>(k) * kLn2);
  const std::uint64_t rest = ~std::uint64_t{0} - one_minus_exp<10>(f & (~std::uint64_t{0} >> 4));
  const std::uint64_t shifted = mul_high(kExpSixteenths[f >> 60], rest) >> (k & 63);
  return shifted & (std::uint64_t{0} - static_cast<std::uint64_t>(k < 64));
}

// -ln(u / 2^64) for 1 <= u < 2^64, in units of 2^-58.
//
// Error      below kNegLogError units.
// Proof      u = 2^-e m with 1 <= m < 2; an entry of the table holds r close to 1 / m (9 bits, so that z = m r - 1 is
//            exact) and -ln r rounded down by under one unit of 2^-63. |z| < 2^-7, so the omitted z^9 / 9 is
//            below 2^-66, and each Horner step loses under two units of 2^-63 times z. e ln 2 loses under e < 64 units
//            of 2^-64. All of it is below 72 units of 2^-64, which is under 2 units of 2^-58, and the final shift loses
//            one.
inline constexpr std::uint64_t kNegLogError = 4;
std::uint64_t neg_log(std::uint64_t u);

// What is known of a uniform number in [first, first + width) and a threshold that is known to within `slack`, all in
// units of 2^-64: at or above it, below it, or neither for sure. No branches.
struct Comparison {
  bool above;
  bool below;
};
constexpr Comparison compare(std::uint64_t first, std::uint64_t width, std::uint64_t threshold, std::uint64_t slack) {
  const std::uint64_t unsure = slack + width;
  const bool above = (first >= slack) & (first - slack >= threshold);
  const bool below = (threshold >= unsure) & (first <= threshold - unsure);
  return {above, below};
}

// `size` with a minus for sign = 1, without a branch.
constexpr Int128 with_sign(UInt128 size, std::uint64_t sign) {
  const auto flip = -static_cast<Int128>(sign);
  return (static_cast<Int128>(size) ^ flip) - flip;
}

}  // namespace dither::random::detail
