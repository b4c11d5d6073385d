// The face of the room: what releases cost together.
#pragma once

#include "accounting/accountant.h"  // IWYU pragma: export
#include "accounting/accuracy.h"    // IWYU pragma: export
#include "accounting/calibrate.h"   // IWYU pragma: export
#include "accounting/catalogue.h"   // IWYU pragma: export
#include "accounting/charge.h"      // IWYU pragma: export
#include "accounting/cost.h"        // IWYU pragma: export
#include "accounting/curves.h"      // IWYU pragma: export
#include "accounting/event.h"       // IWYU pragma: export
#include "accounting/filter.h"      // IWYU pragma: export
#include "accounting/odometer.h"    // IWYU pragma: export
#include "accounting/parallel.h"    // IWYU pragma: export
#include "accounting/relations.h"   // IWYU pragma: export
#include "accounting/spent.h"       // IWYU pragma: export
