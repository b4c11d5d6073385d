// Stability as tests ask for it: the search of audit/stability.h, with pairs by the environment, and planted mistakes.
//
//   const StabilityReport report = check_stability(make_group_by(...), run_seed());
//   EXPECT_TRUE(report.holds()) << report.counterexample.value_or("");
#pragma once

#include <cstdint>

#include "audit/stability.h"
#include "calculus/transformation.h"

namespace dither::testing {

using audit::StabilityReport;

// Pairs for one transformation in one metric: 100,000 when DITHER_NIGHTLY is set, 1,500 otherwise. Spec W-06.
int stability_pairs();

inline StabilityReport check_stability(const calculus::AnyTransformation& step, std::uint64_t seed,
                                       int pairs = stability_pairs()) {
  return audit::check_stability(step, seed, pairs);
}

// Whether the search finds a planted mistake: with the run's seed, and with no more pairs than a sound step is tried with.
bool is_caught(const calculus::AnyTransformation& planted);

// The same step with another map or another function: for planted mistakes.
calculus::AnyTransformation with_map(const calculus::AnyTransformation& step, calculus::AnyTransformation::Map map);
calculus::AnyTransformation with_metric(const calculus::AnyTransformation& step, const calculus::Metric& to,
                                        calculus::AnyTransformation::Map map);
calculus::AnyTransformation with_function(const calculus::AnyTransformation& step,
                                          calculus::AnyTransformation::Function function);

}  // namespace dither::testing
