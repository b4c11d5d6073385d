// From what is proven about a release to what it costs in the measure of a filter.
#pragma once

#include "accounting/cost.h"
#include "accounting/filter_rule.h"

namespace dither::accounting {

// The charge of one release under a rule, every number rounded up.
//
// Holds if   the cost is for the filter's neighbours and unit.
// Refuses    a release for which nothing is proven in the measure of the rule: no epsilon, a delta under pure or gdp,
//            a Renyi curve that is infinite at an order of the rule, a batch that may be cut (no-theorem).
// Spec       A-68, B-20.
Charge charge_for(const FilterRule& rule, const Cost& cost);

}  // namespace dither::accounting
