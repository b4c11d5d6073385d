// Small probabilities that the guarantee does not hold at all: how they add, and what is left of delta beside them.
#pragma once

#include <cstdint>
#include <optional>

namespace dither::accounting {

// The chance that at least one of several independent failures happens: 1 - prod (1 - delta_j).
//
// Promise    up() is at least the exact probability, and within 1e-13 of it, relative.
// Refuses    delta outside [0, 1] (bad-probability); more than 10^12 times (bad-count).
// Spec       B-30, A-16, A-31, A-64.
class FailureProbability {
 public:
  FailureProbability& add(double delta, std::uint64_t times = 1);
  double up() const;

 private:
  double log_none_ = 0;  // of prod (1 - delta_j), rounded down
};

// The delta' with failure + (1 - failure) delta' = delta, rounded down: what the losses may use when the guarantee
// fails altogether with probability `failure`. Nothing when delta is below it. (A-31, A-64, B-30)
std::optional<double> delta_beside_failure_down(double delta, double failure);
// The other way: failure + (1 - failure) delta', rounded up.
double delta_with_failure_up(double delta, double failure);

}  // namespace dither::accounting
