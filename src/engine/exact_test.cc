// The same numbers from every engine, from files of every kind, as the reference finds.
#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/arrow_cells_check.h"
#include "engine/bounded_sql.h"
#include "engine/detail/on_disk_numbers.h"
#include "engine/engine.h"
#include "engine/files_check.h"
#include "engine/relation_check.h"
#include "testing/refusal.h"
#include "testing/seed.h"

namespace dither::engine {
namespace {

// Of one aggregate, by every engine; `cells` is what the sources hold.
void compare(const plan::Project& project, const testing::PlanDatabase& cells, const plan::BoundedAggregate& aggregate,
             Engine& engine) {
  engine.prepare(aggregate);
  const ExactNumbers numbers = engine.run(aggregate, {});
  const ExactNumbers::Content& content = ExactTestAccess::content(numbers);
  plan::BoundedAggregate summed = aggregate;
  std::erase_if(summed.measures, [](const plan::Measure& measure) {
    return measure.kind == plan::MeasureKind::distinct || measure.kind == plan::MeasureKind::histogram;
  });
  const testing::PlanRows rows = testing::reference_rows(project, cells, aggregate.rows);
  testing::ExactNumbers expected = testing::reference_exact(rows, summed);
  testing::ExactNumbers found = by_key(numbers);
  for (std::size_t i = 0; i < aggregate.measures.size(); ++i) {
    const plan::Measure& measure = aggregate.measures[i];
    if (i < summed.measures.size()) continue;
    const Brought brought = reference_brought(rows, aggregate, measure);
    for (std::size_t k = 0; k < content.size(); ++k) {
      const std::string key = aggregate.keys == 0 ? "" : canonical(content.keys[k]);
      const auto values = brought.contains(key) ? brought.at(key) : std::map<std::string, Int128>{};
      if (measure.kind == plan::MeasureKind::distinct) {
        EXPECT_EQ(to_string(content.numbers[i][k]), to_string(static_cast<Int128>(values.size())));
      } else {
        std::map<std::string, Int128> bins;
        for (const ExactNumbers::Bin& bin : content.histograms[i][k]) {
          bins[canonical(Cell{static_cast<std::int64_t>(bin.cell)})] = bin.count;
        }
        EXPECT_TRUE(bins == values);
      }
    }
  }
  for (auto& [key, row] : found)
    row.erase(row.begin() + static_cast<std::ptrdiff_t>(summed.measures.size()), row.end() - 1);
  ASSERT_EQ(shown(found), shown(expected)) << canonical_json(aggregate);
}

int rounds(int usual) { return std::getenv("DITHER_NIGHTLY") != nullptr ? 30 * usual : usual; }

// All keys that rows may have, and one that none has, where they are asked for in public.
void ask_in_public(RandomPlans& random, const testing::PlanRows& rows, plan::BoundedAggregate& aggregate) {
  if (aggregate.keys == 0 || random.below(2) == 0) return;
  std::map<std::string, std::vector<Cell>> keys;
  for (const testing::PlanRow& row : rows) {
    const std::vector<Cell> key(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(aggregate.keys));
    if (random.below(4) != 0) keys[canonical(key)] = key;
  }
  std::vector<Cell> other;
  for (std::size_t i = 0; i < aggregate.keys; ++i) other.push_back(random.cell(aggregate.rows->columns()[i].type));
  keys[canonical(other)] = other;
  aggregate.public_keys.emplace();
  for (const auto& [bytes, key] : keys) aggregate.public_keys->push_back(key);
}

// Spec: D-77, W-30, W-34
TEST(Exact, SqlEngineGivesTheNumbersOfTheReference) {
  const plan::Project project = plan::parse_project(every_kind("csv"), "dither.yaml");
  RandomPlans random(project, testing::run_seed());
  for (int i = 0; i < rounds(2); ++i) {
    const testing::PlanDatabase cells = random.database(25);
    const auto engine = open_sql(project, plan::Dialect::duckdb, std::make_shared<TablesInMemory>(project, cells),
                                 TablesInMemory::place_of, "in memory");
    for (int j = 0; j < 8; ++j) {
      plan::BoundedAggregate aggregate = random.aggregate(random.relation(static_cast<int>(random.below(3))), true);
      ask_in_public(random, testing::reference_rows(project, cells, aggregate.rows), aggregate);
      ASSERT_NO_FATAL_FAILURE(compare(project, cells, aggregate, *engine));
    }
  }
}

void compare_files(
    const std::string& ending,
    const std::function<testing::PlanDatabase(const TestFolder&, const plan::Project&, testing::PlanDatabase)>& write) {
  for (int i = 0; i < rounds(2); ++i) {
    const TestFolder folder;
    const plan::Project project = plan::parse_project(every_kind(ending), folder.file("dither.yaml"));
    RandomPlans random(project, testing::run_seed() + static_cast<std::uint64_t>(i));
    const testing::PlanDatabase cells = write(folder, project, random.database(25));
    const auto engine = open_duckdb(project);
    for (int j = 0; j < 5; ++j) {
      plan::BoundedAggregate aggregate =
          random.aggregate(random.relation(static_cast<int>(random.below(3))), j % 3 == 0);
      ask_in_public(random, testing::reference_rows(project, cells, aggregate.rows), aggregate);
      ASSERT_NO_FATAL_FAILURE(compare(project, cells, aggregate, *engine));
    }
  }
}

// Spec: W-30
TEST(Exact, CsvFilesGiveTheNumbersOfTheReference) {
  compare_files("csv", [](const TestFolder& folder, const plan::Project& project, testing::PlanDatabase cells) {
    write_csv(folder, project, cells);
    return cells;
  });
}

// Spec: W-30
TEST(Exact, ParquetFilesGiveTheNumbersOfTheReference) {
  compare_files("parquet", [](const TestFolder& folder, const plan::Project& project, testing::PlanDatabase cells) {
    write_copies(folder, project, cells, "parquet", "FORMAT parquet");
    return cells;
  });
}

TEST(Exact, JsonFilesGiveTheNumbersOfTheReference) {
  for (const std::string options : {"FORMAT json", "FORMAT json, ARRAY true"}) {
    compare_files("json", [&](const TestFolder& folder, const plan::Project& project, testing::PlanDatabase cells) {
      write_copies(folder, project, as_json(cells), "json", options);
      return cells;
    });
  }
}

// Spec: W-30
TEST(Exact, DatabasesGiveTheNumbersOfTheReference) {
  compare_files("duckdb", [](const TestFolder& folder, const plan::Project& project, testing::PlanDatabase cells) {
    write_database(folder, project, cells);
    return cells;
  });
}

// Spec: W-30
TEST(Exact, TablesInMemoryGiveTheNumbersOfTheReference) {
  std::string text = every_kind("memory");
  for (std::size_t at = 0; (at = text.find("source: ", at)) != std::string::npos;) {
    at += std::string_view("source: ").size();
    text.replace(at, text.find('\n', at) - at, "{kind: memory}");
  }
  const plan::Project project = plan::parse_project(text, "dither.yaml");
  for (int i = 0; i < rounds(2); ++i) {
    RandomPlans random(project, testing::run_seed() + static_cast<std::uint64_t>(i));
    const testing::PlanDatabase cells = random.database(25);
    MemoryTables tables;
    for (const plan::TableDeclaration& table : project.tables) {
      tables[table.name] = table_of_cells(table, cells.at(table.name), 1 + random.below(30));
    }
    const auto engine = open_duckdb(project, {}, tables, {});
    for (int j = 0; j < 5; ++j) {
      plan::BoundedAggregate aggregate =
          random.aggregate(random.relation(static_cast<int>(random.below(3))), j % 3 == 0);
      ask_in_public(random, testing::reference_rows(project, cells, aggregate.rows), aggregate);
      ASSERT_NO_FATAL_FAILURE(compare(project, cells, aggregate, *engine));
    }
  }
}

// What the engine does where memory is too small, in almost no memory, or in so little that no array by code fits.
class OnDiskEngine : public Engine {
 public:
  OnDiskEngine(const plan::Project& project, std::uint64_t memory)
      : project_(project), opened_(project_, {}), memory_(memory) {}
  void prepare(const plan::BoundedAggregate&) override {}
  std::string fingerprint(const std::vector<std::string>&) override { return ""; }
  ExactNumbers run(const plan::BoundedAggregate& aggregate, const Watch& watch) override {
    return ExactNumbers(detail::numbers_on_disk(opened_, project_, aggregate, {memory_, 2, ""}, watch));
  }

 private:
  const plan::Project& project_;
  detail::Opened opened_;
  std::uint64_t memory_;
};

// Spec: D-77, W-30
TEST(Exact, WhatSortsOnDiskGivesTheNumbersOfTheReference) {
  for (int i = 0; i < rounds(2); ++i) {
    const TestFolder folder;
    const plan::Project project = plan::parse_project(every_kind("duckdb"), folder.file("dither.yaml"));
    RandomPlans random(project, testing::run_seed() + static_cast<std::uint64_t>(i));
    const testing::PlanDatabase cells = random.database(25);
    write_database(folder, project, cells);
    OnDiskEngine some(project, std::uint64_t{1} << 16), little(project, std::uint64_t{1} << 9);
    for (int j = 0; j < 16; ++j) {
      plan::BoundedAggregate aggregate = random.aggregate(random.relation(static_cast<int>(random.below(3))), true);
      ask_in_public(random, testing::reference_rows(project, cells, aggregate.rows), aggregate);
      ASSERT_NO_FATAL_FAILURE(compare(project, cells, aggregate, j % 2 == 0 ? some : little));
    }
  }
}

// Numbers that 2^40 rows could bring beyond 128 bits are refused by what is declared, before anything is read.
TEST(Exact, RefusesWhatCouldLeave128Bits) {
  const plan::Project project = plan::parse_project(every_kind("csv"), "dither.yaml");
  RandomPlans random(project, testing::run_seed());
  plan::BoundedAggregate asked = random.aggregate(random.scan_of("visits"), true);
  const auto refused = [&](plan::MeasureKind kind, Int128 low, Int128 high, Int128 total) {
    asked.measures = {
        {.kind = kind, .column = asked.keys + 1, .low = low, .high = high, .total_low = -1, .total_high = total}};
    return testing::refusal([&] { require_room(asked); });
  };
  const auto power = [](int exponent) { return Int128{1} << exponent; };
  EXPECT_EQ(refused(plan::MeasureKind::sum, -power(62), power(62), power(87)), std::nullopt);
  EXPECT_EQ(refused(plan::MeasureKind::sum, 0, power(62) + 1, 1), Code::bad_limit);
  EXPECT_EQ(refused(plan::MeasureKind::sum, 0, 1, power(87) + 1), Code::bad_limit);
  EXPECT_EQ(refused(plan::MeasureKind::squares, 0, power(43), 1), std::nullopt);
  EXPECT_EQ(refused(plan::MeasureKind::squares, 0, power(44), 1), Code::bad_limit);
  asked.measures[0].kind = plan::MeasureKind::histogram;
  asked.measures[0].step = Rational::power_of_two(-63);
  asked.measures[0].high = 1;
  EXPECT_EQ(testing::refusal([&] { require_room(asked); }), Code::bad_limit);
}

// Of a scaled measure S * 2^finer * t is formed: whatever the number of rows, 128 bits hold it, or it is refused.
TEST(Exact, RefusesScaledTotalsBeyond62Bits) {
  const plan::Project project = plan::parse_project(every_kind("csv"), "dither.yaml");
  RandomPlans random(project, testing::run_seed());
  plan::BoundedAggregate asked = random.aggregate(random.scan_of("visits"), false);
  const auto refused = [&](Int128 high, std::uint64_t rows, unsigned finer) {
    asked.measures = {{.kind = plan::MeasureKind::sum,
                       .column = asked.keys + 1,
                       .high = high,
                       .rows = rows,
                       .total_high = 1,
                       .cut = plan::Cut::scale,
                       .finer = finer}};
    return testing::refusal([&] { require_room(asked); });
  };
  EXPECT_EQ(refused(1, 1, 62), std::nullopt);
  EXPECT_EQ(refused(1, 1, 63), Code::bad_limit);
  EXPECT_EQ(refused(1, 2, 62), Code::bad_limit);
  EXPECT_EQ(refused(0, 1, 200), Code::bad_limit);
  EXPECT_EQ(refused(Int128{1} << 30, std::uint64_t{1} << 20, 12), std::nullopt);
  EXPECT_EQ(refused(Int128{1} << 30, std::uint64_t{1} << 20, 13), Code::bad_limit);
  EXPECT_EQ(refused(Int128{1} << 30, (std::uint64_t{1} << 20) + 1, 12), Code::bad_limit);
  EXPECT_EQ(refused(1, 0, 0), Code::bad_limit);
  asked.measures.clear();
  asked.rows_per_unit = 0;
  EXPECT_EQ(testing::refusal([&] { require_room(asked); }), Code::bad_limit);
}

}  // namespace
}  // namespace dither::engine
