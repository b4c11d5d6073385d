// Whether a transformation keeps what its map says: a search over neighbours, by the obvious distances.
//
//   const StabilityReport report = check_stability(make_group_by(...), run_seed());
//   EXPECT_TRUE(report.holds()) << report.counterexample.value_or("");
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "calculus/transformation.h"

namespace dither::testing {

struct StabilityReport {
  int pairs = 0;                              // at a distance above 0
  Rational largest_ratio = 0;                 // true distance of the outputs over map(true distance of the inputs)
  bool tight = false;                         // the ratio 1 occurs, in each of the four numbers of `cells`
  bool tight_at_one = false;                  // the same at distance one step
  std::optional<std::string> counterexample;  // the first promise that was broken, in words
  bool holds() const { return !counterexample.has_value(); }
};

// Pairs for one transformation in one metric: 100,000 when DITHER_NIGHTLY is set, 1,500 otherwise. Spec W-06.
int stability_pairs();

// Draws members of the input domain and neighbours one to three steps away, and looks whether (a) no pair of outputs is
// further apart than the map says; (b) every output is a member of the output domain; (c) inputs that are the same to the
// metric (another order of rows, other bits of zero and NaN) give outputs at distance 0; (d) nothing throws.
StabilityReport check_stability(const calculus::AnyTransformation& step, std::uint64_t seed,
                                int pairs = stability_pairs());

// Whether the search finds a planted mistake: with the run's seed, and with no more pairs than a sound step is tried with.
bool is_caught(const calculus::AnyTransformation& planted);

// The same step with another map or another function: for planted mistakes.
calculus::AnyTransformation with_map(const calculus::AnyTransformation& step, calculus::AnyTransformation::Map map);
calculus::AnyTransformation with_metric(const calculus::AnyTransformation& step, const calculus::Metric& to,
                                        calculus::AnyTransformation::Map map);
calculus::AnyTransformation with_function(const calculus::AnyTransformation& step,
                                          calculus::AnyTransformation::Function function);

}  // namespace dither::testing
