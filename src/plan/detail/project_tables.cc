#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/nearest.h"
#include "base/text.h"
#include "plan/detail/project_read.h"

namespace dither::plan::detail {

namespace {

using config::Entry;
using config::Fields;

constexpr std::uint64_t kLargestLimit = 1'000'000'000;
constexpr std::uint64_t kLargestSize = 1'000'000'000'000'000;

std::optional<std::uint64_t> optional_limit(Fields& fields, const std::string& key, std::uint64_t largest) {
  const Value* value = fields.optional(key);
  if (value == nullptr) return std::nullopt;
  return read_limit(*value, key, largest);
}

ContributionBounds read_contribution(const Value& value) {
  Fields fields(value, "\"bounds\" of a table");
  fields.expect(keys_of("contribution"));
  ContributionBounds bounds{optional_limit(fields, "rows_per_unit", kLargestLimit),
                            optional_limit(fields, "keys_per_unit", kLargestLimit),
                            optional_limit(fields, "rows_per_key", kLargestLimit)};
  fields.finish();
  return bounds;
}

Expected read_expected(const Value& value) {
  Fields fields(value, "\"expected\"");
  fields.expect(keys_of("expected"));
  Expected expected{optional_limit(fields, "rows", kLargestSize), optional_limit(fields, "units", kLargestSize)};
  fields.finish();
  return expected;
}

std::vector<ColumnDeclaration> read_columns(const Value& value) {
  const std::vector<Entry>& entries = value.map("\"columns\"");
  require_different(entries, "the columns");
  std::vector<ColumnDeclaration> columns;
  for (const Entry& entry : entries) columns.push_back(read_column(entry));
  return columns;
}

// A column that `unique` or `multiplicity` names. Public tables may leave it undeclared: it is text then.
std::string named_column(const Value& place, const std::string& name, TableDeclaration& table) {
  if (table.find(name) != nullptr) return name;
  if (!table.is_public) throw unknown_column(place.where(), table, name);
  require_name(place.where(), "a column", name);
  ColumnDeclaration column;
  column.name = name;
  table.columns.push_back(column);
  return name;
}

std::vector<std::string> read_set(const std::vector<Value>& items, const Value& place, TableDeclaration& table) {
  if (items.empty()) throw error_at(place, Code::bad_count, "a set of columns is empty", "name a column");
  std::vector<std::string> columns;
  for (const Value& item : items) {
    columns.push_back(named_column(item, item.text("a column"), table));
    if (std::count(columns.begin(), columns.end(), columns.back()) == 1) continue;
    throw error_at(item, Code::duplicate_key, fmt::format("the column \"{}\" is named twice", echo(columns.back())),
                   "name it once");
  }
  return columns;
}

// [city]; [a, b]: both together; [[a, b], [c]]: each of the sets.
std::vector<std::vector<std::string>> read_unique(const Value& value, TableDeclaration& table) {
  const std::vector<Value>& items = value.list("\"unique\"");
  if (items.empty() || items[0].kind() != config::Kind::list) return {read_set(items, value, table)};
  std::vector<std::vector<std::string>> sets;
  for (const Value& item : items) sets.push_back(read_set(item.list("a set of columns"), item, table));
  return sets;
}

void read_multiplicity(const Value& value, TableDeclaration& table) {
  for (const Entry& entry : value.map("\"multiplicity\"")) {
    const std::uint64_t most = read_limit(entry.value, entry.key, kLargestLimit);
    table.multiplicity.push_back({{named_column(entry.value, entry.key, table)}, most});
  }
}

// What one kind of table may not say.
void refuse(const Value* value, std::string_view key, std::string_view why, const std::string& hint) {
  if (value != nullptr) throw error_at(*value, Code::unknown_key, fmt::format("\"{}\": {}", key, why), hint);
}

void read_private(Fields& fields, TableDeclaration& table) {
  refuse(fields.optional("multiplicity"), "multiplicity", "the table is private",
         "leave it out: what units contribute is bounded by `bounds:`");
  table.unit = read_unit(fields.required("unit"));
  if (const Value* bounds = fields.optional("bounds")) table.bounds = read_contribution(*bounds);
  if (const Value* expected = fields.optional("expected")) table.expected = read_expected(*expected);
}

void read_public(Fields& fields, TableDeclaration& table) {
  refuse(fields.optional("unit"), "unit", "the table is public, so its rows belong to nobody",
         "leave one of the two out");
  refuse(fields.optional("bounds"), "bounds", "the table is public, so nobody contributes to it",
         "leave one of the two out");
  refuse(fields.optional("expected"), "expected", "the table is public, so its size is no guess",
         "leave one of the two out");
  if (const Value* most = fields.optional("multiplicity")) read_multiplicity(*most, table);
}

void require_at_most(std::size_t count, std::size_t most, const Entry& place, std::string_view what) {
  if (count <= most) return;
  throw error_at(place, Code::bad_count, fmt::format("from here on there are more than {} {}", most, what),
                 "declare what is asked for alone, or split the project");
}

}  // namespace

std::uint64_t read_limit(const Value& value, std::string_view what, std::uint64_t largest) {
  const std::uint64_t limit = value.whole(fmt::format("\"{}\"", what));
  if (limit >= 1 && limit <= largest) return limit;
  throw error_at(value, Code::bad_limit, fmt::format("\"{}\" is {}, but must be from 1 to {}", what, limit, largest),
                 fmt::format("write `{}: 1` or more", what));
}

Error unknown_column(const std::string& where, const TableDeclaration& table, std::string_view name) {
  std::vector<std::string> names;
  for (const ColumnDeclaration& column : table.columns) names.push_back(column.name);
  const std::optional<std::string> near = near_enough(name, names);
  return Error{Code::unknown_column,
               fmt::format("{}: the table \"{}\" declares no column \"{}\"", where, echo(table.name), echo(name)),
               near ? fmt::format("did you mean \"{}\"? Otherwise declare it under `columns:`", *near)
                    : "declare it under `columns:`"};
}

TableDeclaration read_table(const Entry& entry) {
  require_name(entry.value.where(entry.position), "a table", entry.key);
  TableDeclaration table;
  table.name = entry.key;
  table.position = entry.position;
  Fields fields(entry.value, fmt::format("the table \"{}\"", echo(entry.key)));
  fields.expect(keys_of("table"));
  table.source = read_source(fields.required("source"), entry.key);
  table.is_public = fields.optional_boolean("public").value_or(false);
  if (const Value* columns = fields.optional("columns")) table.columns = read_columns(*columns);
  if (table.is_public) {
    read_public(fields, table);
  } else {
    read_private(fields, table);
  }
  if (const Value* unique = fields.optional("unique")) table.unique = read_unique(*unique, table);
  fields.finish();
  return table;
}

std::vector<TableDeclaration> read_tables(const Value& value) {
  const std::vector<Entry>& entries = value.map("\"tables\"");
  if (entries.empty())
    throw error_at(value, Code::bad_count, "there are no tables", "declare the first one under `tables:`");
  require_different(entries, "the tables");
  std::vector<TableDeclaration> tables;
  std::size_t columns = 0, keys = 0;
  for (const Entry& entry : entries) {
    require_at_most(tables.size() + 1, kMostTables, entry, "tables");
    tables.push_back(read_table(entry));
    columns += tables.back().columns.size();
    require_at_most(columns, kMostColumns, entry, "columns");
    for (const ColumnDeclaration& column : tables.back().columns) keys += column.keys ? column.keys->size() : 0;
    require_at_most(keys, kMostKeys, entry, "keys");
  }
  check_units(tables, entries);
  return tables;
}

}  // namespace dither::plan::detail
