// From recipes back to binomial, Skellam, staircase and K-norm noise, and to noise in shares.
#pragma once

#include "calculus/makers.h"

namespace dither::mechanisms {

void add_more_noise_makers(calculus::Makers& makers);

}  // namespace dither::mechanisms
