#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/cell_output.h"
#include "cli/guarantee_output.h"
#include "cli/project_output.h"
#include "plan/advice.h"
#include "show/show.h"

namespace dither::cli {

namespace {

using plan::ColumnDeclaration;
using plan::Project;
using plan::TableDeclaration;
using plan::Type;
using show::Align;
using show::Json;

constexpr std::size_t kKeysShown = 12;

// Named numbers that are there: "rows_per_unit 6, keys_per_unit 3".
using Named = std::vector<std::pair<const char*, std::optional<std::uint64_t>>>;

Named bounds_of(const TableDeclaration& table) {
  return {{"rows_per_unit", table.bounds.rows_per_unit},
          {"keys_per_unit", table.bounds.keys_per_unit},
          {"rows_per_key", table.bounds.rows_per_key}};
}
Named expected_of(const TableDeclaration& table) {
  return {{"rows", table.expected.rows}, {"units", table.expected.units}};
}

std::string in_words(const Named& numbers) {
  std::vector<std::string> parts;
  for (const auto& [name, number] : numbers) {
    if (number) parts.push_back(fmt::format("{} {}", name, *number));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

Json json_of(const Named& numbers) {
  Json json = Json::object();
  for (const auto& [name, number] : numbers) {
    if (number) json[name] = show::json_integer(static_cast<Int128>(*number));
  }
  return json;
}

const char* outside_name(plan::Outside outside) {
  switch (outside) {
    case plan::Outside::clamp:
      return "clamp";
    case plan::Outside::null:
      return "null";
    case plan::Outside::other:
      return "other";
  }
  std::abort();
}

std::string keys_text(const ColumnDeclaration& column) {
  std::vector<std::string> shown;
  for (const Cell& key : *column.keys) {
    if (shown.size() == kKeysShown) break;
    shown.push_back(str(plan::Constant{column.type, key}));
  }
  const std::string more =
      column.keys->size() > kKeysShown ? fmt::format(" and {} more", column.keys->size() - kKeysShown) : "";
  return fmt::format("{}{}", fmt::join(shown, ", "), more);
}

// "clamped", "NULL", "'other'"; and what NULL becomes.
std::string others_text(const ColumnDeclaration& column) {
  std::string text;
  if (column.bounds || column.keys || column.max_length) {
    text = column.outside == plan::Outside::clamp  ? column.max_length ? "cut" : "clamped"
           : column.outside == plan::Outside::null ? "NULL"
                                                   : str(plan::Constant{column.type, *column.other});
  }
  if (column.null_as)
    text += fmt::format("{}NULL is {}", text.empty() ? "" : "; ", str(plan::Constant{column.type, *column.null_as}));
  return text;
}

Json column_json(const TableDeclaration& table, const ColumnDeclaration& column) {
  Json json = {{"column", column.name}, {"type", type_name(column.type)}};
  if (column.bounds)
    json["bounds"] = {plan::bound_text(column.type, column.bounds->low),
                      plan::bound_text(column.type, column.bounds->high)};
  if (column.grid) json["grid"] = show::json_rational(*column.grid);
  if (column.keys) {
    json["keys"] = Json::array();
    for (const Cell& key : *column.keys) json["keys"].push_back(cell_json(column.type, key));
  }
  if (column.max_length) json["max_length"] = *column.max_length;
  if (column.bounds || column.keys || column.max_length) json["outside"] = outside_name(column.outside);
  if (column.other) json["other"] = cell_json(column.type, *column.other);
  if (column.null_as) json["null_as"] = cell_json(column.type, *column.null_as);
  json["known"] = describe(declared_facts(column));
  json["missing"] = missing(table, column);
  return json;
}

// "missing in orders: GROUP BY needs `keys_per_unit:`", a line each.
std::string missing_text(const std::string& name, const std::vector<std::string>& gaps) {
  std::string text;
  for (const std::string& gap : gaps) text += printable(fmt::format("missing in {}: {}", name, gap)) + "\n";
  return text;
}

std::string columns_text(const TableDeclaration& table) {
  std::vector<std::vector<std::string>> rows;
  std::string keys, gaps;
  for (const ColumnDeclaration& column : table.columns) {
    rows.push_back({column.name, describe(declared_facts(column)), others_text(column)});
    if (column.keys) keys += printable(fmt::format("keys of {}: {}", column.name, keys_text(column))) + "\n";
    gaps += missing_text(column.name, missing(table, column));
  }
  std::string text;
  if (!rows.empty()) {
    text = show::text_table({{"column", Align::left}, {"known", Align::left}, {"other values", Align::left}}, rows);
  }
  for (const std::string& part : {keys, missing_text(table.name, missing(table)) + gaps}) {
    if (!part.empty()) text += "\n" + part;
  }
  return text.empty() ? text : "\n" + text;
}

}  // namespace

const char* source_kind_name(plan::SourceKind kind) {
  switch (kind) {
    case plan::SourceKind::csv:
      return "csv";
    case plan::SourceKind::parquet:
      return "parquet";
    case plan::SourceKind::json:
      return "json";
    case plan::SourceKind::duckdb:
      return "duckdb";
    case plan::SourceKind::memory:
      return "memory";
  }
  std::abort();
}

namespace {

std::string source_text(const plan::Source& source) {
  if (source.kind == plan::SourceKind::memory) return "in the memory of a program";
  const std::string inner = source.table.empty() ? "" : fmt::format(", table {}", source.table);
  return fmt::format("{} ({}{})", source.path, source_kind_name(source.kind), inner);
}

}  // namespace

std::string tables_text(const Project& project) {
  std::vector<std::vector<std::string>> rows;
  std::string gaps;
  for (const TableDeclaration& table : project.tables) {
    gaps += missing_text(table.name, missing(table));
    rows.push_back({table.name, unit_in_words(project, table), fmt::format("{}", table.columns.size()),
                    in_words(bounds_of(table)), source_text(table.source)});
  }
  return show::text_table({{"table", Align::left},
                           {"unit", Align::left},
                           {"columns", Align::right},
                           {"a unit contributes at most", Align::left},
                           {"source", Align::left}},
                          rows) +
         (gaps.empty() ? "" : "\n" + gaps);
}

std::string table_text(const Project& project, const TableDeclaration& table) {
  Facts facts = {{"table", printable(table.name)},
                 {"source", printable(source_text(table.source))},
                 {"unit", printable(unit_in_words(project, table))}};
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) facts.emplace_back(name, printable(text));
  };
  add("at most", in_words(bounds_of(table)));
  add("expected", in_words(expected_of(table)));
  std::vector<std::string> unique;
  for (const auto& set : table.unique) unique.push_back(fmt::format("({})", fmt::join(set, ", ")));
  add("unique", fmt::format("{}", fmt::join(unique, ", ")));
  for (const auto& [columns, most] : table.multiplicity) {
    add("repeats", fmt::format("at most {} rows share {}", most, fmt::join(columns, ", ")));
  }
  add("a unit is in", fmt::format("{}", fmt::join(affected_tables(project, table.name), ", ")));
  return facts_text(facts) + columns_text(table);
}

Json table_json(const Project& project, const TableDeclaration& table) {
  Json json = {{"table", table.name},
               {"source", Json::object()},
               {"public", table.is_public},
               {"unit", unit_in_words(project, table)},
               {"weaker", std::holds_alternative<plan::UnitRows>(table.unit)},
               {"bounds", json_of(bounds_of(table))},
               {"expected", json_of(expected_of(table))},
               {"unique", table.unique}};
  if (!table.source.path.empty()) json["source"]["path"] = table.source.path;
  json["source"]["kind"] = source_kind_name(table.source.kind);
  if (!table.source.table.empty()) json["source"]["table"] = table.source.table;
  if (!table.multiplicity.empty()) {
    for (const auto& [columns, most] : table.multiplicity) json["multiplicity"][columns.front()] = most;
  }
  json["affected"] = affected_tables(project, table.name);
  json["missing"] = missing(table);
  json["columns"] = Json::array();
  for (const ColumnDeclaration& column : table.columns) json["columns"].push_back(column_json(table, column));
  return json;
}

}  // namespace dither::cli
