// What contribution bounding and the aggregates behind it promise.
#pragma once

#include "base/claims.h"

namespace dither::calculus {

void add_bounding_claims(Registry& registry);

}  // namespace dither::calculus
