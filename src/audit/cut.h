// Where to cut scores, chosen on training runs alone.
#pragma once

#include <span>
#include <vector>

#include "audit/effort.h"
#include "audit/promise.h"

namespace dither::audit {

// A cut of scores that promises most: which side, where, at which epsilon of the promise.
struct Cut {
  bool swapped = false;
  double threshold = 0;
  double epsilon = 0;
  double margin = 0;  // what the bound is expected to exceed the promise by, as a share of it; negative: nothing
};

// `first` and `second` are the scores of training runs, NaN as if below all others; the set {score >= threshold} of a
// swapped cut is likelier under the second input. Sets below a threshold need no cut of their own: a test looks at the
// complement too. Considers every threshold and every epsilon of the promise, foresees the bounds of a test of
// `effort.certify` runs, training error included, and takes the cut with the largest expected margin. T-35, T-45: the
// event's probability is chosen here.
Cut best_cut(std::vector<double> first, std::vector<double> second, const Promise& promise, const Effort& effort);

// Two choices: as above, and one that trusts the training runs more (detail::Excess::kHopeful), which finds what is rare.
struct Cuts {
  Cut careful, hopeful;
};
Cuts best_cuts(std::vector<double> first, std::vector<double> second, const Promise& promise, const Effort& effort);

}  // namespace dither::audit
