// What recipes of mechanisms need: calculus/forms.h.
#pragma once

#include <span>

#include "calculus/forms.h"

namespace dither::mechanisms {

// The forms of all recipes that this room makes.
std::span<const calculus::Form> forms();

}  // namespace dither::mechanisms
