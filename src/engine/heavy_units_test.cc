// One unit with very many rows, keys that are long and many: nothing fails within little memory, and neighbours end alike.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <functional>

#include "engine/engine.h"
#include "engine/files_check.h"
#include "plan/functions.h"
#include "testing/peak_memory.h"

namespace dither::engine {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
constexpr std::int64_t kHeavy = 1234;

bool nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }
std::int64_t heavy_rows() { return nightly() ? 1'000'000 : 300'000; }
// What the engine takes at least, and what a small machine may allow.
std::vector<std::uint64_t> limits() {
  return nightly() ? std::vector{64 * kMebibyte, 128 * kMebibyte} : std::vector{64 * kMebibyte};
}

std::string project_text() {
  const std::string columns = R"(
    columns:
      person: {type: integer}
      number: {type: integer}
      note: {type: text}
)";
  return R"(version: 1
data_version: "1"
privacy: {unit: person, neighbours: add-remove}
budgets: {main: {epsilon: 1}}
tables:
  visits:
    source: visits.csv
    unit: person)" +
         columns + "  calls:\n    source: calls.csv\n    unit: person" + columns +
         R"(  words:
    source: words.csv
    public: true
    multiplicity: {number: 3}
    columns:
      number: {type: integer}
      word: {type: text}
)";
}

// A thousand units with two rows each, and the heavy one if it is there: every note has 200 bytes.
void write_rows(const TestFolder& folder, const std::string& name, std::int64_t heavy) {
  std::ofstream out(folder.file(name), std::ios::binary);
  out << "person,number,note\n";
  const std::string filler(190, 'x');
  std::int64_t number = 0;
  const auto row = [&](std::int64_t person) {
    out << person << ',' << number % 1000 << ',' << filler << std::to_string(1'000'000'000 + number) << '\n';
    ++number;
  };
  for (std::int64_t i = 0; i < heavy; ++i) row(kHeavy);
  for (std::int64_t person = 2000; person < 3000; ++person) row(person), row(person);
}

class HeavyUnits : public ::testing::Test {
 protected:
  HeavyUnits() : project_(plan::parse_project(project_text(), folder_.file("dither.yaml"))) {
    folder_.write("words.csv", [] {
      std::string text = "number,word\n";
      for (int i = 0; i < 1000; ++i) text += std::to_string(i) + ",w" + std::to_string(i % 7) + "\n";
      return text;
    }());
    write_rows(folder_, "calls.csv", 3);
  }

  plan::Relation scan(const std::string& table) const { return plan::scan(project_, table); }

  // Units, and rows of which a unit has three at most.
  std::string answer(const plan::Relation& rows, const std::vector<plan::Expression>& keys,
                     std::uint64_t memory) const {
    return answer_of(project_, rows, keys, memory);
  }
  std::string answer_of(const plan::Project& project, const plan::Relation& rows, std::vector<plan::Expression> keys,
                        std::uint64_t memory) const {
    plan::BoundedAggregate aggregate;
    aggregate.keys = keys.size();
    keys.push_back(plan::column(rows->owner().unit, plan::Type::integer));
    aggregate.rows = plan::normal_form(plan::project(rows, std::move(keys)));
    aggregate.keys_per_unit = 2;
    aggregate.measures = {{.kind = plan::MeasureKind::rows, .column = {}, .rows = 3, .total_high = 3}};
    const auto engine = open_duckdb(project, {.memory = memory, .threads = 2, .spill = folder_.file("")});
    engine->prepare(aggregate);
    const ExactNumbers found = engine->run(aggregate, {});
    const ExactNumbers::Content& content = ExactTestAccess::content(found);
    Int128 units = 0, rows_found = 0;
    content.each([&](const ExactNumbers::Row& row) { units += row.units, rows_found += row.numbers[0]; });
    return to_string(units) + " units, " + to_string(rows_found) + " rows";
  }

  // The same with and without the heavy unit, in little memory.
  void compare(const plan::Relation& rows, const std::vector<plan::Expression>& keys, const std::string& with,
               const std::string& without) {
    for (const std::uint64_t memory : limits()) {
      write_rows(folder_, "visits.csv", heavy_rows());
      EXPECT_EQ(answer(rows, keys, memory), with);
      write_rows(folder_, "visits.csv", 0);
      EXPECT_EQ(answer(rows, keys, memory), without);
    }
  }

  TestFolder folder_;
  plan::Project project_;
};

// A heavy unit takes the memory of the limit and no more: beside what the library and its threads take for two rows a unit.
TEST_F(HeavyUnits, PeaksStayWithinTheLimit) {
  const std::uint64_t limit = 64 * kMebibyte;
  const plan::Relation joined = plan::join(scan("calls"), scan("visits"), plan::JoinKind::left, {{0, 0}});
  const std::vector<plan::Expression> note{plan::column(2, plan::Type::text)};
  const auto work = [&] {
    for (const plan::Relation& rows : {plan::distinct(scan("visits")), plan::distinct(joined)})
      answer(rows, note, limit);
  };
  write_rows(folder_, "visits.csv", 0);
  const std::uint64_t light = testing::peak_of(work);
  write_rows(folder_, "visits.csv", heavy_rows());
  EXPECT_LE(testing::peak_of(work), light + limit);
}

TEST_F(HeavyUnits, JoinOfAHeavyUnitAnswers) {
  const plan::Relation light_first = plan::join(scan("calls"), scan("visits"), plan::JoinKind::inner, {{0, 0}});
  compare(plan::filter(light_first,
                       plan::resolve("<>", {plan::column(5, plan::Type::text), plan::column(2, plan::Type::text)})),
          {}, "1001 units, 3003 rows", "1000 units, 3000 rows");
}

TEST_F(HeavyUnits, DistinctOverAHeavyUnitAnswers) {
  compare(plan::distinct(scan("visits")), {}, "1001 units, 2003 rows", "1000 units, 2000 rows");
}

TEST_F(HeavyUnits, UnionOfDistinctAndOfAJoinWithPublicRowsAnswers) {
  const plan::Relation visits = scan("visits");
  const plan::Relation joined = plan::join(visits, scan("words"), plan::JoinKind::left, {{1, 0}});
  const auto first_three = [](const plan::Relation& rows) {
    return plan::project(rows, {plan::column(0, plan::Type::integer), plan::column(1, plan::Type::integer),
                                plan::column(2, plan::Type::text)});
  };
  compare(plan::distinct(plan::union_all({plan::distinct(visits), first_three(joined)})), {}, "1001 units, 2003 rows",
          "1000 units, 2000 rows");
}

// DuckDB takes three times 32 MiB for a page of these: more than all of its memory.
TEST_F(HeavyUnits, LargePagesOfParquetFilesAreRead) {
  write_rows(folder_, "visits.csv", heavy_rows());
  run_freely({"COPY (SELECT * FROM '" + folder_.file("visits.csv") + "') TO '" + folder_.file("visits.parquet") + "'"});
  std::string text = project_text();
  text.replace(text.find("visits.csv"), 10, "visits.parquet");
  text.replace(text.find("note: {type: text}"), 18, "note: {type: text, max_length: 200, outside: null}");
  const plan::Project project = plan::parse_project(text, folder_.file("dither.yaml"));
  const plan::Relation once = plan::distinct(plan::scan(project, "visits"));
  EXPECT_EQ(answer_of(project, once, {}, 64 * kMebibyte), "1001 units, 2003 rows");
}

// As many keys as rows, each of 200 bytes, half of them of one unit; two of them are kept.
TEST_F(HeavyUnits, ManyLongUnknownKeysAnswer) {
  compare(scan("visits"), {plan::column(2, plan::Type::text)}, "2002 units, 2002 rows", "2000 units, 2000 rows");
}

}  // namespace
}  // namespace dither::engine
