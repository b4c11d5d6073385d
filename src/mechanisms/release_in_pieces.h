// Long vectors through noise that treats every number alike: piece by piece, on all cores, without a copy of the whole.
#pragma once

#include <cstddef>
#include <functional>

#include "calculus/measurement.h"

namespace dither::mechanisms {

// A measurement whose steps all treat numbers one by one (Form::each), so that the releases of pieces of a vector, side
// by side, have the law of one release of the vector, and its price.
//
// Refuses    any other measurement (no-theorem).
class InPieces {
 public:
  explicit InPieces(const calculus::AnyMeasurement& whole);

  // Whether it can be made.
  static bool possible(const calculus::Recipe& recipe);

  // One release of a vector of this size. `exact` gives numbers begin to end of it, `take` gets the noisy ones from
  // `begin` on. Both are called for pieces of kPiece numbers at most, from several threads when there are many, for
  // disjoint ranges. Noise is from each thread's own source of secret bytes.
  //
  // Refuses    another size than the domain declares (wrong-type). What `exact` and `take` throw passes through.
  // Cost       that of the draws, divided by the cores; threads are started for 2^17 numbers each, 8 at most.
  using Exact = std::function<calculus::Data(std::size_t begin, std::size_t end)>;
  using Take = std::function<void(std::size_t begin, const calculus::Integers& noisy)>;
  void release(std::size_t size, const Exact& exact, const Take& take) const;

  static constexpr std::size_t kPiece = 4096;

 private:
  calculus::AnyMeasurement of_size(std::size_t size) const;

  calculus::AnyMeasurement whole_;
  calculus::AnyMeasurement piece_;  // the same for vectors of kPiece numbers
};

// Whether a measurement of numbers by key decides about every key, and draws its noise, by the number of that key alone, so that the
// releases of disjoint keys, side by side, have the law of one release of all of them, and its price. So are the rules of
// key_threshold.h and partition_selection.h; no other is taken for one.
bool treats_keys_alone(const calculus::Recipe& recipe);

}  // namespace dither::mechanisms
