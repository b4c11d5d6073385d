// A loss on a lattice from above and from below. Private to the room.
#pragma once

#include "accounting/detail/lattice_nodes.h"
#include "accounting/detail/lattice_sum.h"

namespace dither::accounting::detail {

// Masses at least those of a pair that dominates the loss (connect-the-dots, B-03); what lies outside of the nodes is
// infinite. Refuses what make_nodes refuses.
LatticePart part_above(const Loss& loss, const Lattice& lattice);

// Masses at most those of a pair that the loss dominates (lattice_hull.h).
LatticePart part_below(const Loss& loss, const Lattice& lattice);

// Both of one loss, whose integrals are computed once.
struct TwoParts {
  LatticePart above;
  LatticePart below;
};
TwoParts parts_around(const Loss& loss, const Lattice& lattice);

}  // namespace dither::accounting::detail
