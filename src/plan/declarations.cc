#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "plan/project.h"

namespace dither::plan {

namespace {

using Json = nlohmann::json;  // keys sorted: one text for one content

Json json(const ColumnDeclaration& column) {
  Json out = {{"name", column.name}, {"type", type_name(column.type)}};
  if (column.bounds) out["bounds"] = {column.bounds->low.str(), column.bounds->high.str()};
  if (column.grid) out["grid"] = column.grid->str();
  if (column.keys) {
    std::set<std::string> keys;
    for (const Cell& key : *column.keys) keys.insert(str(Constant{column.type, key}));
    out["keys"] = keys;
  }
  if (column.max_length) out["max_length"] = *column.max_length;
  if (column.bounds || column.keys || column.max_length) {
    out["outside"] = column.outside == Outside::clamp ? "clamp" : column.outside == Outside::null ? "null" : "other";
  }
  if (column.other) out["other"] = str(Constant{column.type, *column.other});
  if (column.null_as) out["null_as"] = str(Constant{column.type, *column.null_as});
  return out;
}

struct UnitJson {
  Json operator()(const UnitColumn& unit) const { return {{"column", unit.column}}; }
  Json operator()(const UnitRow&) const { return {{"rows", 1}, {"weaker", false}}; }
  Json operator()(const UnitRows& unit) const { return {{"rows", unit.rows}, {"weaker", true}}; }
  Json operator()(const UnitThrough& unit) const {
    Json by = Json::object();
    for (const auto& [here, there] : unit.equal) by[here] = there;
    return {{"through", unit.table}, {"by", by}};
  }
};

Json json(const ContributionBounds& bounds) {
  Json out = Json::object();
  if (bounds.rows_per_unit) out["rows_per_unit"] = *bounds.rows_per_unit;
  if (bounds.keys_per_unit) out["keys_per_unit"] = *bounds.keys_per_unit;
  if (bounds.rows_per_key) out["rows_per_key"] = *bounds.rows_per_key;
  return out;
}

const char* kind_name(SourceKind kind) {
  switch (kind) {
    case SourceKind::csv:
      return "csv";
    case SourceKind::parquet:
      return "parquet";
    case SourceKind::json:
      return "json";
    case SourceKind::duckdb:
      return "duckdb";
    case SourceKind::memory:
      return "memory";
  }
  std::abort();
}

Json json(const Source& source) {
  Json out = {{"kind", kind_name(source.kind)}};
  if (source.kind != SourceKind::memory) out["path"] = source.path;
  if (source.kind == SourceKind::duckdb) out["table"] = source.table;
  return out;
}

Json json(const TableDeclaration& table) {
  Json out = {{"public", table.is_public}, {"source", json(table.source)}, {"columns", Json::array()}};
  std::vector<ColumnDeclaration> columns = table.columns;
  std::sort(columns.begin(), columns.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  for (const ColumnDeclaration& column : columns) out["columns"].push_back(json(column));
  std::set<std::set<std::string>> unique;
  for (const auto& set : table.unique) unique.emplace(set.begin(), set.end());
  out["unique"] = unique;
  if (table.is_public) {
    out["multiplicity"] = Json::object();
    for (const auto& [set, most] : table.multiplicity) out["multiplicity"][set.front()] = most;
  } else {
    out["unit"] = std::visit(UnitJson{}, table.unit);
    out["bounds"] = json(table.bounds);
  }
  return out;
}

}  // namespace

std::string declarations_json(const Project& project, const std::vector<std::string>& tables) {
  Json out = {{"unit", project.unit.name}, {"neighbours", neighbours_name(project.neighbours)}};
  out["tables"] = Json::object();
  for (const std::string& name : tables) {
    const TableDeclaration* table = &project.table(name);
    while (!out["tables"].contains(table->name)) {
      out["tables"][table->name] = json(*table);
      if (const auto* through = std::get_if<UnitThrough>(&table->unit)) table = &project.table(through->table);
    }
  }
  return out.dump();
}

}  // namespace dither::plan
