// Texts at and beyond the longest that are declared or read: the same from files of every kind and on both engines.
#include <gtest/gtest.h>

#include "engine/engine.h"
#include "engine/files_check.h"
#include "engine/survey.h"

namespace dither::engine {
namespace {

plan::Project project_of(const std::string& ending, const std::string& name) {
  return plan::parse_project(R"(version: 1
data_version: "1"
privacy: {unit: person, neighbours: add-remove}
tables:
  notes:
    source: notes.)" + ending + R"(
    unit: person
    columns:
      person: {type: integer}
      free: {type: text}
      cut: {type: text, max_length: 3, outside: clamp}
      gone: {type: text, max_length: 3, outside: null, null_as: "-"}
      known: {type: text, max_length: 3, outside: {other: "?"}}
budgets: {main: {epsilon: 1}}
)",
                             name);
}

std::string times(std::size_t n, const std::string& text) {
  std::string all;
  for (std::size_t i = 0; i < n; ++i) all += text;
  return all;
}

// The same text in every column.
const std::vector<std::string>& texts() {
  static const std::vector<std::string> kAll = {"abc",
                                                "abcd",
                                                "\xc3\xbc\xc3\xbc\xc3\xbc",
                                                "a\xf0\x9f\x92\xbb\xc3\xbcz",
                                                times(65536, "x"),
                                                times(65537, "x"),
                                                times(32768, "\xc3\xbc"),
                                                "y" + times(32768, "\xc3\xbc"),  // cut in the middle of a character
                                                times(30'000, "\xf0\x9f\x92\xbb")};
  return kAll;
}

testing::PlanDatabase cells() {
  testing::PlanDatabase database;
  std::int64_t person = 0;
  for (const std::string& text : texts()) {
    database["notes"].push_back({Cell{person}, Cell{text}, Cell{text}, Cell{text}, Cell{text}});
    ++person;
  }
  database["notes"].push_back({Cell{person}, Cell{}, Cell{}, Cell{}, Cell{}});
  return database;
}

// Rows by the bytes of one column, and by that text itself where it is short.
plan::BoundedAggregate by_text(const plan::Project& project, std::size_t column) {
  const plan::Expression text = plan::column(column, plan::Type::text);
  plan::BoundedAggregate aggregate;
  aggregate.rows = plan::project(plan::scan(project, "notes"),
                                 {plan::resolve("octet_length", {text}),
                                  plan::resolve("left", {text, plan::constant({plan::Type::integer, std::int64_t{5}})}),
                                  plan::column(0, plan::Type::integer)});
  aggregate.keys = 2;
  aggregate.measures = {{.kind = plan::MeasureKind::rows, .column = {}, .total_high = 1}};
  return aggregate;
}

// Of both columns that are known by hand.
TEST(LongTexts, AreCutReplacedOrNullAsDeclared) {
  const plan::Project project = project_of("csv", "dither.yaml");
  const auto of = [&](std::size_t column) {
    const plan::BoundedAggregate aggregate = by_text(project, column);
    std::string found;
    for (const testing::PlanRow& row : testing::reference_rows(project, cells(), aggregate.rows)) {
      found += plan::str({plan::Type::integer, row[0]}) + " ";
    }
    return found;
  };
  EXPECT_EQ(of(1), "3 4 6 8 65536 NULL 65536 NULL NULL NULL ");
  EXPECT_EQ(of(2), "3 3 6 7 3 3 6 5 12 NULL ");
  EXPECT_EQ(of(3), "3 1 6 1 1 1 1 1 1 1 ");
  EXPECT_EQ(of(4), "3 1 6 1 1 1 1 1 1 NULL ");
}

void expect_numbers_of_the_reference(const plan::Project& project, Engine& engine) {
  for (std::size_t column = 1; column <= 4; ++column) {
    const plan::BoundedAggregate aggregate = by_text(project, column);
    const testing::PlanRows rows = testing::reference_rows(project, cells(), aggregate.rows);
    engine.prepare(aggregate);
    EXPECT_EQ(shown(by_key(engine.run(aggregate, {}))), shown(testing::reference_exact(rows, aggregate)))
        << "column " << column;
    const plan::Facts facts = plan::scan(project, "notes")->columns()[column];
    const plan::Relation all = plan::project(plan::scan(project, "notes"), {plan::column(column, plan::Type::text)});
    for (const testing::PlanRow& row : testing::reference_rows(project, cells(), all))
      EXPECT_TRUE(keeps(facts, row[0]));
  }
}

TEST(LongTexts, MeanTheSameInFilesOfEveryKind) {
  const auto with = [](const std::string& ending, const auto& write) {
    const TestFolder folder;
    const plan::Project project = project_of(ending, folder.file("dither.yaml"));
    write(folder, project);
    SCOPED_TRACE(ending);
    expect_numbers_of_the_reference(project, *open_duckdb(project));
  };
  with("csv", [](const auto& folder, const auto& project) { write_csv(folder, project, cells()); });
  with("parquet", [](const auto& folder, const auto& project) {
    write_copies(folder, project, cells(), "parquet", "FORMAT parquet");
  });
  with("json",
       [](const auto& folder, const auto& project) { write_copies(folder, project, cells(), "json", "FORMAT json"); });
  with("duckdb", [](const auto& folder, const auto& project) { write_database(folder, project, cells()); });
}

TEST(LongTexts, MeanTheSameOnAnotherEngine) {
  const plan::Project project = project_of("csv", "dither.yaml");
  const auto engine = open_sql(project, plan::Dialect::duckdb, std::make_shared<TablesInMemory>(project, cells()),
                               TablesInMemory::place_of, "in memory");
  expect_numbers_of_the_reference(project, *engine);
}

// Units with 1500 rows of the longest texts, or none: whether they are there does not make a run fail, however little memory it has.
TEST(LongTexts, OfHeavyUnitsRunWithinLittleMemory) {
  constexpr std::int64_t kRows = 1500;
  const auto found = [](const std::string& ending, std::int64_t heavy) {
    const TestFolder folder;
    const plan::Project project = project_of(ending, folder.file("dither.yaml"));
    const std::string longest = "repeat(chr(97 + (i % 26)::INTEGER), 65530) || i";
    const std::string file = detail::quoted(folder.file("notes." + ending));
    const std::string rows = fmt::format(
        "SELECT i % 2 AS person, {} AS free, '' AS cut, '' AS gone, '' AS known FROM range({}) t(i) "
        "UNION ALL SELECT i, 'short', '', '', '' FROM range(2, 12) t(i)",
        longest, heavy);
    if (ending == "duckdb") {
      run_freely({"ATTACH " + file + " AS one", "CREATE TABLE one.notes AS " + rows, "DETACH one"});
    } else {
      const std::string options = ending == "csv" ? "FORMAT csv" : "FORMAT parquet, ROW_GROUP_SIZE 2048";
      run_freely({fmt::format("COPY ({}) TO {} ({})", rows, file, options)});
    }
    Limits limits;
    limits.memory = std::uint64_t{64} << 20;
    plan::BoundedAggregate aggregate = by_text(project, 1);
    const auto engine = open_duckdb(project, limits);
    engine->prepare(aggregate);
    std::string all = shown(by_key(engine->run(aggregate, {})));
    const plan::Expression text = plan::column(1, plan::Type::text);
    aggregate.rows = plan::distinct(plan::project(
        plan::scan(project, "notes"), {plan::resolve("lower", {text}), plan::column(0, plan::Type::integer)}));
    aggregate.keys = 0;
    engine->prepare(aggregate);
    return all + shown(by_key(engine->run(aggregate, {})));
  };
  for (const char* ending : {"csv", "parquet", "duckdb"}) {
    SCOPED_TRACE(ending);
    EXPECT_NE(found(ending, kRows), found(ending, 0));
  }
}

// What `dither check` counts.
TEST(LongTexts, AreCountedForTheSteward) {
  const TestFolder folder;
  const plan::Project project = project_of("csv", folder.file("dither.yaml"));
  write_csv(folder, project, cells());
  const TableSurvey found = survey(project).at(0);
  const std::vector<std::uint64_t> outside = {0, 3, 7, 7, 7};
  for (std::size_t i = 0; i < outside.size(); ++i) EXPECT_EQ(found.columns[i].outside, outside[i]) << i;
}

}  // namespace
}  // namespace dither::engine
