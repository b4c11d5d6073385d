// BigQuery's way to ask.
#include <gtest/gtest.h>

#include <pg_query/pg_query.pb-c.h>

#include "sql/bind_check.h"
#include "sql/detail/bigquery.h"

namespace dither::sql {
namespace {

using plan::AggregateKind;

Statement bound(std::string_view sql) { return bind(check_project(), sql); }

const plan::Aggregate& aggregate_of(const Statement& statement) {
  return std::get<plan::Aggregate>(statement.relation->step());
}

constexpr const char* kAverage = R"(
SELECT
  WITH DIFFERENTIAL_PRIVACY
    OPTIONS(epsilon=10, delta=.01, max_groups_contributed=2, privacy_unit_column=id)
    item,
    AVG(quantity, contribution_bounds_per_group => (0,100)) average_quantity
FROM professors
GROUP BY item;
)";

TEST(BigQuery, ReadsTheManualsExample) {
  const Statement statement = bound(kAverage);
  EXPECT_EQ(statement.options.epsilon, Rational(10));
  EXPECT_EQ(statement.options.delta, Rational(1, 100));
  EXPECT_EQ(statement.options.keys_per_unit, 2u);
  EXPECT_FALSE(statement.options.rows_per_unit);
  EXPECT_EQ(statement.names, (std::vector<std::string>{"item", "average_quantity"}));
  const plan::AggregateCall& call = aggregate_of(statement).calls[0];
  EXPECT_EQ(call.kind, AggregateKind::avg);
  EXPECT_EQ(call.bounds_per_row, (plan::Range{0, 100}));
  ASSERT_EQ(statement.notes.size(), 1u);  // BigQuery's mean is another one
  EXPECT_TRUE(statement.notes[0].starts_with("6:19: AVG")) << statement.notes[0];
}

TEST(BigQuery, EveryShapeOfTheManual) {
  const char* options =
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1e20, delta=.01, max_groups_contributed=1, "
      "privacy_unit_column=id) ";
  const std::string from = " FROM professors GROUP BY item";
  for (const char* list :
       {"item, COUNT(*) times_requested", "item, COUNT(*, contribution_bounds_per_group=>(0, 100)) times_requested",
        "item, COUNT(item, contribution_bounds_per_group => (0,100)) times_requested", "item, SUM(quantity) total",
        "item, SUM(quantity, contribution_bounds_per_group => (-3.5, 100)) total",
        "item, AVG(quantity) average_quantity",
        "item, VAR_POP(quantity, contribution_bounds_per_row => (0,100)) pop_variance"}) {
    EXPECT_EQ(refusal_of(options + std::string(list) + from), "bound") << list;
  }
  EXPECT_EQ(
      refusal_of(
          "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon=1.09, delta=1e-5, privacy_unit_column=members.id) item, "
          "COUNT(*) FROM (SELECT * FROM professors) AS members GROUP BY item"),
      "bound");
  EXPECT_EQ(
      refusal_of("SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1, delta=1e-10, privacy_unit_column=id, "
                 "group_selection_strategy=LAPLACE_THRESHOLD) item, COUNT(quantity) FROM `professors` GROUP BY `item`"),
      "bound");
}

TEST(BigQuery, BoundsPerGroupAndPerRow) {
  const Statement statement = bound(
      "SELECT SUM(quantity, contribution_bounds_per_group => (-1.5, 10)), SUM(quantity, contribution_bounds_per_row => "
      "(0, 3)), "
      "COUNT(*, contribution_bounds_per_group => (0, 4)), SUM(quantity), COUNT(*) FROM professors");
  const auto& calls = aggregate_of(statement).calls;
  ASSERT_EQ(calls.size(), 5u);
  EXPECT_EQ(calls[0].bounds_per_group, (plan::Range{Rational(-3, 2), 10}));
  EXPECT_FALSE(calls[0].bounds_per_row);
  EXPECT_EQ(calls[1].bounds_per_row, (plan::Range{0, 3}));
  EXPECT_EQ(calls[2].kind, AggregateKind::count_rows);
  EXPECT_EQ(calls[2].bounds_per_group, (plan::Range{0, 4}));
  EXPECT_TRUE(statement.notes.empty());
}

TEST(BigQuery, IsTheSameQuestionAsWithoutTheClause) {
  EXPECT_EQ(
      form_of("SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1) `city`, COUNT(*) FROM `visits` GROUP BY `city`"),
      form_of("SELECT city, COUNT(*) FROM visits GROUP BY city"));
  EXPECT_EQ(form_of("SELECT COUNT(*) FROM visits WHERE TRY_CAST(note AS INT64) > 5"),
            form_of("SELECT COUNT(*) FROM visits WHERE CAST(note AS integer) > 5"));
  EXPECT_EQ(form_of("SELECT COUNT(*) FROM visits WHERE SAFE_CAST(note AS FLOAT64) > 5"),
            form_of("SELECT COUNT(*) FROM visits WHERE note::double precision > 5"));
  EXPECT_EQ(form_of("SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1) DISTINCT city FROM visits"),
            form_of("SELECT DISTINCT city FROM visits"));
}

TEST(BigQuery, AClauseInsideTheStatement) {
  const Statement statement = bound(
      "WITH t AS (SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=2, max_rows_contributed=3) item, COUNT(*) AS n FROM "
      "professors "
      "GROUP BY item) SELECT item FROM t ORDER BY n");
  EXPECT_EQ(statement.options.epsilon, Rational(2));
  EXPECT_EQ(statement.options.rows_per_unit, 3u);
  EXPECT_FALSE(statement.options.delta);
}

TEST(BigQuery, PlacesAreThoseOfTheTypedText) {
  const std::string refusal = refusal_of(
      "SELECT WITH DIFFERENTIAL_PRIVACY\n  OPTIONS(epsilon=1, privacy_unit_column=id)\n  `item`, COUNT(*), "
      "SUM(quantiti)\nFROM professors GROUP BY item");
  EXPECT_TRUE(refusal.starts_with("unknown-column: 3:25: ")) << refusal;
  EXPECT_NE(refusal.find("write quantity"), std::string::npos);
}

TEST(BigQuery, EveryByteStaysWhereItWas) {
  const std::string typed =
      "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1)\n`a`, TRY_CAST(b AS text), COUNT(*, x => (1, 2)), 'a`b' -- "
      "`c`\n FROM t";
  const Rewritten rewritten = rewrite(Text(typed));
  ASSERT_EQ(rewritten.sql.size(), typed.size());
  EXPECT_EQ(rewritten.sql.substr(rewritten.sql.find("\"a\"")),
            "\"a\",     CAST(b AS text), COUNT(1, x => (1, 2)), 'a`b' -- `c`\n FROM t");
  ASSERT_EQ(rewritten.clauses.size(), 1u);
  EXPECT_EQ(rewritten.clauses[0].list, typed.find('`'));
}

TEST(BigQuery, BackticksInsideOtherThingsStay) {
  for (const char* sql : {"SELECT '`' FROM t", "SELECT E'\\'`' FROM t", "SELECT $$`$$ FROM t", "SELECT $x$`$x$ FROM t",
                          "SELECT 1 /* ` /* ` */ ` */ FROM t", "SELECT 1 -- `\n FROM t", "SELECT \"`\" FROM t",
                          "SELECT a$1 FROM t -- `"}) {
    EXPECT_EQ(rewrite(Text(sql)).sql, sql);
  }
  EXPECT_EQ(rewrite(Text("SELECT '$$' || `a` || '$$'")).sql, "SELECT '$$' || \"a\" || '$$'");
  // A constant of two parts in two lines keeps its escapes: we took the second part for another constant, and the scanner
  // says so.
  EXPECT_TRUE(refusal_of("SELECT E'a'\n'b\\'` , `c' FROM visits").starts_with("bad-sql: 2:5: "));
}

struct Mistake {
  std::string options, refusal;
};

TEST(BigQuery, MistakesInTheClause) {
  const std::vector<Mistake> mistakes{
      {"OPTIONS(epsilonn=1)", "not-supported: 1:42: "},
      {"OPTIONS(min_privacy_units_per_group=5)", "not-supported: 1:42: "},
      {"OPTIONS(epsilon=1, epsilon=2)", "duplicate-key: 1:53: "},
      {"OPTIONS(epsilon=0)", "bad-argument: 1:50: "},
      {"OPTIONS(epsilon=-1)", "bad-argument: 1:50: "},
      {"OPTIONS(epsilon='a')", "wrong-type: 1:50: "},
      {"OPTIONS(epsilon=1e99999999)", "out-of-range: 1:50: "},
      {"OPTIONS(delta=1)", "bad-probability: 1:48: "},
      {"OPTIONS(max_groups_contributed=0)", "bad-limit: 1:65: "},
      {"OPTIONS(max_groups_contributed=NULL)", "wrong-type: 1:65: "},
      {"OPTIONS(max_groups_contributed=1.5)", "bad-limit: 1:65: "},
      {"OPTIONS(max_groups_contributed=1, max_rows_contributed=1)", "bad-argument: 1:"},
      {"OPTIONS(privacy_unit_column=item)", "wrong-unit: 1:62: "},
      {"OPTIONS(privacy_unit_column=idd)", "unknown-column: 1:62: "},
      {"OPTIONS(privacy_unit_column='id')", "wrong-type: 1:62: "},
      {"OPTIONS(privacy_unit_column=a.b.c)", "not-supported: 1:62: "},
      {"OPTIONS(group_selection_strategy=OTHER)", "not-supported: 1:67: "},
      {"OPTIONS(group_selection_strategy=PUBLIC_GROUPS)", "missing-bounds: 1:"},
      {"OPTIONS(epsilon 1)", "bad-sql: 1:50: "},
      {"OPTIONS(epsilon=1", "bad-sql: 1:52: "},
      {"OPTIONS()", "not-supported: 1:42: "},
      {"OPTIONS", "bad-sql: 1:42: "},
      {"", "bad-sql: 1:35: "},
  };
  for (const Mistake& mistake : mistakes) {
    const std::string sql =
        "SELECT WITH DIFFERENTIAL_PRIVACY " + mistake.options + " item, COUNT(*) FROM professors GROUP BY item";
    EXPECT_TRUE(refusal_of(sql).starts_with(mistake.refusal)) << sql << "\n  " << refusal_of(sql);
  }
  EXPECT_EQ(
      refusal_of("SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(group_selection_strategy=PUBLIC_GROUPS) city, COUNT(*) FROM "
                 "visits GROUP BY city"),
      "bound");
}

TEST(BigQuery, OtherMistakes) {
  const std::vector<Mistake> mistakes{
      {"SELECT WITH ANONYMIZATION OPTIONS(epsilon=1) item, ANON_COUNT(*) FROM professors GROUP BY item",
       "not-supported: 1:8: "},
      {"SELECT WITH AGGREGATION_THRESHOLD OPTIONS(threshold=4) COUNT(*) FROM professors", "not-supported: 1:8: "},
      {"SELECT ANON_COUNT(*) FROM professors", "not-supported: 1:8: "},
      {"SELECT COUNT(*) FROM `visits", "bad-sql: 1:22: "},
      {"SELECT COUNT(*) FROM ``", "bad-sql: 1:22: "},
      {"SELECT COUNT(*) FROM `a\"b`", "bad-sql: 1:22: "},
      {"SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1) FROM visits", "bad-sql: 1:"},
      {"SELECT SUM(quantity, contribution_bounds => (0, 1)) FROM professors", "not-supported: 1:22: "},
      {"SELECT SUM(quantity, contribution_bounds_per_row => 5) FROM professors", "wrong-type: 1:22: "},
      {"SELECT SUM(quantity, contribution_bounds_per_row => (0, id)) FROM professors", "wrong-type: 1:57: "},
      {"SELECT SUM(quantity, contribution_bounds_per_row => (5, 1)) FROM professors", "bad-bounds: 1:22: "},
      {"SELECT COUNT(*, contribution_bounds_per_row => (0, 1)) FROM professors", "not-supported: 1:17: "},
      {"SELECT VAR_POP(quantity, contribution_bounds_per_group => (0, 1)) FROM professors", "not-supported: 1:26: "},
      {"SELECT SUM(quantity, contribution_bounds_per_row => (0, 1), contribution_bounds_per_group => (0, 1)) FROM "
       "professors",
       "not-supported: 1:61: "},
      {"SELECT PERCENTILE_CONT(quantity, 0.5, contribution_bounds_per_row => (0,100)) FROM professors",
       "not-supported: 1:8: "},
      {"WITH a AS (SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1) item, COUNT(*) AS n FROM professors GROUP BY "
       "item) SELECT WITH "
       "DIFFERENTIAL_PRIVACY OPTIONS(epsilon=2) item FROM a",
       "bad-argument: 1:"},
  };
  for (const Mistake& mistake : mistakes) {
    EXPECT_TRUE(refusal_of(mistake.options).starts_with(mistake.refusal))
        << mistake.options << "\n  " << refusal_of(mistake.options);
  }
}

}  // namespace
}  // namespace dither::sql
