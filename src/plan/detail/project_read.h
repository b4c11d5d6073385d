// The parts of a project file, read one by one. Each refuses at the place of what is wrong.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/fields.h"
#include "plan/project.h"

namespace dither::plan::detail {

using config::Value;

// The keys of every kind of map in the file. docs/project.schema.json has the same.
struct MapKeys {
  std::string name;  // of the definition in the schema
  std::vector<std::string> keys;
};
const std::vector<MapKeys>& project_keys();
const std::vector<std::string>& keys_of(std::string_view name);  // one that exists

// Refuses what cannot name a table, column, budget or version: empty, over 100 bytes, with control or direction characters, a
// slash or blanks at its ends (bad-name). `where` is put in front.
void require_name(const std::string& where, std::string_view what, std::string_view name);
// Refuses names that differ in capitals alone, as SQL and databases take them for the same (bad-name).
void require_different(const std::vector<config::Entry>& entries, std::string_view what);

// A word of a list of words; the code where it is none of them, with the nearest.
std::size_t one_of(const Value& value, std::string_view what, const std::vector<std::string>& words, Code code);

// The nearest double, half to even; infinite beyond the finite ones.
double nearest_double(const Rational& number);

// A whole number from 1 on (bad-limit).
std::uint64_t read_limit(const Value& value, std::string_view what, std::uint64_t largest);
Error unknown_column(const std::string& where, const TableDeclaration& table, std::string_view name);

// A value of a type, as files write it: dates and timestamps in quotes. wrong-type; out-of-range.
Cell read_cell(const Value& value, Type type, std::string_view what);

// The bounds as a scan enforces them: those of a real column are doubles.
std::optional<Range> declared_range(const ColumnDeclaration& column);

ColumnDeclaration read_column(const config::Entry& entry);
Source read_source(const Value& value, const std::string& table);
Unit read_unit(const Value& value);
TableDeclaration read_table(const config::Entry& entry);
// With whatever must hold between tables: units and foreign keys.
std::vector<TableDeclaration> read_tables(const Value& value);
void check_units(const std::vector<TableDeclaration>& tables, const std::vector<config::Entry>& entries);
std::vector<BudgetDeclaration> read_budgets(const Value& value);
// Refuses what `dither init` left for the steward to declare, wherever it stands (missing-key, with what to write).
void refuse_fill_in(const Value& file);
// Refuses a ledger or anchor that is the other one, a source, or the project file (bad-name), at the place that names it.
void require_own_files(const Project& project, const Value& ledger, const Value& anchor);

}  // namespace dither::plan::detail
