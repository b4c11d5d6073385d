#include "plan/advice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "plan/type.h"

namespace dither::plan {

namespace {

bool has_units(const TableDeclaration& table) {
  return !table.is_public && !std::holds_alternative<UnitRow>(table.unit) &&
         !std::holds_alternative<UnitRows>(table.unit);
}

bool has_ids(const TableDeclaration& table) {
  return !table.is_public && std::holds_alternative<UnitColumn>(table.unit);
}

bool has_bounds(const ContributionBounds& bounds) {
  return bounds.rows_per_unit || bounds.keys_per_unit || bounds.rows_per_key;
}

// Names of columns that say who somebody is, here or in another table.
std::set<std::string> id_names(const Project& project) {
  std::set<std::string> names = {project.unit.name};
  for (const TableDeclaration& table : project.tables) {
    if (const auto* column = std::get_if<UnitColumn>(&table.unit)) names.insert(column->column);
  }
  return names;
}

void warn_of_rows(const Project& project, const TableDeclaration& table, std::vector<std::string>& found) {
  const std::string name = echo(table.name), unit = echo(project.unit.name);
  const std::set<std::string> ids = id_names(project);
  const auto is_id = [&](const ColumnDeclaration& column) { return ids.contains(column.name); };
  const auto id = std::find_if(table.columns.begin(), table.columns.end(), is_id);
  if (id != table.columns.end()) {
    found.push_back(
        fmt::format("{}: every row is protected by itself, but \"{}\" looks like the id of a {}: write `unit: {}`, "
                    "or a {} with several rows is not protected",
                    name, echo(id->name), unit, echo(id->name), unit));
  } else if (std::any_of(project.tables.begin(), project.tables.end(), has_ids)) {
    found.push_back(fmt::format(
        "{}: every row is protected by itself, which protects a {} only with no more than one row in it", name, unit));
  }
}

void warn_of_table(const Project& project, const TableDeclaration& table, std::vector<std::string>& found) {
  const std::string name = echo(table.name);
  if (const auto* rows = std::get_if<UnitRows>(&table.unit)) {
    found.push_back(
        fmt::format("{}: any {} rows are protected, whoever they belong to: a weaker guarantee, which protects no {} "
                    "with more rows",
                    name, rows->rows, echo(project.unit.name)));
  }
  if (std::holds_alternative<UnitRow>(table.unit)) warn_of_rows(project, table, found);
  if (has_units(table) && !has_bounds(table.bounds)) {
    found.push_back(fmt::format("{}: no `bounds:` for what one {} contributes, so nothing can be asked of it", name,
                                echo(project.unit.name)));
  }
  if (!has_units(table) && has_bounds(table.bounds)) {
    found.push_back(fmt::format("{}: `bounds:` play no part where rows are units of their own", name));
  }
}

void warn_of_budget(const Project& project, const BudgetDeclaration& budget, std::vector<std::string>& found) {
  const auto parent = std::find_if(project.budgets.begin(), project.budgets.end(),
                                   [&](const BudgetDeclaration& above) { return above.name == budget.parent; });
  if (parent == project.budgets.end()) return;
  try {
    accounting::minus_limits(parent->rule, budget.rule);
  } catch (const Error& error) {
    if (error.code() != Code::out_of_range) return;  // other slacks cannot be compared
    found.push_back(fmt::format("{}: its limits exceed those of {}, above it, and can never be spent in full",
                                echo(budget.name), echo(parent->name)));
  }
}

bool says_whose(const TableDeclaration& table, const ColumnDeclaration& column) {
  if (const auto* unit = std::get_if<UnitColumn>(&table.unit)) return unit->column == column.name;
  const auto* through = std::get_if<UnitThrough>(&table.unit);
  return through != nullptr && std::any_of(through->equal.begin(), through->equal.end(),
                                           [&](const auto& pair) { return pair.first == column.name; });
}

}  // namespace

std::vector<std::string> warnings(const Project& project) {
  std::vector<std::string> found;
  for (const TableDeclaration& table : project.tables) {
    if (!table.is_public) warn_of_table(project, table, found);
  }
  for (const BudgetDeclaration& budget : project.budgets) warn_of_budget(project, budget, found);
  return found;
}

std::vector<std::string> missing(const TableDeclaration& table) {
  std::vector<std::string> found;
  if (has_units(table) && !table.bounds.rows_per_unit) {  // which says what the others would
    found.emplace_back("aggregates without GROUP BY need `rows_per_unit:`");
    if (!table.bounds.keys_per_unit) found.emplace_back("GROUP BY needs `keys_per_unit:`");
    if (!table.bounds.rows_per_key) found.emplace_back("GROUP BY needs `rows_per_key:`");
  }
  if (!table.is_public && !table.expected.rows) found.emplace_back("relative errors need `expected: {rows: N}`");
  return found;
}

std::vector<std::string> missing(const TableDeclaration& table, const ColumnDeclaration& column) {
  if (table.is_public || says_whose(table, column)) return {};
  std::vector<std::string> found;
  const Facts facts = declared_facts(column);
  if (is_number(column.type) && !facts.range) found.emplace_back("SUM, AVG and VARIANCE need `bounds:`");
  if (column.type == Type::real && !facts.grid) found.emplace_back("SUM, AVG and VARIANCE need `grid:`");
  if (!facts.values) found.emplace_back("GROUP BY needs `keys:` or a delta");
  return found;
}

std::string unit_in_words(const Project& project, const TableDeclaration& table) {
  if (table.is_public) return "public";
  if (const auto* column = std::get_if<UnitColumn>(&table.unit)) return column->column;
  if (const auto* rows = std::get_if<UnitRows>(&table.unit))
    return fmt::format("any {} rows: a weaker guarantee", rows->rows);
  std::vector<std::string> path;
  const TableDeclaration* at = &table;
  while (const auto* through = std::get_if<UnitThrough>(&at->unit)) {
    path.push_back(through->table);
    at = &project.table(through->table);
  }
  return path.empty() ? "every row" : fmt::format("through {}", fmt::join(path, ", "));
}

std::string bound_text(Type type, const Rational& bound) {
  if (type == Type::date) return date_text(static_cast<std::int64_t>(bound.floor()));
  if (type == Type::timestamp) return timestamp_text(static_cast<std::int64_t>(bound.floor()));
  return bound.str();
}

}  // namespace dither::plan
