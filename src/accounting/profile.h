// A pair of laws from nothing but its curve delta(epsilon).
#pragma once

#include <functional>

#include "accounting/loss.h"

namespace dither::accounting {

// A symmetric pair whose curve is nowhere below `delta_up`, a bound on the curves of all neighbours for epsilon >= 0.
//
// Holds for  symmetric relations: replace-one, or bounds that hold in both directions of another.
// Promise    the pair dominates: its curve is, as a function of e^epsilon, the lower convex hull of the points at `nodes`
//            epsilons between 0 and `most`, which lies above the true curve, since that is convex and below each point;
//            from `most` on it is constant, an infinite loss of the delta there. Masses are exact until they are
//            rounded once. A bound that belongs to no pair (delta(0) too large) becomes the worst mechanism with the
//            epsilon `most` and the delta there.
// Refuses    most outside (0, 300], fewer than 2 or more than 10^5 nodes (out-of-range).
// Spec       B-01.
AtomLoss symmetric_pair(const std::function<double(double epsilon)>& delta_up, double most, int nodes = 1000);

}  // namespace dither::accounting
