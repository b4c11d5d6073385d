#include <algorithm>

#include "base/error.h"
#include "plan/relation.h"

namespace dither::plan {
namespace {

// The declared facts of the column that says whose the rows of a table are.
Facts unit_facts(const Project& project, const TableDeclaration& table) {
  if (const auto* through = std::get_if<UnitThrough>(&table.unit))
    return unit_facts(project, project.table(through->table));
  Facts facts;
  facts.type = Type::integer;
  if (const auto* column = std::get_if<UnitColumn>(&table.unit)) facts = declared_facts(*table.find(column->column));
  return facts;
}

std::size_t position_of(const TableDeclaration& table, const std::string& column) {
  const auto at = std::find_if(table.columns.begin(), table.columns.end(),
                               [&](const ColumnDeclaration& declared) { return declared.name == column; });
  return static_cast<std::size_t>(at - table.columns.begin());
}

MostRows most_rows(const TableDeclaration& table, const std::vector<std::string>& columns, std::uint64_t rows) {
  MostRows most{{}, rows};
  for (const std::string& column : columns) most.columns.push_back(position_of(table, column));
  return most;
}

void own(const Project& project, const TableDeclaration& table, Node::Parts& parts) {
  parts.owner.kind = Ownership::Kind::units;
  if (const auto* column = std::get_if<UnitColumn>(&table.unit)) {
    parts.owner.unit = position_of(table, column->column);
  } else {
    parts.owner.unit = parts.columns.size();
    parts.columns.push_back(unit_facts(project, table));
  }
  Facts& unit = parts.columns[parts.owner.unit];
  parts.owner.row_is_unit = std::holds_alternative<UnitRow>(table.unit) || std::holds_alternative<UnitRows>(table.unit);
  if (parts.owner.row_is_unit) {
    unit.nullable = false;
    for (Facts& facts : parts.columns) facts.of_unit = true;
  }
  unit.of_unit = true;
  // Rows whose unit is NULL are dropped, and no others: what cannot be read is a row of NULL.
  parts.drops_rows = unit.nullable;
}

}  // namespace

Relation scan(const Project& project, const std::string& name) {
  const TableDeclaration& table = project.table(name);
  Node::Parts parts{.step = Scan{name}, .columns = {}, .owner = {}, .tables = {name}, .most_rows = {}};
  for (const ColumnDeclaration& column : table.columns) parts.columns.push_back(declared_facts(column));
  if (table.is_public) {
    for (const auto& columns : table.unique) parts.most_rows.push_back(most_rows(table, columns, 1));
    for (const auto& [columns, rows] : table.multiplicity) parts.most_rows.push_back(most_rows(table, columns, rows));
  } else {
    own(project, table, parts);
  }
  return std::make_shared<const Node>(std::move(parts));
}

}  // namespace dither::plan
