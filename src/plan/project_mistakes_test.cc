// Every one thing that can be wrong with a project file: where, which code, and that there is a way out.
#include <gtest/gtest.h>

#include <vector>

#include "plan/project_check.h"

namespace dither::plan {
namespace {

struct Mistake {
  std::string file;
  std::string begins;  // code and place: "bad-bounds: f:7:3"
  std::string says;    // part of message or hint
};

void expect_all(const std::vector<Mistake>& mistakes) {
  for (const Mistake& mistake : mistakes) {
    const std::string found = complaint(mistake.file);
    EXPECT_TRUE(found.starts_with("error: " + mistake.begins + ": ")) << found << "\nnot " << mistake.begins;
    EXPECT_NE(found.find(mistake.says), std::string::npos) << found;
    EXPECT_GT(found.size(), found.find("\nhint:  ") + 10) << found;
  }
}

std::string table(const std::string& rest) { return with_tables("  t: {source: t.csv, " + rest + "}\n"); }

// Spec: D-58
TEST(ProjectMistakes, AtTheTop) {
  EXPECT_EQ(complaint(kClinic), "none");
  expect_all({
      {"", "bad-syntax: f:1:1", ""},
      {"[]", "wrong-type: f:1:1", "a project file must be a map"},
      {"version: 2\n", "out-of-range: f:1:10", "reads version 1"},
      {"version: \"1\"\n", "wrong-type: f:1:10", "whole number"},
      {clinic_with("version: 1", "vers1on: 1"), "unknown-key: f:1:1", "write version"},
      {clinic_with("data_version: \"1\"\n", ""), "missing-key: f:1:1", "data_version"},
      {clinic_with("data_version: \"1\"", "data_version: 1"), "wrong-type: f:2:15", "quotes"},
      {clinic_with("data_version: \"1\"", "data_version: \"\""), "bad-name: f:2:15", "is empty"},
      {clinic_with("data_version: \"1\"", "data_version: \"a/b\""), "bad-name: f:2:15", "slash"},
      {clinic_with("privacy:", "privcay:"), "unknown-key: f:3:1", "write privacy"},
      {clinic_with("unit: person, n", "n"), "missing-key: f:3:10", "\"unit\""},
      {clinic_with("unit: person, n", "unit: \" \", n"), "bad-name: f:3:17", "blank"},
      {clinic_with(", neighbours: add-remove", ""), "missing-key: f:3:10", "neighbours"},
      {clinic_with("add-remove", "both"), "unknown-neighbours: f:3:37", "add-remove, replace-one"},
      {clinic_with("add-remove", "replaceone"), "unknown-neighbours: f:3:37", "write `neighbours: replace-one`"},
      {"deadline: 0\n" + kClinic, "out-of-range: f:1:11", "above 0"},
      {"deadline: 1e6\n" + kClinic, "out-of-range: f:1:11", "at most 86400"},
      {"ledger: \"\"\n" + kClinic, "bad-name: f:1:9", "empty"},
      {"anchor: 3\n" + kClinic, "wrong-type: f:1:9", "text"},
      {"anchor: dither.ledger\n" + kClinic, "bad-name: f:1:9", "is the ledger, but also the anchor"},
      {"anchor: a/../x\nledger: ./x\n" + kClinic, "bad-name: f:1:9", "is the ledger, but also the anchor"},
      {"ledger: f\n" + kClinic, "bad-name: f:1:9", "is the project file, but also the ledger"},
      {"anchor: ./f\n" + kClinic, "bad-name: f:1:9", "is the project file, but also the anchor"},
      {"ledger: ./visits.csv\n" + kClinic, "bad-name: f:1:9", "is the source of \"visits\", but also the ledger"},
      {"anchor: x/../regions.csv\n" + kClinic, "bad-name: f:1:9", "is the source of \"regions\", but also the anchor"},
      {clinic_with("source: visits.csv", "source: {path: dither.ledger, kind: csv}"), "bad-name: f:1:1",
       "is the source of \"visits\", but also the ledger"},
      {clinic_with("budgets:", "budget:"), "unknown-key: f:15:1", "write budgets"},
  });
}

TEST(ProjectMistakes, InTables) {
  expect_all({
      {with_tables("  []"), "wrong-type: f:6:3", "\"tables\""},
      {with_tables("  {}"), "bad-count: f:6:3", "no tables"},
      {with_tables("  \"\": {}"), "bad-name: f:6:3", "is empty"},
      {with_tables("  \"a\\u202eb\": {}"), "bad-name: f:6:3", "cannot be shown"},
      {with_tables("  " + std::string(101, 'x') + ": {}"), "bad-name: f:6:3", "longer than 100"},
      {with_tables("  T: {source: t.csv, unit: row}\n  t: {source: t.csv, unit: row}\n"), "bad-name: f:7:3",
       "capitals"},
      {with_tables("  t: {source: t.csv}\n"), "missing-key: f:6:6", "\"unit\""},
      {with_tables("  t: {unit: row}\n"), "missing-key: f:6:6", "\"source\""},
      {table("unit: row, colums: {}"), "unknown-key: f:6:33", "write columns"},
      {table("unit: row, public: yes"), "bad-syntax: f:6:41", ""},
      {table("unit: row, public: true"), "unknown-key: f:6:28", "belong to nobody"},
      {table("public: true, bounds: {}"), "unknown-key: f:6:44", "nobody contributes"},
      {table("public: true, expected: {}"), "unknown-key: f:6:46", "no guess"},
      {table("unit: row, multiplicity: {a: 1}"), "unknown-key: f:6:47", "private"},
      {table("unit: row, bounds: {rows_per_unti: 1}"), "unknown-key: f:6:42", "write rows_per_unit"},
      {table("unit: row, bounds: {rows_per_unit: 0}"), "bad-limit: f:6:57", "from 1 to"},
      {table("unit: row, bounds: {rows_per_key: 1e10}"), "bad-limit: f:6:56", "1000000000"},
      {table("unit: row, bounds: {keys_per_unit: 1.5}"), "wrong-type: f:6:57", "whole"},
      {table("unit: row, expected: {rows: 0}"), "bad-limit: f:6:50", "from 1 to"},
      {table("unit: row, expected: {unit: 5}"), "unknown-key: f:6:44", "write units"},
      {table("unit: row, unique: [a]"), "unknown-column: f:6:42", "declares no column \"a\""},
      {table("unit: row, unique: [], columns: {a: {type: text}}"), "bad-count: f:6:41", "empty"},
      {table("public: true, unique: [a, a]"), "duplicate-key: f:6:48", "twice"},
      {table("public: true, unique: [[a], b]"), "wrong-type: f:6:50", "list"},
      {table("public: true, unique: [a, [b]]"), "wrong-type: f:6:48", "text"},
      {table("public: true, unique: [\"\"]"), "bad-name: f:6:45", "empty"},
      {table("public: true, multiplicity: {a: 0}"), "bad-limit: f:6:54", "from 1 to"},
      {table("public: true, multiplicity: [a]"), "wrong-type: f:6:50", "map"},
  });
}

TEST(ProjectMistakes, InSources) {
  const auto source = [](const std::string& text) { return with_tables("  t: {unit: row, source: " + text + "}\n"); };
  expect_all({
      {source("\"\""), "bad-name: f:6:26", "empty"},
      {source("5"), "wrong-type: f:6:26", "text"},
      {source("visits.txt"), "missing-key: f:6:26", "kind: csv"},
      {source("\"s3://bucket/a.csv\""), "not-supported: f:6:26", "is no file"},
      {source("{kind: csv}"), "missing-key: f:6:26", "\"path\""},
      {source("{path: a.txt}"), "missing-key: f:6:33", "kind: csv"},
      {source("{path: a.csv, kind: cvs}"), "wrong-type: f:6:46", "write `kind: csv`"},
      {source("{path: a.csv, table: t}"), "unknown-key: f:6:47", "no tables inside"},
      {source("{path: a.db, table: \"\"}"), "bad-name: f:6:46", "empty"},
      {source("{path: a.db, tabel: t}"), "unknown-key: f:6:39", "write table"},
      {source("{kind: memory, path: a.csv}"), "unknown-key: f:6:47", "a table in memory has no \"path\""},
      {source("{kind: memory, table: t}"), "unknown-key: f:6:48", "a table in memory has no \"table\""},
  });
}

TEST(ProjectMistakes, InColumns) {
  expect_all({
      {with_column("text"), "wrong-type: f:11:10", "must be a map"},
      {with_column("{}"), "missing-key: f:11:10", "\"type\""},
      {with_column("{type: varchar}"), "unknown-type: f:11:17", "boolean, integer, real, decimal, text"},
      {with_column("{type: 5}"), "wrong-type: f:11:17", "text"},
      {with_column("{type: integer, bound: [0, 1]}"), "unknown-key: f:11:26", "write bounds"},
      {with_column("{type: decimal}"), "missing-key: f:11:17", "grid: 0.01"},
      {with_column("{type: real, grid: 0}"), "bad-grid: f:11:29", "1e-30"},
      {with_column("{type: real, grid: -0.5}"), "bad-grid: f:11:29", "1e-30"},
      {with_column("{type: real, grid: 1e-31}"), "bad-grid: f:11:29", "1e-30"},
      {with_column("{type: integer, grid: 1}"), "bad-grid: f:11:32", "has no grid"},
      {with_column("{type: real, grid: 0.01, bounds: [0, 0.005], outside: null}"), "bad-grid: f:11:47", "multiple"},
      {with_column("{type: real, grid: 0.01, bounds: [0.005, 1], outside: null}"), "bad-grid: f:11:44", "multiple"},
      {with_column("{type: real, grid: 1e-20, bounds: [0, 1], outside: null}"), "bad-grid: f:11:48", "2^62"},
      {with_column("{type: integer, bounds: [0, 10]}"), "missing-key: f:11:34", "outside: clamp"},
      {with_column("{type: integer, keys: [0, 10]}"), "missing-key: f:11:32", "outside: other"},
      {with_column("{type: integer, outside: clamp}"), "missing-key: f:11:10", "bounds or keys"},
      {with_column("{type: integer, bounds: [1, 0], outside: clamp}"), "bad-bounds: f:11:34", "lower one first"},
      {with_column("{type: integer, bounds: [1], outside: clamp}"), "bad-bounds: f:11:34", "two values"},
      {with_column("{type: integer, bounds: [0, 1.5], outside: clamp}"), "wrong-type: f:11:38", "integer"},
      {with_column("{type: integer, bounds: [0, 1e19], outside: clamp}"), "out-of-range: f:11:38", "64 bits"},
      {with_column("{type: integer, bounds: [0, \"5\"], outside: clamp}"), "wrong-type: f:11:38", "without quotes"},
      {with_column("{type: real, bounds: [0, 1e400], outside: clamp}"), "out-of-range: f:11:35", "doubles"},
      {with_column("{type: text, bounds: [a, b], outside: clamp}"), "bad-bounds: f:11:31", "keys: [...]"},
      {with_column("{type: date, bounds: [0, 1], outside: clamp}"), "wrong-type: f:11:32", "text"},
      {with_column("{type: date, bounds: [\"2023-02-29\", \"2024-01-01\"], outside: clamp}"), "wrong-type: f:11:32",
       "no date"},
      {with_column("{type: timestamp, bounds: [\"2023\", \"2024\"], outside: clamp}"), "wrong-type: f:11:37",
       "12:00:00"},
      {with_column("{type: integer, bounds: [0, 1], keys: [0], outside: null}"), "bad-bounds: f:11:34", "not both"},
      {with_column("{type: integer, bounds: [0, 1], outside: other}"), "wrong-type: f:11:51", "the column is integer"},
      {with_column("{type: integer, bounds: [0, 1], outside: {other: 5}}"), "bad-bounds: f:11:59", "for keys"},
      {with_column("{type: text, max_length: 5}"), "missing-key: f:11:35", "which cuts them"},
      {with_column("{type: text, max_length: 0, outside: clamp}"), "bad-limit: f:11:35", "1"},
      {with_column("{type: text, max_length: 16385, outside: clamp}"), "bad-limit: f:11:35", "16384"},
      {with_column("{type: integer, max_length: 5, outside: clamp}"), "bad-bounds: f:11:38", "for text"},
      {with_column("{type: text, keys: [a], max_length: 5, outside: null}"), "bad-bounds: f:11:46", "keys are all"},
      {with_column("{type: text, max_length: 4, outside: other}"), "bad-bounds: f:11:47", "shorter"},
      {with_column("{type: text, max_length: 4, outside: null, null_as: unknown}"), "bad-bounds: f:11:62", "shorter"},
      {with_column("{type: integer, keys: [0, 1], outside: clamp}"), "bad-bounds: f:11:49", "cannot be clamped"},
      {with_column("{type: integer, keys: [0, 1], outside: other}"), "wrong-type: f:11:49", "{other: -1}"},
      {with_column("{type: integer, keys: [0, 1], outside: {other: x}}"), "wrong-type: f:11:57", "whole"},
      {with_column("{type: integer, keys: [0, 1], outside: {}}"), "missing-key: f:11:49", "\"other\""},
      {with_column("{type: text, keys: [a], outside: drop}"), "wrong-type: f:11:43", "clamp, null, other"},
      {with_column("{type: text, keys: [], outside: null}"), "bad-count: f:11:29", "empty"},
      {with_column("{type: text, keys: [a, b, a], outside: null}"), "duplicate-key: f:11:36", "'a' is listed twice"},
      {with_column("{type: text, keys: [a, 5], outside: null}"), "wrong-type: f:11:33", "quotes"},
      {with_column("{type: real, keys: [0, -0.0], outside: null}"), "duplicate-key: f:11:33", "twice"},
      {with_column("{type: real, grid: 2, keys: [0, 3], outside: null}"), "bad-grid: f:11:42", "multiple"},
      {with_column("{type: real, grid: 2, keys: [0], outside: {other: 1}}"), "bad-grid: f:11:60", "multiple"},
      {with_column("{type: text, keys: [a], outside: null, null_as: b}"), "bad-bounds: f:11:58", "none of the keys"},
      {with_column("{type: text, keys: [a], outside: other, null_as: a}"), "unknown-key: f:11:59", "already"},
      {with_column("{type: integer, bounds: [0, 9], outside: clamp, null_as: 10}"), "bad-bounds: f:11:67", "outside"},
      {with_column("{type: real, bounds: [0, 9], outside: clamp, null_as: -1}"), "bad-bounds: f:11:64", "outside"},
      {with_column("{type: real, grid: 2, null_as: 3}"), "bad-grid: f:11:41", "multiple"},
      {with_column("{type: boolean, null_as: 0}"), "wrong-type: f:11:35", "true or false"},
      {with_column("{type: text, null: a}"), "bad-syntax: f:11:23", "\"null\""},
      {with_tables("  t: {source: t.csv, unit: row, columns: {A: {type: text}, a: {type: text}}}\n"),
       "bad-name: f:6:60", "capitals"},
  });
}

// Spec: R-53
TEST(ProjectMistakes, InUnits) {
  const auto two = [](const std::string& unit, const std::string& there) {
    return with_tables("  a:\n    source: a.csv\n    unit: " + unit +
                       "\n    columns: {k: {type: integer}, w: {type: text}, r: {type: real}}\n  b: {source: b.csv, " +
                       there + "}\n");
  };
  const std::string b = "unit: id, unique: [id], columns: {id: {type: integer}, x: {type: integer}}";
  EXPECT_EQ(complaint(two("{through: b, by: {k: id}}", b)), "none");
  EXPECT_EQ(complaint(two("{through: b, by: {k: id, w: n2}}",
                          "unit: id, unique: [id], columns: {id: {type: integer}, n2: {type: text}}")),
            "none");
  expect_all({
      {table("unit: [a, b], columns: {a: {type: text}, b: {type: text}}"), "two-owners: f:6:28", "unit: row"},
      {table("unit: nobody"), "unknown-column: f:6:28", "columns:"},
      {two("kk", b), "unknown-column: f:8:11", "did you mean \"k\"?"},
      {two("r", b), "wrong-type: f:8:11", "integer or text"},
      {two("5", b), "wrong-type: f:8:11", "text"},
      {two("{rows: 0}", b), "bad-limit: f:8:18", "from 1"},
      {two("{rows: 5, by: 3}", b), "unknown-key: f:8:21", "write"},
      {two("{throuhg: b}", b), "unknown-key: f:8:12", "write through"},
      {two("{through: b}", b), "missing-key: f:8:11", "\"by\""},
      {two("{through: b, by: {}}", b), "bad-count: f:8:28", "without columns"},
      {two("{through: c, by: {k: id}}", b), "unknown-table: f:8:11", "there is no table \"c\""},
      {two("{through: b, by: {z: id}}", b), "unknown-column: f:8:11", "\"a\" declares no column \"z\""},
      {two("{through: b, by: {k: z}}", b), "unknown-column: f:8:11", "\"b\" declares no column \"z\""},
      {two("{through: b, by: {w: id}}", b), "wrong-type: f:8:11", "same type"},
      {two("{through: b, by: {r: id}}", b), "wrong-type: f:8:11", "integer or text"},
      {two("{through: b, by: {k: x}}", b), "two-owners: f:8:11", "unique: [x]"},
      {two("{through: b, by: {k: id}}", "public: true, unique: [id], columns: {id: {type: integer}}"),
       "wrong-unit: f:8:11", "public"},
      {two("{through: b, by: {k: id}}", "unit: row, unique: [id], columns: {id: {type: integer}}"),
       "wrong-unit: f:8:11", "a column as its unit"},
      {two("{through: b, by: {k: id}}", "unit: {rows: 3}, unique: [id], columns: {id: {type: integer}}"),
       "wrong-unit: f:8:11", "a column as its unit"},
      {two("k", "unit: id, columns: {id: {type: text}}"), "wrong-unit: f:10:28", "integer in \"a\""},
      {clinic_with("person: {type: integer}", "person: {type: integer, bounds: [0, 9], outside: clamp}"),
       "bad-bounds: f:7:11", "one unit of several"},
      {clinic_with("person: {type: integer}", "person: {type: integer, null_as: 0}"), "bad-bounds: f:7:11", "null_as"},
  });
}

// Spec: R-53
TEST(ProjectMistakes, ForeignKeysInACircle) {
  const auto link = [](const std::string& here, const std::string& there) {
    return "  " + here + ": {source: t.csv, unit: {through: " + there +
           ", by: {id: id}}, unique: [id], columns: {id: {type: integer}}}\n";
  };
  expect_all({
      {with_tables(link("a", "a")), "cyclic-keys: f:6:28", "a -> a"},
      {with_tables(link("a", "b") + link("b", "a")), "cyclic-keys: f:6:28", "a -> b -> a"},
      {with_tables(link("tail", "a") + link("a", "b") + link("b", "c") + link("c", "a")), "cyclic-keys: f:7:28",
       "a -> b -> c -> a"},
  });
}

TEST(ProjectMistakes, InBudgets) {
  expect_all({
      {with_budgets("  {}"), "bad-count: f:6:3", "there are no budgets"},
      {with_budgets("  main: {epsilon: 1}\n  Main: {parent: main, epsilon: 1}\n"), "bad-name: f:7:3", "capitals"},
      {with_budgets("  m: {}\n"), "missing-key: f:6:3", "needs \"epsilon\""},
      {with_budgets("  a/b: {epsilon: 1}\n"), "bad-name: f:6:3", "slash"},
      {with_budgets("  m: {epsilom: 1}\n"), "unknown-key: f:6:7", "write epsilon"},
      {with_budgets("  m: {epsilon: 0}\n"), "out-of-range: f:6:16", "1e-18"},
      {with_budgets("  m: {epsilon: -1}\n"), "out-of-range: f:6:16", "1e-18"},
      {with_budgets("  m: {epsilon: 1e-19}\n"), "out-of-range: f:6:16", "1e-18"},
      {with_budgets("  m: {epsilon: 1e18}\n"), "out-of-range: f:6:16", "1e17"},
      {with_budgets("  m: {epsilon: \"1\"}\n"), "wrong-type: f:6:16", "number"},
      {with_budgets("  m: {epsilon: 1, delta: 1}\n"), "bad-probability: f:6:26", "below 1"},
      {with_budgets("  m: {epsilon: 1, delta: -1e-9}\n"), "bad-probability: f:6:26", "below 1"},
      {with_budgets("  m: {epsilon: 1, delta: 1e-40}\n"), "out-of-range: f:6:26", "1e-36"},
      {with_budgets("  m: {delta: 1e-9}\n"), "missing-key: f:6:3", "needs \"epsilon\""},
      {with_budgets("  m: {epsilon: 1, rho: 1}\n"), "no-theorem: f:6:16", "zcdp"},
      {with_budgets("  m: {mu: 1, delta: 0.1}\n"), "no-theorem: f:6:21", "gdp counts mu"},
      {with_budgets("  m: {epsilon: 1, slack: 0.1}\n"), "no-theorem: f:6:26", "pure counts epsilon"},
      {with_budgets("  m: {rule: pure, epsilon: 1, delta: 0.1}\n"), "no-theorem: f:6:38", "pure counts epsilon"},
      {with_budgets("  m: {rule: best, epsilon: 1}\n"), "unknown-measure: f:6:13", "pure, basic, advanced, zcdp, gdp"},
      {with_budgets("  m: {rule: advanced, epsilon: 1, delta: 0}\n"), "missing-key: f:6:3", "slack: 1e-9"},
      {with_budgets("  m: {rule: advanced, epsilon: 1e6, slack: 0.1}\n"), "out-of-range: f:6:3", ""},
      {with_budgets("  m: {rule: advanced, epsilon: 1, slack: 0}\n"), "bad-probability: f:6:3", ""},
      {with_budgets("  m: {epsilon: 1}\n  o: {epsilon: 1}\n"), "bad-count: f:7:3", "one data set"},
      {with_budgets("  m: {epsilon: 1}\n  a: {parent: n, epsilon: 1}\n"), "bad-syntax: f:7:15", ""},
      {with_budgets("  main: {epsilon: 1}\n  a: {parent: mian, epsilon: 1}\n"), "unknown-budget: f:7:15",
       "did you mean \"main\"?"},
      {with_budgets("  a: {parent: b, epsilon: 1}\n  b: {parent: a, epsilon: 1}\n"), "cyclic-keys: f:6:3", "circle"},
      {with_budgets("  m: {mu: 1}\n  a: {parent: b, mu: 1}\n  b: {parent: a, mu: 1}\n"), "cyclic-keys: f:7:15",
       "below itself"},
      {with_budgets("  m: {epsilon: 1}\n  a: {parent: m, rho: 1}\n"), "no-theorem: f:7:23", "rho"},
      {with_budgets("  m: {epsilon: 1}\n  a: {parent: m, epsilon: 1, delta: 1e-9}\n"), "no-theorem: f:7:37", "pure"},
      {with_budgets("  m: {epsilon: 1}\n  a: {parent: m, rule: zcdp, rho: 1}\n"), "no-theorem: f:7:24", "one measure"},
      {with_budgets("  m: {epsilon: 1}\n  a: {parent: m}\n"), "missing-key: f:7:3", "needs \"epsilon\""},
  });
}

// What `dither init` leaves open is named, wherever it stands, and no other mistake comes before it.
TEST(ProjectMistakes, WhatWasNotFilledIn) {
  expect_all({
      {clinic_with("data_version: \"1\"", "data_version: FILL_IN"), "missing-key: f:2:15", "write a label"},
      {clinic_with("unit: person, n", "unit: FILL_IN, n"), "missing-key: f:3:17", "whom one unit stands for"},
      {clinic_with("add-remove", "FILL_IN"), "missing-key: f:3:37", "privacy.neighbours still says FILL_IN"},
      {clinic_with("person: {type: integer}", "person: {type: FILL_IN}"), "missing-key: f:11:22", "write boolean"},
      {table("unit: FILL_IN"), "missing-key: f:6:28", "whose a row is"},
      {table("unit: FILL_IN, columns: {a: {type: FILL_IN}, b: {type: FILL_IN}}"), "missing-key: f:6:28",
       "and so do 2 more values"},
      {clinic_with("epsilon: 3", "epsilon: FILL_IN"), "missing-key: f:16:19", "what may be spent in all"},
      {clinic_with("keys: [a, b, c]", "keys: [a, FILL_IN]"), "missing-key: f:12:36", "docs/project-file.md"},
  });
}

TEST(ProjectMistakes, MoreThanIsRead) {
  std::string tables, columns, keys, budgets = "  m: {epsilon: 1}\n";
  for (int i = 0; i <= 1000; ++i) {
    tables += "  t" + std::to_string(i) + ": {source: t.csv, unit: row}\n";
    budgets += "  b" + std::to_string(i) + ": {parent: m, epsilon: 1}\n";
  }
  for (int i = 0; i <= 10'000; ++i) columns += "      c" + std::to_string(i) + ": {type: text}\n";
  for (int i = 0; i <= 50'000; ++i) keys += std::to_string(i) + ", ";
  const std::string key_column = "{type: integer, keys: [" + keys + "-1], outside: null}";
  expect_all({
      {with_tables(tables), "bad-count: f:1006:3", "more than 1000 tables"},
      {with_budgets(budgets), "bad-count: f:1006:3", "more than 1000 budgets"},
      {with_tables("  t:\n    source: t.csv\n    unit: row\n    columns:\n" + columns), "bad-count: f:6:3",
       "10000 columns"},
      {table("unit: row, columns: {a: " + key_column + ", b: " + key_column + "}"), "bad-count: f:6:3", "100000 keys"},
  });
}

}  // namespace
}  // namespace dither::plan
