#include "engine/survey.h"

#include <gtest/gtest.h>

#include "engine/files_check.h"
#include "testing/refusal.h"

namespace dither::engine {
namespace {

constexpr const char* kProject = R"(version: 1
data_version: "1"
privacy: {unit: person, neighbours: add-remove}
tables:
  visits:
    source: visits.csv
    unit: person
    bounds: {rows_per_unit: 2}
    columns:
      person: {type: integer}
      city: {type: text, keys: [a, b], outside: other}
      cost: {type: real, bounds: [0, 10], outside: clamp, null_as: 5}
  orders:
    source: orders.json
    unit: person
    unique: [id]
    columns:
      id: {type: integer}
      person: {type: integer}
  bills:
    source: bills.csv
    unit: {through: orders, by: {order_id: id}}
    columns: {order_id: {type: integer}}
  regions: {source: regions.csv, public: true, unique: [city], multiplicity: {zone: 2}}
budgets: {main: {epsilon: 1}}
)";

// Counted by hand.
TEST(Survey, CountsWhatTheDeclarationsDo) {
  const TestFolder folder;
  folder.write("visits.csv",
               "person,city,cost\n1,a,5\n1,a,\n1,c,11\n2,,-1\n,b,1\nx,a,nothing\n3,b\n4,a\xff,10\n5,\"open,1\n");
  folder.write("orders.json", "{\"id\": 1, \"person\": 1}\n{\"id\": 1, \"person\": 2}\n{\"id\": 2}\n[]\n");
  folder.write("bills.csv", "order_id\n1\n2\n3\n1\n");
  folder.write("regions.csv", "city,zone\na,n\na,n\nb,n\nc,s\n");
  const plan::Project project = plan::parse_project(kProject, folder.file("dither.yaml"));
  const std::vector<TableSurvey> found = survey(project);
  ASSERT_EQ(found.size(), 4u);
  const TableSurvey& visits = found[0];
  EXPECT_EQ(visits.table, "visits");
  EXPECT_EQ(visits.rows, 9u);
  EXPECT_EQ(visits.damaged, 2u);  // a field too few, and a quote that does not close: rows of NULL
  EXPECT_EQ(visits.without_unit, 4u);
  EXPECT_EQ(visits.cut_units, 1u);
  EXPECT_FALSE(visits.not_unique.has_value());
  const auto counts = [](const ColumnSurvey& column) {
    return std::vector{column.null, column.unreadable, column.outside};
  };
  EXPECT_EQ(counts(visits.columns[0]), (std::vector<std::uint64_t>{1, 3, 0}));
  EXPECT_EQ(counts(visits.columns[1]), (std::vector<std::uint64_t>{1, 3, 1}));
  EXPECT_EQ(counts(visits.columns[2]), (std::vector<std::uint64_t>{1, 3, 2}));
  EXPECT_EQ(found[1].damaged, 1u);
  EXPECT_EQ(found[1].not_unique, 2u);
  EXPECT_EQ(found[1].without_unit, 2u);
  EXPECT_EQ(found[2].without_unit, 2u);  // orders without a person, and no order at all
  EXPECT_EQ(found[2].rows, 4u);          // none twice, though an order is
  EXPECT_EQ(found[3].not_unique, 2u + 3u);
}

// A person with four rows of which two count: 10, 10, 10, 2, and one with the row 0. Mean 32/5; answered (2 * 8 + 0) / 3. Sum 32,
// answered 20 + 0.
TEST(Survey, SaysWhatCuttingUnitsDoesToMeansAndSums) {
  const TestFolder folder;
  folder.write("visits.csv", "person,city,cost\n1,a,10\n1,a,10\n1,b,10\n1,b,2\n2,a,0\n,a,10\n");
  for (const char* other : {"orders.json", "bills.csv", "regions.csv"}) folder.write(other, "order_id,city,zone\n");
  folder.write("orders.json", "{\"id\": 1, \"person\": 1}\n");
  const plan::Project project = plan::parse_project(kProject, folder.file("dither.yaml"));
  const TableSurvey visits = survey(project)[0];
  EXPECT_EQ(visits.cut_units, 1u);
  ASSERT_EQ(visits.cut.size(), 1u);
  EXPECT_EQ(visits.cut[0].column, "cost");
  EXPECT_DOUBLE_EQ(visits.cut[0].mean, 32.0 / 5);
  EXPECT_DOUBLE_EQ(visits.cut[0].answered_mean, 16.0 / 3);
  EXPECT_DOUBLE_EQ(visits.cut[0].sum, 32);
  EXPECT_DOUBLE_EQ(visits.cut[0].answered_sum, 20);
}

// GROUP BY city with two keys a unit, two rows a key and three in all. Unit 1 has three cities and keeps two of them; unit 2 has five
// rows in a, of which two count.
TEST(Survey, SaysWhatCuttingKeysAndRowsDoesByKey) {
  const TestFolder folder;
  folder.write("visits.csv",
               "person,city,cost\n1,a,4\n1,b,4\n1,c,4\n2,a,1\n2,a,1\n2,a,1\n2,a,1\n2,a,6\n3,b,9\n,a,10\n");
  const plan::Project project = plan::parse_project(R"(version: 1
data_version: "1"
privacy: {unit: person, neighbours: add-remove}
tables:
  visits:
    source: visits.csv
    unit: person
    bounds: {rows_per_unit: 3, keys_per_unit: 2, rows_per_key: 2}
    columns:
      person: {type: integer}
      city: {type: text, keys: [a, b, c], outside: other}
      cost: {type: decimal, grid: 0.5, bounds: [0, 10], outside: clamp}
budgets: {main: {epsilon: 1}}
)",
                                                    folder.file("dither.yaml"));
  const TableSurvey visits = survey(project)[0];
  ASSERT_EQ(visits.by_key.size(), 1u);
  const KeySurvey& city = visits.by_key[0];
  EXPECT_EQ(city.column, "city");
  EXPECT_EQ(city.over_keys, 1u);
  EXPECT_EQ(city.over_rows, 1u);
  std::uint64_t rows = 0, answered_rows = 0, units = 0, answered_units = 0, cut_units = 0;
  for (const KeyCut& key : city.keys) {
    rows += key.rows;
    answered_rows += key.answered_rows;
    units += key.units;
    answered_units += key.answered_units;
    cut_units += key.cut_units;
    if (key.key != Cell(std::string("a"))) continue;
    EXPECT_EQ(key.rows, 6u);
    EXPECT_EQ(key.units, 2u);
    ASSERT_EQ(key.values.size(), 1u);
    const CutSurvey& cost = key.values[0];
    EXPECT_DOUBLE_EQ(cost.mean, 14.0 / 6);
    EXPECT_DOUBLE_EQ(cost.sum, 14);
    const bool kept = key.answered_units == 2;            // unit 1 keeps a
    EXPECT_DOUBLE_EQ(cost.answered_sum, kept ? 14 : 10);  // of unit 2 all 10, which two rows may add
    EXPECT_NEAR(cost.answered_mean, kept ? (2 * 2.0 + 4) / 3 : 2.0, 1e-5);
  }
  EXPECT_EQ(units - answered_units, 1u);  // whichever key unit 1 does not keep
  EXPECT_EQ(rows - answered_rows, 1u + 3u);
  EXPECT_EQ(cut_units, 2u + 1u);
}

// Where bounds cut nothing there is nothing to say.
TEST(Survey, SaysNothingByKeyWhereNothingIsCut) {
  const TestFolder folder;
  folder.write("visits.csv", "person,city,cost\n1,a,4\n1,b,4\n2,a,1\n");
  for (const char* other : {"orders.json", "bills.csv", "regions.csv"}) folder.write(other, "order_id,city,zone\n");
  folder.write("orders.json", "{\"id\": 1, \"person\": 1}\n");
  EXPECT_TRUE(survey(plan::parse_project(kProject, folder.file("dither.yaml")))[0].by_key.empty());
}

TEST(Survey, NamesAndGuessesColumns) {
  const TestFolder folder;
  folder.write(
      "v.csv",
      "id,cost,day,at,yes,note,empty\n1,1.5,2024-01-01,2024-01-01 10:00,true,x,\n2,2,2024-01-02,2024-01-02,f,1,\n");
  run_freely({"COPY (SELECT 1 AS id, 1.5::FLOAT AS cost, [1] AS list) TO '" + folder.file("v.parquet") + "'"});
  folder.write("v.json", "{\"id\": 1, \"cost\": 1.5}\n{\"id\": 2, \"note\": \"x\", \"list\": [1]}\n");
  const auto told = [&](plan::SourceKind kind, const std::string& file) {
    std::string text;
    for (const FoundColumn& column : columns_of({kind, file, ""}, folder.file(""))) {
      text += column.name + ":" + (column.guess ? std::string(type_name(*column.guess)) : "?") + " ";
    }
    return text;
  };
  EXPECT_EQ(told(plan::SourceKind::csv, "v.csv"),
            "id:integer cost:real day:date at:timestamp yes:boolean note:text empty:? ");
  EXPECT_EQ(told(plan::SourceKind::parquet, "v.parquet"), "id:integer cost:real list:? ");
  EXPECT_EQ(told(plan::SourceKind::json, "v.json"), "id:integer cost:real note:text list:? ");
  EXPECT_EQ(testing::refusal([&] {
              columns_of({plan::SourceKind::csv, "gone.csv", ""}, folder.file(""));
            }),
            Code::cannot_read);
}

}  // namespace
}  // namespace dither::engine
