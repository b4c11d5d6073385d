// The face of the room: what people and programs see.
#pragma once

#include "show/chart.h"         // IWYU pragma: export
#include "show/csv.h"           // IWYU pragma: export
#include "show/estimates.h"     // IWYU pragma: export
#include "show/json.h"          // IWYU pragma: export
#include "show/progress_bar.h"  // IWYU pragma: export
#include "show/table.h"         // IWYU pragma: export
#include "show/ticks.h"         // IWYU pragma: export
#include "show/tree.h"          // IWYU pragma: export
