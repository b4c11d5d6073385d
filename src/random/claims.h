// What the samplers promise.
#pragma once

#include "base/claims.h"

namespace dither::random {

// One claim for the source and for each sampler: "draw-" and the name of its law in `dither noise`.
void add_claims(Registry& registry);

}  // namespace dither::random
