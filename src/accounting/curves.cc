#include "accounting/curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accounting/failure.h"
#include "accounting/gaussian.h"
#include "accounting/lattice.h"
#include "accounting/optimal.h"
#include "accounting/zcdp.h"
#include "base/directed.h"
#include "base/error.h"

namespace dither::accounting {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

RenyiCurve renyi_of(const RenyiTable& table) {
  RenyiCurve curve;
  curve.add_table(table.bounds, 1, table.delta);
  return curve;
}

void require_pessimistic(const LossCurve& curve) {
  if (curve.side == LossCurve::Side::pessimistic) return;
  throw Error{Code::no_theorem, "an optimistic privacy loss proves no upper bound", "take the pessimistic one"};
}

struct EpsilonAt {
  double delta;

  double operator()(const ApproximateDp& curve) const {
    return optimal_epsilon_up(curve.epsilon.to_double_up(), curve.delta.to_double_up(), 1, delta);
  }
  double operator()(const ConcentratedDp& curve) const {
    const auto rest = delta_beside_failure_down(delta, curve.delta.to_double_up());
    return rest ? zcdp_epsilon_up(curve.rho.to_double_up(), *rest) : kInfinity;
  }
  double operator()(const RenyiTable& curve) const { return renyi_epsilon_up(renyi_of(curve), delta).value; }
  double operator()(const GaussianDp& curve) const { return gaussian_epsilon_up(gdp_mu_up(curve.squared_mu), delta); }
  // Between two lines the curve is convex in e^epsilon; the first line that is low enough is a bound, as is each other.
  double operator()(const TradeoffCurve& curve) const {
    double least = kInfinity;
    for (const ProfilePoint& line : curve.lines) {
      least = std::min(least, optimal_epsilon_up(line.epsilon, line.delta, 1, delta));
    }
    return least;
  }
  double operator()(const LossCurve& curve) const {
    require_pessimistic(curve);
    const Step step{curve.loss, {}, 1};
    return epsilon_by_lattice({&step, 1}, delta, 1e-9).upper;
  }
};

struct DeltaAt {
  double epsilon;

  double operator()(const ApproximateDp& curve) const {
    return optimal_delta_up(curve.epsilon.to_double_up(), curve.delta.to_double_up(), 1, epsilon);
  }
  double operator()(const ConcentratedDp& curve) const {
    return delta_with_failure_up(zcdp_delta_up(curve.rho.to_double_up(), epsilon), curve.delta.to_double_up());
  }
  double operator()(const RenyiTable& curve) const { return renyi_delta_up(renyi_of(curve), epsilon).value; }
  double operator()(const GaussianDp& curve) const { return gaussian_delta_up(gdp_mu_up(curve.squared_mu), epsilon); }
  double operator()(const TradeoffCurve& curve) const {
    double least = 1;
    for (const ProfilePoint& line : curve.lines) {
      least = std::min(least, optimal_delta_up(line.epsilon, line.delta, 1, epsilon));
    }
    return least;
  }
  double operator()(const LossCurve& curve) const {
    require_pessimistic(curve);
    const Step step{curve.loss, {}, 1};
    return delta_by_lattice({&step, 1}, epsilon, 1e-9).upper;
  }
};

RenyiTable table_of(const RenyiDp& renyi) {
  RenyiTable table{{}, renyi.delta};
  for (const double order : default_orders()) {
    const double epsilon = renyi.epsilon(order);
    if (std::isfinite(epsilon)) table.bounds.push_back({order, epsilon});
  }
  return table;
}

}  // namespace

double epsilon_up(const Curve& curve, double delta) {
  if (!(delta >= 0 && delta <= 1)) {
    throw Error{Code::bad_probability, "delta is not between 0 and 1", "give a delta such as 1e-6"};
  }
  return delta == 1 ? 0 : std::visit(EpsilonAt{delta}, curve);
}

double delta_up(const Curve& curve, double epsilon) {
  if (!(epsilon >= 0 && std::isfinite(epsilon))) {
    throw Error{Code::out_of_range, "epsilon is not a number of at least 0", "give an epsilon such as 1"};
  }
  return std::min(1.0, std::visit(DeltaAt{epsilon}, curve));
}

std::vector<Curve> curves_of(const Cost& cost) {
  if (cost.overflow > 0) {
    throw Error{Code::no_theorem, "batches that may be cut have no curve: what a cut costs grows with epsilon",
                "account for the release as an event"};
  }
  std::vector<Curve> curves;
  if (cost.approximate) curves.emplace_back(*cost.approximate);
  if (cost.concentrated) curves.emplace_back(*cost.concentrated);
  if (cost.squared_mu) curves.emplace_back(GaussianDp{*cost.squared_mu});
  if (cost.renyi) curves.emplace_back(table_of(*cost.renyi));
  for (const auto& [view, steps] : cost.pairs) {
    if (steps.size() != 1 || steps.front().times != 1) continue;
    if (const auto* atoms = std::get_if<AtomLoss>(&steps.front().above)) {
      curves.emplace_back(LossCurve{view, LossCurve::Side::pessimistic, *atoms});
    }
  }
  return curves;
}

}  // namespace dither::accounting
