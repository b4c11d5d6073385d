// Calibration: the one parameter that is not known, from the budget and the rest.
#pragma once

#include <cstddef>
#include <string_view>

#include "accounting/accountant.h"
#include "accounting/event.h"

namespace dither::accounting {

// What can be solved for, in one event of a list.
enum class Unknown {
  noise,    // sigma or scale: the least that keeps the target
  epsilon,  // of a mechanism described by an epsilon: the largest that keeps the target
  rate,     // of Poisson sampling: the largest
  times,    // how often the event may happen: the most
};

struct Calibrated {
  Rational value;
  Guarantee reached;  // with the value in place: epsilon.upper and delta.upper are at most those wanted
};

// Solves for one parameter of list.events[event]; what stands there now is ignored.
//
// Promise    the value has at most `digits` significant digits, and the target is certified with it: the whole question
//            is asked again at the rounded value. It lies within 10^-(digits - 1) relative of the best value that
//            the accountant certifies.
// Refuses    a parameter the event does not have (bad-argument); a target that nothing reaches (unreachable).
// Cost       about 15 questions to the accountant: 20 ms for 10,000 steps of subsampled Gaussian noise.
// Spec       B-28.
Calibrated calibrate(EventList list, std::size_t event, Unknown unknown, const Rational& epsilon, const Rational& delta,
                     int digits = 12);

}  // namespace dither::accounting
