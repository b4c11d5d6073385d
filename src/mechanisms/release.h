// Releases with noise that nobody can foresee.
#pragma once

#include <span>

#include "calculus/measurement.h"

namespace dither::mechanisms {

// One release of a measurement, with noise from the calling thread's own source of secret bytes (random/source.h). What
// ships draws in this way alone; a source can be given to a measurement itself, as tests do. Does not charge anybody.
// Spec       W-74.
calculus::Release<calculus::Data> release(const calculus::AnyMeasurement& measurement, const calculus::Private& data);
calculus::Release<calculus::Data> release(const calculus::AnyMeasurement& measurement,
                                          std::span<const Secret<Int128>> exact);

}  // namespace dither::mechanisms
