// StatDP: the event with the smallest p-value, and the curve of p-values whose cliff shows epsilon (T-43, W-61).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "audit/tester.h"  // IWYU pragma: export

namespace dither::audit {

// What was seen of an event: hits among the runs of the input that has it more often, and of the other.
struct EventCounts {
  std::int64_t first = 0, first_runs = 0;
  std::int64_t second = 0, second_runs = 0;
};

// The p-value of H0: P(E) <= e^epsilon P'(E) + delta. Each hit of the first input is kept with probability e^-epsilon;
// at the edge of H0 the kept ones and those of the second input are alike, so that given their sum the kept ones follow
// the hypergeometric law, whose upper tail it is. The mean of twenty thinnings; the seed decides which hits are kept.
//
// Promise    at delta = 0 and one thinning, P(p <= a) <= a under H0; the mean of dependent ones: at most 2 a. With
//            delta > 0 delta * runs hits are taken off first, which is right in the mean only. So it chooses events and
//            draws curves; verdicts come from settle.
// Refuses    runs below 1 or above 5 * 10^11, hits outside 0..runs (bad-count); epsilon < 0 or not a number
// (out-of-range).
double thinned_p_value(const EventCounts& counts, double epsilon, double delta, std::uint64_t seed);

// For each epsilon: the event with the smallest p-value in effort.search runs, and its p-value in effort.certify fresh ones;
// the smallest over the pairs, times their number. The cliff is the largest epsilon below which that is under 1%, by
// bisection between 0 and the last epsilon: an estimate of the true epsilon from below.
// Refuses    no epsilons (bad-count).
struct PValueCurve {
  std::vector<double> epsilons = {};
  std::vector<double> p_values = {};
  double cliff = 0;
};
PValueCurve p_value_curve(const Target& target, std::span<const double> epsilons, const Effort& effort);

}  // namespace dither::audit
