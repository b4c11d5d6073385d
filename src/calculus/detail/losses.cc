#include "calculus/detail/losses.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/directed.h"
#include "base/error.h"
#include "calculus/detail/access.h"
#include "calculus/detail/fit.h"

namespace dither::calculus::detail {

using accounting::ApproximateDp;
using accounting::ConcentratedDp;
using accounting::GaussianDp;
using accounting::RenyiTable;

namespace {

[[noreturn]] void no_number(const Loss& loss, std::string_view what) {
  throw Error{Code::no_theorem, fmt::format("{}: {} here", str(loss), what),
              "cast the measurements to pure, approximate, concentrated or gaussian first"};
}

struct Larger {
  Loss operator()(const ApproximateDp& a, const ApproximateDp& b) const {
    return ApproximateDp{std::max(a.epsilon, b.epsilon), std::max(a.delta, b.delta)};
  }
  Loss operator()(const ConcentratedDp& a, const ConcentratedDp& b) const {
    return ConcentratedDp{std::max(a.rho, b.rho), std::max(a.delta, b.delta)};
  }
  Loss operator()(const GaussianDp& a, const GaussianDp& b) const {
    return GaussianDp{std::max(a.squared_mu, b.squared_mu)};
  }
  // At the orders of both: each bound of one holds beside the other's.
  Loss operator()(const RenyiTable& a, const RenyiTable& b) const {
    RenyiTable worst{{}, std::max(a.delta, b.delta)};
    for (const accounting::OrderBound& bound : a.bounds) {
      const auto other =
          std::find_if(b.bounds.begin(), b.bounds.end(), [&](const auto& one) { return one.order >= bound.order; });
      if (other != b.bounds.end()) worst.bounds.push_back({bound.order, std::max(bound.epsilon, other->epsilon)});
    }
    return worst;
  }
  template <class A, class B>
  Loss operator()(const A& a, const B&) const {
    no_number(a, "no rule for the worse of two such losses");
  }
};

struct EventOf {
  accounting::Event operator()(const ApproximateDp& loss) const {
    return {{}, accounting::BlackBox{loss.epsilon, loss.delta}};
  }
  accounting::Event operator()(const ConcentratedDp& loss) const {
    return {{}, accounting::Zcdp{loss.rho, loss.delta}};
  }
  accounting::Event operator()(const GaussianDp& loss) const {
    return {{}, accounting::Gdp{Rational::from_double(sqrt_up(loss.squared_mu.to_double_up()))}};
  }
  accounting::Event operator()(const RenyiTable& loss) const {
    accounting::Renyi event{{}, {}, Rational::from_double(loss.delta)};
    for (const accounting::OrderBound& bound : loss.bounds) {
      event.orders.push_back(Rational::from_double(bound.order));
      event.epsilons.push_back(Rational::from_double(bound.epsilon));
    }
    return {{}, event};
  }
  template <class Other>
  accounting::Event operator()(const Other& loss) const {
    no_number(loss, "no event describes such a loss");
  }
};

}  // namespace

Loss worst_of(const Measure& measure, const Loss& a, const Loss& b) {
  if (measure.at_most(a, b)) return b;
  if (measure.at_most(b, a)) return a;
  return std::visit(Larger{}, a, b);
}

accounting::Event event_of(const Loss& loss) { return std::visit(EventOf{}, loss); }

Distance times(const Metric& metric, const Distance& distance, std::uint64_t k) {
  const Rational factor(static_cast<Int128>(k));
  if (metric.kind == MetricKind::cells) {
    const CellsDistance& d = cells_of(distance);
    return CellsDistance{d.cells * factor, d.l1 * factor, d.l2_squared * factor * factor, d.largest * factor};
  }
  return number(distance) * (metric.kind == MetricKind::l2 ? factor * factor : factor);
}

std::optional<std::uint64_t> whole_steps(const Distance& distance) {
  const Rational& steps = number(distance);
  if (steps > Rational(static_cast<Int128>(std::numeric_limits<std::int64_t>::max()))) return std::nullopt;
  return static_cast<std::uint64_t>(steps.floor());
}

accounting::Neighbours relation_of(const Metric& metric) {
  const MetricKind kind =
      metric.kind == MetricKind::sum || metric.kind == MetricKind::largest ? metric.inner : metric.kind;
  if (kind == MetricKind::units_changed) return accounting::Neighbours::both;
  return neighbours_of(metric).value_or(accounting::Neighbours::both);
}

void require_plain(const AnyMeasurement& measurement) {
  if (!CombinatorAccess::parts(measurement).bounded) return;
  throw Error{Code::wrong_type, fmt::format("{} is released from a local bound", measurement.recipe().name),
              "release it by itself: combinators and queryables hold data, not bounds"};
}

void require_alike(const std::vector<AnyMeasurement>& measurements) {
  if (measurements.empty()) {
    throw Error{Code::bad_count, "no measurement was given", "give one measurement or more"};
  }
  const AnyMeasurement& first = measurements.front();
  for (const AnyMeasurement& other : measurements) {
    require_plain(other);
    require_fit({first.recipe().name, first.from(), first.input()}, {other.recipe().name, other.from(), other.input()});
    if (other.measure() == first.measure()) continue;
    throw Error{Code::mixed_metrics,
                fmt::format("{} is measured in {}, but {} in {}", first.recipe().name, first.measure().name(),
                            other.recipe().name, other.measure().name()),
                "cast them to one measure first"};
  }
}

std::vector<std::shared_ptr<const Recipe>> parts_of(const std::vector<AnyMeasurement>& measurements) {
  std::vector<std::shared_ptr<const Recipe>> parts;
  for (const AnyMeasurement& one : measurements) parts.push_back(std::make_shared<const Recipe>(one.recipe()));
  return parts;
}

}  // namespace dither::calculus::detail
