#include "accounting/detail/lattice_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "accounting/detail/lattice_mixture.h"
#include "base/directed.h"
#include "base/error.h"

namespace dither::accounting::detail {

namespace {

constexpr double kUnit = 0x1p-53;
// What the builders of a Loss may be off by, relative (loss.h).
constexpr double kGiven = 0x1p-50;

[[noreturn]] void refuse(const std::string& what) {
  throw Error{Code::out_of_range, what, "use a coarser step, or an engine without a grid"};
}

void require(bool holds, const char* what) {
  if (!holds) refuse(what);
}

// Nodes with nothing on them yet, from one at or below `low` to one at or above `high`. All nodes lie at whole
// multiples of the step from the anchor; a loss this close to a node is taken to lie on it.
struct Grid {
  Nodes nodes;

  static double closeness(double loss, const Lattice& lattice) {
    return 16 * kUnit * (std::abs(loss) + std::abs(lattice.anchor) + lattice.step);
  }

  Grid(double low, double high, const Lattice& lattice) {
    if (!(lattice.step > 0)) {
      throw Error{Code::bad_grid, fmt::format("the step of the grid is {}, but must be positive", lattice.step),
                  "give a step such as 1e-4"};
    }
    require(std::abs(low) <= kLargestLoss && std::abs(high) <= kLargestLoss, "a loss beyond 600 has no lattice");
    const double close = std::max(closeness(low, lattice), closeness(high, lattice));
    const double first = std::floor((low + close - lattice.anchor) / lattice.step);
    const double last = std::ceil((high - close - lattice.anchor) / lattice.step);
    require(last - first < static_cast<double>(kMostNodes) - 2, "the lattice would have more than 2^22 nodes");
    nodes.step = lattice.step;
    nodes.anchor = lattice.anchor;
    nodes.first = static_cast<std::int64_t>(first);
    const auto count = static_cast<std::size_t>(std::max(last, first + 1) - first) + 1;
    nodes.kink.assign(count, 0);
    nodes.ratio.resize(count);
    nodes.rise.resize(count - 1);
    nodes.gap.assign(count - 1, 0);
    nodes.up.assign(count - 1, 0);
    nodes.down.assign(count - 1, 0);
    for (std::size_t i = 0; i < count; ++i) nodes.ratio[i] = std::exp(nodes.loss_at(i));
    for (std::size_t i = 0; i + 1 < count; ++i) nodes.rise[i] = nodes.ratio[i] * std::expm1(nodes.step);
    // Node positions are rounded once in the product and once in the sum, and exp once.
    nodes.error = 16 * kUnit;
    nodes.slip =
        close + 4 * kUnit * (std::abs(lattice.anchor) + std::max(std::abs(first), std::abs(last)) * lattice.step);
  }

  // Adds what the two integrals of (part of) the inside of a bucket contribute.
  void add(std::size_t i, double up, double down) {
    nodes.kink[i + 1] += up / nodes.rise[i];
    nodes.kink[i] += down / nodes.rise[i];
    nodes.up[i] += up;
    nodes.down[i] += down;
  }

  // An atom of P-mass `mass` at `loss`.
  void add_atom(double loss, double mass) {
    const double place = (loss - nodes.anchor) / nodes.step - static_cast<double>(nodes.first);
    const double nearest = std::round(place);
    const auto last = static_cast<double>(nodes.kink.size() - 1);
    const double distance = std::abs(loss - nodes.loss_at(static_cast<std::size_t>(std::clamp(nearest, 0.0, last))));
    if (distance <= closeness(loss, {nodes.step, nodes.anchor, 0})) {
      const auto i = static_cast<std::size_t>(std::clamp(nearest, 0.0, last));
      nodes.slip = std::max(nodes.slip, 2 * distance + 4 * kUnit * (std::abs(loss) + std::abs(nodes.anchor)));
      nodes.kink[i] += mass / nodes.ratio[i];
      return;
    }
    const auto i = static_cast<std::size_t>(std::clamp(std::floor(place), 0.0, last - 1));
    // The place within the bucket is rounded: that is a slip of the atom, not an error of the masses.
    const double s = std::clamp(loss - nodes.loss_at(i), 0.0, nodes.step);
    nodes.slip = std::max(nodes.slip, 8 * kUnit * (std::abs(loss) + std::abs(nodes.anchor) + nodes.step));
    const double up = mass * -std::expm1(-s);
    const double down = mass * std::expm1(nodes.step - s);
    add(i, up, down);
    gap_low_[i] += s <= nodes.step / 2 ? up : 0;
    gap_high_[i] += s <= nodes.step / 2 ? 0 : down;
  }

  void start_gaps() {
    gap_low_.assign(nodes.gap.size(), 0);
    gap_high_.assign(nodes.gap.size(), 0);
  }
  void add_gap(std::size_t i, double low, double high) {
    gap_low_[i] += low;
    gap_high_[i] += high;
  }

  Nodes finish() {
    for (std::size_t i = 0; i < nodes.gap.size(); ++i) nodes.gap[i] = std::max(gap_low_[i], gap_high_[i]);
    return std::move(nodes);
  }

 private:
  // Integrals over the lower half of a bucket of (R - ratio[i]) dQ, and over its upper half of (ratio[i+1] - R) dQ. H
  // is convex, so its distance from the chord is concave in r, and lies below its tangent at the middle; that tangent
  // takes these two values at the ends of the bucket. (Any point may serve as the middle.)
  std::vector<double> gap_low_;
  std::vector<double> gap_high_;
};

Nodes atom_nodes(const AtomLoss& loss, const Lattice& lattice) {
  require(!loss.atoms.empty(), "a loss without atoms has no lattice");
  Grid grid(loss.atoms.front().loss, loss.atoms.back().loss, lattice);
  grid.start_gaps();
  double largest = 0;
  double under_q = 0;
  for (const LossAtom& atom : loss.atoms) {
    require(atom.mass >= 0 && std::isfinite(atom.loss), "an atom needs a finite loss and a mass of at least 0");
    grid.add_atom(atom.loss, atom.mass);
    largest = std::max(largest, std::abs(atom.loss));
    under_q += atom.mass * std::exp(-atom.loss);
  }
  const double left = 1 - under_q;
  grid.nodes.other_infinite = left > 1e-12 ? left + 1e-14 : 0;
  grid.nodes.infinite_mass = loss.infinite_mass;
  grid.nodes.slip += kGiven * largest;
  // Many atoms may fall into one bucket; their positive masses are added up one by one.
  grid.nodes.error += kGiven + 16 * kUnit + kUnit * static_cast<double>(loss.atoms.size());
  return grid.finish();
}

// P has atoms 1/2 at epsilon and e^-epsilon / 2 at -epsilon, and density e^{(z - epsilon)/2} / 4 between. Over a part
// of a bucket that lies a..b above its lower node, the integral of (1 - e^{-(z - z_i)}) dP is
//   e^{(z_i - epsilon)/2} (cosh(b/2) - cosh(a/2)) = 2 e^{(z_i - epsilon)/2} sinh((a + b)/4) sinh((b - a)/4),
// and seen from the upper node the integral of (e^{z_{i+1} - z} - 1) dP has the same form. Nothing cancels.
Nodes laplace_nodes(double epsilon, const Lattice& lattice) {
  Grid grid(-epsilon, epsilon, lattice);
  grid.start_gaps();
  Nodes& nodes = grid.nodes;
  grid.add_atom(epsilon, 0.5);
  grid.add_atom(-epsilon, 0.5 * std::exp(-epsilon));
  const double step = nodes.step;
  const auto from_node = [&](double node, double a, double b) {
    return 2 * std::exp((node - epsilon) / 2) * std::sinh((a + b) / 4) * std::sinh((b - a) / 4);
  };
  for (std::size_t i = 0; i + 1 < nodes.kink.size(); ++i) {
    const double node = nodes.loss_at(i);
    const double a = i == 0 ? std::max(0.0, -epsilon - node) : 0;
    const double b = i + 2 == nodes.kink.size() ? std::min(step, epsilon - node) : step;
    if (!(a < b)) continue;
    grid.add(i, from_node(node, a, b), from_node(node + step, step - b, step - a));
    const double middle = std::clamp(step / 2, a, b);
    grid.add_gap(i, from_node(node, a, middle), from_node(node + step, step - b, step - middle));
  }
  nodes.slip += kGiven * epsilon + 8 * kUnit * (epsilon + step);
  // Where an end counts as a node that it misses by rounding, the density is stretched by that much.
  nodes.error += kGiven * (1 + epsilon) + 8 * kUnit * (4 + epsilon) + 2 * Grid::closeness(epsilon, lattice) / epsilon;
  return grid.finish();
}

Nodes curve_nodes(const MixtureCurve& curve, const Lattice& lattice) {
  const double reach = -ndtri_down(std::clamp(lattice.tail / 4, 1e-200, 0.25));
  const double y_low = -reach;
  // Beyond 36 the normal density comes close to the smallest doubles and loses its digits: what lies there is counted
  // as outside, which is infinite loss above and nothing below.
  const double y_high = std::min(curve.largest_rate() + reach, 36.0);
  Grid grid(curve.loss(y_low), curve.loss(y_high), lattice);
  grid.start_gaps();
  Nodes& nodes = grid.nodes;
  nodes.outside_p = curve.outside_p(y_low, y_high);
  nodes.outside_q = curve.outside_q(y_low, y_high);
  const double loss_low = curve.loss(y_low);
  const double loss_high = curve.loss(y_high);

  MixtureCurve::Cell cell;
  double remainder = 0;
  double slip = 0;
  double low = y_low;
  const std::size_t buckets = nodes.gap.size();
  for (std::size_t i = 0; i < buckets; ++i) {
    const bool last = i + 1 == buckets;
    double high = last ? y_high : std::clamp(curve.inverse(nodes.loss_at(i + 1), low), low, y_high);
    if (!last) slip = std::max(slip, std::abs(curve.loss(high) - nodes.loss_at(i + 1)) + curve.loss_error(high));
    if (!(low < high)) continue;
    curve.start_cell(low, high - low, cell);
    // The nodes at both ends lie outside of the range of y, so ratio(low) is above the first and ratio(high) below
    // the last; elsewhere cells end at nodes.
    const double above = i == 0 ? nodes.ratio[0] * std::max(0.0, std::expm1(loss_low - nodes.loss_at(0))) : 0;
    const double below = last ? nodes.ratio[i + 1] * std::max(0.0, -std::expm1(loss_high - nodes.loss_at(i + 1))) : 0;
    nodes.rise[i] = above + cell.ratio_rise + below;
    const double middle = std::clamp(curve.inverse(nodes.loss_at(i) + nodes.step / 2, low), low, high) - low;
    const auto first_half = curve.integrate(cell, 0, middle);
    const auto second_half = curve.integrate(cell, middle, cell.width);
    remainder = std::max({remainder, first_half.remainder, second_half.remainder});
    grid.add(i, first_half.up + second_half.up + above * (first_half.mass + second_half.mass),
             first_half.down + second_half.down + below * (first_half.mass + second_half.mass));
    grid.add_gap(i, first_half.up + above * first_half.mass, second_half.down + below * second_half.mass);
    low = high;
  }
  // A weight off by kGiven moves a density, and so the loss, by that much. Exponents up to `largest` are rounded
  // three times; the rest of a term costs some 40 u.
  const double largest = curve.largest_rate() * (std::max(std::abs(y_low), y_high) + curve.largest_rate());
  nodes.slip += slip + 2 * kGiven + curve.loss_error(y_low) + curve.loss_error(y_high);
  nodes.error += remainder + nodes.slip + 2 * kGiven + kUnit * (48 + 8 * largest);
  return grid.finish();
}

}  // namespace

double natural_anchor(const Loss& loss) {
  if (const auto* laplace = std::get_if<LaplaceLoss>(&loss)) return laplace->epsilon;
  if (const auto* atoms = std::get_if<AtomLoss>(&loss)) return atoms->atoms.empty() ? 0 : atoms->atoms.back().loss;
  const auto* mixture = std::get_if<MixtureLoss>(&loss);
  if (mixture == nullptr || mixture->direction == MixtureLoss::Direction::replace) return 0;
  if (mixture->weights.empty() || mixture->weights[0] <= 0) return 0;
  // Just inside the end of the support, where most of the mass is: without a node there the lower bound would have
  // to lift that mass by up to a step.
  const double end = 0.98 * std::log(mixture->weights[0]);
  return mixture->direction == MixtureLoss::Direction::remove ? end : -end;
}

Nodes make_nodes(const Loss& loss, const Lattice& lattice) {
  if (const auto* atoms = std::get_if<AtomLoss>(&loss)) return atom_nodes(*atoms, lattice);
  if (const auto* laplace = std::get_if<LaplaceLoss>(&loss)) {
    require(laplace->epsilon > 0 && laplace->epsilon <= kLargestLoss, "a Laplace loss needs 0 < epsilon <= 600");
    return laplace_nodes(laplace->epsilon, lattice);
  }
  const auto* gaussian = std::get_if<GaussianLoss>(&loss);
  const auto* mixture = std::get_if<MixtureLoss>(&loss);
  const double mu = gaussian != nullptr ? gaussian->mu : mixture->mu;
  require(mu > 0 && mu <= 30, "a Gaussian loss on a lattice needs 0 < mu <= 30");
  if (gaussian != nullptr) return curve_nodes(MixtureCurve(*gaussian), lattice);
  require(mixture->direction != MixtureLoss::Direction::add, "direction add is the mirror of remove");
  require(mixture->weights.size() >= 2 && mixture->weights[0] >= 0 && mixture->weights.back() > 0,
          "a mixture needs weights from 0 records to one or more");
  return curve_nodes(MixtureCurve(*mixture), lattice);
}

}  // namespace dither::accounting::detail
