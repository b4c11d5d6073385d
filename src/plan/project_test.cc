#include "plan/project.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "plan/project_check.h"

namespace dither::plan {
namespace {

using accounting::DeltaAmount;
using accounting::LossAmount;

Rational number(const char* text) { return Rational::parse(text); }
LossAmount loss(const char* text) { return LossAmount::down(number(text)); }
DeltaAmount delta(const char* text) { return DeltaAmount::down(number(text)); }
Cell word(const char* text) { return std::string(text); }
Cell whole(std::int64_t value) { return value; }

// Spec: D-58
TEST(Project, ReadsTheExample) {
  const Project project = parse_project(kClinic, "dither.yaml");
  EXPECT_EQ(project.path, "dither.yaml");
  EXPECT_EQ(project.data_version, "1");
  EXPECT_EQ(project.unit.name, "person");
  EXPECT_EQ(project.neighbours, accounting::Neighbours::add_remove);
  EXPECT_EQ(project.ledger, "dither.ledger");
  EXPECT_EQ(project.anchor, "");
  EXPECT_FALSE(project.deadline);
  ASSERT_EQ(project.tables.size(), 2u);

  const TableDeclaration& visits = project.table("visits");
  EXPECT_EQ(visits.source.kind, SourceKind::csv);
  EXPECT_EQ(visits.source.path, "visits.csv");
  EXPECT_FALSE(visits.is_public);
  EXPECT_EQ(std::get<UnitColumn>(visits.unit).column, "person");
  EXPECT_EQ(visits.bounds.rows_per_unit, 6u);
  EXPECT_EQ(visits.bounds.keys_per_unit, 3u);
  EXPECT_EQ(visits.bounds.rows_per_key, 2u);
  EXPECT_EQ(visits.expected.rows, 4000u);
  EXPECT_FALSE(visits.expected.units);
  EXPECT_EQ(visits.position.line, 5u);
  ASSERT_EQ(visits.columns.size(), 3u);

  const ColumnDeclaration& city = *visits.find("city");
  EXPECT_EQ(city.type, Type::text);
  EXPECT_EQ(city.keys, (std::vector<Cell>{word("a"), word("b"), word("c"), word("other")}));
  EXPECT_EQ(city.outside, Outside::other);
  EXPECT_EQ(city.other, word("other"));
  const ColumnDeclaration& cost = *visits.find("cost");
  EXPECT_EQ(cost.type, Type::real);
  EXPECT_EQ(cost.grid, Rational(1, 100));
  EXPECT_EQ(cost.bounds, (Range{0, 5000}));
  EXPECT_EQ(cost.outside, Outside::clamp);
  EXPECT_EQ(visits.find("Cost"), nullptr);

  const TableDeclaration& regions = project.table("regions");
  EXPECT_TRUE(regions.is_public);
  EXPECT_EQ(regions.unique, (std::vector<std::vector<std::string>>{{"city"}}));
  EXPECT_EQ(regions.find("city")->type, Type::text);
}

TEST(Project, TheExampleOfTheRepositoryIsTheSame) {
  const Project project = read_project(DITHER_SOURCE_DIR "/examples/clinic/dither.yaml");
  const Project same = parse_project(kClinic, "f");
  EXPECT_EQ(declarations_json(project, {"visits", "regions"}), declarations_json(same, {"visits", "regions"}));
  ASSERT_EQ(project.budgets.size(), 2u);
  EXPECT_EQ(project.budgets[0].rule, same.budgets[0].rule);
  EXPECT_EQ(project.budgets[1].rule, same.budgets[1].rule);
}

TEST(Project, TheExampleOfTheDocumentIsTheSame) {
  std::ifstream page(DITHER_SOURCE_DIR "/docs/project-file.md");
  std::string text((std::istreambuf_iterator<char>(page)), std::istreambuf_iterator<char>());
  const auto begin = text.find("```yaml\n") + 8;
  const Project project = parse_project(text.substr(begin, text.find("```", begin) - begin), "f");
  EXPECT_EQ(declarations_json(project, {"visits", "regions"}),
            declarations_json(parse_project(kClinic, "f"), {"visits", "regions"}));
}

TEST(Project, NamesThatDoNotExistAreRefusedWithTheNearest) {
  const Project project = parse_project(kClinic, "dither.yaml");
  try {
    project.table("visit");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::unknown_table);
    EXPECT_NE(error.hint().find("\"visits\""), std::string::npos);
  }
  try {
    (void)project.budget_path("alcie");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::unknown_budget);
    EXPECT_NE(error.hint().find("\"alice\""), std::string::npos);
  }
}

TEST(Project, SourcesAreKnownByTheirEndings) {
  const auto source = [](const std::string& text) {
    return parse_project(with_tables("  t: {unit: row, source: " + text + "}\n"), "f").table("t").source;
  };
  EXPECT_EQ(source("data/*.csv").path, "data/*.csv");
  for (const char* path : {"a.csv", "a.csv.gz", "a.tsv"}) EXPECT_EQ(source(path).kind, SourceKind::csv) << path;
  for (const char* path : {"a.json", "a.ndjson", "a.jsonl", "a.jsonl.gz"}) {
    EXPECT_EQ(source(path).kind, SourceKind::json) << path;
  }
  EXPECT_EQ(source("\"year=*/part-*.parquet\"").kind, SourceKind::parquet);
  EXPECT_EQ(source("a.duckdb").table, "t");
  EXPECT_EQ(source("a.db").kind, SourceKind::duckdb);
  EXPECT_EQ(source("{path: a.db, table: inner}").table, "inner");
  EXPECT_EQ(source("{path: a.txt, kind: csv}").kind, SourceKind::csv);
  EXPECT_EQ(source("{path: a.csv}").table, "");
  EXPECT_EQ(source("{kind: memory}").kind, SourceKind::memory);
  EXPECT_EQ(source("{kind: memory}").path, "");
}

// What stands in memory is no part of any path.
TEST(Project, TablesAndLedgersInMemory) {
  const std::string text =
      with_tables("  t: {unit: row, source: {kind: memory}}\n  u: {unit: row, source: {kind: memory}}\n");
  const Project project = parse_project(text + "ledger: \":memory:\"\n", "folder/f");
  EXPECT_EQ(project.ledger, kLedgerInMemory);
  EXPECT_EQ(parse_project(text, "folder/f").ledger, "folder/dither.ledger");
  EXPECT_NE(declarations_json(project, {"t"}).find(R"("source":{"kind":"memory"})"), std::string::npos);
  EXPECT_EQ(complaint(text + "ledger: \":memory:\"\nanchor: a\n"),
            "error: bad-name: f:9:9: a ledger in memory has no anchor\nhint:  leave `anchor:` out");
}

TEST(Project, AFileHasItsLedgerInAFile) {
  const std::string path = ::testing::TempDir() + "ledger-in-memory.yaml";
  std::ofstream(path) << with_budgets("  main: {epsilon: 1}\n") << "ledger: \":memory:\"\n";
  try {
    read_project(path);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::bad_name);
    EXPECT_NE(std::string(error.what()).find(":7:9: the ledger of a project file cannot be in memory"),
              std::string::npos)
        << error.what();
  }
  std::filesystem::remove(path);
}

TEST(Project, UnitsInAllForms) {
  const auto unit = [](const std::string& text) {
    return parse_project(with_tables("  t: {source: t.csv, columns: {id: {type: text}}, unit: " + text + "}\n"), "f")
        .table("t")
        .unit;
  };
  EXPECT_TRUE(std::holds_alternative<UnitRow>(unit("row")));
  EXPECT_EQ(std::get<UnitColumn>(unit("id")).column, "id");
  EXPECT_EQ(std::get<UnitRows>(unit("{rows: 5}")).rows, 5u);
}

const std::string kShop = with_tables(
    R"(  customer: {source: c.csv, unit: c_custkey, unique: [c_custkey], columns: {c_custkey: {type: integer}}}
  nation: {source: n.csv, public: true, unique: [n_name], multiplicity: {n_region: 5}}
  lineitem:
    source: l.csv
    unit: {through: orders, by: {l_orderkey: o_orderkey}}
    columns: {l_orderkey: {type: integer}, l_price: {type: real}}
  orders:
    source: o.csv
    unit: {through: customer, by: {o_custkey: c_custkey}}
    unique: [[o_orderkey], [o_custkey, o_line]]
    columns: {o_orderkey: {type: integer}, o_custkey: {type: integer}, o_line: {type: integer}}
  supplier: {source: s.csv, unit: {rows: 2}}
)");

// Spec: R-53
TEST(Project, ACustomerTakesOrdersAndLineItemsAlong) {
  const Project project = parse_project(kShop, "f");
  const std::vector<std::string> cascade = {"customer", "lineitem", "orders"};
  EXPECT_EQ(affected_tables(project, "customer"), cascade);
  EXPECT_EQ(affected_tables(project, "orders"), cascade);
  EXPECT_EQ(affected_tables(project, "lineitem"), cascade);
  EXPECT_EQ(affected_tables(project, "supplier"), std::vector<std::string>{"supplier"});
  EXPECT_EQ(affected_tables(project, "nation"), std::vector<std::string>{});
  const auto& through = std::get<UnitThrough>(project.table("lineitem").unit);
  EXPECT_EQ(through.table, "orders");
  EXPECT_EQ(through.equal.front(), (std::pair<std::string, std::string>{"l_orderkey", "o_orderkey"}));
}

// Spec: R-53
TEST(Project, TablesWithTheSameIdsChangeTogether) {
  const Project project = parse_project(with_tables(R"(  a: {source: a.csv, unit: id, columns: {id: {type: text}}}
  b: {source: b.csv, unit: who, unique: [nr], columns: {who: {type: text}, nr: {type: integer}}}
  c: {source: c.csv, unit: {through: b, by: {m: nr}}, columns: {m: {type: integer}}}
  d: {source: d.csv, unit: row}
)"),
                                        "f");
  EXPECT_EQ(affected_tables(project, "a"), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(affected_tables(project, "d"), std::vector<std::string>{"d"});
}

TEST(Project, PublicTables) {
  const TableDeclaration nation = parse_project(kShop, "f").table("nation");
  EXPECT_EQ(nation.multiplicity.front().first, std::vector<std::string>{"n_region"});
  EXPECT_EQ(nation.multiplicity.front().second, 5u);
  EXPECT_NE(nation.find("n_region"), nullptr);
  const TableDeclaration orders = parse_project(kShop, "f").table("orders");
  EXPECT_EQ(orders.unique, (std::vector<std::vector<std::string>>{{"o_orderkey"}, {"o_custkey", "o_line"}}));
}

TEST(Column, BoundsOfEveryType) {
  EXPECT_EQ(column_of("{type: integer, bounds: [-1e3, 10], outside: clamp}").bounds, (Range{-1000, 10}));
  EXPECT_EQ(column_of("{type: real, bounds: [0.1, \"2/3\"], outside: null}").bounds,
            (Range{Rational(1, 10), Rational(2, 3)}));
  EXPECT_EQ(column_of("{type: date, bounds: [\"1970-01-02\", \"1970-02-01\"], outside: clamp}").bounds, (Range{1, 31}));
  EXPECT_EQ(column_of("{type: timestamp, bounds: [\"1970-01-01\", \"1970-01-01 00:00:01\"], outside: clamp}").bounds,
            (Range{0, 1'000'000}));
}

TEST(Column, KeysAndWhatBecomesOfTheRest) {
  const ColumnDeclaration ages = column_of("{type: integer, keys: [3, 1, 2], outside: {other: -1}}");
  EXPECT_EQ(ages.keys, (std::vector<Cell>{whole(3), whole(1), whole(2), whole(-1)}));
  EXPECT_EQ(ages.other, whole(-1));
  EXPECT_EQ(column_of("{type: text, keys: [a, other], outside: other}").keys->size(), 2u);
  EXPECT_EQ(column_of("{type: boolean, keys: [true], outside: null}").outside, Outside::null);
  EXPECT_EQ(column_of("{type: text, keys: [a], outside: \"null\"}").outside, Outside::null);
  EXPECT_EQ(column_of("{type: text, keys: [a, b], outside: null, null_as: b}").null_as, word("b"));
}

TEST(Column, WhatAScanMakesSureOf) {
  const Facts city = declared_facts(column_of("{type: text, keys: [b, a], outside: other}"));
  EXPECT_FALSE(city.nullable);  // a NULL is outside the keys
  EXPECT_EQ(city.values, (std::vector<Cell>{word("a"), word("b"), word("other")}));
  const Facts nulls = declared_facts(column_of("{type: text, keys: [b, a], outside: null}"));
  EXPECT_TRUE(nulls.nullable);
  EXPECT_EQ(nulls.values, (std::vector<Cell>{std::monostate{}, word("a"), word("b")}));
  EXPECT_FALSE(declared_facts(column_of("{type: text, keys: [b, a], outside: null, null_as: a}")).nullable);

  const Facts cost = declared_facts(column_of("{type: decimal, grid: 0.01, bounds: [0, 5000], outside: clamp}"));
  EXPECT_EQ(cost.type, Type::real);
  EXPECT_TRUE(cost.finite && cost.nullable);
  EXPECT_EQ(cost.range, (Range{0, 5000}));
  EXPECT_EQ(cost.grid, Rational(1, 100));
  EXPECT_TRUE(declared_facts(column_of("{type: real}")).finite);  // NaN and infinities cannot be read
  EXPECT_TRUE(declared_facts(column_of("{type: real, null_as: 0}")).finite);
  EXPECT_FALSE(declared_facts(column_of("{type: real, null_as: 0}")).nullable);
  EXPECT_EQ(declared_facts(column_of("{type: integer, keys: [7, 3], outside: {other: 5}}")).range, (Range{3, 7}));
  EXPECT_EQ(declared_facts(column_of("{type: integer, bounds: [1, 3], outside: clamp}")).values->size(), 4u);
}

// The double nearest to 0.1 lies above 1/10: a cell that reads 0.1 is within bounds that say 0.1, and keeps the facts.
TEST(Column, BoundsOfRealsAreDoubles) {
  const Facts facts = declared_facts(column_of("{type: real, bounds: [-0.1, 0.1], outside: clamp}"));
  EXPECT_EQ(facts.range, (Range{Rational::from_double(-0.1), Rational::from_double(0.1)}));
  EXPECT_TRUE(keeps(facts, Cell(0.1)));
  EXPECT_FALSE(keeps(facts, Cell(0.10000000000000002)));
  EXPECT_EQ(column_of("{type: real, bounds: [0, 0.1], outside: clamp, null_as: 0.1}").null_as, Cell(0.1));
}

template <typename Rule>
Rule rule_of(const std::string& budgets, const std::string& name) {
  const Project project = parse_project(with_budgets(budgets), "f");
  for (const BudgetDeclaration& budget : project.budgets) {
    if (budget.name == name) return std::get<Rule>(budget.rule);
  }
  throw std::runtime_error("no such budget");
}

TEST(Budgets, TheRuleFollowsFromTheAmounts) {
  EXPECT_EQ(rule_of<accounting::PureRule>("  m: {epsilon: 1}\n", "m").epsilon, loss("1"));
  EXPECT_EQ(rule_of<accounting::PureRule>("  m: {epsilon: 1, delta: 0}\n", "m").epsilon, loss("1"));
  EXPECT_EQ(rule_of<accounting::BasicRule>("  m: {epsilon: 3, delta: 1e-8}\n", "m"),
            (accounting::BasicRule{loss("3"), delta("1e-8")}));
  EXPECT_EQ(rule_of<accounting::BasicRule>("  m: {rule: basic, epsilon: 3}\n", "m"),
            (accounting::BasicRule{loss("3"), DeltaAmount()}));
  EXPECT_EQ(rule_of<accounting::ZcdpRule>("  m: {rho: 0.5, delta: 1e-9}\n", "m"),
            (accounting::ZcdpRule{loss("0.5"), delta("1e-9")}));
  EXPECT_EQ(rule_of<accounting::GdpRule>("  m: {mu: 0.1}\n", "m").mu_squared, loss("0.01"));
}

TEST(Budgets, TheAdvancedRuleIsAskedForByName) {
  const std::string budgets =
      "  m: {rule: advanced, epsilon: 2, delta: 1e-8, slack: 1e-9}\n  a: {parent: m, epsilon: 1}\n";
  EXPECT_EQ(rule_of<accounting::AdvancedRule>(budgets, "m"),
            (accounting::AdvancedRule{loss("2"), delta("1e-9"), delta("1e-8")}));
  EXPECT_EQ(rule_of<accounting::AdvancedRule>(budgets, "a"),
            (accounting::AdvancedRule{loss("1"), delta("1e-9"), DeltaAmount()}));
}

TEST(Budgets, ThoseBelowCountInTheMeasureAbove) {
  EXPECT_EQ(
      rule_of<accounting::BasicRule>("  a: {parent: m, epsilon: 1, delta: 0}\n  m: {epsilon: 3, delta: 1e-8}\n", "a"),
      (accounting::BasicRule{loss("1"), DeltaAmount()}));
  EXPECT_EQ(rule_of<accounting::PureRule>("  a: {parent: m, epsilon: 1, delta: 0}\n  m: {epsilon: 3}\n", "a").epsilon,
            loss("1"));
}

TEST(Budgets, ParentsComeFirstAndPathsNameThem) {
  const Project project = parse_project(
      with_budgets("  leaf: {parent: middle, mu: 1}\n  middle: {parent: top, mu: 2}\n  top: {mu: 3}\n"), "f");
  ASSERT_EQ(project.budgets.size(), 3u);
  EXPECT_EQ(project.budgets[0].name, "top");
  EXPECT_EQ(project.budgets[1].name, "middle");
  EXPECT_EQ(project.budget_path("leaf"), "top/middle/leaf");
  EXPECT_EQ(project.budget_path("top"), "top");
}

TEST(Project, PathsLieBesideTheFile) {
  const Project project =
      parse_project("ledger: books/b.ledger\nanchor: /mnt/head\ndeadline: 2.5\n" + kClinic, "some/where/dither.yaml");
  EXPECT_EQ(project.ledger, "some/where/books/b.ledger");
  EXPECT_EQ(project.anchor, "/mnt/head");
  EXPECT_EQ(project.deadline, Rational(5, 2));
  EXPECT_EQ(parse_project(kClinic, "some/where/dither.yaml").ledger, "some/where/dither.ledger");
  EXPECT_EQ(parse_project(kClinic, "some/where/dither.yaml").anchor, "");
}

TEST(Project, TheNearestFileIsFound) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(::testing::TempDir()) / "dither_find_project";
  fs::create_directories(folder / "a/b");
  std::ofstream(folder / "dither.yaml") << kClinic;
  const std::string found = find_project((folder / "a/b").string());
  EXPECT_TRUE(fs::equivalent(found, folder / "dither.yaml"));
  EXPECT_EQ(read_project(found).tables.size(), 2u);
  fs::remove(folder / "dither.yaml");
  EXPECT_THROW(find_project((folder / "a/b").string()), Error);
  EXPECT_THROW(read_project((folder / "dither.yaml").string()), Error);
  fs::remove_all(folder);
}

TEST(Declarations, AreWhatAnswersDependOn) {
  const std::string json = declarations_json(parse_project(kClinic, "f"), {"visits"});
  EXPECT_EQ(json,
            R"({"neighbours":"add-remove","tables":{"visits":{"bounds":{"keys_per_unit":3,"rows_per_key":2,)"
            R"("rows_per_unit":6},"columns":[{"keys":["'a'","'b'","'c'","'other'"],"name":"city","other":"'other'",)"
            R"("outside":"other","type":"text"},{"bounds":["0","5000"],"grid":"1/100","name":"cost","outside":"clamp",)"
            R"("type":"real"},{"name":"person","type":"integer"}],"public":false,)"
            R"("source":{"kind":"csv","path":"visits.csv"},"unique":[],"unit":{"column":"person"}}},"unit":"person"})");
  for (const auto& [old, text] : std::vector<std::pair<std::string, std::string>>{
           {"rows: 4000", "rows: 5000"}, {"epsilon: 3", "epsilon: 4"}, {"keys: [a, b, c]", "keys: [c, a, b]"}}) {
    EXPECT_EQ(declarations_json(parse_project(clinic_with(old, text), "g"), {"visits"}), json) << text;
  }
  for (const auto& [old, text] :
       std::vector<std::pair<std::string, std::string>>{{"[0, 5000]", "[0, 5001]"},
                                                        {"visits.csv", "elsewhere.csv"},
                                                        {"visits.csv", "{path: visits.csv, kind: json}"},
                                                        {"0.01", "0.1"},
                                                        {"rows_per_key: 2", "rows_per_key: 3"},
                                                        {"[a, b, c]", "[a, b]"},
                                                        {"outside: clamp", "outside: null"},
                                                        {"add-remove", "replace-one"},
                                                        {"unit: person\n", "unit: row\n"}}) {
    EXPECT_NE(declarations_json(parse_project(clinic_with(old, text), "f"), {"visits"}), json) << text;
  }
}

// Another table of the same database is another question; the folder of the project plays no part.
TEST(Declarations, SourcesAreTakenAsWritten) {
  const auto of = [](const std::string& source, const std::string& file) {
    return declarations_json(parse_project(clinic_with("visits.csv", source), file), {"visits"});
  };
  EXPECT_EQ(of("clinic.db", "here/dither.yaml"),
            of("{path: clinic.db, kind: duckdb, table: visits}", "there/dither.yaml"));
  EXPECT_NE(of("clinic.db", "f"), of("{path: clinic.db, table: visits_2024}", "f"));
}

TEST(Declarations, TablesThatUnitsAreFoundThroughBelongToThem) {
  const Project shop = parse_project(kShop, "f");
  EXPECT_EQ(declarations_json(shop, {"lineitem"}), declarations_json(shop, {"customer", "orders", "lineitem"}));
  EXPECT_NE(declarations_json(shop, {"lineitem"}), declarations_json(shop, {"orders"}));
  EXPECT_NE(declarations_json(shop, {"nation"}).find("\"multiplicity\":{\"n_region\":5}"), std::string::npos);
}

}  // namespace
}  // namespace dither::plan
