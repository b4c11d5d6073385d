// Adaptive composition with losses that are fixed in advance.
#pragma once

#include <mutex>
#include <vector>

#include "calculus/queryable.h"

namespace dither::calculus {

// A list of losses that was fixed before the first answer; which measurement is the next may depend on all answers so
// far, what it may cost does not. In any measure, a user's own too.
//
// Guarantee  what is seen of it costs at most total(), the sum of the list (F-27, W-18); by accounting better.
// Refuses    an empty list (bad-count); more questions than the list has, or one that costs more than its place
//            (over-budget), of other data (mixed-...) or in another measure (mixed-metrics). A refusal changes nothing.
// Threads    may be asked from many at once.
class AdaptiveComposition {
 public:
  AdaptiveComposition(const Private& data, Place place, const Measure& measure, std::vector<Loss> losses);

  // The next place of the list is taken before the answer is drawn.
  Release<Data> ask(const AnyMeasurement& question, random::Source& source);

  Loss total() const;
  std::size_t left() const;

 private:
  void take_place(const AnyMeasurement& question);

  Private data_;
  Place place_;
  Measure measure_;
  std::vector<Loss> losses_;
  mutable std::mutex mutex_;
  std::size_t taken_ = 0;
};

// Whether mechanisms that are themselves interactive may be asked in turns when their parameters were fixed in
// advance: proven for the built-in measures, for a user's own only one after the other (W-23). For budgets that
// follow the answers: accounting::require_concurrent.
Interleaving interleaving_of(const Measure& measure);

}  // namespace dither::calculus
