#include "sql/detail/notes.h"

#include <fmt/format.h>

#include <algorithm>

namespace dither::sql::detail {
namespace {

void table_notes(const plan::Project& project, const plan::TableDeclaration& table, std::vector<std::string>& notes) {
  if (std::holds_alternative<plan::UnitThrough>(table.unit)) {
    notes.push_back(fmt::format("whose a row of {} is, follows declared foreign keys: each must name one {}",
                                table.name, project.unit.name));
  }
}

bool has_units(const plan::TableDeclaration& table) {
  return !table.is_public && (std::holds_alternative<plan::UnitColumn>(table.unit) ||
                              std::holds_alternative<plan::UnitThrough>(table.unit));
}

}  // namespace

Protected protected_by(const plan::Project& project, const Counting& counting) {
  if (!counting.row_is_unit) return {project.unit, false};
  for (const std::string& name : counting.exact.rows->tables()) {
    const plan::TableDeclaration& table = project.table(name);
    if (table.is_public) continue;
    if (const auto* rows = std::get_if<plan::UnitRows>(&table.unit)) {
      return {{fmt::format("group of any {} rows of {}", rows->rows, name)}, true};
    }
    // Where all tables are such and the unit is called "row", that is whom the project protects. Any other name may be that
    // of somebody who has several rows, and whose budget lies in the same ledger.
    const bool has_others = std::any_of(project.tables.begin(), project.tables.end(), has_units);
    if (has_others || project.unit.name != "row") return {{"row of " + name}, true};
  }
  return {project.unit, false};
}

std::vector<std::string> notes_of(const plan::Project& project, const Statement& statement, const Counting& counting,
                                  const std::vector<std::string>& cuts) {
  std::vector<std::string> notes = statement.notes;
  const Protected who = protected_by(project, counting);
  if (who.weaker) {
    notes.push_back(fmt::format("a weaker guarantee: this protects one {}, not a {} that has more of them",
                                who.unit.name, project.unit.name));
  }
  for (const std::string& name : counting.exact.rows->tables()) {
    const plan::TableDeclaration& table = project.table(name);
    if (!table.is_public) table_notes(project, table, notes);
  }
  if (counting.exact.rows->columns()[counting.exact.unit()].nullable) {
    notes.push_back(fmt::format("rows whose {} is NULL belong to nobody and are left out", project.unit.name));
  }
  if (counting.rows.keep) notes.emplace_back("WHERE keeps the rows for which it is true; where it is NULL they go");
  notes.insert(notes.end(), cuts.begin(), cuts.end());
  if (counting.exact.keys > 0) {
    notes.emplace_back(counting.exact.public_keys ? "every public key is answered, also one without rows"
                                                  : "keys of few units are left out");
  }
  if (!project.deadline) notes.emplace_back("response time is not protected: no `deadline:` is declared");
  return notes;
}

}  // namespace dither::sql::detail
