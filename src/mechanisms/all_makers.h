// Every recipe of the room, as steps again.
#pragma once

#include "calculus/makers.h"

namespace dither::mechanisms {

// Adds whatever the room makes.
void add_makers(calculus::Makers& makers);

}  // namespace dither::mechanisms
