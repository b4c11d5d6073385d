#include "engine/database_tables.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "engine/detail/duckdb.h"

namespace dither::engine {
namespace {

class DatabaseTables : public ::testing::Test {
 protected:
  DatabaseTables() { std::filesystem::create_directory(folder_); }
  ~DatabaseTables() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("database_tables_test." + std::to_string(getpid()));
};

Code code_of(const std::string& file) {
  try {
    tables_in(file);
  } catch (const Error& error) {
    return error.code();
  }
  return Code::bad_argument;
}

TEST_F(DatabaseTables, TablesAndViewsAreListed) {
  const std::string path = (folder_ / "clinic.duckdb").string();
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  ASSERT_EQ(detail::duckdb().open_ext(path.c_str(), &database, nullptr, nullptr), DuckDBSuccess);
  ASSERT_EQ(detail::duckdb().connect(database, &connection), DuckDBSuccess);
  duckdb_result result{};
  const char* sql =
      "CREATE TABLE visits (x INTEGER); CREATE TABLE \"a b\" (y INTEGER); CREATE TABLE gone (z INTEGER); CREATE VIEW v "
      "AS FROM gone; DROP TABLE gone";
  ASSERT_EQ(detail::duckdb().query(connection, sql, &result), DuckDBSuccess);
  detail::duckdb().destroy_result(&result);
  detail::duckdb().disconnect(&connection);
  detail::duckdb().close(&database);
  EXPECT_EQ(tables_in(path), (std::vector<DatabaseTable>{{"a b", false}, {"v", true}, {"visits", false}}));
}

TEST_F(DatabaseTables, WhatIsNoDatabaseIsRefused) {
  EXPECT_EQ(code_of((folder_ / "nowhere.db").string()), Code::cannot_read);
  EXPECT_EQ(code_of(folder_.string()), Code::cannot_read);
  std::ofstream(folder_ / "text.db") << "This is no database, though it is longer than a header would be.\n";
  EXPECT_EQ(code_of((folder_ / "text.db").string()), Code::bad_source);
}

}  // namespace
}  // namespace dither::engine
