// What the directed functions share: an approximation that knows how wrong it may be.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/ulps.h"

namespace dither::detail {

// The true value lies within `steps` doubles of `value` and in [low, high].
struct Approximation {
  double value;
  std::int64_t steps;
  double low;
  double high;

  double up() const { return std::min(steps_up(value, steps), high); }
  double down() const { return std::max(steps_down(value, steps), low); }
};

inline Approximation exactly(double value) { return {value, 0, value, value}; }

[[noreturn]] void throw_nan(const char* function);
[[noreturn]] void throw_outside(const char* function, const char* rule);

inline void refuse_nan(const char* function, double a, double b = 0) {
  if (std::isnan(a) || std::isnan(b)) throw_nan(function);
}

}  // namespace dither::detail
