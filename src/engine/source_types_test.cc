// Types that libraries choose by looking at all cells: whatever they choose, other cells stay what they are, or the type is refused.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "engine/sources_check.h"
#include "testing/refusal.h"

namespace dither::engine {
namespace {

const std::string kBounded = "{type: integer, bounds: [-90, 90], outside: clamp}";

// Costs of persons 1, 2, ... as a Parquet file has them in this type: rows, the sum of the costs, and persons.
std::string read(const TestFolder& folder, const std::vector<std::string>& cells, const std::string& type,
                 const std::string& declared) {
  std::string rows;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    rows += fmt::format("{}({}, CAST({} AS {}))", i == 0 ? "" : ", ", i + 1, cells[i], type);
  }
  run_freely({"COPY (SELECT * FROM (VALUES " + rows + ") AS v(person, cost)) TO '" + folder.file("v.parquet") + "'"});
  return complaint(project_in(folder, one_table("v.parquet", declared)));
}

std::string refused(const std::string& given, const std::string& declared, const std::string& unit = "integer") {
  const TestFolder folder;
  run_freely(
      {"COPY (SELECT 1::" + unit + " AS person, 1::" + given + " AS cost) TO '" + folder.file("v.parquet") + "'"});
  const std::string said = complaint(project_in(folder, one_table("v.parquet", declared)));
  const std::string begin = "error: bad-source: table \"visits\": the column ";
  return said.starts_with(begin) ? said.substr(begin.size()) : said;
}

TEST(SourceTypes, FloatsAreNoOwners) {
  for (const char* unit : {"DOUBLE", "FLOAT", "DECIMAL(18, 2)"}) {
    EXPECT_EQ(refused("BIGINT", "{type: integer}", unit),
              "\"person\" of v.parquet holds floats or decimals, and says whose a row is: ids beyond 2^53 would merge\n"
              "hint:  give it as whole numbers, or as texts")
        << unit;
  }
  EXPECT_EQ(refused("BIGINT", "{type: integer}", "DECIMAL(18, 0)"), ": 1 1 1\n");
  EXPECT_EQ(refused("BIGINT", "{type: integer}", "VARCHAR"), ": 1 1 1\n");
}

// pandas writes whole numbers so, all of them, where one is missing; and ids beyond 2^53 as what they have merged into.
TEST(SourceTypes, WholeNumbersWithAPointAreWholeNumbers) {
  const TestFolder folder;
  const plan::Project project = project_in(folder, one_table("v.csv", "{type: integer}"));
  const auto found = [&](const std::string& rows) {
    folder.write("v.csv", "person,cost\n" + rows);
    return complaint(project);
  };
  EXPECT_EQ(found("1,5\n2,6\n3,7\n"), ": 3 18 3\n");
  EXPECT_EQ(found("1.0,5.0\n2.0,6.0\n3.0,\n"), ": 3 11 3\n");
  EXPECT_EQ(found("9007199254740991.0,5\n9007199254740992.0,6\n1.7e+18,6\n2.5,7\n"), ": 1 5 1\n");
}

TEST(SourceTypes, TextsAndBooleansAreReadFromNoNumbers) {
  for (const char* given : {"BIGINT", "DOUBLE", "DECIMAL(9, 2)", "BOOLEAN"}) {
    EXPECT_NE(refused(given, "{type: text}").find("does not hold what can be read as text"), std::string::npos)
        << given;
  }
  for (const char* given : {"BIGINT", "DOUBLE", "DECIMAL(9, 2)"}) {
    EXPECT_NE(refused(given, "{type: boolean}").find("does not hold what can be read as boolean"), std::string::npos);
  }
  for (const char* declared : {"{type: integer}", "{type: real}"}) {
    EXPECT_NE(refused("BOOLEAN", declared).find("declare it as boolean"), std::string::npos) << declared;
  }
  EXPECT_EQ(refused("BOOLEAN", "{type: boolean}"), ": 1 1\n");
}

TEST(SourceTypes, FloatsAreIntegersWithinBoundsThatDoublesName) {
  const std::string far = "and integers beyond 2^53 would merge";
  EXPECT_NE(refused("DOUBLE", "{type: integer}").find(far), std::string::npos);
  EXPECT_NE(refused("DOUBLE", "{type: integer, bounds: [0, 9007199254740992], outside: clamp}").find(far),
            std::string::npos);
  EXPECT_NE(refused("DOUBLE", "{type: integer, keys: [1, 9007199254740992], outside: null}").find(far),
            std::string::npos);
  EXPECT_EQ(refused("DOUBLE", "{type: integer, bounds: [-9007199254740991, 9007199254740991], outside: clamp}"),
            ": 1 1 1\n");
  EXPECT_EQ(refused("DOUBLE", "{type: integer, keys: [1, 2], outside: {other: -1}}"), ": 1 1 1\n");
}

// The promise of typed_cell.h: the same cells in every form in which a library may write them.
TEST(SourceTypes, TheSameNumbersInEveryForm) {
  const TestFolder folder;
  const std::vector<std::string> wholes = {
      "1", "-3", "90", "91", "9007199254740993", "9223372036854775807", "-9223372036854775808"};
  for (const char* type : {"BIGINT", "HUGEINT", "DOUBLE", "VARCHAR", "DECIMAL(38, 0)", "DECIMAL(38, 10)"}) {
    EXPECT_EQ(read(folder, wholes, type, kBounded), ": 7 268 7\n") << type;
  }
  const std::vector<std::string> wide = {"1", "9223372036854775808", "18446744073709551615"};
  for (const char* type : {"UBIGINT", "HUGEINT", "UHUGEINT", "DOUBLE", "VARCHAR", "DECIMAL(38, 0)"}) {
    EXPECT_EQ(read(folder, wide, type, kBounded), ": 3 181 3\n") << type;
    EXPECT_EQ(read(folder, wide, type, "{type: real, bounds: [0, 50], outside: clamp}"), ": 3 101 3\n") << type;
  }
  for (const char* type : {"DOUBLE", "VARCHAR", "DECIMAL(9, 2)", "DECIMAL(38, 20)"}) {
    EXPECT_EQ(read(folder, {"2.5", "3.5", "-0.5"}, type, kBounded), ": 3 6 3\n") << type;
  }
  EXPECT_EQ(read(folder, {"' 7'", "'8\t'", "'1e1'", "'x'"}, "VARCHAR", kBounded), ": 4 25 4\n");
}

// One cell with more digits changes the scale of all: they are the nearest doubles at every scale.
TEST(SourceTypes, DecimalsAreTheNearestDoubles) {
  const TestFolder folder;
  const std::string exactly = "{type: real, keys: [123456.78, 98765.4321, 1.1], outside: null}";
  for (int scale = 4; scale <= 30; ++scale) {
    EXPECT_EQ(read(folder, {"'123456.78'", "'98765.4321'", "'1.1'"}, fmt::format("DECIMAL(38, {})", scale), exactly),
              ": 3 201 3\n")
        << scale;
  }
}

// DuckDB calls the second x of a file x_1, and the column x_1 something else.
TEST(SourceTypes, ColumnsOfTheSameNameAreRefused) {
  const TestFolder folder;
  const std::string path = folder.file("v.parquet");
  run_freely({"COPY (SELECT 1 AS person, 5 AS costs_a, 6 AS costs_b, 7 AS costs_a_1) TO '" + path + "'"});
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const auto renamed = [&](const std::string& name) {
    for (std::size_t at = 0; (at = bytes.find("costs_b", at)) != std::string::npos; ++at) bytes.replace(at, 7, name);
    folder.write("v.parquet", bytes);
    const std::string text = one_table("v.parquet", "{type: integer}");
    return complaint(project_in(folder, text.substr(0, text.find("cost:")) + "costs_a_1: {type: integer}\n"));
  };
  EXPECT_EQ(renamed("costs_b"), ": 1 7 1\n");
  EXPECT_EQ(renamed("costs_a"),
            "error: bad-source: table \"visits\": two columns of v.parquet have the same name\nhint:  write the file "
            "again, with a name of its own for every column");
}

// Capitals tell columns apart here, and not in DuckDB, which renames one of them.
TEST(SourceTypes, ColumnsAreCalledAsTheFileCallsThem) {
  const TestFolder folder;
  const std::string path = folder.file("v.parquet");
  run_freely({"COPY (SELECT 1 AS person, 5 AS costs_a, 6 AS costs_b) TO '" + path + "'"});
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  for (std::size_t at = 0; (at = bytes.find("costs_b", at)) != std::string::npos; ++at) bytes.replace(at, 7, "COSTS_A");
  folder.write("v.parquet", bytes);
  const std::string text = one_table("v.parquet", "{type: integer}");
  const auto found = [&](const std::string& name) {
    return complaint(project_in(folder, text.substr(0, text.find("cost:")) + name + ": {type: integer}\n"));
  };
  EXPECT_EQ(found("costs_a"), ": 1 5 1\n");
  EXPECT_EQ(found("COSTS_A"), ": 1 6 1\n");
  EXPECT_NE(found("COSTS_A_1").find("no column"), std::string::npos);
}

TEST(SourceTypes, ColumnsOfJsonAreTexts) {
  const TestFolder folder;
  run_freely({"ATTACH '" + folder.file("v.duckdb") + "' AS one", "CREATE TABLE one.visits (person BIGINT, cost JSON)",
              "INSERT INTO one.visits VALUES (1, '7'), (2, '{\"a\": [1]}'), (3, NULL)", "DETACH one"});
  EXPECT_EQ(complaint(project_in(folder, one_table("v.duckdb", "{type: text}"))), ": 3 3\n");
  EXPECT_EQ(complaint(project_in(folder, one_table("v.duckdb", "{type: integer}"))), ": 3 7 3\n");
}

}  // namespace
}  // namespace dither::engine
