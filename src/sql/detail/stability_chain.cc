#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sql/detail/column_names.h"
#include "sql/detail/split.h"
#include "sql/detail/stability.h"

namespace dither::sql::detail {
namespace {

using plan::Relation;
using session::StabilityStep;

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::string cells_text(const calculus::CellsDistance& d) {
  return fmt::format("{} numbers, each by {}, {} in sum", d.cells.str(), d.largest.str(), d.l1.str());
}

class Chain {
 public:
  Chain(const plan::Project& project, const BoundedRows& rows) : project_(project), distance_(str(rows.steps)) {}

  // The tables below, then the step itself.
  void walk(const Relation& relation) {
    if (!relation->is_private()) return;  // the same for all neighbours
    const plan::Node::Step& step = relation->step();
    if (const auto* scan = std::get_if<plan::Scan>(&step)) return table(project_.table(scan->table));
    if (const auto* filtered = std::get_if<plan::Filter>(&step)) {
      walk(filtered->input);
      return drop("WHERE " + in_words(filtered->keep, names_of(project_, filtered->input)),
                  "each row is kept or not by itself");
    }
    if (const auto* projected = std::get_if<plan::Projection>(&step)) return walk(projected->input);
    if (const auto* once = std::get_if<plan::Distinct>(&step)) {
      walk(once->input);
      return drop("DISTINCT", "each row of a unit once");
    }
    if (const auto* all = std::get_if<plan::Union>(&step)) {
      for (const Relation& input : all->inputs) walk(input);
      return add("UNION ALL", "rows stay the rows of their unit", all->inputs.size());
    }
    join(std::get<plan::Join>(step));
  }

  void drop(const std::string& step, const std::string& why, std::size_t inputs = 1) {
    if (metric_ == "units-replaced") metric_ = "units-changed";
    add(step, why, inputs);
  }
  void add(const std::string& step, const std::string& why, std::size_t inputs = 1) {
    steps_.push_back({step, metric_, distance_, why, inputs});
  }

  std::vector<StabilityStep> steps() && { return std::move(steps_); }

 private:
  void table(const plan::TableDeclaration& table) {
    const bool adds = project_.neighbours == accounting::Neighbours::add_remove;
    metric_ = adds ? "units-added" : "units-replaced";
    const std::string unit = std::holds_alternative<plan::UnitColumn>(table.unit)    ? project_.unit.name
                             : std::holds_alternative<plan::UnitThrough>(table.unit) ? project_.unit.name
                                                                                     : "row";
    add(table.name,
        fmt::format("{} {} {} (privacy.neighbours)", distance_, unit, adds ? "added or removed" : "replaced"), 0);
    if (const auto* through = std::get_if<plan::UnitThrough>(&table.unit)) {
      drop(fmt::format("{} of {}", project_.unit.name, table.name), fmt::format("found through {}", through->table));
    } else if (const auto* column = std::get_if<plan::UnitColumn>(&table.unit)) {
      drop(fmt::format("{} IS NOT NULL", column->column), "rows without a unit are left out");
    }
  }

  void join(const plan::Join& step) {
    walk(step.left);
    walk(step.right);
    const char* words = step.kind == plan::JoinKind::inner ? "JOIN" : "LEFT JOIN";
    const std::string tables = joined(step.right->tables());
    if (step.right->is_private())
      return drop(fmt::format("{} {}", words, tables), "on the unit: rows stay the rows of their unit", 2);
    drop(fmt::format("{} {}", words, tables),
         fmt::format("public, at most {} for each row", most_matches(step).value_or(1)));
  }

  const plan::Project& project_;
  std::string distance_, metric_;
  std::vector<StabilityStep> steps_;
};

// What becomes of a unit with more rows than count.
std::string_view cut_text(plan::Cut cut) { return cut == plan::Cut::scale ? "scaled" : "clamped"; }

std::string measure_text(const plan::BoundedAggregate& exact, const plan::Measure& measure,
                         const std::vector<std::string>& names) {
  const std::string of = measure.column ? names[*measure.column] : "*";
  const std::string each = exact.keys > 0 ? "for each unit and key" : "for each unit";
  const auto worth = [&](Int128 total) { return (Rational(total) * unit_of(measure)).str(); };
  switch (measure.kind) {
    case plan::MeasureKind::units:
      return exact.keys > 0 ? "number of units by key" : "number of units";
    case plan::MeasureKind::rows:
      return fmt::format("number of rows of {}, at most {} {}", of, to_string(measure.total_high), each);
    case plan::MeasureKind::sum:
      return fmt::format("sum of {}{}, {} to {} {}, {} to that", of,
                         measure.centred ? " from the middle of its bounds" : "", worth(measure.total_low),
                         worth(measure.total_high), each, cut_text(measure.cut));
    case plan::MeasureKind::squares:
      return fmt::format("sum of squares of {} from the middle of its bounds, {} to {} {}, {} to that", of,
                         worth(measure.total_low), worth(measure.total_high), each, cut_text(measure.cut));
    case plan::MeasureKind::products:
      return fmt::format("sum of products of {} and {} from the middles of their bounds", of,
                         names[measure.second->column]);
    case plan::MeasureKind::distinct:
      return fmt::format("number of different values of {}, at most {} for each unit", of, measure.rows);
    case plan::MeasureKind::histogram:
      return fmt::format("how often each step of {} occurs, at most {} rows for each unit", of, measure.rows);
    case plan::MeasureKind::cut_units:
      return fmt::format("number of units with more than {} rows of {}{}", measure.rows, of,
                         exact.keys > 0 ? ", or with keys that are dropped" : "");
  }
  return "";
}

std::vector<std::string> rows_sources(const Counting& counting) {
  std::vector<std::string> sources = counting.rows_limit.sources;
  if (!counting.in_all_limit) return sources;
  for (const std::string& source : counting.in_all_limit->sources) {
    if (std::find(sources.begin(), sources.end(), source) == sources.end()) sources.push_back(source);
  }
  return sources;
}

}  // namespace

std::vector<StabilityStep> stability_chain(const plan::Project& project, const Counting& counting,
                                           const BoundedRows& rows,
                                           const std::vector<calculus::CellsDistance>& distances) {
  Chain chain(project, rows);
  chain.walk(counting.rows.keep ? filter(counting.rows.base, *counting.rows.keep) : counting.rows.base);
  if (counting.exact.keys > 0) {
    chain.add(fmt::format("at most {} keys for each unit, by the bounding hash", counting.keys_limit.most),
              joined(counting.keys_limit.sources));
  }
  if (counting.in_all_limit) {
    chain.add(fmt::format("at most {} rows for each unit over all its keys", counting.in_all_limit->most),
              joined(counting.in_all_limit->sources));
  }
  std::vector<StabilityStep> steps = std::move(chain).steps();
  const std::vector<std::string> names = names_of(project, counting.exact.rows);
  for (std::size_t i = 0; i < distances.size(); ++i) {
    const plan::Measure& measure = counting.exact.measures[i];
    steps.push_back({measure_text(counting.exact, measure, names), "cells", cells_text(distances[i]),
                     measure.rows == 0                          ? "bounds of the statement"
                     : measure.kind == plan::MeasureKind::units ? "a unit counts once"
                                                                : joined(rows_sources(counting))});
  }
  return steps;
}

}  // namespace dither::sql::detail
