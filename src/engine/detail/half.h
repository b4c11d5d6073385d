// Half floats.
#pragma once

#include <cstdint>
#include <cstring>

namespace dither::engine::detail {

// A number of 11 bits of fraction, 5 of exponent and a sign. IEEE 754, binary16.
inline float from_half(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half} >> 15 << 31;
  const std::uint32_t exponent = half >> 10 & 31;
  const std::uint32_t fraction = half & 1023;
  float value = 0;
  if (exponent == 0) {
    value = static_cast<float>(fraction) * 0x1p-24F;
  } else {
    const std::uint32_t bits = (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13;
    std::memcpy(&value, &bits, sizeof(value));
  }
  return sign == 0 ? value : -value;
}

}  // namespace dither::engine::detail
