#include "plan/advice.h"

#include <gtest/gtest.h>

#include "plan/project_check.h"

namespace dither::plan {
namespace {

using Words = std::vector<std::string>;

Words warnings_of(const std::string& text) { return warnings(parse_project(text, "f")); }

TEST(Advice, NothingToSayAboutTheExample) {
  EXPECT_EQ(warnings_of(kClinic), Words{});
  const Project project = parse_project(kClinic, "f");
  const TableDeclaration& visits = project.table("visits");
  EXPECT_EQ(missing(visits), Words{});
  EXPECT_EQ(missing(visits, *visits.find("person")), Words{});
  EXPECT_EQ(missing(visits, *visits.find("city")), Words{});
  EXPECT_EQ(missing(visits, *visits.find("cost")), Words{"GROUP BY needs `keys:` or a delta"});
  const TableDeclaration& regions = project.table("regions");
  EXPECT_EQ(missing(regions), Words{});
  EXPECT_EQ(missing(regions, *regions.find("city")), Words{});
}

TEST(Advice, GuaranteesThatAreWeakerThanTheyLook) {
  EXPECT_EQ(warnings_of(clinic_with("unit: person\n", "unit: row\n")),
            (Words{"visits: every row is protected by itself, but \"person\" looks like the id of a person: write "
                   "`unit: person`, "
                   "or a person with several rows is not protected",
                   "visits: `bounds:` play no part where rows are units of their own"}));
  EXPECT_EQ(
      warnings_of(with_tables("  v: {source: v.csv, unit: {rows: 5}}\n")),
      (Words{
          "v: any 5 rows are protected, whoever they belong to: a weaker guarantee, which protects no person with more "
          "rows"}));
  const std::string two = with_tables(
      "  v: {source: v.csv, unit: row}\n  w: {source: w.csv, unit: who, bounds: {rows_per_unit: 1}, "
      "columns: {who: {type: text}}}\n");
  EXPECT_EQ(
      warnings_of(two),
      (Words{"v: every row is protected by itself, which protects a person only with no more than one row in it"}));
  EXPECT_EQ(warnings_of(with_tables("  v: {source: v.csv, unit: row}\n")), Words{});
}

TEST(Advice, TablesAndBudgetsOfNoUse) {
  EXPECT_EQ(warnings_of(with_column("{type: text}")),
            (Words{"visits: no `bounds:` for what one person contributes, so nothing can be asked of it"}));
  EXPECT_EQ(warnings_of(clinic_with("parent: main, epsilon: 1, delta: 0", "parent: main, epsilon: 4, delta: 0")),
            (Words{"alice: its limits exceed those of main, above it, and can never be spent in full"}));
}

// As many rows are as many keys, and rows of a key.
TEST(Advice, RowsPerUnitAreEnough) {
  const Project project = parse_project(clinic_with(", keys_per_unit: 3, rows_per_key: 2", ""), "f");
  EXPECT_EQ(missing(project.table("visits")), Words{});
}

TEST(Advice, WhatCannotBeAskedYet) {
  const Project project = parse_project(with_column("{type: real}"), "f");
  const TableDeclaration& visits = project.table("visits");
  EXPECT_EQ(missing(visits),
            (Words{"aggregates without GROUP BY need `rows_per_unit:`", "GROUP BY needs `keys_per_unit:`",
                   "GROUP BY needs `rows_per_key:`", "relative errors need `expected: {rows: N}`"}));
  EXPECT_EQ(missing(visits, *visits.find("x")),
            (Words{"SUM, AVG and VARIANCE need `bounds:`", "SUM, AVG and VARIANCE need `grid:`",
                   "GROUP BY needs `keys:` or a delta"}));
  const auto of = [&](const std::string& column) { return missing(visits, column_of(column)); };
  EXPECT_EQ(of("{type: boolean}"), Words{});
  EXPECT_EQ(of("{type: integer, bounds: [1, 12], outside: null}"), Words{});
  EXPECT_EQ(of("{type: text}"), Words{"GROUP BY needs `keys:` or a delta"});
}

TEST(Advice, UnitsInWords) {
  const Project project =
      parse_project(with_tables(R"(  a: {source: a.csv, unit: id, unique: [id], columns: {id: {type: integer}}}
  b: {source: b.csv, unit: {through: a, by: {id: id}}, unique: [id], columns: {id: {type: integer}}}
  c: {source: c.csv, unit: {through: b, by: {id: id}}, columns: {id: {type: integer}}}
  d: {source: d.csv, unit: {rows: 3}}
  e: {source: e.csv, public: true}
  f: {source: f.csv, unit: row}
)"),
                    "f");
  const auto words = [&](const char* name) { return unit_in_words(project, project.table(name)); };
  EXPECT_EQ(words("a"), "id");
  EXPECT_EQ(words("b"), "through a");
  EXPECT_EQ(words("c"), "through b, a");
  EXPECT_EQ(words("d"), "any 3 rows: a weaker guarantee");
  EXPECT_EQ(words("e"), "public");
  EXPECT_EQ(words("f"), "every row");
  const Project clinic = parse_project(kClinic, "f");
  EXPECT_EQ(unit_in_words(clinic, clinic.table("visits")), "person");
}

}  // namespace
}  // namespace dither::plan
