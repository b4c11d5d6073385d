// The face of the room: exact laws of counts and distances, for tests and auditors.
#pragma once

#include "stats/beta.h"             // IWYU pragma: export
#include "stats/binomial.h"         // IWYU pragma: export
#include "stats/chi_square.h"       // IWYU pragma: export
#include "stats/clopper_pearson.h"  // IWYU pragma: export
#include "stats/dkw.h"              // IWYU pragma: export
#include "stats/hypergeometric.h"   // IWYU pragma: export
#include "stats/kolmogorov.h"       // IWYU pragma: export
#include "stats/multinomial.h"      // IWYU pragma: export
#include "stats/roc.h"              // IWYU pragma: export
