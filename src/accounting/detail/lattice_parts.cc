#include "accounting/detail/lattice_parts.h"

#include <algorithm>

#include "accounting/detail/lattice_hull.h"

namespace dither::accounting::detail {

namespace {

const MixtureLoss* as_add(const Loss& loss) {
  const auto* mixture = std::get_if<MixtureLoss>(&loss);
  return mixture != nullptr && mixture->direction == MixtureLoss::Direction::add ? mixture : nullptr;
}

// Domination survives exchanging P and Q, so `add` is `remove` seen from the other side: losses change their sign, and
// the masses are those under Q.
Nodes remove_nodes(MixtureLoss mixture, const Lattice& lattice) {
  mixture.direction = MixtureLoss::Direction::remove;
  return make_nodes(mixture, {lattice.step, -lattice.anchor, lattice.tail});
}

LatticePart part_of(const Nodes& nodes, const std::vector<double>& under_q, double factor, bool mirrored) {
  LatticePart part;
  part.step = nodes.step;
  part.slip = nodes.slip;
  part.mass = under_q;
  if (mirrored) {
    part.anchor = -nodes.anchor;
    part.first = -(nodes.first + static_cast<std::int64_t>(nodes.kink.size()) - 1);
    std::reverse(part.mass.begin(), part.mass.end());
  } else {
    part.anchor = nodes.anchor;
    part.first = nodes.first;
    for (std::size_t i = 0; i < part.mass.size(); ++i) part.mass[i] *= nodes.ratio[i];
    part.infinite_mass = nodes.infinite_mass;
  }
  for (double& mass : part.mass) mass *= factor;
  return part;
}

Nodes nodes_of(const Loss& loss, const Lattice& lattice) {
  const MixtureLoss* add = as_add(loss);
  return add != nullptr ? remove_nodes(*add, lattice) : make_nodes(loss, lattice);
}

LatticePart above_of(const Nodes& nodes, bool mirrored) {
  LatticePart part = part_of(nodes, nodes.kink, 1 + 4 * nodes.error, mirrored);
  part.infinite_mass = (part.infinite_mass + (mirrored ? nodes.outside_q : nodes.outside_p)) * (1 + 0x1p-48);
  part.other_infinite = (nodes.other_infinite + (mirrored ? nodes.outside_p : nodes.outside_q)) * (1 + 0x1p-48);
  return part;
}

LatticePart below_of(const Nodes& nodes, bool mirrored) {
  LatticePart part = part_of(nodes, lowered_masses(nodes), 1 - 4 * nodes.error, mirrored);
  part.infinite_mass *= 1 - 0x1p-48;
  return part;
}

}  // namespace

LatticePart part_above(const Loss& loss, const Lattice& lattice) {
  return above_of(nodes_of(loss, lattice), as_add(loss) != nullptr);
}

LatticePart part_below(const Loss& loss, const Lattice& lattice) {
  return below_of(nodes_of(loss, lattice), as_add(loss) != nullptr);
}

TwoParts parts_around(const Loss& loss, const Lattice& lattice) {
  const Nodes nodes = nodes_of(loss, lattice);
  const bool mirrored = as_add(loss) != nullptr;
  return {above_of(nodes, mirrored), below_of(nodes, mirrored)};
}

}  // namespace dither::accounting::detail
