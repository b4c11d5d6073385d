// From what is proven about a release to what it costs in the measure of a filter.
#pragma once

#include "accounting/cost.h"
#include "accounting/event.h"
#include "accounting/filter.h"

namespace dither::accounting {

// The charge of one release under a rule, every number rounded up.
//
// Holds if   the cost is for the filter's neighbours and unit.
// Refuses    a release for which nothing is proven in the measure of the rule: no epsilon, a delta under pure or gdp,
//            a Renyi curve that is infinite at an order of the rule, a batch that may be cut (no-theorem).
// Spec       A-68, B-20.
Charge charge_for(const FilterRule& rule, const Cost& cost);

// What all releases of an event add to the sums of a rule: as if they were added one by one.
//
// Refuses    as charge_for and cost().
// Cost       that of cost(), and 30 ns.
// Spec       B-20, W-20.
Spent price(const FilterRule& rule, const Event& event, Neighbours neighbours);

// Whether all releases of an event can still be afforded, and the state after them; over-budget leaves the state that
// was given as it is. Incremental: what was charged before is in the state.
bool can_afford(const FilterState& state, const Event& event, Neighbours neighbours);
FilterState charged(const FilterState& state, const Event& event, Neighbours neighbours);

}  // namespace dither::accounting
