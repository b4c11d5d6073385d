// From recipes back to histograms and key releases.
#pragma once

#include "calculus/makers.h"

namespace dither::mechanisms {

// laplace-histogram, gaussian-histogram, laplace-threshold, gaussian-threshold, partition-selection, greedy-votes and
// sparse-histogram. A set union is a chain of two of them.
void add_key_makers(calculus::Makers& makers);

}  // namespace dither::mechanisms
