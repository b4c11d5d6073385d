#include "sql/expression_text.h"

#include <gtest/gtest.h>

#include "testing/refusal.h"

namespace dither::sql {
namespace {

using testing::refusal;

std::optional<Code> refused(const std::string& text) {
  return refusal([&] { require_expression(text); });
}

// Spec: W-28
TEST(ExpressionText, OneExpressionIsTaken) {
  for (const char* text :
       {"cost", "cost > 0", "(a + b) * 2", "city IN ('a', 'b')", "CASE WHEN a THEN 1 ELSE 2 END", "\"odd name\" = ';'",
        "day >= DATE '2024-01-01'", "note LIKE '%--%'", "a BETWEEN 1 AND 2 OR b IS NULL", "COUNT(*) > 5", " cost\n> 0 ",
        "city = 'it''s'", "EXTRACT(YEAR FROM day)", "visits.cost", "- cost", "note = '/*'"}) {
    EXPECT_EQ(refused(text), std::nullopt) << text;
  }
}

// Each would end its place, open another or hide what follows.
TEST(ExpressionText, NothingBreaksOut) {
  for (const char* text : {"",
                           "  ",
                           "cost > 0)",
                           "(cost > 0",
                           "a) OR (b",
                           "a) FROM t WHERE (b",
                           "a, b",
                           "(a, b)",
                           "a; b",
                           "a;",
                           "a -- rest",
                           "a /* rest */",
                           "/* x */ a",
                           "a AS b",
                           "a b",
                           "'open",
                           "\"open",
                           "*",
                           "DISTINCT a",
                           "a DESC",
                           ")(",
                           "a GROUP BY b",
                           "a) UNION SELECT (b",
                           "1)) AS t, ((2"}) {
    EXPECT_EQ(refused(text), Code::bad_sql) << text;
  }
  EXPECT_EQ(refused("SELECT 1"), Code::not_supported);
  EXPECT_EQ(refused("(SELECT 1)"), Code::not_supported);
  EXPECT_EQ(refused("ROW_NUMBER() OVER ()"), Code::not_supported);
  EXPECT_EQ(refused(std::string("a\0b", 3)), Code::bad_sql);
  EXPECT_EQ(refused(std::string(300'000, '1')), Code::too_long);
}

TEST(ExpressionText, NamesAreQuotedWhereTheyMustBe) {
  for (const char* name : {"cost_2", "cost", "day", "year", "name", "_x"}) EXPECT_EQ(name_in_sql(name), name);
  for (const char* name : {"select", "order", "user", "between", "left"}) {
    EXPECT_EQ(name_in_sql(name), '"' + std::string(name) + '"');
  }
  EXPECT_EQ(name_in_sql("Cost"), "\"Cost\"");
  EXPECT_EQ(name_in_sql("2cost"), "\"2cost\"");
  EXPECT_EQ(name_in_sql("a \"b\""), "\"a \"\"b\"\"\"");
  EXPECT_EQ(name_in_sql("n"), "n");
  EXPECT_EQ(refusal([] { name_in_sql(""); }), Code::bad_sql);
  EXPECT_EQ(refusal([] { name_in_sql(std::string("a\0", 2)); }), Code::bad_sql);
  EXPECT_EQ(refusal([] { name_in_sql(std::string(64, 'a')); }), Code::bad_sql);
}

}  // namespace
}  // namespace dither::sql
