// The refusals of exact parameters that the native mechanisms share. Private to the room.
#pragma once

#include "base/rational.h"

namespace dither::accounting::detail {

// epsilon >= 0; bad-number otherwise.
void require_epsilon(const Rational& epsilon);
// 0 <= value <= 1; bad-probability otherwise.
void require_probability(const char* name, const Rational& value);
// 0 < value <= most; bad-scale otherwise.
void require_scale(const char* name, const Rational& value, const Rational& most);

}  // namespace dither::accounting::detail
