#include "sql/detail/key_choice.h"

#include <algorithm>
#include <cmath>

#include "base/rational.h"
#include "mechanisms/key_threshold.h"
#include "mechanisms/partition_selection.h"
#include "sql/detail/reach.h"

namespace dither::sql::detail {
namespace {

using mechanisms::KeyLimits;
using mechanisms::KeyThreshold;

KeyLimits limits_of(const calculus::CellsDistance& distance) {
  return {static_cast<std::uint64_t>(distance.cells.ceil()), static_cast<std::uint64_t>(distance.largest.ceil())};
}

double as_double(Int128 value) { return static_cast<double>(value); }

// The least number of units at which a key is shown more often than not: the first n with delta (e^(n e) - 1) / (e^e - 1) at
// one half, for the epsilon and the delta of one key.
double likely_shown(const Rational& epsilon, const Rational& delta, std::uint64_t keys) {
  const double e = epsilon.to_double_down() / static_cast<double>(keys);
  const double d = delta.to_double_down() / static_cast<double>(keys);
  return std::ceil(std::log1p(std::expm1(e) / (2 * d)) / e);
}

// The optimal rule is a table of its own for every budget, with more rows the smaller the epsilon of one key: 10 ms here. Below
// this a threshold, which wants some 20% more units, has to do.
const Rational kLeastForSelection(1, 50);

// The threshold for noise of this very scale: the limits of the calibration times epsilon over its scale.
KeyThreshold at_scale(const Rational& scale, const Rational& delta, const KeyLimits& limits) {
  const Rational reach(static_cast<Int128>(limits.keys * limits.contribution));
  return mechanisms::laplace_threshold_for(reach / scale, delta, limits);
}

}  // namespace

session::KeyChoice laplace_choice(const calculus::AnyTransformation& units, const calculus::CellsDistance& distance,
                                  const Rational& own, const Rational& delta, const std::optional<std::size_t>& decider,
                                  std::vector<session::Part>& parts) {
  const auto& domain = std::get<calculus::KeyedDomain>(units.output());
  const KeyLimits limits = limits_of(distance);
  if (decider) {
    session::Part& part = parts[*decider];
    const KeyThreshold rule = at_scale(part.scale, delta, limits);
    part.measurement = mechanisms::make_laplace_threshold(domain, rule).any();
    return {*part.measurement, units, "laplace-threshold", decider, 0, delta, as_double(rule.threshold)};
  }
  if (limits.contribution == 1 && own >= kLeastForSelection * Rational(static_cast<Int128>(limits.keys))) {
    return {mechanisms::make_partition_selection(domain, own, delta, limits.keys).any(),
            units,
            "partition-selection",
            {},
            own,
            delta,
            likely_shown(own, delta, limits.keys)};
  }
  const KeyThreshold rule = at_scale(l1_of(distance) / own, delta, limits);
  return {mechanisms::make_laplace_threshold(domain, rule).any(),
          units,
          "laplace-threshold",
          {},
          own,
          delta,
          as_double(rule.threshold)};
}

session::KeyChoice gaussian_choice(const calculus::AnyTransformation& units, const calculus::CellsDistance& distance,
                                   const Rational& own, const Rational& delta,
                                   const std::optional<std::size_t>& decider, std::vector<session::Part>& parts) {
  const auto& domain = std::get<calculus::KeyedDomain>(units.output());
  const KeyLimits limits = limits_of(distance);
  const Rational sigma = decider ? parts[*decider].scale : root_up(l2_squared_of(distance) / (2 * own));
  // The rho at which the limits of the calibration lead to this very sigma.
  const Rational reach(static_cast<Int128>(limits.keys * limits.contribution * limits.contribution));
  const KeyThreshold rule = mechanisms::gaussian_threshold_for(reach / (2 * sigma * sigma), delta, limits);
  session::KeyChoice choice{mechanisms::make_gaussian_threshold(domain, rule).any(),
                            units,
                            "gaussian-threshold",
                            decider,
                            decider ? Rational(0) : own,
                            delta,
                            as_double(rule.threshold)};
  if (decider) {
    parts[*decider].measurement = choice.measurement;
    parts[*decider].scale = rule.scale;
  }
  return choice;
}

}  // namespace dither::sql::detail
