#include "plan/project.h"

#include <algorithm>
#include <set>

namespace dither::plan {

namespace {

// The table that says itself whose its rows are.
const TableDeclaration& root_of(const Project& project, const TableDeclaration& table) {
  const TableDeclaration* at = &table;
  while (const auto* through = std::get_if<UnitThrough>(&at->unit)) at = &project.table(through->table);
  return *at;
}

}  // namespace

std::vector<std::string> affected_tables(const Project& project, std::string_view name) {
  const TableDeclaration& asked = project.table(name);
  if (asked.is_public) return {};
  const TableDeclaration& root = root_of(project, asked);
  const bool by_id = std::holds_alternative<UnitColumn>(root.unit);
  std::vector<std::string> affected;
  for (const TableDeclaration& table : project.tables) {
    if (table.is_public) continue;
    const TableDeclaration& own = root_of(project, table);
    const bool shares_ids = by_id && std::holds_alternative<UnitColumn>(own.unit);
    if (own.name == root.name || shares_ids) affected.push_back(table.name);
  }
  return affected;
}

}  // namespace dither::plan
