// For tests: priced plans that hold nothing but their events and their price, over a table without columns.
#pragma once

#include <string>
#include <vector>

#include "calculus/aggregates.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/partition_selection.h"
#include "session/priced_plan.h"

namespace dither::session::check {

inline PricedPlan plan_of(std::vector<accounting::Event> events, StatementPrice price) {
  PricedPlan plan;
  plan.answer = plan.exact.rows =
      std::make_shared<const plan::Node>(plan::Node::Parts{plan::Scan{"visits"}, {}, {}, {}, {}, false});
  plan.steps = Rational(1);
  plan.price = std::move(price);
  plan.events = std::move(events);
  return plan;
}

// The number of units with discrete Laplace noise, once for each epsilon; typed is their sum.
inline PricedPlan laplace_plan(const std::vector<std::string>& epsilons) {
  const calculus::TableDomain table{.columns = {{.name = "unit", .type = calculus::CellType::integer}}};
  const auto units = make_total_units(table, {calculus::MetricKind::units_added});
  PricedPlan plan = plan_of({}, {.epsilon = Rational(0), .rho = {}, .delta = 0});
  for (const std::string& text : epsilons) {
    const Rational epsilon = Rational::parse(text);
    Part part{.measure = 0, .distance = cells_of(units.map(plan.steps)), .exact = units};
    part.measurement = mechanisms::make_discrete_laplace({.dimension = 1}, 1 / epsilon, calculus::MetricKind::cells);
    for (const accounting::Event& event : part.measurement->events(units.map(plan.steps))) plan.events.push_back(event);
    plan.parts.push_back(std::move(part));
    *plan.price.epsilon += epsilon;
  }
  return plan;
}

// Keys chosen by partition selection, three of a unit at most, and a number by itself of the same epsilon.
inline PricedPlan selection_plan(const Rational& epsilon, const Rational& delta) {
  const calculus::TableDomain table{.columns = {{.name = "unit", .type = calculus::CellType::integer},
                                                {.name = "key", .type = calculus::CellType::text}},
                                    .keys_per_unit = 3};
  PricedPlan plan = laplace_plan({epsilon.str()});
  const auto units = make_units_by_key(table, {calculus::MetricKind::units_added}, {});
  plan.keys = KeyChoice{mechanisms::make_partition_selection({}, epsilon, delta, 3).any(),
                        units,
                        "partition-selection",
                        {},
                        epsilon,
                        delta};
  for (const accounting::Event& event : plan.keys->measurement.events(units.map(plan.steps)))
    plan.events.push_back(event);
  plan.price = {.epsilon = epsilon * 2, .rho = {}, .delta = delta};
  return plan;
}

}  // namespace dither::session::check
