// For tests: cells as tables of a DuckDB in memory, and that database as an Executor.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>

#include "engine/detail/duckdb.h"
#include "engine/detail/table_sql.h"
#include "engine/sql_engine.h"
#include "testing/plan_reference.h"

namespace dither::engine {

inline std::string_view duckdb_type_of(plan::Type type) {
  constexpr std::string_view names[] = {"BOOLEAN", "BIGINT", "DOUBLE", "VARCHAR", "DATE", "TIMESTAMP"};
  return names[static_cast<std::size_t>(type)];
}

// CREATE TABLE and INSERTs for these cells, in order.
inline std::vector<std::string> table_statements(const std::string& name, const plan::TableDeclaration& table,
                                                 const testing::PlanRows& rows, bool declared_names) {
  std::string columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string column = declared_names ? detail::quoted_name(table.columns[i].name) : fmt::format("c{}", i);
    columns += fmt::format("{}{} {}", i == 0 ? "" : ", ", column, duckdb_type_of(table.columns[i].type));
  }
  std::vector<std::string> statements = {fmt::format("CREATE TABLE {} ({})", name, columns)};
  for (const testing::PlanRow& row : rows) {
    std::string cells;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const plan::Expression cell = plan::constant({table.columns[i].type, row[i]});
      cells += (i == 0 ? "" : ", ") + plan::spell(cell, plan::Dialect::duckdb, {});
    }
    statements.push_back(fmt::format("INSERT INTO {} VALUES ({})", name, cells));
  }
  return statements;
}

class TablesInMemory : public Executor {
 public:
  TablesInMemory(const plan::Project& project, const testing::PlanDatabase& cells)
      : project_(project), database_({}), connection_(database_) {
    for (const plan::TableDeclaration& table : project.tables) {
      for (const auto& sql : table_statements("raw_" + table.name, table, cells.at(table.name), false)) rows(sql);
    }
  }

  static std::string place_of(const plan::TableDeclaration& table) { return "raw_" + table.name; }
  plan::Leaf leaves() const { return detail::table_leaves(project_, plan::Dialect::duckdb, place_of); }
  testing::PlanRows rows(const std::string& sql) { return connection_.query(sql).rows(); }
  std::vector<std::vector<Cell>> execute(const std::string& sql) override { return rows(sql); }

 private:
  const plan::Project& project_;
  detail::Database database_;
  detail::Connection connection_;
};

}  // namespace dither::engine
