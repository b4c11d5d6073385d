#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "sql/detail/rows.h"

namespace dither::sql {
namespace {

Rows checked(Rows rows) {
  if (rows.steps > kMostSteps) {
    throw Error{Code::too_deep, fmt::format("the statement builds more than {} steps upon each other", kMostSteps),
                "leave out subqueries that only rename columns"};
  }
  if (rows.cells > kMostCells) {
    throw Error{Code::too_deep,
                fmt::format("the statement, written out without WITH, has more than {} columns in all", kMostCells),
                "select the columns that are needed instead of *, and use subqueries less often"};
  }
  return rows;
}

// The input with one more step.
Rows behind(const Rows& input, plan::Relation relation) {
  const std::size_t width = relation->columns().size();
  return checked({std::move(relation), input.unit, input.steps + 1, input.cells + width});
}

bool is_bare(const plan::Expression& expression, std::size_t position) {
  const auto* column = std::get_if<plan::Expression::Column>(&expression.content());
  return column != nullptr && column->position == position;
}

}  // namespace

plan::Expression Rows::column(std::size_t position) const {
  return plan::column(position, relation->columns()[position].type);
}

Rows scan(const plan::Project& project, const std::string& table) {
  Rows rows{plan::scan(project, table), {}, 1, 0};
  rows.unit.assign(rows.width(), false);
  if (rows.relation->is_private()) rows.unit[rows.relation->owner().unit] = true;
  rows.cells = rows.width();
  return checked(std::move(rows));
}

Rows filter(const Rows& input, const plan::Expression& keep) {
  return behind(input, plan::filter(input.relation, keep));
}

Rows project(Rows input, std::vector<plan::Expression> columns) {
  // The unit behind the columns stays by itself.
  const bool unit_last = input.relation->is_private() && input.relation->owner().unit + 1 == input.width();
  bool same = columns.size() == input.width() || (unit_last && columns.size() + 1 == input.width());
  for (std::size_t i = 0; same && i < columns.size(); ++i) same = is_bare(columns[i], i);
  if (same) return input;
  std::vector<bool> unit;
  for (const plan::Expression& expression : columns) {
    const auto* column = std::get_if<plan::Expression::Column>(&expression.content());
    unit.push_back(column != nullptr && input.unit[column->position]);
  }
  Rows rows = behind(input, plan::project(input.relation, std::move(columns)));
  unit.resize(rows.width(), true);  // where the unit was appended
  rows.unit = std::move(unit);
  return rows;
}

Rows join(const Rows& left, const Rows& right, plan::JoinKind kind,
          std::vector<std::pair<std::size_t, std::size_t>> equal) {
  const auto& owner = left.relation->owner();
  bool on_units = false;
  for (auto& [l, r] : equal) {
    if (!left.relation->is_private() || !right.relation->is_private() || !left.unit[l] || !right.unit[r]) continue;
    l = owner.unit;
    r = right.relation->owner().unit;
    on_units = true;
  }
  Rows rows{plan::join(left.relation, right.relation, kind, std::move(equal)), left.unit,
            std::max(left.steps, right.steps) + 1, left.cells + right.cells + left.width() + right.width()};
  // Of a left join the right side's unit is NULL where nothing was found.
  const bool same_unit = on_units && kind == plan::JoinKind::inner;
  for (std::size_t i = 0; i < right.width(); ++i) rows.unit.push_back(same_unit && right.unit[i]);
  return checked(std::move(rows));
}

Rows union_all(const std::vector<Rows>& inputs) {
  std::vector<plan::Relation> relations;
  Rows rows{nullptr, inputs[0].unit, 0, 0};
  for (const Rows& input : inputs) {
    relations.push_back(input.relation);
    rows.steps = std::max(rows.steps, input.steps + 1);
    rows.cells += input.cells + input.width();
    for (std::size_t i = 0; i < rows.unit.size() && i < input.unit.size(); ++i) {
      rows.unit[i] = rows.unit[i] && input.unit[i];
    }
  }
  rows.relation = plan::union_all(std::move(relations));
  return checked(std::move(rows));
}

Rows distinct(const Rows& input) { return behind(input, plan::distinct(input.relation)); }

Rows aggregate(const Rows& input, std::size_t keys, const std::vector<plan::AggregateCall>& calls) {
  Rows rows = behind(input, plan::aggregate(input.relation, keys, calls));
  rows.unit.assign(rows.width(), false);
  return rows;
}

Rows sort(const Rows& input, std::vector<plan::Sort::By> by) {
  return behind(input, plan::sort(input.relation, std::move(by)));
}

Rows limit(const Rows& input, std::uint64_t rows, std::uint64_t skip) {
  return behind(input, plan::limit(input.relation, rows, skip));
}

}  // namespace dither::sql
