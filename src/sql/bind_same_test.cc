// One canonical form for one question, however it is written.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sql/bind_check.h"

namespace dither::sql {
namespace {

TEST(BindSame, ThreeWaysToWriteOneStatement) {
  const std::vector<std::vector<std::string>> same{
      {"SELECT city, COUNT(*) FROM visits WHERE age BETWEEN 18 AND 65 AND smoker GROUP BY city",
       "SELECT v.city AS town, COUNT(*) AS n FROM visits AS v WHERE v.smoker AND NOT (v.age < 18) AND v.age <= 65 "
       "GROUP BY 1",
       "WITH grown AS (SELECT * FROM visits WHERE age >= 18), part AS (SELECT city, smoker FROM grown WHERE 65 >= age) "
       "SELECT "
       "city, COUNT(*) FROM part WHERE smoker GROUP BY city",
       "SELECT c, COUNT(*) FROM (SELECT city AS c FROM (SELECT city, age, smoker FROM visits) x WHERE smoker AND age "
       ">= 18 AND "
       "age <= 65) y GROUP BY c"},
      {"SELECT SUM(cost) FROM visits WHERE age > 30 AND city <> 'a'",
       "SELECT SUM(cost) FROM visits WHERE NOT (city = 'a') AND NOT (age <= 30)",
       "SELECT SUM(x) FROM (SELECT cost AS x FROM visits WHERE city <> 'a' AND 30 < age) t"},
      {"SELECT AVG(cost + age) FROM visits", "SELECT AVG(age + cost) FROM visits",
       "WITH t AS (SELECT age + cost AS s FROM visits) SELECT AVG(s) FROM t"},
      {"SELECT COUNT(*) FROM visits WHERE city IN ('a', 'b')",
       "SELECT COUNT(*) FROM visits WHERE city = 'b' OR city = 'a'",
       "SELECT COUNT(*) FROM visits WHERE city IN ('b', 'a')"},
      {"SELECT COUNT(*) FROM visits WHERE day >= DATE '2024-01-01'",
       "SELECT COUNT(*) FROM visits WHERE day >= '2024-01-01'::date",
       "SELECT COUNT(*) FROM visits WHERE NOT day < CAST('2024-01-01' AS date)"},
  };
  for (const auto& ways : same) {
    for (const std::string& way : ways) EXPECT_EQ(form_of(way), form_of(ways[0])) << way;
  }
}

TEST(BindSame, DifferentStatementsHaveDifferentForms) {
  const std::vector<std::string> different{"SELECT COUNT(*) FROM visits",
                                           "SELECT COUNT(cost) FROM visits",
                                           "SELECT COUNT(*) FROM more_visits",
                                           "SELECT COUNT(*) FROM visits WHERE age > 5",
                                           "SELECT COUNT(*) FROM visits WHERE age >= 5",
                                           "SELECT COUNT(*) FROM visits LIMIT 1",
                                           "SELECT city, COUNT(*) FROM visits GROUP BY city",
                                           "SELECT COUNT(*) FROM visits GROUP BY city",
                                           "SELECT COUNT(*) FROM visits JOIN regions USING (city)",
                                           "SELECT COUNT(*) FROM visits LEFT JOIN regions USING (city)"};
  for (std::size_t i = 0; i < different.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(form_of(different[i]), form_of(different[j])) << different[i];
  }
}

// One condition written in two ways.
struct Same {
  const char *a, *b;
};

TEST(BindSame, ExpressionsThatMeanTheSame) {
  for (const Same& same : std::vector<Same>{
           {"age NOT BETWEEN 3 AND 5", "NOT (age >= 3 AND age <= 5)"},
           {"age IS NOT NULL", "NOT (age IS NULL)"},
           {"smoker IS NOT TRUE", "NOT (smoker IS TRUE)"},
           {"smoker IS UNKNOWN", "smoker IS NULL"},
           {"smoker IS NOT UNKNOWN", "smoker IS NOT NULL"},
           {"city NOT IN ('a', 'b')", "NOT (city = 'a' OR city = 'b')"},
           {"age IS DISTINCT FROM 5", "NOT (age IS NOT DISTINCT FROM 5)"},
           {"NULLIF(age, 5) = 3", "CASE WHEN age = 5 THEN NULL ELSE age END = 3"},
           {"CASE city WHEN 'a' THEN 1 WHEN 'b' THEN 2 END = 1",
            "CASE WHEN city = 'a' THEN 1 ELSE CASE WHEN city = 'b' THEN 2 ELSE NULL END END = 1"},
           {"-age < -5", "-(age) < (-5)"},
           {"+age < 5", "age < 5"},
           {"note NOT LIKE 'a%'", "NOT (note LIKE 'a%')"},
           {"note NOT ILIKE 'a%'", "NOT (note ILIKE 'a%')"},
           {"GREATEST(age, 5) = 5", "GREATEST(5, age) = 5"},
           {"LEAST(age, 5) = 5", "LEAST(5, age) = 5"},
           {"COALESCE(age, 0) = 0", "IFNULL(age, 0) = 0"},
           {"EXTRACT(YEAR FROM day) = 2024", "date_part('year', day) = 2024"},
           {"EXTRACT(year FROM seen) = 2024", "extract('YEAR' FROM seen) = 2024"},
           {"POSITION('a' IN note) = 1", "STRPOS(note, 'a') = 1"},
           {"SUBSTRING(note FROM 2 FOR 3) = 'a'", "SUBSTR(note, 2, 3) = 'a'"},
           {"TRIM(note) = 'a'", "TRIM(BOTH FROM note) = 'a'"},
           {"TRIM(LEADING 'x' FROM note) = 'a'", "LTRIM(note, 'x') = 'a'"},
           {"seen + INTERVAL '5' HOUR > TIMESTAMP '2024-01-01 00:00:00'",
            "INTERVAL '5 hour' + seen > '2024-01-01 00:00:00'::timestamp"},
           {"CAST(age AS bigint) = 1", "age::int8 = 1"},
           {"CAST(age AS double precision) = 1", "age::real = 1"},
           {"smoker = true", "smoker = (NOT false)"},
           {"age = 5 AND (city = 'a' AND smoker)", "smoker AND city = 'a' AND 5 = age"},
       }) {
    const std::string from = "SELECT COUNT(*) FROM visits WHERE ";
    EXPECT_EQ(form_of(from + same.a), form_of(from + same.b)) << same.a;
  }
  const Statement zone =
      sql::bind(check_project(),
                "SELECT COUNT(*) FROM visits WHERE seen AT TIME ZONE '+02:00' > TIMESTAMP '2024-01-01 00:00:00'");
  EXPECT_NE(plan::canonical_json(zone.relation).find("#5, "), std::string::npos);
}

}  // namespace
}  // namespace dither::sql
