// What the room's mechanisms promise.
#pragma once

#include "base/claims.h"

namespace dither::mechanisms {

// One claim for each `make_*` of the room, under the name of its recipe.
void add_claims(Registry& registry);

}  // namespace dither::mechanisms
