// The step of a measure as p / q.
#pragma once

#include "base/rational.h"

namespace dither::engine::detail {

// In lowest terms; out-of-range beyond 128 bits.
Int128 numerator(const Rational& step);
Int128 denominator(const Rational& step);

}  // namespace dither::engine::detail
