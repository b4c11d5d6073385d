// Whether a transformation keeps what its map says: a search over neighbours, by the obvious distances.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "audit/shrink.h"
#include "base/progress.h"
#include "calculus/transformation.h"

namespace dither::audit {

struct StabilityReport {
  int pairs = 0;                              // at a distance above 0
  Rational largest_ratio = 0;                 // true distance of the outputs over map(true distance of the inputs)
  bool tight = false;                         // the ratio 1 occurs, in each of the four numbers of `cells`
  bool tight_at_one = false;                  // the same at distance one step
  std::optional<std::string> counterexample;  // the first promise that was broken, in words, on the smallest pair found
  std::optional<BreakingPair> smallest;       // that pair
  std::string complaint, first, second;       // what it breaks, and the pair, in words
  bool holds() const { return !counterexample.has_value(); }
};

// Draws members of the input domain and neighbours one to three steps away, and looks whether (a) no pair of outputs is
// further apart than the map says; (b) every output is a member of the output domain; (c) inputs that are the same to the
// metric (another order of rows, other bits of zero and NaN) give outputs at distance 0; (d) nothing throws. What breaks
// a promise is shrunk (shrink.h). A search: it refutes, and proves nothing.
//
// Data       made up here; the step runs on it in the clear. Throws Cancelled and nothing else.
// Cost       about 10 us a pair.
// Spec       W-06, W-60, T-50.
StabilityReport check_stability(const calculus::AnyTransformation& step, std::uint64_t seed, int pairs,
                                const CancelToken& cancel = {});

}  // namespace dither::audit
