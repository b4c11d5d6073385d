// Every recipe of the room, as steps again.
#pragma once

#include "calculus/makers.h"

namespace dither::calculus {

// Adds whatever the room makes.
void add_makers(Makers& makers);

}  // namespace dither::calculus
