// The lower bound on a lattice: the best pair with its atoms on the nodes that is known to be dominated. Private to
// the room.
#pragma once

#include <vector>

#include "accounting/detail/lattice_nodes.h"

namespace dither::accounting::detail {

// Masses under Q, one a node, of a pair that (P, Q) dominates; each rounded down, so that a sum of positive terms over
// them bounds the exact one from below. All zero when nothing better is certain.
//
// Proof      see the source. Second order: the widths of both bounds together are about T step^2 after T steps.
// Spec       design L; B-02.
std::vector<double> lowered_masses(const Nodes& nodes);

}  // namespace dither::accounting::detail
