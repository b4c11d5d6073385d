// What means promise.
#pragma once

#include "base/claims.h"

namespace dither::mechanisms {

void add_mean_claims(Registry& registry);

}  // namespace dither::mechanisms
