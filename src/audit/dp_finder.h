// DP-Finder: the event, and the inputs, whose log ratio of probabilities is largest (T-44, W-63).
#pragma once

#include <span>

#include "audit/patterns.h"
#include "audit/tester.h"  // IWYU pragma: export

namespace dither::audit {

// dp_finder(Target) searches events on the pairs of a target: conditions on every entry at once, by coordinate search with
// restarts, gradient-free, so noise need not be differentiable. What is maximised is log p1 - log p2 with the errors of
// training and test taken off; half of the search runs find events, the other half choose between them.
//
// This form searches inputs too: all starts are valued, the best is improved coordinate by coordinate (search_inputs.h),
// and the events are then searched on what was found, and on the best start. Starts must be neighbours under the rules.
// With a deadline this takes three tenths of the time at most.
//
// Correlated sampling (the same noise for both inputs) is left out: a black box shows no noise, and the production source
// cannot be rewound. Its gain is in the search only; the bounds would be the same.
//
// Promise    that of settle: false alarm at most effort.false_alarm.
// Refuses    no starts (bad-count), starts that the rules do not allow (bad-argument).
Report dp_finder(const VectorMechanism& mechanism, std::span<const InputPair> starts, const InputRules& rules,
                 const Effort& effort);

}  // namespace dither::audit
