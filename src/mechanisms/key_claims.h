// What histograms and key releases promise.
#pragma once

#include "base/claims.h"

namespace dither::mechanisms {

void add_key_claims(Registry& registry);

}  // namespace dither::mechanisms
