// A privacy loss seen on a uniform grid of losses: the exact integrals from which both lattice bounds are made.
// Private to the room.
#pragma once

#include <cstdint>
#include <vector>

#include "accounting/loss.h"

namespace dither::accounting::detail {

// The nodes are the losses anchor + k step for whole k. `tail` is the mass that may be left outside of the nodes when
// the loss is unbounded.
struct Lattice {
  double step;
  double anchor;
  double tail;
};

// An anchor that puts the atoms of a loss, or the end of its support, onto the lattice as well as one shift can.
double natural_anchor(const Loss& loss);

// The pair (P, Q) on the nodes first, first + 1, ... With R = dP/dQ and the curve H(r) = E_Q[(R - r)+], whose value at
// e^epsilon is delta(epsilon):
//   kink[i]   the change of slope at node i of the polyline through H at the nodes: the Q-mass that connect-the-dots
//             puts there. The P-mass is kink[i] ratio[i].
//   gap[i]    at least the largest distance of H from its chord over the bucket between nodes i and i + 1
//   rise[i]   ratio[i + 1] - ratio[i]
//   up[i]     the integral of (R - ratio[i]) dQ, and
//   down[i]   that of (ratio[i + 1] - R) dQ, over the inside of that bucket (atoms on nodes are not inside)
//
// Promise    true kinks lie within `error` (relative) of those given; rise and ratio within error as well. Outcomes
//            outside of the nodes have mass at most outside_p and outside_q. The whole is exact for losses that differ
//            from the true ones by at most `slip`, outcome by outcome; so true deltas at epsilon lie between those of
//            the nodes at epsilon + slip and epsilon - slip.
// Spec       B-03 (kinks), design L (gaps).
struct Nodes {
  double step = 0;
  double anchor = 0;
  std::int64_t first = 0;
  std::vector<double> kink;
  std::vector<double> ratio;
  std::vector<double> rise;
  std::vector<double> gap;
  std::vector<double> up;
  std::vector<double> down;
  double infinite_mass = 0;
  double other_infinite = 0;  // mass of Q where P has none, from 1e-12 on
  double outside_p = 0;
  double outside_q = 0;
  double error = 0;
  double slip = 0;

  double loss_at(std::size_t i) const {
    return anchor + static_cast<double>(first + static_cast<std::int64_t>(i)) * step;
  }
};

// Losses beyond this are left to the closed forms: their ratios come near the end of the doubles.
inline constexpr double kLargestLoss = 600;
// More nodes than this are refused.
inline constexpr std::size_t kMostNodes = std::size_t{1} << 22;

// The nodes of a loss; a MixtureLoss with direction add is refused here, because it is the mirror of `remove`.
// Refuses    a step that is not positive (bad-grid); losses beyond kLargestLoss, more than kMostNodes nodes, and
//            parameters out of their range (out-of-range).
Nodes make_nodes(const Loss& loss, const Lattice& lattice);

}  // namespace dither::accounting::detail
