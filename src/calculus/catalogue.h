// The catalogue of stable transformations: every step between private data and noise, each with its proven map.
#pragma once

#include "base/claims.h"
#include "calculus/conversions.h"
#include "calculus/counting.h"
#include "calculus/makers.h"
#include "calculus/multisets.h"
#include "calculus/parts.h"
#include "calculus/rows.h"
#include "calculus/vectors.h"

namespace dither::calculus {

// How recipes of the catalogue become steps again.
void add_catalogue_makers(Makers& makers);

// What each step promises, and which tests would notice if it did not hold.
void add_catalogue_claims(Registry& registry);

}  // namespace dither::calculus
