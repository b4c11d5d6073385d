#include "calculus/sample.h"

#include <fmt/format.h>

#include <cmath>

#include "accounting/renyi.h"
#include "base/error.h"
#include "calculus/detail/access.h"
#include "calculus/detail/losses.h"

namespace dither::calculus {

using accounting::Event;
using accounting::Neighbours;

namespace {

[[noreturn]] void no_theorem(const std::string& what, const std::string& hint) {
  throw Error{Code::no_theorem, "sampling " + what, hint};
}

void require_theorem(const AnyMeasurement& measurement) {
  const Metric metric = measurement.from();
  if (metric != Metric{MetricKind::symmetric} && metric != Metric{MetricKind::insert_delete} &&
      metric != Metric{MetricKind::units_added}) {
    no_theorem(
        fmt::format("in {}: amplification by coins is proven for rows or units added or removed", metric_name(metric)),
        "sample before steps that lead to another metric");
  }
  const auto* table = std::get_if<TableDomain>(&measurement.input());
  if (table == nullptr || table->rows) {
    no_theorem("gives tables of any size, but the measurement takes others", "drop the fixed number of rows");
  }
}

bool has_epsilon(const Measure& measure) { return measure == Measure::pure() || measure == Measure::approximate(); }

// The one event of the measurement, or an event with its loss: several events share one sample, which is not the same as
// each having its own.
Event single_event(const AnyMeasurement& measurement) {
  const Distance one(Rational(1));
  const std::vector<Event> events = measurement.events(one);
  if (events.size() == 1 && events[0].times == 1 && !events[0].sample) return events[0];
  if (has_epsilon(measurement.measure())) return detail::event_of(measurement.loss(one));
  no_theorem(fmt::format("of {} events in {}", events.size(), measurement.measure().name()),
             "sample each of them by itself, or use fix_delta before sampling");
}

void require_one_step(const Distance& d) {
  const auto steps = detail::whole_steps(d);
  if (steps != 1u) {
    no_theorem(fmt::format("at a distance of {} steps: group rules do not hold after sampling", str(d)),
               "bound what a unit contributes before sampling, so that one unit is one step");
  }
}

Event sampled(Event event, const Rational& rate) {
  event.sample = accounting::Poisson{rate, {}};
  return event;
}

// An epsilon is amplified as the measurement states it: not every event has one.
Loss loss_of(const AnyMeasurement& measurement, const Rational& rate) {
  const bool by_epsilon = has_epsilon(measurement.measure());
  const Event event = by_epsilon ? detail::event_of(measurement.loss(Rational(1))) : single_event(measurement);
  const accounting::Cost cost = accounting::cost(sampled(event, rate), Neighbours::add_remove);
  if (by_epsilon) return *cost.approximate;
  accounting::RenyiTable table;
  if (cost.renyi) {
    table.delta = cost.renyi->delta;
    for (const double order : accounting::default_orders()) {
      const double divergence = cost.renyi->epsilon(order);
      if (std::isfinite(divergence)) table.bounds.push_back({order, divergence});
    }
  }
  if (table.bounds.empty()) no_theorem("of this mechanism has no Renyi curve", "cast it to a measure that has one");
  return table;
}

}  // namespace

AnyMeasurement sample(const AnyMeasurement& measurement, const Rational& rate, Subsampler subsample) {
  detail::require_plain(measurement);
  accounting::require_valid(accounting::Sampler(accounting::Poisson{rate, {}}));
  require_theorem(measurement);
  const Measure measure = has_epsilon(measurement.measure()) ? measurement.measure() : Measure::renyi();
  const AnyMeasurement::Parts& inner = CombinatorAccess::parts(measurement);
  return AnyMeasurement({
      .recipe = {"sample", {{"rate", rate}}, detail::parts_of({measurement})},
      .input = measurement.input(),
      .from = measurement.from(),
      .measure = measure,
      .loss =
          [measurement, rate](const Distance& d) {
            require_one_step(d);
            return loss_of(measurement, rate);
          },
      .events = [measurement, rate](const Distance& d) -> std::vector<Event> {
        require_one_step(d);
        return {sampled(single_event(measurement), rate)};
      },
      .function = [function = inner.function, subsample = std::move(subsample)](
                      const Data& data,
                      random::Source& source) { return function(subsample(as<Table>(data), source), source); },
  });
}

}  // namespace dither::calculus
