// What accounting promises of several releases together.
#pragma once

#include "base/claims.h"

namespace dither::accounting {

// "filter-" and the name of its rule for each rule of filter_rule.h; "parallel-composition", "composition",
// "sampled-composition".
void add_claims(Registry& registry);

}  // namespace dither::accounting
