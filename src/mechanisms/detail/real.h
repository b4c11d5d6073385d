// Real noise rounded to the grid, as the function of a measurement.
#pragma once

#include "calculus/measurement.h"
#include "random/real_law.h"

namespace dither::mechanisms::detail {

// Adds scale * Z to each coordinate and rounds, in steps. Refuses what random::RealNoise refuses.
calculus::AnyMeasurement::Function rounded_noise(const random::RealLaw& law, const Rational& scale);

}  // namespace dither::mechanisms::detail
