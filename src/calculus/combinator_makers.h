// Combinators from recipes, and what they promise.
#pragma once

#include "base/claims.h"
#include "calculus/makers.h"

namespace dither::calculus {

// compose, group, cast-measure, fix-delta, change-relation, partition. (post-process, mix and sample hold a function that
// no recipe can name here: the rooms that have such functions add makers of their own.)
void add_combinator_makers(Makers& makers);

// One claim for each combinator and each kind of interactive measurement.
void add_combinator_claims(Registry& registry);

}  // namespace dither::calculus
