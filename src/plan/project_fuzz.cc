// Any bytes are a project or refused by an Error that says where; what is read keeps its promises.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "plan/project.h"

namespace {

using namespace dither::plan;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_column(const ColumnDeclaration& column) {
  const Facts facts = declared_facts(column);
  require(facts.type == column.type);
  if (facts.range) require(facts.range->low <= facts.range->high);
  if (column.grid) require(*column.grid > 0);
  if (column.null_as) require(keeps(facts, *column.null_as));
  if (column.other) require(keeps(facts, *column.other));
  if (column.keys) {
    for (const dither::Cell& key : *column.keys) require(keeps(facts, key));
  }
  require(keeps(facts, dither::Cell()) == facts.nullable);
}

// Every private table changes together with itself, and with whatever it says it does.
void check_table(const Project& project, const TableDeclaration& table) {
  for (const ColumnDeclaration& column : table.columns) check_column(column);
  require(!declarations_json(project, {table.name}).empty());
  bool itself = false;
  for (const std::string& other : affected_tables(project, table.name)) {
    itself = itself || other == table.name;
    require(!project.table(other).is_public);
  }
  require(itself == !table.is_public);
}

void check(const Project& project) {
  require(!project.tables.empty() && !project.budgets.empty());
  for (const TableDeclaration& table : project.tables) check_table(project, table);
  for (const BudgetDeclaration& budget : project.budgets) {
    require(budget.parent.empty() == (&budget == project.budgets.data()));
    require(project.budget_path(budget.name).starts_with(project.budgets.front().name));
    require(same_measure(budget.rule, project.budgets.front().rule));
    dither::accounting::require_valid(budget.rule);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::optional<Project> project;
  try {
    project = parse_project(std::string(reinterpret_cast<const char*>(data), size), "name");
  } catch (const dither::Error& error) {
    require(std::string(error.what()).starts_with("name:") && !error.hint().empty());
    return 0;
  }
  check(*project);
  return 0;
}
