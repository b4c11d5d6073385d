// What is refused, by which name, and where.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sql/bind_check.h"

namespace dither::sql {
namespace {

struct Mistake {
  std::string sql;
  std::string begins;    // of "code: place: message"
  std::string contains;  // somewhere in message or hint
};

void expect_all(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    const std::string refusal = refusal_of(mistake.sql);
    EXPECT_TRUE(refusal.starts_with(mistake.begins)) << mistake.sql << "\n  " << refusal;
    EXPECT_NE(refusal.find(mistake.contains), std::string::npos) << mistake.sql << "\n  " << refusal;
  }
}

TEST(BindMistakes, Text) {
  expect_all({
      {"", "not-a-query: 1:1: ", "one SELECT"},
      {"  -- nothing", "not-a-query: 1:1: ", ""},
      {std::string("SELECT 1\0 FROM visits", 21), "bad-sql: 1:9: ", "NUL"},
      {"SELECT '\xC3\xA9\xFF'", "bad-sql: 1:10: ", "UTF-8"},
      {std::string(kMostBytes + 1, ' '), "too-long: ", "262145"},
      {std::string("x").append(9'999'999, 'x'), "too-long: ", "10000000"},
      {"SELEC COUNT(*) FROM visits", "bad-sql: 1:1: ", "\"SELEC\""},
      {"SELECT COUNT(*)\nFROM visits WHERE\n  age >", "bad-sql: 3:8: ", "end of input"},
      {"SELECT '\xC3\xA9' FROM visits WHERE )", "bad-sql: 1:30: ", "\")\""},
      {"SELECT 'abc FROM visits", "bad-sql: 1:8: ", "unterminated"},
      {"SELECT '" + std::string(500, 'a'), "bad-sql: 1:8: ", std::string(50, 'a') + ""},
  });
  EXPECT_LT(refusal_of("SELECT '" + std::string(100'000, 'a')).size(), 300u);
}

TEST(BindMistakes, OtherStatements) {
  for (const char* sql :
       {"INSERT INTO visits VALUES (1)", "UPDATE visits SET age = 1", "DELETE FROM visits", "CREATE TABLE t (a int)",
        "DROP TABLE visits", "SET a = 1", "EXPLAIN SELECT COUNT(*) FROM visits", "COPY visits TO '/x'", "BEGIN",
        "VACUUM", "TRUNCATE visits", "GRANT SELECT ON visits TO x", "PREPARE p AS SELECT 1", "CALL f()", "DO 'x'",
        "LISTEN x", "CREATE VIEW v AS SELECT 1", "CREATE TABLE t AS SELECT 1"}) {
    EXPECT_TRUE(refusal_of(sql).starts_with("not-a-query: 1:1: ")) << refusal_of(sql);
  }
  expect_all({
      {"SELECT COUNT(*) FROM visits; SELECT COUNT(*) FROM people", "not-a-query: 1:30: ", "one SELECT"},
      {"WITH d AS (DELETE FROM visits RETURNING *) SELECT COUNT(*) FROM d", "not-a-query: 1:", ""},
  });
  EXPECT_EQ(refusal_of("SELECT COUNT(*) FROM visits;"), "bound");
}

TEST(BindMistakes, Names) {
  expect_all({
      {"SELECT COUNT(*) FROM visit", "unknown-table: 1:22: ", "write visits"},
      {"SELECT COUNT(*) FROM visits WHERE agee > 1", "unknown-column: 1:35: ", "write age"},
      {"SELECT COUNT(*) FROM visits v WHERE visits.age > 1", "unknown-table: 1:37: ", "write v"},
      {"SELECT COUNT(*) FROM visits v WHERE v.kost > 1", "unknown-column: 1:37: ", "write cost"},
      {"SELECT x.* FROM visits", "unknown-table: 1:8: ", "visits"},
      {"SELECT COUNT(*)\n  FROM visits\n  WHERE ROUNDD(age) = 1", "unknown-function: 3:9: ", "round"},
      {"SELECT COUNT(*) FROM visits JOIN people USING (person) WHERE sex = 'f' AND visits.person = people.persn",
       "unknown-column: 1:92: ", "person"},
      {"SELECT COUNT(*) FROM visits v JOIN people p ON v.person = p.person WHERE person > 1",
       "ambiguous-name: 1:74: ", "write v.person"},
      {"SELECT a FROM (SELECT city AS a, COUNT(*) AS a FROM visits GROUP BY city) t", "ambiguous-name: 1:8: ", "AS"},
      {"SELECT city AS n, COUNT(*) AS n FROM visits GROUP BY city ORDER BY n", "ambiguous-name: 1:68: ", "AS"},
      {"SELECT COUNT(*) FROM visits JOIN visits USING (person)", "ambiguous-name: 1:34: ", "alias"},
      {"WITH a AS (SELECT * FROM visits), a AS (SELECT * FROM people) SELECT COUNT(*) FROM a",
       "ambiguous-name: 1:35: ", ""},
      {"SELECT CAST(age AS intt) FROM visits", "unknown-type: 1:20: ", "write int2"},
      {"SELECT COUNT(*) FROM trips WHERE \"KINDS\" = 'x'", "unknown-column: 1:34: ", "write \"Kind\""},
      {"SELECT COUNT(*) FROM visits AS v(a, b, c, d, e, f, g, h, i)", "bad-sql: 1:22: ", "8 columns"},
  });
  // What was typed is shown in part.
  EXPECT_LT(refusal_of("SELECT city AS " + std::string(50, 'x') + ", COUNT(*) AS \"" + std::string(50'000, 'Y') +
                       "\" FROM visits GROUP BY city ORDER BY " + std::string(60, 'Y'))
                .size(),
            500u);
  EXPECT_LT(refusal_of("SELECT COUNT(*) FROM " + std::string(60, 'x') + std::string(50'000, 'y')).size(), 300u);
}

TEST(BindMistakes, Types) {
  expect_all({
      {"SELECT COUNT(*) FROM visits WHERE age", "wrong-type: 1:35: ", ""},
      {"SELECT COUNT(*) FROM visits WHERE city > 5", "wrong-type: 1:40: ", ""},
      {"SELECT SUM(city) FROM visits", "wrong-type: 1:8: ", "SUM takes numbers, not text"},
      {"SELECT AVG(smoker) FROM visits", "wrong-type: 1:8: ", "boolean"},
      {"SELECT SUM(NULL) FROM visits", "wrong-type: 1:8: ", ""},
      {"SELECT SUM(*) FROM visits", "wrong-type: 1:8: ", "SUM(x)"},
      {"SELECT COUNT() FROM visits", "wrong-type: 1:8: ", "COUNT(*)"},
      {"SELECT SUM(age, cost) FROM visits", "wrong-type: 1:8: ", ""},
      {"SELECT COUNT(*) FROM visits WHERE day > DATE '2024-02-30'", "wrong-type: 1:41: ", "date"},
      {"SELECT COUNT(*) FROM visits WHERE age IS TRUE", "wrong-type: 1:39: ", ""},
      {"SELECT COUNT(*) FROM visits WHERE age > 1e999", "out-of-range: 1:41: ", "1e999"},
      {"SELECT COUNT(*) FROM (SELECT city FROM visits UNION ALL SELECT city, cost FROM visits) u",
       "wrong-type: 1:64: ", "2 columns"},
      {"SELECT COUNT(*) FROM (SELECT city FROM visits UNION ALL SELECT cost FROM visits) u", "wrong-type: 1:64: ", ""},
      {"SELECT COUNT(*) FROM visits v JOIN people p ON v.person = p.person AND v.city = p.born",
       "wrong-type: 1:68: ", ""},
      {"SELECT city FROM visits GROUP BY 1 LIMIT -1", "bad-count: 1:42: ", ""},
      {"SELECT city FROM visits GROUP BY 1 LIMIT 1.5", "bad-count: 1:42: ", ""},
      {"SELECT city FROM visits GROUP BY 1 OFFSET 'x'", "bad-count: 1:43: ", ""},
      {"SELECT city FROM visits GROUP BY 1 LIMIT 1 + 1", "bad-count: 1:44: ", ""},
  });
}

TEST(BindMistakes, Grouping) {
  expect_all({
      {"SELECT city, COUNT(*) FROM visits", "not-grouped: 1:8: ", "GROUP BY"},
      {"SELECT age + 1, COUNT(*) FROM visits GROUP BY city", "not-grouped: 1:8: ", ""},
      {"SELECT city, COUNT(*) FROM visits GROUP BY city ORDER BY age", "not-grouped: 1:58: ", ""},
      {"SELECT age + 1, COUNT(*) FROM visits WHERE age > 3", "not-grouped: 1:8: ", ""},
      {"SELECT COUNT(*) FROM visits HAVING age > 1", "not-grouped: 1:36: ", ""},
      {"SELECT * FROM visits GROUP BY city", "not-grouped: 1:8: ", ""},
      {"SELECT SUM(COUNT(*)) FROM visits", "nested-aggregate: 1:12: ", ""},
      {"SELECT SUM(cost) FILTER (WHERE COUNT(*) > 1) FROM visits", "nested-aggregate: 1:32: ", ""},
      {"SELECT AVG(n) FROM (SELECT city, COUNT(*) AS n FROM visits GROUP BY city) t", "nested-aggregate: 1:8: ", ""},
      {"SELECT n FROM (SELECT city, COUNT(*) AS n FROM visits GROUP BY city) t GROUP BY n",
       "nested-aggregate: 1:81: ", ""},
      {"SELECT COUNT(*) FROM (SELECT DISTINCT city FROM visits) t", "nested-aggregate: 1:8: ", ""},
      {"SELECT COUNT(*) FROM visits WHERE COUNT(*) > 1", "bad-sql: 1:35: ", "WHERE"},
      {"SELECT COUNT(*) FROM visits GROUP BY COUNT(*)", "bad-sql: 1:38: ", "GROUP BY"},
      {"SELECT COUNT(*) AS n FROM visits GROUP BY n", "bad-sql: 1:43: ", ""},
      {"SELECT COUNT(*) FROM visits v JOIN people p ON v.person = p.person AND COUNT(*) > 1", "bad-sql: 1:72: ", "ON"},
      {"SELECT city FROM visits GROUP BY 2", "bad-sql: 1:34: ", "1 to 1"},
      {"SELECT city FROM visits GROUP BY 'city'", "bad-sql: 1:34: ", ""},
      {"SELECT city FROM visits GROUP BY city ORDER BY 0", "bad-sql: 1:48: ", ""},
      {"SELECT DISTINCT COUNT(*) FROM visits GROUP BY city ORDER BY city", "bad-sql: 1:61: ", ""},
      {"SELECT DISTINCT city FROM visits ORDER BY age", "not-grouped: 1:43: ", ""},
      {"SELECT FROM visits", "bad-sql: 1:1: ", ""},
  });
}

TEST(BindMistakes, PrivateRows) {
  expect_all({
      {"SELECT * FROM visits", "private-rows: 1:8: ", "COUNT(*)"},
      {"SELECT city FROM visits", "private-rows: 1:8: ", ""},
      {"SELECT city FROM visits ORDER BY age", "private-rows: 1:34: ", ""},
      {"SELECT city FROM visits LIMIT 5", "private-rows: 1:31: ", ""},
      {"SELECT COUNT(*) FROM (SELECT city FROM visits LIMIT 5) t", "private-rows: 1:53: ", ""},
      {"SELECT DISTINCT person, city FROM visits", "private-rows: 1:17: ", ""},
      {"SELECT person, COUNT(*) FROM visits GROUP BY person", "private-rows: 1:46: ", "many units"},
      {"SELECT city FROM visits UNION ALL SELECT city FROM more_visits", "private-rows: 1:8: ", ""},
      {"SELECT AVG(n) FROM (SELECT person, COUNT(*) AS n FROM visits GROUP BY person) t",
       "not-supported: 1:71: ", "each unit"},
  });
}

// Spec
TEST(BindMistakes, Joins) {
  expect_all({
      {"SELECT COUNT(*) FROM visits v JOIN people p ON v.age = p.born", "private-join: 1:54: ", "unit"},
      {"SELECT COUNT(*) FROM visits v JOIN people p ON v.person < p.person", "private-join: 1:57: ", "equal"},
      {"SELECT COUNT(*) FROM visits v JOIN people p ON v.person = p.person OR v.age = 1", "private-join: 1:68: ", ""},
      {"SELECT COUNT(*) FROM visits JOIN prices USING (city)", "private-join: 1:34: ", "unique"},
      {"SELECT COUNT(*) FROM regions LEFT JOIN visits USING (city)", "private-join: 1:40: ", "left"},
      {"SELECT COUNT(*) FROM visits CROSS JOIN regions", "private-join: 1:40: ", "ON"},
      {"SELECT COUNT(*) FROM trips a JOIN trips b USING (distance)", "private-join: 1:35: ", ""},
      {"SELECT COUNT(*) FROM visits v LEFT JOIN regions r ON v.city = r.city AND r.region = 'north'",
       "private-join: 1:83: ", ""},
      {"SELECT COUNT(*) FROM visits, people", "not-supported: 1:30: ", "JOIN"},
      {"SELECT COUNT(*) FROM visits RIGHT JOIN people USING (person)", "not-supported: 1:40: ", "LEFT JOIN"},
      {"SELECT COUNT(*) FROM visits FULL JOIN people USING (person)", "not-supported: 1:39: ", ""},
      {"SELECT COUNT(*) FROM visits NATURAL JOIN people", "not-supported: 1:", "NATURAL"},
  });
}

// Spec: R-60
TEST(BindMistakes, WhatIsNotAnswered) {
  const std::string rest = " FROM visits";
  expect_all({
      {"SELECT COUNT(*) OVER ()" + rest, "not-supported: 1:8: ", "window"},
      {"SELECT SUM(cost) OVER w FROM visits WINDOW w AS (ORDER BY day)", "not-supported: 1:", ""},
      {"SELECT MAX(cost)" + rest, "not-supported: 1:8: ", "MAX"},
      {"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY cost)" + rest, "not-supported: 1:8: ", "WITHIN GROUP"},
      {"SELECT SUM(cost ORDER BY day)" + rest, "not-supported: 1:8: ", "ORDER BY inside"},
      {"SELECT SUM(DISTINCT cost)" + rest, "not-supported: 1:8: ", "DISTINCT in SUM"},
      {"SELECT COUNT(DISTINCT city)" + rest, "not-supported: 1:8: ", "unit"},
      {"SELECT COUNT(VARIADIC note)" + rest, "not-supported: 1:8: ", "VARIADIC"},
      {"SELECT COUNT(*) FROM visits WHERE age > (SELECT 1)", "not-supported: 1:41: ", "subquery"},
      {"SELECT COUNT(*) FROM visits WHERE EXISTS (SELECT 1 FROM people)", "not-supported: 1:35: ", "subquery"},
      {"SELECT COUNT(*) FROM visits WHERE person IN (SELECT person FROM people)", "not-supported: 1:42: ", "subquery"},
      {"SELECT COUNT(*) FROM visits WHERE age = ANY(ARRAY[1])", "not-supported: 1:", ""},
      {"SELECT COUNT(*) FROM visits WHERE (age, cost) = (1, 2)", "not-supported: 1:35: ", "row"},
      {"SELECT COUNT(*) FROM visits WHERE age = $1", "not-supported: 1:41: ", "$1"},
      {"SELECT COUNT(*) FROM visits WHERE age = ARRAY[1]", "not-supported: 1:41: ", "arrays"},
      {"SELECT COUNT(*) FROM visits WHERE note[1] = 'a'", "not-supported: 1:", "subscripts"},
      {"SELECT COUNT(*) FROM visits WHERE note COLLATE \"C\" = 'a'", "not-supported: 1:40: ", "COLLATE"},
      {"SELECT COUNT(*) FROM visits WHERE day < CURRENT_DATE", "not-supported: 1:41: ", "CURRENT_DATE"},
      {"SELECT COUNT(*) FROM visits WHERE note = B'101'", "not-supported: 1:42: ", "bit strings"},
      {"SELECT COUNT(*) FROM visits WHERE age BETWEEN SYMMETRIC 5 AND 1", "not-supported: 1:39: ", "SYMMETRIC"},
      {"SELECT COUNT(*) FROM visits WHERE note SIMILAR TO 'a'", "not-supported: 1:", ""},
      {"SELECT COUNT(*) FROM visits WHERE note LIKE 'a' ESCAPE '!'", "not-supported: 1:", "ESCAPE"},
      {"SELECT COUNT(*) FROM visits WHERE age OPERATOR(pg_catalog.+) 1 > 1", "not-supported: 1:39: ", "OPERATOR"},
      {"SELECT COUNT(*) FROM visits WHERE pg_catalog.lower(note) = 'a'", "not-supported: 1:35: ", "schema"},
      {"SELECT COUNT(*) FROM visits WHERE lower(DISTINCT note) = 'a'", "not-supported: 1:35: ", "aggregate"},
      {"SELECT COUNT(*) FROM visits WHERE note::varchar(3) = 'a'", "not-supported: 1:41: ", "length"},
      {"SELECT COUNT(*) FROM visits WHERE lower(x => note) = 'a'", "not-supported: 1:41: ", "named argument"},
      {"SELECT COUNT(*) FROM visits WHERE GROUPING(city) = 1", "not-supported: 1:35: ", "GROUPING"},
      {"SELECT COUNT(*) FROM visits WHERE INTERVAL '1 day' > INTERVAL '1 hour'", "not-supported: 1:35: ", "interval"},
      {"SELECT COUNT(*) FROM visits GROUP BY ROLLUP (city)", "not-supported: 1:38: ", "ROLLUP"},
      {"SELECT COUNT(*) FROM visits GROUP BY CUBE (city, age)", "not-supported: 1:38: ", "CUBE"},
      {"SELECT COUNT(*) FROM visits GROUP BY GROUPING SETS ((city), ())", "not-supported: 1:38: ", "grouping sets"},
      {"SELECT COUNT(*) FROM visits GROUP BY DISTINCT city", "not-supported: 1:", "GROUP BY DISTINCT"},
      {"SELECT DISTINCT ON (city) city" + rest, "not-supported: 1:", "DISTINCT ON"},
      {"SELECT city FROM visits GROUP BY 1 FETCH FIRST 1 ROW WITH TIES", "bad-sql: 1:", "WITH TIES"},
      {"SELECT city FROM visits GROUP BY 1 ORDER BY 1 FETCH FIRST 1 ROW WITH TIES",
       "not-supported: 1:8: ", "WITH TIES"},
      {"SELECT city FROM visits GROUP BY 1 ORDER BY 1 USING <", "not-supported: 1:", "USING"},
      {"SELECT COUNT(*) INTO t" + rest, "not-supported: 1:", "INTO"},
      {"SELECT COUNT(*) FROM visits FOR UPDATE", "not-supported: 1:", "FOR UPDATE"},
      {"SELECT COUNT(*) FROM visits TABLESAMPLE SYSTEM (1)", "not-supported: 1:", "TABLESAMPLE"},
      {"SELECT COUNT(*) FROM visits, LATERAL (SELECT 1) x", "not-supported: 1:", "LATERAL"},
      {"SELECT COUNT(*) FROM generate_series(1, 2) g", "not-supported: 1:", "function in FROM"},
      {"SELECT COUNT(*) FROM ONLY visits", "not-supported: 1:", "ONLY"},
      {"SELECT COUNT(*) FROM public.visits", "not-supported: 1:22: ", "schema"},
      {"SELECT COUNT(*) FROM db.public.visits", "not-supported: 1:22: ", "database"},
      {"SELECT COUNT(public.visits.age) FROM visits", "not-supported: 1:14: ", "schema"},
      {"SELECT COUNT(visits.*) FROM visits", "not-supported: 1:14: ", "*"},
      {"SELECT COUNT(*)", "not-supported: 1:8: ", "FROM"},
      {"VALUES (1)", "not-supported: 1:", "VALUES"},
      {"WITH RECURSIVE r AS (SELECT * FROM visits) SELECT COUNT(*) FROM r", "not-supported: 1:1: ", "RECURSIVE"},
      {"WITH r AS MATERIALIZED (SELECT * FROM visits) SELECT COUNT(*) FROM r", "not-supported: 1:6: ", "MATERIALIZED"},
      {"SELECT COUNT(*) FROM (SELECT city FROM visits UNION SELECT city FROM more_visits) u",
       "not-supported: 1:30: ", "UNION ALL"},
      {"SELECT COUNT(*) FROM (SELECT city FROM visits INTERSECT SELECT city FROM more_visits) u",
       "not-supported: 1:30: ", ""},
      {"SELECT COUNT(*) FROM (SELECT city FROM visits EXCEPT ALL SELECT city FROM more_visits) u",
       "not-supported: 1:30: ", ""},
      {"SELECT city FROM visits UNION ALL SELECT city FROM more_visits ORDER BY 1",
       "not-supported: 1:8: ", "UNION ALL"},
      {"SELECT COUNT(*) FROM regions", "not-supported: 1:8: ", "public"},
  });
}

TEST(BindMistakes, DeepAndLongStatementsAreRefusedAndNothingBreaks) {
  const auto repeat = [](const std::string& text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) result += text;
    return result;
  };
  const std::string from = " FROM visits";
  expect_all({
      {"SELECT COUNT(*) FROM visits WHERE age = 1" + repeat("+1", 100'000), "too-deep: 1:", ""},
      {"SELECT COUNT(*) FROM visits WHERE age = 1" + repeat("+1", 2'000), "too-deep: 1:", "1000"},
      {"SELECT COUNT(*) FROM visits WHERE age = 1" + repeat("::int", 50'000), "too-deep: 1:", ""},
      {"SELECT COUNT(*) FROM visits WHERE age = " + repeat("(", 100'000) + "1" + repeat(")", 100'000),
       "too-deep: 1:", ""},
      {"SELECT COUNT(*) FROM visits WHERE " + repeat("NOT ", 50'000) + "smoker", "too-deep: 1:", ""},
      {"SELECT COUNT(*) FROM visits WHERE " + repeat("NOT ", 5'000) + "smoker", "too-deep: 1:", ""},
      {repeat("SELECT COUNT(*) FROM (", 8'000) + "SELECT * FROM visits" + repeat(") a", 8'000), "too-deep: 1:", ""},
      {repeat("SELECT * FROM (", 2'000) + "SELECT * FROM visits" + repeat(") a", 2'000), "too-deep: 1:", ""},
      {"SELECT COUNT(*) FROM (SELECT city FROM visits" + repeat(" UNION ALL SELECT city FROM visits", 7'000) + ") u",
       "too-deep: 1:", ""},
      {"SELECT CASE " + repeat("CASE ", 40'000), "too-deep: 1:", ""},
      {"SELECT *" + repeat(", *", 5'000) + " FROM visits", "too-deep: 1:", "10000 columns"},
      {"SELECT COUNT(*) FROM visits WHERE age = 1" + repeat(" AT TIME ZONE 'UTC'", 12'000), "too-deep: 1:", ""},
  });
  EXPECT_EQ(refusal_of("SELECT COUNT(*) FROM visits WHERE " + repeat("age = 1 AND ", 10'000) + "smoker"), "bound");
  EXPECT_EQ(refusal_of("SELECT COUNT(*) FROM visits WHERE age = 1" + repeat("+1", 900)), "bound");
  EXPECT_EQ(refusal_of("SELECT COUNT(*) FROM (SELECT city FROM visits" +
                       repeat(" UNION ALL SELECT city FROM visits", 400) + ") u"),
            "bound");
}

TEST(BindMistakes, ManyColumnsAndManyTables) {
  std::string columns = "SELECT COUNT(*)";
  for (int i = 1; i < 1000; ++i) columns += ", SUM(age + " + std::to_string(i) + ") AS c" + std::to_string(i);
  const Statement wide = sql::bind(check_project(), columns + " FROM visits");
  EXPECT_EQ(wide.names.size(), 1000u);
  std::string ctes = "WITH c0 AS (SELECT * FROM visits)";
  for (int i = 1; i < 1000; ++i) {
    ctes += ", c" + std::to_string(i) + " AS (SELECT * FROM c" + std::to_string(i - 1) + ")";
  }
  EXPECT_EQ(form_of(ctes + " SELECT COUNT(*) FROM c999"), form_of("SELECT COUNT(*) FROM visits"));
  // Each uses the one before twice: written out it would be 2^40 joins.
  std::string doubling = "WITH c0 AS (SELECT person FROM visits)";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "c" + std::to_string(i - 1);
    doubling += fmt::format(", c{} AS (SELECT a.person FROM {} a JOIN {} b USING (person))", i, before, before);
  }
  const std::string refusal = refusal_of(doubling + " SELECT COUNT(*) FROM c39");
  EXPECT_TRUE(refusal.starts_with("too-deep: 1:")) << refusal;
  std::string chain = "WITH c0 AS (SELECT age FROM visits)";
  for (int i = 1; i < 2000; ++i) {
    chain += ", c" + std::to_string(i) + " AS (SELECT age + 1 AS age FROM c" + std::to_string(i - 1) + ")";
  }
  EXPECT_TRUE(refusal_of(chain + " SELECT COUNT(*) FROM c1999").starts_with("too-deep: 1:"));
}

}  // namespace
}  // namespace dither::sql
