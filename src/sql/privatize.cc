#include "sql/privatize.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "session/released.h"
#include "sql/detail/cut_by.h"
#include "sql/detail/cut_units.h"
#include "sql/detail/errors.h"
#include "sql/detail/measures.h"
#include "sql/detail/noise.h"
#include "sql/detail/notes.h"
#include "sql/detail/price.h"
#include "sql/detail/split.h"
#include "sql/detail/stability.h"

namespace dither::sql {
namespace {

using namespace detail;  // NOLINT: this file puts the steps of the room together

using plan::Relation;

// The one aggregate of a statement, with what its columns are called in the answer.
struct Found {
  const plan::Aggregate* aggregate;
  std::vector<std::string> names;  // of its calls
};

[[noreturn]] void no_aggregate(const Relation& relation) {
  if (relation->is_private()) {
    throw Error{Code::private_rows, "this statement would show rows, and rows are private",
                "ask for aggregates: COUNT, SUM, AVG ... with or without GROUP BY"};
  }
  throw Error{Code::not_supported, "this statement reads public tables alone, and needs no privacy",
              "ask the database itself, or join the public table to a private one"};
}

// Follows the answer's columns down to the aggregate: a name is kept while its column is passed on as it is.
const plan::Aggregate& descend(const Relation& relation, std::vector<std::string>& names) {
  const plan::Node::Step& step = relation->step();
  if (relation->owner().kind != plan::Ownership::Kind::released) no_aggregate(relation);
  if (const auto* aggregate = std::get_if<plan::Aggregate>(&step)) return *aggregate;
  if (const auto* filtered = std::get_if<plan::Filter>(&step)) return descend(filtered->input, names);
  if (const auto* sorted = std::get_if<plan::Sort>(&step)) return descend(sorted->input, names);
  if (const auto* cut = std::get_if<plan::Limit>(&step)) return descend(cut->input, names);
  if (const auto* once = std::get_if<plan::Distinct>(&step)) return descend(once->input, names);
  if (const auto* projected = std::get_if<plan::Projection>(&step)) {
    std::vector<std::string> below(projected->input->columns().size());
    for (std::size_t i = 0; i < projected->columns.size() && i < names.size(); ++i) {
      const auto* bare = std::get_if<plan::Expression::Column>(&projected->columns[i].content());
      if (bare != nullptr && below[bare->position].empty()) below[bare->position] = names[i];
    }
    names = std::move(below);
    return descend(projected->input, names);
  }
  throw Error{Code::not_supported, "joins and unions of aggregates are not answered",
              "ask for the aggregates in one SELECT"};
}

Found find_aggregate(const Statement& statement) {
  std::vector<std::string> names = statement.names;
  const plan::Aggregate& aggregate = descend(statement.relation, names);
  Found found{&aggregate, {}};
  for (std::size_t i = 0; i < aggregate.calls.size(); ++i) {
    const std::size_t at = aggregate.keys + i;
    const bool named = at < names.size() && !names[at].empty();
    found.names.push_back(named ? names[at] : std::string(aggregate_name(aggregate.calls[i].kind)));
  }
  return found;
}

std::vector<accounting::Event> events_of(const Noisy& noisy, const calculus::Distance& steps) {
  std::vector<accounting::Event> events;
  const auto add = [&](const calculus::AnyTransformation& exact, const calculus::AnyMeasurement& measurement) {
    for (accounting::Event& event : measurement.events(exact.map(steps))) events.push_back(std::move(event));
  };
  if (noisy.keys && !noisy.keys->part) add(noisy.keys->units, noisy.keys->measurement);
  for (const session::Part& part : noisy.parts) {
    if (part.measurement) add(part.exact, *part.measurement);
  }
  return events;
}

// In words of prices where a mechanism speaks of scales.
Noisy affordable(const std::function<Noisy()>& make) {
  try {
    return make();
  } catch (const Error& error) {
    if (error.code() != Code::bad_scale) throw;
    throw Error{Code::bad_scale,
                "at this price the noise would be narrower than 1/1000 of a step, or wider than 2^60 steps",
                "give another price: an epsilon from 0.0001 to 10 suits nearly every statement"};
  }
}

// A price is paid for reading, and for what neighbours could change. What is not read is not cut either.
void waive_price(const Statement& statement, session::PricedPlan& plan) {
  if (session::known_beforehand(plan)) {
    plan.events.clear();
    plan.cut_by.clear();
    plan.notes = statement.notes;
    plan.notes.emplace_back("the answer is the same for all data: no source is opened, and nothing is charged");
  } else if (plan.events.empty()) {
    plan.notes.emplace_back("the answer is the same for all neighbours: it is recorded, and nothing is charged");
  }
}

}  // namespace

session::PricedPlan privatize(const plan::Project& project, const Statement& asked, const Wanted& wanted) {
  const Statement statement = wanted.cut_units ? with_cut_units(asked) : asked;
  const Found found = find_aggregate(statement);
  const Counting counting = counting_of(project, statement, *found.aggregate);
  const Moves moves = moves_of(project, counting);
  const Size size = expected_size(project, counting, wanted.expect);
  const bool known = size.rows.has_value() || size.units.has_value();
  const std::optional<std::vector<double>> weight = known ? std::optional(weights(counting)) : std::nullopt;
  const bool normal = std::holds_alternative<accounting::GdpRule>(project.budgets.front().rule);
  const auto noisy_at = [&](const session::StatementPrice& price) {
    return noise_for(counting, moves, price, weight, normal);
  };
  const auto errors_at = [&](const Noisy& noisy) { return predicted_errors(counting, noisy.parts, size, found.names); };

  const session::StatementPrice price = price_of(statement.options, wanted, [&](const session::StatementPrice& tried) {
    return misses(errors_at(noisy_at(tried)), magnitudes(counting, size), *wanted.error);
  });
  Noisy noisy = affordable([&] { return noisy_at(price); });
  CutBy cuts = cut_by(project, counting);
  const Protected who = protected_by(project, counting);
  session::PricedPlan plan{.unit = who.unit,
                           .weaker = who.weaker,
                           .exact = counting.exact,
                           .steps = moves.rows.steps,
                           .parts = noisy.parts,
                           .keys = noisy.keys,
                           .estimates = counting.estimates,
                           .key_places = counting.key_places,
                           .answer = statement.relation,
                           .names = statement.names,
                           .price = price,
                           .events = events_of(noisy, moves.rows.steps),
                           .chain = stability_chain(project, counting, moves.rows, moves.distances),
                           .errors = errors_at(noisy),
                           .cut_by = std::move(cuts.columns),
                           .notes = notes_of(project, statement, counting, cuts.notes),
                           .tables = counting.exact.rows->tables()};
  waive_price(statement, plan);
  return plan;
}

}  // namespace dither::sql
