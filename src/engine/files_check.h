// For tests: cells as files of every kind.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "engine/exact_check.h"
#include "engine/memory_check.h"

namespace dither::engine {

inline std::string quoted_field(const std::string& text) {
  std::string field = "\"";
  for (const char c : text) field += c == '"' ? "\"\"" : std::string(1, c);
  return field + "\"";
}

inline std::string field_of(plan::Type type, const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return quoted_field(*text);
  if (std::holds_alternative<std::monostate>(cell)) return "";
  if (type == plan::Type::date) return plan::date_text(std::get<std::int64_t>(cell));
  if (type == plan::Type::timestamp) return plan::timestamp_text(std::get<std::int64_t>(cell));
  return plan::str({type, cell});
}

inline std::string csv_text(const plan::TableDeclaration& table, const testing::PlanRows& rows) {
  std::string text;
  for (const plan::ColumnDeclaration& column : table.columns) text += (text.empty() ? "" : ",") + column.name;
  for (const testing::PlanRow& row : rows) {
    text += "\n";
    for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ",") + field_of(table.columns[i].type, row[i]);
  }
  return text + "\n";
}

// What JSON has words for: no NaN, no infinities.
inline testing::PlanDatabase as_json(testing::PlanDatabase cells) {
  for (auto& [table, rows] : cells) {
    for (testing::PlanRow& row : rows) {
      for (Cell& cell : row) {
        if (const auto* real = std::get_if<double>(&cell); real != nullptr && !std::isfinite(*real)) cell = Cell{};
      }
    }
  }
  return cells;
}

inline void write_csv(const TestFolder& folder, const plan::Project& project, const testing::PlanDatabase& cells) {
  for (const plan::TableDeclaration& table : project.tables) {
    folder.write(table.name + ".csv", csv_text(table, cells.at(table.name)));
  }
}

// Runs statements in a DuckDB that may write, unlike those of the engine.
inline void run_freely(const std::vector<std::string>& statements) {
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  detail::duckdb().open_ext(nullptr, &database, nullptr, nullptr);
  detail::duckdb().connect(database, &connection);
  for (const std::string& sql : statements) {
    duckdb_result result{};
    const bool done = detail::duckdb().query(connection, sql.c_str(), &result) == DuckDBSuccess;
    EXPECT_TRUE(done) << detail::duckdb().result_error(&result) << "\n" << sql;
    detail::duckdb().destroy_result(&result);
  }
  detail::duckdb().disconnect(&connection);
  detail::duckdb().close(&database);
}

// One file a table, as COPY writes it with these options.
inline void write_copies(const TestFolder& folder, const plan::Project& project, const testing::PlanDatabase& cells,
                         const std::string& ending, const std::string& options) {
  std::vector<std::string> all;
  for (const plan::TableDeclaration& table : project.tables) {
    for (const auto& sql : table_statements(table.name, table, cells.at(table.name), true)) all.push_back(sql);
    all.push_back(
        fmt::format("COPY {} TO {} ({})", table.name, detail::quoted(folder.file(table.name + "." + ending)), options));
  }
  run_freely(all);
}

// One database a table.
inline void write_database(const TestFolder& folder, const plan::Project& project, const testing::PlanDatabase& cells) {
  std::vector<std::string> all;
  for (const plan::TableDeclaration& table : project.tables) {
    const std::string file = folder.file(table.name + ".duckdb");
    all.push_back(fmt::format("ATTACH {} AS one", detail::quoted(file)));
    for (const auto& sql : table_statements("one." + table.name, table, cells.at(table.name), true)) all.push_back(sql);
    all.push_back("DETACH one");
  }
  run_freely(all);
}

}  // namespace dither::engine
