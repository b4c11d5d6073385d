#include "calculus/combinators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "accounting/accountant.h"
#include "accounting/zcdp.h"
#include "base/directed.h"
#include "base/error.h"
#include "calculus/detail/access.h"
#include "calculus/detail/losses.h"

namespace dither::calculus {

using accounting::ApproximateDp;
using accounting::ConcentratedDp;
using accounting::GaussianDp;
using accounting::RenyiTable;

namespace {

const AnyMeasurement::Parts& parts(const AnyMeasurement& measurement) { return CombinatorAccess::parts(measurement); }

// The same release under another recipe; what changes is set afterwards.
AnyMeasurement::Parts same_release(const AnyMeasurement& measurement, Recipe recipe) {
  detail::require_plain(measurement);
  AnyMeasurement::Parts same = parts(measurement);
  recipe.parts = detail::parts_of({measurement});
  same.recipe = std::move(recipe);
  return same;
}

Data answers(const std::vector<AnyMeasurement>& measurements, const Data& data, random::Source& source) {
  Answers all;
  for (const AnyMeasurement& one : measurements) all.parts.push_back({parts(one).function(data, source)});
  return all;
}

}  // namespace

AnyMeasurement post_process(const AnyMeasurement& measurement, const std::string& name,
                            std::function<Data(const Data&)> f, AnyMeasurement::ErrorFunction error) {
  if (name.empty()) throw Error{Code::missing_key, "a post-processing has no name", "say in a word what it does"};
  AnyMeasurement::Parts made = same_release(measurement, {"post-process", {{"function", name}}});
  made.function = [inner = made.function, f = std::move(f)](const Data& data, random::Source& source) {
    return f(inner(data, source));
  };
  made.error = std::move(error);
  return AnyMeasurement(std::move(made));
}

AnyMeasurement compose(const std::vector<AnyMeasurement>& measurements) {
  detail::require_alike(measurements);
  const AnyMeasurement& first = measurements.front();
  return AnyMeasurement({
      .recipe = {"compose", {}, detail::parts_of(measurements)},
      .input = first.input(),
      .from = first.from(),
      .measure = first.measure(),
      .loss =
          [measurements](const Distance& d) {
            const Measure& measure = measurements.front().measure();
            return std::accumulate(
                measurements.begin(), measurements.end(), measure.zero(),
                [&](const Loss& sum, const AnyMeasurement& one) { return measure.add(sum, one.loss(d)); });
          },
      .events =
          [measurements](const Distance& d) {
            std::vector<accounting::Event> all;
            for (const AnyMeasurement& one : measurements) {
              for (accounting::Event& event : one.events(d)) all.push_back(std::move(event));
            }
            return all;
          },
      .function = [measurements](const Data& data,
                                 random::Source& source) { return answers(measurements, data, source); },
  });
}

namespace {

void require_weights(std::size_t count, const std::vector<Rational>& weights) {
  const bool positive = std::all_of(weights.begin(), weights.end(), [](const Rational& w) { return w.sign() > 0; });
  if (positive && weights.size() == count && std::accumulate(weights.begin(), weights.end(), Rational(0)) == 1) return;
  throw Error{Code::bad_weights, fmt::format("a mixture of {} has {} weights", count, weights.size()),
              "give one positive weight for each measurement; they sum to 1"};
}

// Of two mixtures with the same weights the built-in measures say no more than of the worst of their parts. Of a user's
// own nobody knows.
void require_convex(const Measure& measure) {
  if (!std::holds_alternative<OtherLoss>(measure.zero())) return;
  throw Error{Code::no_theorem, fmt::format("nothing is known of mixtures in the measure {}", measure.name()),
              "mix measurements in a built-in measure, or state the mixture as a measurement of its own"};
}

// A mixture of single events is an event itself; otherwise the worst loss is all that is known.
std::vector<accounting::Event> mixed_events(const std::vector<AnyMeasurement>& measurements,
                                            const std::vector<Rational>& weights, const Distance& d,
                                            const Loss& worst) {
  accounting::Mixture mixture{weights, {}};
  for (const AnyMeasurement& one : measurements) {
    const std::vector<accounting::Event> events = one.events(d);
    if (events.size() != 1 || events[0].times != 1 || events[0].sample) return {detail::event_of(worst)};
    mixture.parts.emplace_back(events[0].mechanism);
  }
  return {{{}, mixture}};
}

}  // namespace

AnyMeasurement mix(const std::vector<AnyMeasurement>& measurements, const std::vector<Rational>& weights,
                   std::function<std::size_t(random::Source&)> choose) {
  detail::require_alike(measurements);
  require_weights(measurements.size(), weights);
  require_convex(measurements.front().measure());
  const AnyMeasurement& first = measurements.front();
  const auto worst = [measurements](const Distance& d) {
    Loss all = measurements.front().loss(d);
    for (const AnyMeasurement& one : measurements) all = detail::worst_of(one.measure(), all, one.loss(d));
    return all;
  };
  return AnyMeasurement({
      .recipe = {"mix", {{"weights", weights}}, detail::parts_of(measurements)},
      .input = first.input(),
      .from = first.from(),
      .measure = first.measure(),
      .loss = worst,
      .events = [measurements, weights,
                 worst](const Distance& d) { return mixed_events(measurements, weights, d, worst(d)); },
      .function = [measurements, choose = std::move(choose)](
                      const Data& data,
                      random::Source& source) { return parts(measurements.at(choose(source))).function(data, source); },
  });
}

namespace {

// rho of an (epsilon, delta) release: epsilon^2 / 2 (A-26, with delta A-32), or the sum over its events, which is less for
// a composition and for losses of bounded range.
ConcentratedDp concentrated_of(const AnyMeasurement& measurement, const Distance& d) {
  const auto loss = std::get<ApproximateDp>(measurement.loss(d));
  ConcentratedDp known{accounting::zcdp_of_pure(loss.epsilon), loss.delta};
  ConcentratedDp sum{0, 0};
  try {
    for (const accounting::Event& event : measurement.events(d)) {
      const accounting::Cost cost = accounting::cost(event, detail::relation_of(measurement.from()));
      if (!cost.concentrated) return known;
      const Rational times(static_cast<Int128>(event.times));
      sum = {sum.rho + times * cost.concentrated->rho, sum.delta + times * cost.concentrated->delta};
    }
  } catch (const Error& error) {
    if (error.code() != Code::no_theorem) throw;
    return known;  // accounting knows less of the event than the measurement says
  }
  return sum.rho <= known.rho && sum.delta <= known.delta ? sum : known;
}

RenyiTable renyi_of(const ConcentratedDp& loss) {
  RenyiTable table{{}, loss.delta.to_double_up()};
  for (const double order : accounting::default_orders()) {
    const double divergence = mul_up(order, loss.rho.to_double_up());
    if (std::isfinite(divergence)) table.bounds.push_back({order, divergence});
  }
  return table;
}

ConcentratedDp concentrated_of_gaussian(const Loss& loss) {
  return {accounting::zcdp_of_gaussian(std::get<GaussianDp>(loss).squared_mu), 0};
}

// The loss in the other measure, or nothing when there is no way.
std::optional<AnyMeasurement::LossMap> way(const AnyMeasurement& m, const Measure& to) {
  const Measure from = m.measure();
  const bool epsilons = from == Measure::pure() || from == Measure::approximate();
  if (from == to || (epsilons && to == Measure::approximate())) return [m](const Distance& d) { return m.loss(d); };
  if (epsilons && to == Measure::concentrated()) {
    return [m](const Distance& d) -> Loss { return concentrated_of(m, d); };
  }
  if (epsilons && to == Measure::renyi()) {
    return [m](const Distance& d) -> Loss { return renyi_of(concentrated_of(m, d)); };
  }
  if (epsilons && to == Measure::tradeoff()) {
    return [m](const Distance& d) -> Loss {
      const auto loss = std::get<ApproximateDp>(m.loss(d));
      const double epsilon = loss.epsilon.to_double_up();
      if (!std::isfinite(epsilon))
        return accounting::TradeoffCurve{};  // beyond the doubles: no line, which proves nothing
      return accounting::TradeoffCurve{{{epsilon, loss.delta.to_double_up()}}};
    };
  }
  if (from == Measure::gaussian() && to == Measure::concentrated()) {
    return [m](const Distance& d) -> Loss { return concentrated_of_gaussian(m.loss(d)); };
  }
  if (from == Measure::gaussian() && to == Measure::renyi()) {
    return [m](const Distance& d) -> Loss { return renyi_of(concentrated_of_gaussian(m.loss(d))); };
  }
  if (from == Measure::concentrated() && to == Measure::renyi()) {
    return [m](const Distance& d) -> Loss { return renyi_of(std::get<ConcentratedDp>(m.loss(d))); };
  }
  return std::nullopt;
}

}  // namespace

AnyMeasurement cast_measure(const AnyMeasurement& measurement, const Measure& to) {
  const auto loss = way(measurement, to);
  if (!loss) {
    throw Error{Code::no_theorem,
                fmt::format("no theorem here leads from {} to {}", measurement.measure().name(), to.name()),
                to == Measure::approximate() ? "use fix_delta, which needs a delta" : "state the loss in that measure"};
  }
  AnyMeasurement::Parts made = same_release(measurement, {"cast-measure", {{"to", std::string(to.name())}}});
  made.measure = to;
  made.loss = *loss;
  return AnyMeasurement(std::move(made));
}

namespace {

// What the exact composition of the events proves; infinite when accounting has no theorem for them.
double composed_epsilon_up(const AnyMeasurement& m, const Distance& d, const Rational& delta) {
  try {
    const accounting::EventList list{detail::relation_of(m.from()), {"step"}, 1, m.events(d)};
    return accounting::Composition(list).epsilon_at(delta).epsilon.upper;
  } catch (const Error& error) {
    if (error.code() != Code::no_theorem) throw;
    return INFINITY;
  }
}

Loss at_delta(const AnyMeasurement& m, const Distance& d, const Rational& delta) {
  const double by_loss = epsilon_up(m.loss(d), delta.to_double_down());
  const double epsilon = std::min(by_loss, composed_epsilon_up(m, d, delta));
  if (!std::isfinite(epsilon)) {
    throw Error{Code::unreachable,
                fmt::format("{} proves no epsilon at delta {} and distance {}", m.recipe().name, delta.str(), str(d)),
                "ask at a larger delta"};
  }
  return approximate(Rational::from_double(epsilon), delta);
}

}  // namespace

AnyMeasurement fix_delta(const AnyMeasurement& measurement, const Rational& delta) {
  if (delta.sign() <= 0 || delta >= 1) {
    throw Error{Code::bad_probability, fmt::format("delta is {}, but must be above 0 and below 1", delta.str()),
                "give a small probability such as 1e-6"};
  }
  AnyMeasurement::Parts made = same_release(measurement, {"fix-delta", {{"delta", delta}}});
  made.measure = Measure::approximate();
  made.loss = [measurement, delta](const Distance& d) { return at_delta(measurement, d, delta); };
  return AnyMeasurement(std::move(made));
}

namespace {

// The same release, its maps asked at another distance.
AnyMeasurement seen_from(const AnyMeasurement& measurement, Recipe recipe, const Metric& from,
                         const AnyTransformation::Map& distance) {
  AnyMeasurement::Parts made = same_release(measurement, std::move(recipe));
  made.from = from;
  made.loss = [measurement, distance](const Distance& d) { return measurement.loss(distance(d)); };
  made.events = [measurement, distance](const Distance& d) { return measurement.events(distance(d)); };
  return AnyMeasurement(std::move(made));
}

}  // namespace

AnyMeasurement group(const AnyMeasurement& measurement, std::uint64_t k) {
  if (k == 0 || k > accounting::kMostTimes) {
    throw Error{Code::bad_count, fmt::format("a group has {} members", k), "give 1 to 10^12"};
  }
  const Metric metric = measurement.from();
  return seen_from(measurement, {"group", {{"k", Rational(static_cast<Int128>(k))}}}, metric,
                   [metric, k](const Distance& d) { return detail::times(metric, d, k); });
}

namespace {

bool is_way(const Metric& a, const Metric& b, MetricKind from, MetricKind to) {
  return a == Metric{from} && b == Metric{to};
}

bool has_fixed_rows(const Domain& domain) {
  const auto* table = std::get_if<TableDomain>(&domain);
  return table != nullptr && table->rows.has_value();
}

}  // namespace

AnyMeasurement change_relation(const AnyMeasurement& measurement, const Metric& to) {
  using enum MetricKind;
  const Metric from = measurement.from();
  const Recipe recipe{"change-relation", {{"from", metric_name(from)}}};
  if (is_way(from, to, symmetric, change_one) || is_way(from, to, insert_delete, hamming) ||
      is_way(from, to, units_added, units_replaced)) {
    return seen_from(measurement, recipe, to, [](const Distance& d) -> Distance { return number(d) * 2; });
  }
  // Not from hamming to insert_delete: one row that goes from the front to the end is two steps, but moves all others.
  if (is_way(from, to, change_one, symmetric) && has_fixed_rows(measurement.input())) {
    // The whole steps alone: tables of one size are never an odd number of steps apart.
    return seen_from(measurement, recipe, to,
                     [](const Distance& d) -> Distance { return Rational((number(d) / 2).floor()); });
  }
  throw Error{Code::no_theorem,
              fmt::format("no theorem leads from {} to {} for {}", metric_name(from), metric_name(to),
                          describe(measurement.input())),
              "change from symmetric to change-one, or the other way where the number of rows is public"};
}

}  // namespace dither::calculus
