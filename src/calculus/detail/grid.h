// From cells to whole numbers of steps.
#pragma once

#include "calculus/domain.h"

namespace dither::calculus::detail {

// Clamps a number into bounds and then rounds it to the grid, half to even, before it meets another (rule 4).
//
// Promise    low() <= of(cell) <= high() for numbers, infinities too; missing cells, and whatever is no number, give 0.
//            Both ends are below 2^62 in size, so sums of fewer than 2^64 of them fit 128 bits.
// Refuses    a step that is not positive (bad-grid), bounds that are reversed or reach 2^62 steps (bad-bounds).
class Grid {
 public:
  Grid(const Bounds& bounds, const Rational& step);
  Int128 of(const Cell& cell) const;
  Int128 low() const { return low_; }
  Int128 high() const { return high_; }

 private:
  Bounds bounds_;
  Rational step_;
  Int128 low_, high_;
};

}  // namespace dither::calculus::detail
