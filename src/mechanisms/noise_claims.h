// What noise on numbers promises.
#pragma once

#include "base/claims.h"

namespace dither::mechanisms {

void add_noise_claims(Registry& registry);

}  // namespace dither::mechanisms
