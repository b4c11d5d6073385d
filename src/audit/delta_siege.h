// Delta-Siege: a whole curve of (epsilon, delta) attacked at the point where it is weakest (T-46).
#pragma once

#include <vector>

#include "audit/tester.h"  // IWYU pragma: export

namespace dither::audit {

// Where a curve is tested: epsilon, and the delta that is promised there.
struct CurvePoint {
  double epsilon = 0, delta = 0;
};

// The points of the promise that are tried: those of Promise::epsilons, and for a curve four between every two.
std::vector<CurvePoint> siege_points(const Promise& promise);

// How many times too narrow the noise is, as far as an event with probabilities at least `first` and at most `second` shows:
// the least s, to 1%, at which a promise that is so many times weaker allows it at every epsilon. Weaker: epsilon s of
// (epsilon, delta), mu s, rho s^2; of other curves all epsilons s times as large. At least 1, at most 1000.
double severity(const Promise& promise, double first, double second);

// delta_siege(target, effort) ranks outputs as DP-Sniper does and chooses set and epsilon on the search runs: the
// frontier delta = p1 - e^epsilon p2 of every threshold against the whole promised curve, with both frequencies moved
// against the attack by one band that holds for all thresholds at once. The band is sqrt(log(2 / alpha) / (2 n))
// (stats/dkw.h): the form with min(2, 1 / alpha) in place of 2 / alpha that is in circulation is too narrow. The best
// cut of DP-Sniper is a second bet, since a band of one width is too wide for rare events. One test on fresh runs; where
// it refutes, a note says how severely.
//
// Promise    that of settle: false alarm at most effort.false_alarm.

}  // namespace dither::audit
