// By how much an event is expected to break a promise. Private to the room.
#pragma once

#include <vector>

#include "audit/effort.h"
#include "audit/promise.h"

namespace dither::audit::detail {

// What a test of effort.certify runs will say of an event that was seen in training with these frequencies: the bound on
// epsilon less the promised one, at the best epsilon of the promise; training and test errors both taken off. Of the event
// or of its complement with the inputs exchanged, as the test does. Minus infinity where nothing can be said.
class Excess {
 public:
  Excess(const Promise& promise, std::int64_t first_runs, std::int64_t second_runs, const Effort& effort);

  struct Best {
    double margin;
    double epsilon;
  };
  Best of(double first, double second) const;

 private:
  double upper(double share, double spread) const;

  std::vector<double> epsilons_, deltas_;
  double spread_first_, spread_second_;  // of a frequency: 1 / training + 1 / test
  double deviations_;                    // how many of its deviations each bound takes
};

}  // namespace dither::audit::detail
