// The face of the room: files read strictly.
#pragma once

#include "config/fields.h"  // IWYU pragma: export
#include "config/read.h"    // IWYU pragma: export
#include "config/value.h"   // IWYU pragma: export
