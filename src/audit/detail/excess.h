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
  // Many events are looked at, most of them alike. For a rare event to look better by luck than a frequent one, whose
  // error is far smaller, its log ratio must be off by sqrt(2) times so many deviations of training: one search in
  // 100,000 or fewer, over all sizes of events. With 2.5 it was one in 300.
  static constexpr double kCareful = 3.5;
  // For events that are rare and may show much: a dozen against none. What luck shows is bet on in vain now and then.
  static constexpr double kHopeful = 1;

  Excess(const Promise& promise, std::int64_t first_runs, std::int64_t second_runs, const Effort& effort,
         double training_deviations = kCareful);

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
  double training_deviations_, deviations_, certify_;
  Errors first_, second_;
};

}  // namespace dither::audit::detail
