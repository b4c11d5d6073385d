// The text of relations. That DuckDB gives the right rows for it is tested with the engine (engine/relations_test.cc).
#include "plan/relation_sql.h"

#include <gtest/gtest.h>

#include "plan/project_check.h"

namespace dither::plan {
namespace {

const Project& clinic() {
  static const Project project = parse_project(kClinic, "dither.yaml");
  return project;
}

std::optional<std::string> table_name(const Relation& relation) {
  if (const auto* table = std::get_if<Scan>(&relation->step())) return table->table;
  if (std::holds_alternative<Aggregate>(relation->step())) return "released";
  return std::nullopt;
}

std::string duckdb(const Relation& relation) { return relation_sql(relation, Dialect::duckdb, table_name); }

Relation visits() { return scan(clinic(), "visits"); }
Expression cost() { return column(2, Type::real); }

TEST(RelationSql, RowsWithoutAUnitAreNotThere) {
  EXPECT_EQ(duckdb(visits()), "SELECT c0, c1, c2 FROM visits AS t WHERE c0 IS NOT NULL");
  EXPECT_EQ(duckdb(scan(clinic(), "regions")), "SELECT c0 FROM regions AS t");
}

TEST(RelationSql, AProjectionOverAFilterIsOneSelect) {
  const Relation few = project(filter(visits(), resolve("is null", {cost()})), {column(1, Type::text)});
  EXPECT_EQ(
      duckdb(few),
      "SELECT c1 AS c0, c0 AS c1 FROM (SELECT c0, c1, c2 FROM visits AS t WHERE c0 IS NOT NULL) AS t WHERE (c2 IS "
      "NULL)");
}

TEST(RelationSql, JoinsNameTheirSides) {
  const Relation joined = join(visits(), scan(clinic(), "regions"), JoinKind::left, {{1, 0}});
  EXPECT_EQ(
      duckdb(joined),
      "SELECT l.c0, l.c1, l.c2, r.c0 AS c3 FROM (SELECT c0, c1, c2 FROM visits AS t WHERE c0 IS NOT NULL) AS l LEFT "
      "JOIN regions AS r ON (l.c1 = r.c0)");
}

// Equal rows come in one order too, so that an answer reads the same every time.
TEST(RelationSql, SortsDecideEveryTie) {
  const Relation counts =
      aggregate(project(visits(), {column(1, Type::text)}), 1, {{AggregateKind::count_rows, 0, {}, {}}});
  const Relation first = limit(sort(counts, {{1, true, false}}), 3, 1);
  EXPECT_EQ(duckdb(first),
            "SELECT c0, c1 FROM released AS t ORDER BY c1 DESC NULLS LAST, c0 NULLS LAST LIMIT 3 OFFSET 1");
  EXPECT_EQ(relation_sql(sort(counts, {{0, false, true}}), Dialect::postgresql, table_name),
            "SELECT c0, c1 FROM released AS t ORDER BY c0 COLLATE \"C\" NULLS FIRST, c1 NULLS LAST");
}

TEST(RelationSql, CellsAreReadAsCastsReadThem) {
  EXPECT_EQ(read_as(Type::text, Type::integer), resolve("cast integer", {column(0, Type::text)}));
  EXPECT_EQ(read_as(Type::integer, Type::real), resolve("cast real", {column(0, Type::integer)}));
  EXPECT_EQ(read_as(Type::real, Type::text), std::nullopt);
  EXPECT_EQ(read_as(Type::timestamp, Type::boolean), std::nullopt);
  for (const Type type : {Type::boolean, Type::integer, Type::real, Type::text, Type::date, Type::timestamp}) {
    EXPECT_TRUE(read_as(type, type).has_value());
    EXPECT_TRUE(read_as(Type::text, type).has_value());
  }
}

// As many keys as a project file may list.
TEST(RelationSql, LongListsOfKeysAreWritten) {
  ColumnDeclaration column;
  column.keys.emplace();
  for (std::size_t i = 0; i < kMostKeys; ++i) column.keys->emplace_back("key number " + std::to_string(i));
  for (const Dialect dialect : {Dialect::duckdb, Dialect::postgresql, Dialect::spark}) {
    EXPECT_NE(enforced_sql(column, dialect, "c0").find("key number 99999"), std::string::npos);
  }
}

}  // namespace
}  // namespace dither::plan
