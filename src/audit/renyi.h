// Renyi divergences of a mechanism's outputs, from below.
#pragma once

#include "audit/effort.h"
#include "audit/target.h"

namespace dither::audit {

struct RenyiBound {
  double order = 0;
  double at_least = 0;  // with confidence 1 - effort.false_alarm; 0 when nothing was found
  double about = 0;     // the same without the slack of finite samples
};

// The divergence of order above 1 of the first from the second input of a pair: over all h,
//   D = sup  order / (order - 1) log E e^((order - 1) h) - log E' e^(order h).
//
// h          is the log ratio of histograms of training runs, cut off at +-B; B is chosen there too.
// Bounds     fresh runs, empirical Bernstein for both means (values in [0, 1] after division by the largest), half of the
//            alarm each. Every h gives a lower bound, so nothing about the histograms need be right.
// Spec       T-47.
RenyiBound renyi_at_least(const Target& target, std::size_t pair, double order, const Effort& effort);

}  // namespace dither::audit
