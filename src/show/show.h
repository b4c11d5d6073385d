// The face of the room: what people and programs see.
#pragma once

#include "show/json.h"          // IWYU pragma: export
#include "show/progress_bar.h"  // IWYU pragma: export
#include "show/table.h"         // IWYU pragma: export
#include "show/text.h"          // IWYU pragma: export
