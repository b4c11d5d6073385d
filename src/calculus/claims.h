// What the room's transformations, combinators and interactive measurements promise.
#pragma once

#include "base/claims.h"

namespace dither::calculus {

// One claim for each `make_*` of the room, under the name of its recipe.
void add_claims(Registry& registry);

}  // namespace dither::calculus
