// Which error rates of attacks a guarantee allows.
//
// For whoever plots an attack's curve: what a claim allows is laid over it, and what lies outside refutes the claim.
// `dither verify --errors --json` gives the corners and the least delta, with --scores the corners.
#pragma once

#include <vector>

#include "audit/lower_bound.h"

namespace dither::audit {

// Theorem 5.7: when a mechanism is (epsilon, delta)-DP, every attack that tells two neighbouring inputs apart has
//   FPR + e^epsilon FNR >= 1 - delta   and   e^epsilon FPR + FNR >= 1 - delta.
// Refuses    rates and deltas outside [0, 1] (bad-probability); a negative epsilon (out-of-range), NaN and infinities
//            (bad-number).
// Spec       T-32. The inversion to epsilon is epsilon_of_rates_down (lower_bound.h).

// Whether an attack with exactly these rates lies outside: rounded so that true is proof, and rates on the border give
// false.
bool refutes(const ErrorRates& rates, double epsilon, double delta);

// The inversion to delta: no smaller one goes with this epsilon, max(0, 1 - FPR - e^epsilon FNR, 1 - FNR - e^epsilon
// FPR), rounded down.
double delta_of_rates_down(const ErrorRates& rates, double epsilon);

// A point of a curve of hits against false alarms.
struct AttackPoint {
  double false_positive_rate;
  double true_positive_rate;
};
// The corners of the most that is allowed, to be laid over such a curve: from (0, delta) by the point where both
// inequalities are tight to (1 - delta, 1) and (1, 1), with straight lines in between. On logarithmic axes lines bend:
// take more points from accounting::true_positive_rate_up. Rounded outward: false positives down, true ones up.
std::vector<AttackPoint> region_corners(double epsilon, double delta);

}  // namespace dither::audit
