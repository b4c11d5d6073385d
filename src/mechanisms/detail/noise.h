// What additive noise on integers has in common.
#pragma once

#include <cstdint>
#include <span>

#include "calculus/measurement.h"
#include "random/source.h"

namespace dither::mechanisms::detail {

// a + b, or the end of 128 bits that lies on its side.
inline Int128 saturating_sum(Int128 a, Int128 b) {
  Int128 sum;
  if (!__builtin_add_overflow(a, b, &sum)) [[likely]]
    return sum;
  return a < 0 ? kInt128Min : kInt128Max;
}

// exact + independent draws, coordinate by coordinate; sums stop at the ends of 128 bits, which only the noisy sum
// decides (post-processing, F-23).
template <class Noise>
calculus::Integers add_noise(const Noise& noise, const calculus::Integers& exact, random::Source& source) {
  calculus::Integers noisy(exact.size());
  noise.fill(std::span<Int128>(noisy), source);
  const Int128* from = exact.data();
  for (Int128& y : noisy) y = saturating_sum(*from++, y);
  return noisy;
}

// The bar of noise whose law does not depend on the value: |noise| <= radius with probability 95% at least.
inline calculus::AnyMeasurement::ErrorFunction symmetric_error(double standard_error, const Rational& radius) {
  return [standard_error, radius](Int128 released) {
    return calculus::ErrorBar{standard_error, Rational(released) - radius, Rational(released) + radius};
  };
}
inline calculus::AnyMeasurement::ErrorFunction symmetric_error(double standard_error, std::uint64_t radius) {
  return symmetric_error(standard_error, Rational(static_cast<Int128>(radius)));
}

}  // namespace dither::mechanisms::detail
