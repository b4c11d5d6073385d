// The other way round: from the loss that may be spent to the noise that keeps it.
#pragma once

#include <functional>

#include "calculus/measurement.h"

namespace dither::calculus {

// The least scale with which make(scale).check(d_in, wanted) holds.
//
// Promise    the result is a double, taken exactly; the check holds there and was seen to fail at the double below (or
//            `make` refused that one with bad-scale), so it is the check's own answer, rounded outward.
// Holds if   a larger scale never costs more, and `make` accepts an interval of scales with one at 1 or above.
// Refuses    a loss that no scale up to 2^1000 (or up to the largest that `make` accepts) keeps (unreachable).
// Cost       about 80 calls of make for usual scales; none reads data.
// Spec       W-13.
Rational find_scale(const std::function<AnyMeasurement(const Rational& scale)>& make, const Distance& d_in,
                    const Loss& wanted);

}  // namespace dither::calculus
