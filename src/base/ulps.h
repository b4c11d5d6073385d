// The doubles as a ladder: one step is the next double, also across zero, the subnormals and the last finite number.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace dither {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The rung of a double that is not NaN: order is kept, neighbours differ by one, both zeros are rung 0.
constexpr std::int64_t rung_of(double x) {
  const auto bits = std::bit_cast<std::int64_t>(x);
  return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}

constexpr double double_at(std::int64_t rung) {
  return std::bit_cast<double>(rung >= 0 ? rung : std::numeric_limits<std::int64_t>::min() - rung);
}

inline constexpr std::int64_t kTopRung = rung_of(kInfinity);

// The double `count` steps above or below, stopping at the infinities. count >= 0.
//
// A step is at least 2^-53 and at most 2^-52 of a normal number's size, so n steps move by at least n 2^-53 relative
// to the end that is nearer to zero. An approximation whose relative error is at most r 2^-53 is therefore made safe by
// r + 1 steps (the one more pays for the second order while r < 2^20), and one of e units in the last place by 2e + 1.
constexpr double steps_up(double x, std::int64_t count) {
  const std::int64_t rung = rung_of(x);
  return double_at(rung > kTopRung - count ? kTopRung : rung + count);
}

constexpr double steps_down(double x, std::int64_t count) { return -steps_up(-x, count); }

// How many steps lead from low up to high; low <= high. Unsigned, since the ladder has more rungs than an int64 counts.
constexpr std::uint64_t steps_between(double low, double high) {
  return static_cast<std::uint64_t>(rung_of(high)) - static_cast<std::uint64_t>(rung_of(low));
}

}  // namespace dither
