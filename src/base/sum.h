// Sums that keep what rounding drops.
#pragma once

#include <span>

namespace dither {

// A running sum of doubles with certified bounds.
//
// Promise    down() <= exact sum of the doubles added so far <= up(), in any order and number. With n terms whose exact
//            sum is S the two are at most 2 ulp(S) + n^2 2^-105 (sum of |x|) apart: adjacent or equal in practice.
// Refuses    NaN (bad-number); infinite terms and partial sums that overflow (out-of-range).
// Cost       about 7 ns a term, no memory.
// Proof      two-sum gives each rounding error exactly, so exact sum = sum_ + (sum of the errors), and the errors are
//            summed once rounding down and once rounding up. (Kahan, Babuska and Neumaier round them to nearest.)
// Spec       W-78.
class RunningSum {
 public:
  RunningSum& operator+=(double x);
  double up() const;
  double down() const;

 private:
  double sum_ = 0;
  double errors_low_ = 0;
  double errors_high_ = 0;
};

double sum_up(std::span<const double> values);
double sum_down(std::span<const double> values);

}  // namespace dither
