// Smaller pairs that break the same promise: what a person can read.
#pragma once

#include <functional>

#include "calculus/data.h"

namespace dither::audit {

struct BreakingPair {
  calculus::Data first, second;
};

// Whether a pair still shows what is to be shown, its own conditions (membership, a distance) included.
using Shows = std::function<bool(const BreakingPair&)>;

// A pair that still shows it and that no single step below makes smaller; the pair given, when it does not.
//
// Steps      leave out a row on both sides or on one, or a key; replace a cell by a plainer one (NULL, false, 0, 1, empty
//            text); bring a number closer to 0, or the second closer to the first.
// Promise    every step makes a whole number smaller (rows, then cells that are not plain, then sizes of numbers), so it
//            ends; `most_tries` ends it earlier.
// Spec       T-50.
BreakingPair shrink(BreakingPair pair, const Shows& shows, int most_tries = 2000);

}  // namespace dither::audit
