// By how much an event is expected to break a promise. Private to the room.
#pragma once

#include <vector>

#include "audit/effort.h"
#include "audit/promise.h"

namespace dither::audit::detail {

// How far a bound lies beyond the promise, as a share of it.
double beyond(double bound, double epsilon);

// What a test of effort.certify runs is expected to say of an event that was seen in training with these frequencies: the
// bound on epsilon beyond the promised one, as a share of it, at the best epsilon of the promise; of the event, or of its
// complement with the inputs exchanged, as the test does. Where no bound above 0 is expected, less than -1: the more surely
// the first frequency is the larger, the nearer to it; -2 where they are the same, so that an event that tells nothing, or
// the other way round, is never preferred.
class Excess {
 public:
  Excess(const Promise& promise, std::int64_t first_runs, std::int64_t second_runs, const Effort& effort);

  struct Best {
    double margin;
    double epsilon;
  };
  Best of(double first, double second) const;

 private:
  // How many deviations a bound takes off, and of how many runs: in the test those of the alarm, in training a few.
  struct Errors {
    double test, training;  // deviations / sqrt(runs)
    double upper(double share) const;
  };
  Errors errors(std::int64_t training_runs) const;

  std::vector<double> epsilons_, deltas_;
  double deviations_, certify_;
  Errors first_, second_;
};

}  // namespace dither::audit::detail
