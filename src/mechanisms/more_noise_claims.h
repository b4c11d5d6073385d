// What binomial, Skellam, staircase and K-norm noise promise, and noise in shares.
#pragma once

#include "base/claims.h"

namespace dither::mechanisms {

void add_more_noise_claims(Registry& registry);

}  // namespace dither::mechanisms
