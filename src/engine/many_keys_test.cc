// As many keys as rows that nobody listed: none of them takes memory until the answer is drawn.
#include <gtest/gtest.h>

#include <fstream>

#include "engine/engine.h"
#include "engine/files_check.h"
#include "testing/peak_memory.h"

namespace dither::engine {
namespace {

constexpr std::uint64_t kLimit = std::uint64_t{64} << 20;  // what the engine takes at least
constexpr std::int64_t kFew = 1000, kMany = 2'000'000;

std::string project_text(const std::string& unit) {
  return R"(version: 1
data_version: "1"
privacy: {unit: person, neighbours: add-remove}
budgets: {main: {epsilon: 1}}
tables:
  visits:
    source: visits.csv
    unit: )" +
         unit + R"(
    columns:
      person: {type: integer}
      number: {type: integer}
)";
}

class ManyKeys : public ::testing::Test {
 protected:
  void write(std::int64_t rows) const {
    std::ofstream out(folder_.file("visits.csv"), std::ios::binary);
    out << "person,number\n";
    for (std::int64_t i = 0; i < rows; ++i) out << i % (rows / 10) << ',' << i * 7919 % 2'000'003 << '\n';
  }

  // Rows by number, each of which is a key. `take` sees all of them.
  void ask(const std::string& unit, std::uint64_t keys_per_unit,
           const std::function<void(const ExactNumbers::Row&)>& take) const {
    const plan::Project project = plan::parse_project(project_text(unit), folder_.file("dither.yaml"));
    const plan::Relation visits = plan::scan(project, "visits");
    plan::BoundedAggregate aggregate;
    aggregate.keys = 1;
    aggregate.rows = plan::normal_form(plan::project(
        visits, {plan::column(1, plan::Type::integer), plan::column(visits->owner().unit, plan::Type::integer)}));
    aggregate.keys_per_unit = keys_per_unit;
    aggregate.measures = {{.kind = plan::MeasureKind::rows, .column = {}, .rows = 3, .total_high = 3}};
    const auto engine = open_duckdb(project, {.memory = kLimit, .threads = 2, .spill = folder_.file("")});
    engine->prepare(aggregate);
    const ExactNumbers found = engine->run(aggregate, {});
    ExactTestAccess::content(found).each(take);
  }

  // Beside what the library and its threads take for few keys.
  bool stays_within_limit(
      const std::string& unit, const std::function<void(const ExactNumbers::Row&)>& take = [](const auto&) {}) const {
    write(kFew);
    const std::uint64_t few = testing::peak_of([&] { ask(unit, 3, take); });
    write(kMany);
    return testing::peak_of([&] { ask(unit, 3, take); }) <= few + kLimit;
  }

  TestFolder folder_;
};

TEST_F(ManyKeys, TakeNoMemoryEach) { EXPECT_TRUE(stays_within_limit("person")); }
TEST_F(ManyKeys, TakeNoMemoryEachWhereRowsAreUnits) { EXPECT_TRUE(stays_within_limit("row")); }

// What each key took, on the way to the answer.
TEST_F(ManyKeys, PlantedBytesOfEachKeyAreCaught) {
  std::vector<std::vector<char>> held;
  EXPECT_FALSE(stays_within_limit("row", [&](const ExactNumbers::Row&) { held.emplace_back(150, 'x'); }));
}

// Of ten rows with ten keys a unit keeps the keys with the least hashes, three of them, and brings each one row.
// Spec: D-77
TEST_F(ManyKeys, AreAllThere) {
  constexpr std::int64_t kRows = 300'000;
  write(kRows);
  Int128 units = 0, rows = 0;
  std::int64_t keys = 0;
  std::string before;
  ask("person", 3, [&](const ExactNumbers::Row& row) {
    const std::string bytes = canonical(row.key);
    EXPECT_LT(before, bytes);
    before = bytes;
    units += row.units, rows += row.numbers[0], ++keys;
  });
  EXPECT_EQ(to_string(units), "90000");
  EXPECT_EQ(to_string(rows), "90000");
  EXPECT_EQ(keys, 90'000);
  keys = 0;
  ask("row", 1, [&](const ExactNumbers::Row& row) {
    const std::string bytes = canonical(row.key);
    EXPECT_TRUE(keys == 0 || before < bytes);
    before = bytes;
    EXPECT_EQ(row.units, 1);
    ++keys;
  });
  EXPECT_EQ(keys, kRows);
}

}  // namespace
}  // namespace dither::engine
