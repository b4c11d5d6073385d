// Little room for temporary files: what one unit brings does not decide whether a run ends.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "engine/engine.h"
#include "engine/files_check.h"
#include "engine/small_folder_check.h"
#include "plan/functions.h"
#include "testing/refusal.h"

namespace dither::engine {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
constexpr std::int64_t kRows = 20'000;
constexpr std::size_t kLong = 2'500;

// ENDING is that of the source of visits.
const std::string kProject = R"(version: 1
data_version: "1"
privacy: {unit: person, neighbours: add-remove}
budgets: {main: {epsilon: 1}}
tables:
  visits:
    source: visits.ENDING
    unit: person
    columns:
      person: {type: integer}
      number: {type: integer}
      note: {type: text}
  words:
    source: words.csv
    public: true
    unique: [number]
    columns:
      number: {type: integer}
      word: {type: text}
)";

// Some rows of a thousand units, and very many that are all one unit's, or nobody's: then the source has the same size.
class SmallDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!SmallFolder::may_be_made()) GTEST_SKIP() << "nobody may mount a small disk here";
  }

  // Of the rows of the unit.
  struct Rows {
    std::function<std::string(std::int64_t)> note;
    std::function<std::int64_t(std::int64_t)> number = [](std::int64_t i) { return i; };
  };
  void write(const std::string& ending, const Rows& rows, bool is_there) {
    project_ = kProject;
    project_.replace(project_.find("ENDING"), 6, ending);
    std::ofstream csv(folder_.file("visits.csv"), std::ios::binary);
    csv << "person,number,note\n";
    for (std::int64_t i = 0; i < kRows; ++i)
      csv << (is_there ? "7," : "-,") << rows.number(i) << ',' << rows.note(i) << '\n';
    for (std::int64_t i = 0; i < 1000; ++i) csv << 1000 + i << ',' << i % 10 << ",short\n";
    csv.close();
    std::string words = "number,word\n77," + std::string(kLong, 'w') + "\n";
    for (int i = 0; i < 5'000; ++i) words += std::to_string(100 + i) + ",w\n";
    folder_.write("words.csv", words);
    const std::string all = "FROM read_csv('" + folder_.file("visits.csv") +
                            "', columns = {person: 'VARCHAR', number: 'BIGINT', note: 'VARCHAR'})";
    const std::string select = "(SELECT TRY_CAST(person AS BIGINT) AS person, number, note " + all + ")";
    if (ending == "parquet") run_freely({"COPY " + select + " TO '" + folder_.file("visits.parquet") + "'"});
    if (ending == "csv.gz")
      run_freely({"COPY (SELECT * " + all + ") TO '" + folder_.file("visits.csv.gz") + "' (FORMAT csv)"});
    if (ending == "duckdb") {
      std::filesystem::remove(folder_.file("visits.duckdb"));
      run_freely({"ATTACH '" + folder_.file("visits.duckdb") + "' AS one", "CREATE TABLE one.visits AS " + select,
                  "DETACH one"});
    }
  }

  using Make = std::function<plan::Relation(const plan::Project&)>;
  // How it ends where the folder has so many MiB; 0: as many as the disk.
  std::string end_of(const Make& rows, bool by_note, std::uint64_t room) const {
    const plan::Project project = plan::parse_project(project_, folder_.file("dither.yaml"));
    std::vector<plan::Expression> columns;
    if (by_note) columns.push_back(plan::column(2, plan::Type::text));
    columns.push_back(plan::column(0, plan::Type::integer));
    plan::BoundedAggregate aggregate;
    aggregate.rows = plan::normal_form(plan::project(rows(project), std::move(columns)));
    aggregate.keys = by_note ? 1 : 0;
    aggregate.keys_per_unit = 1;
    aggregate.measures = {{.kind = plan::MeasureKind::rows, .column = {}, .rows = 1, .total_high = 1}};
    std::optional<SmallFolder> small;
    if (room > 0) small.emplace(room);
    const auto engine = open_duckdb(
        project, {.memory = 64 * kMebibyte, .threads = 2, .spill = small ? small->path() : folder_.file("")});
    try {
      engine->prepare(aggregate);
    } catch (const Error& error) {
      return error.str();
    }
    try {
      engine->run(aggregate, {});
    } catch (const Error& error) {
      return error.str();
    }
    return "answered";
  }

  // Neighbours end alike in every room; they are answered where there is enough, and refused before anything is charged where there is not.
  void compare(const std::string& ending, const Rows& rows, const Make& make, bool by_note) {
    const std::vector<std::uint64_t> rooms = {2, 4, 8, 16, 32, 64, 0};
    std::vector<std::string> with, without;
    write(ending, rows, true);
    for (const std::uint64_t room : rooms) with.push_back(end_of(make, by_note, room));
    write(ending, rows, false);
    for (const std::uint64_t room : rooms) without.push_back(end_of(make, by_note, room));
    EXPECT_EQ(with, without);
    EXPECT_TRUE(with.front().starts_with("error: cannot-write")) << with.front();
    EXPECT_EQ(with.back(), "answered");
  }

  static plan::Relation scan(const plan::Project& project) { return plan::scan(project, "visits"); }

  TestFolder folder_;
  std::string project_;
};

std::string many_texts(std::int64_t i) { return std::string(190, 'x') + std::to_string(1'000'000'000 + i); }
std::string short_text(std::int64_t i) { return std::to_string(i); }
std::string one_text(std::int64_t) { return std::string(kLong, 'x'); }

TEST_F(SmallDisk, DistinctRows) {
  compare(
      "csv", {many_texts}, [](const auto& project) { return plan::distinct(scan(project)); }, false);
}

TEST_F(SmallDisk, UnknownKeys) { compare("csv", {many_texts}, scan, true); }

plan::Relation padded(const plan::Project& project) {
  const plan::Expression note =
      plan::call(plan::function_named("lpad"),
                 {plan::column(2, plan::Type::text), plan::constant({plan::Type::integer, Cell(std::int64_t{300})}),
                  plan::constant({plan::Type::text, Cell(std::string("x"))})});
  return plan::distinct(plan::project(plan::scan(project, "visits"), {plan::column(0, plan::Type::integer),
                                                                      plan::column(1, plan::Type::integer), note}));
}
TEST_F(SmallDisk, TextsThatExpressionsMake) { compare("csv", {many_texts}, padded, false); }

// The unit meets the one long row of the public table, 77; the others do not.
plan::Relation with_words(const plan::Project& project) {
  const plan::Relation joined =
      plan::join(plan::scan(project, "visits"), plan::scan(project, "words"), plan::JoinKind::inner, {{1, 0}});
  const plan::Expression both = plan::call(plan::function_named("concatenate"),
                                           {plan::column(4, plan::Type::text), plan::column(2, plan::Type::text)});
  return plan::distinct(
      plan::project(joined, {plan::column(0, plan::Type::integer), plan::column(1, plan::Type::integer), both}));
}
TEST_F(SmallDisk, RowsThatMeetTheOneLongRowOfAPublicTable) {
  compare("csv", {short_text, [](std::int64_t) { return 77; }}, with_words, false);
}

TEST_F(SmallDisk, OneLongValueOfAParquetFileAgainAndAgain) {
  compare(
      "parquet", {one_text}, [](const auto& project) { return plan::distinct(scan(project)); }, false);
  compare("parquet", {one_text}, scan, true);
}

TEST_F(SmallDisk, OneLongValueOfADatabaseAgainAndAgain) {
  compare(
      "duckdb", {one_text}, [](const auto& project) { return plan::distinct(scan(project)); }, false);
}

// Where rows are units each byte might be one; a disk without room for so many has room for those that there are.
TEST_F(SmallDisk, RowsThatAreUnitsAreCounted) {
  write("csv", {many_texts}, true);
  project_.replace(project_.find("unit: person\n    columns"), 12, "unit: row");
  const Make rows = [](const plan::Project& project) {
    return plan::project(scan(project), {plan::column(3, plan::Type::integer), plan::column(1, plan::Type::integer),
                                         plan::column(2, plan::Type::text)});
  };
  EXPECT_EQ(end_of(rows, true, 256), "answered");
  EXPECT_TRUE(end_of(rows, true, 2).starts_with("error: cannot-write"));
}

TEST_F(SmallDisk, OneLongValueOfAPackedFileAgainAndAgain) {
  compare(
      "csv.gz", {one_text}, [](const auto& project) { return plan::distinct(scan(project)); }, false);
}

}  // namespace
}  // namespace dither::engine
