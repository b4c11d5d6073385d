// Doubles to whole numbers of steps, exactly, and quickly where that is easy.
#pragma once

#include "base/int128.h"
#include "base/rational.h"

namespace dither::calculus::detail {

// The nearest whole number to x / step, half to even; NaN gives 0, what leaves 128 bits the nearest end.
//
// Promise    exact. In doubles x / step is off by less than 2^-51 of itself (the inverse by 2^-52, the product by
//            2^-53); only where that could change the nearest whole number, the quotient is computed in rationals.
// Holds if   step > 0.
class NearestStep {
 public:
  explicit NearestStep(const Rational& step);

  Int128 operator()(double x) const {
    const double quotient = x * inverse_;
    const double nearest = __builtin_nearbyint(quotient);
    const double size = __builtin_fabs(quotient);
    if (size < kQuick && __builtin_fabs(quotient - nearest) < 0.5 - size * kError - kTiny) [[likely]]
      return static_cast<Int128>(static_cast<long>(nearest));
    return exactly(x);
  }

 private:
  static constexpr double kQuick = 0x1p40;  // the difference from the nearest whole number is then exact
  static constexpr double kError = 0x1p-51;
  static constexpr double kTiny = 0x1p-1000;  // products that underflow are off by this much at most

  Int128 exactly(double x) const;

  Rational step_;
  double inverse_;  // of the step, rounded down; NaN beyond 2^1000 either way
};

}  // namespace dither::calculus::detail
