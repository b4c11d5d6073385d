// From recipes back to noise on numbers.
#pragma once

#include "calculus/makers.h"

namespace dither::mechanisms {

// "discrete-laplace", "laplace", "truncated-geometric", "gaussian", "real-gaussian". Their input must be vectors of
// whole numbers (wrong-type otherwise).
void add_noise_makers(calculus::Makers& makers);

}  // namespace dither::mechanisms
