// Intervals of doubles: a quick enclosure of a real number.
#pragma once

#include "base/rational.h"

namespace dither {

// A closed interval [low, high] of real numbers with doubles as ends, which may be infinite but are never NaN.
//
// Promise    a result holds every value that the operation can take on points of the operands, and each end is the
//            nearest double that does (directed.h). Overflow gives an infinite end on the outside only.
// Refuses    NaN (bad-number); ends in the wrong order and intervals that hold no real number, such as [inf, inf]
//            (out-of-range); a divisor that holds 0 (division-by-zero).
// Cost       two directed operations; eight for products of mixed sign.
class Interval {
 public:
  explicit Interval(double value) : Interval(value, value) {}
  Interval(double low, double high);
  // The tightest interval around an exact number.
  explicit Interval(const Rational& value) : Interval(value.to_double_down(), value.to_double_up()) {}

  double low() const { return low_; }
  double high() const { return high_; }
  bool contains(double x) const { return low_ <= x && x <= high_; }
  // high - low, rounded up.
  double width() const;

  Interval operator-() const { return {-high_, -low_}; }
  friend Interval operator+(const Interval& a, const Interval& b);
  friend Interval operator-(const Interval& a, const Interval& b) { return a + (-b); }
  friend Interval operator*(const Interval& a, const Interval& b);
  friend Interval operator/(const Interval& a, const Interval& b);
  friend bool operator==(const Interval& a, const Interval& b) = default;

 private:
  double low_;
  double high_;
};

}  // namespace dither
