#include "calculus/detail/nearest_step.h"

#include <cmath>
#include <cstdlib>
#include <limits>

namespace dither::calculus::detail {

namespace {

// NaN where the inverse might be no normal number: comparisons with NaN fail, and all quotients are exact.
double quick_inverse(const Rational& step) {
  constexpr long kMost = 1000;
  if (std::abs(step.floor_log2()) > kMost) return std::numeric_limits<double>::quiet_NaN();
  return (Rational(1) / step).to_double_down();
}

}  // namespace

NearestStep::NearestStep(const Rational& step) : step_(step), inverse_(quick_inverse(step)) {}

Int128 NearestStep::exactly(double x) const {
  if (std::isnan(x)) return 0;
  if (std::isinf(x)) return x > 0 ? kInt128Max : kInt128Min;
  static const Rational least(kInt128Min), most(kInt128Max);
  const Rational steps = Rational::from_double(x) / step_;
  return steps <= least ? kInt128Min : steps >= most ? kInt128Max : steps.round_half_even();
}

}  // namespace dither::calculus::detail
