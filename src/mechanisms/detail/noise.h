// What additive noise on integers has in common.
#pragma once

#include <cstdint>

#include "calculus/measurement.h"
#include "random/source.h"

namespace dither::mechanisms::detail {

// exact + independent draws, coordinate by coordinate; sums stop at the ends of 128 bits, which only the noisy sum
// decides (post-processing, F-23).
template <class Noise>
calculus::Integers add_noise(const Noise& noise, const calculus::Integers& exact, random::Source& source) {
  calculus::Integers noisy(exact.size());
  noise.fill(std::span<Int128>(noisy), source);
  for (std::size_t i = 0; i < exact.size(); ++i) noisy[i] = add_saturating(exact[i], noisy[i]);
  return noisy;
}

// The bar of noise whose law does not depend on the value: |noise| <= radius with probability 95% at least.
inline calculus::AnyMeasurement::ErrorFunction symmetric_error(double standard_error, std::uint64_t radius) {
  return [standard_error, width = Rational(static_cast<Int128>(radius))](Int128 released) {
    return calculus::ErrorBar{standard_error, Rational(released) - width, Rational(released) + width};
  };
}

}  // namespace dither::mechanisms::detail
