// How likely a test was to refute the claim, had the mechanism been leakier than claimed: for reports (T-53). Private to
// the room.
#pragma once

#include <cstdint>
#include <functional>

#include "audit/detail/means.h"
#include "audit/promise.h"

namespace dither::audit::detail {

// How often an event was seen, never 0 or 1: (hits + 1/2) / (runs + 1).
double smoothed_share(std::int64_t hits, std::int64_t runs);

// Of a test that counts an event among so many runs of the input that it is less likely under. The event stays as likely
// under the other one, its loss is `times` what was seen, and the hits here are binomial. `refutes` says whether so many
// hits refute the claim, and turns false once as they grow. None where the event tells nothing about the inputs.
struct SeenShares {
  double likelier, other;  // its shares
  std::int64_t other_runs;
};
double power_of_event(double times, const SeenShares& seen, double delta,
                      const std::function<bool(std::int64_t hits)>& refutes);

// Of a test by bounds on two means (means.h), each at half of the alarm: the smaller one falls as the probability of an
// event would, and its variance with it. None where e^epsilon is more than a double holds. A normal approximation, for
// people.
struct SeenMeans {
  Mean likelier, other;
};
double power_of_means(double times, const SeenMeans& seen, double epsilon, double delta, double alarm);

// The best over all points of the promise: what is leakier would be tested where that shows most.
double best_of_points(const Promise& promise, const std::function<double(double epsilon, double delta)>& power);

// The chance that a normal number of this deviation around `margin` is above 0; none where either is no finite number.
double chance_above(double margin, double deviation);

}  // namespace dither::audit::detail
