// From one neighbour relation to another.
#pragma once

#include "accounting/cost.h"
#include "accounting/neighbours.h"

namespace dither::accounting {

// Whether a record that stands for nobody may appear in the data, so that leaving out is replacing by it.
enum class NullRecord { allowed, not_allowed };

// A guarantee for one relation, as a guarantee for another:
//   add-remove to replace-one or both    a replacement is a removal and an addition:
//                                        (2 epsilon, (1 + e^epsilon) delta), and 4 rho
//   replace-one to add-remove or both    unchanged, when a null record is allowed
//   both to either                       unchanged
// Refuses    no-theorem: replace-one elsewhere without a null record; delta > 0 with rho from add-remove.
ApproximateDp with_neighbours(const ApproximateDp& guarantee, Neighbours from, Neighbours to, NullRecord null_record);
ConcentratedDp with_neighbours(const ConcentratedDp& guarantee, Neighbours from, Neighbours to, NullRecord null_record);

}  // namespace dither::accounting
