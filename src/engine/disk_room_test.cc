// Room on disk: how much a run may need by public facts, that it is asked for before, and that it is held.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <thread>

#include "base/error.h"
#include "engine/detail/disk_room.h"
#include "engine/detail/spill_file.h"
#include "engine/engine.h"
#include "engine/exact_check.h"
#include "plan/functions.h"
#include "testing/refusal.h"

namespace dither::engine {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

const char* const kProject = R"(version: 1
data_version: "1"
privacy: {unit: person, neighbours: add-remove}
budgets: {main: {epsilon: 1}}
tables:
  visits:
    source: visits.csv
    unit: person
    columns:
      person: {type: integer}
      note: {type: text}
  calls:
    source: calls.csv
    unit: person
    bounds: {rows_per_unit: 4}
    columns:
      person: {type: integer}
  words:
    source: words.csv
    public: true
    unique: [person]
    columns:
      person: {type: integer}
      word: {type: text}
)";

class DiskRoom : public ::testing::Test {
 protected:
  DiskRoom() : project_(plan::parse_project(kProject, folder_.file("dither.yaml"))) {}

  plan::Relation scan(const std::string& table) const { return plan::scan(project_, table); }
  plan::BoundedAggregate counted(const plan::Relation& rows, bool by_note) const {
    std::vector<plan::Expression> columns;
    if (by_note) columns.push_back(plan::column(1, plan::Type::text));
    columns.push_back(plan::column(0, plan::Type::integer));
    plan::BoundedAggregate aggregate;
    aggregate.rows = plan::project(rows, columns);
    aggregate.keys = by_note ? 1 : 0;
    aggregate.measures = {{.kind = plan::MeasureKind::rows, .column = {}, .total_high = 1}};
    return aggregate;
  }
  std::uint64_t needed(const plan::Relation& rows, bool by_note = false) const {
    return detail::disk_needed(project_, counted(rows, by_note),
                               [](const plan::TableDeclaration& table) -> detail::SourceSize {
                                 if (table.name == "words") return {0, 1000, 30'000, 2'500};
                                 return {(table.name == "visits" ? 300 : 20) * kMebibyte, {}, {}, {}};
                               });
  }

  TestFolder folder_;
  plan::Project project_;
};

// Records of 100 Mi rows with so many MiB of cells: a byte says whether they can be joined, another one how long they are.
double sorted(double cells) { return cells * 65 / 64 + 2 * 100; }
// Of the bounding operator: two words each.
constexpr double kRecords = 100 * 16;
double in_mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / kMebibyte; }

// 300 MiB have 100 Mi rows of two columns at most, whose cells take 2.5 bytes for each byte of text and delimiter; each is a record
// of 16 bytes for the bounding operator. One step is there twice while it is merged.
TEST_F(DiskRoom, IsAFactorOfTheStatementTimesTheSizesOfSources) {
  const plan::Relation visits = scan("visits");
  EXPECT_NEAR(in_mebibytes(needed(visits)), kRecords, 1);
  EXPECT_NEAR(in_mebibytes(needed(plan::distinct(visits))), sorted(750) + kRecords, 1);
  EXPECT_NEAR(in_mebibytes(needed(plan::distinct(plan::distinct(visits)))), 2 * sorted(750) + kRecords, 1);
  const double both = sorted(775) + 10 * 2;  // 10 Mi rows of `calls` have 2 bytes a byte
  EXPECT_GT(in_mebibytes(needed(plan::distinct(plan::union_all(
                {visits, plan::project(scan("calls"), {plan::column(0, plan::Type::integer),
                                                       plan::constant({plan::Type::text, Cell(std::string())})})})))),
            both + kRecords);
}

// Rows with their keys in canonical bytes, the keys alone, and as many totals: a code and two numbers of a byte, which has another one
// before it. Records for the bounding operator have the digests of keys too.
TEST_F(DiskRoom, CountsWhatEachKeyTakes) {
  EXPECT_NEAR(in_mebibytes(needed(scan("visits"), true)), 2 * sorted(750 + 800) + 100 * (4 + 2 * 2 + 2) + 2400, 2);
}

// The unit is a key and is read: at most 8 bytes more a row. Four rows of `calls` for each of `visits`.
TEST_F(DiskRoom, CountsKeysOfJoinsTwice) {
  const double joined =
      in_mebibytes(needed(plan::join(scan("visits"), scan("calls"), plan::JoinKind::inner, {{0, 0}})));
  EXPECT_NEAR(joined, sorted(750 + 750) + (2 * 40 * 65.0 / 64 + 10 * 2) + 4 * kRecords, 2);
}

// A row of a public table may be met by all: the longest one of 30,000 bytes in 1000 rows takes 2,500.
TEST_F(DiskRoom, CountsTheLongestRowOfAPublicTable) {
  const plan::Relation joined = plan::join(scan("visits"), scan("words"), plan::JoinKind::inner, {{0, 0}});
  EXPECT_GE(needed(plan::distinct(joined)), 2 * 100 * kMebibyte * 2'500);
  const plan::Relation upper =
      plan::project(scan("words"), {plan::column(0, plan::Type::integer),
                                    plan::call(plan::function_named("upper"), {plan::column(1, plan::Type::text)})});
  const plan::Relation by_query = plan::join(scan("visits"), plan::distinct(upper), plan::JoinKind::left, {{0, 0}});
  EXPECT_GE(needed(plan::distinct(by_query)), 2 * 100 * kMebibyte * 2'500);
}

// A unit that is found through another table stands behind each row, however long it is there.
TEST_F(DiskRoom, CountsUnitsThatAreFoundThroughAnotherTable) {
  const auto needed_for = [&](const std::string& name, const std::string& by = "id") {
    const plan::Project project = plan::parse_project(R"(version: 1
data_version: "1"
privacy: {unit: person, neighbours: add-remove}
budgets: {main: {epsilon: 1}}
tables:
  people:
    source: people.csv
    unit: name
    unique: [)" + by + R"(]
    columns:
      name: {type: text)" + name + R"(}
      id: {type: integer}
  letters:
    source: letters.csv
    unit: {through: people, by: {person: )" + by + R"(}}
    columns:
      person: {type: )" + (by == "id" ? "integer" : "text") +
                                                          R"(}
)",
                                                      folder_.file("letters.yaml"));
    plan::BoundedAggregate aggregate;
    aggregate.rows = plan::project(plan::distinct(plan::scan(project, "letters")), {plan::column(1, plan::Type::text)});
    aggregate.measures = {{.kind = plan::MeasureKind::rows, .column = {}, .total_high = 1}};
    return detail::disk_needed(project, aggregate, [](const plan::TableDeclaration& table) {
      return detail::SourceSize{(table.name == "letters" ? 20 : 1) * kMebibyte, {}, {}, {}};
    });
  };
  EXPECT_GE(needed_for(""), 10 * kMebibyte * 2 * 65'536);  // 10 Mi rows
  EXPECT_LE(needed_for(", max_length: 8, outside: null"), 10 * kMebibyte * 400);
  EXPECT_LE(needed_for("", "name"), 10 * kMebibyte * 400);  // the row itself says it
}

// What expressions make longer counts for every row that the source may hold, and what is written twice counts twice.
TEST_F(DiskRoom, CountsTextsThatExpressionsMake) {
  const auto made = [&](const std::string& function, std::vector<plan::Expression> arguments) {
    return needed(plan::distinct(plan::project(
        scan("visits"),
        {plan::column(0, plan::Type::integer), plan::call(plan::function_named(function), std::move(arguments))})));
  };
  const auto text = [](const char* value) { return plan::constant({plan::Type::text, Cell(std::string(value))}); };
  const auto number = [](std::int64_t value) { return plan::constant({plan::Type::integer, Cell(value)}); };
  const plan::Expression note = plan::column(1, plan::Type::text);
  const std::uint64_t plain = needed(plan::distinct(scan("visits")));
  EXPECT_LE(made("upper", {note}), 5 * plain);
  // 100 Mi rows of 16,000 characters, twice while runs are merged.
  EXPECT_GE(made("lpad", {note, number(16'000), text("x")}), 2 * 100 * kMebibyte * 16'000);
  const std::uint64_t twice =
      needed(plan::distinct(plan::project(scan("visits"), {plan::column(0, plan::Type::integer), note, note})));
  EXPECT_NEAR(in_mebibytes(twice), 2 * sorted(1500), 1);
}

// A damaged byte is a row where rows are units; else a row without a unit, which is dropped before it is written.
TEST_F(DiskRoom, CountsDamagedRowsWhereRowsAreUnits) {
  std::string rows = kProject;
  for (std::size_t at; (at = rows.find("    unit: person\n")) != std::string::npos;)
    rows.replace(at, 17, "    unit: row\n");
  const plan::Project project = plan::parse_project(rows, folder_.file("rows.yaml"));
  const auto distinct_notes = [](const plan::Project& of) {
    plan::BoundedAggregate aggregate;
    aggregate.rows = plan::project(
        plan::distinct(plan::project(
            plan::scan(of, "visits"),
            {plan::column(0, plan::Type::integer), plan::constant({plan::Type::text, Cell(std::string(100, 'x'))})})),
        {plan::column(0, plan::Type::integer)});
    aggregate.measures = {{.kind = plan::MeasureKind::rows, .column = {}, .total_high = 1}};
    return detail::disk_needed(of, aggregate, [](const auto&) {
      return detail::SourceSize{300 * kMebibyte, {}, {}, {}};
    });
  };
  EXPECT_GE(distinct_notes(project), 2 * distinct_notes(project_));
}

// The sizes alone decide: the file has a hole where rows would be.
TEST_F(DiskRoom, TooLittleOfItIsRefusedBeforeAnythingIsRead) {
  folder_.write("visits.csv", "person,note\n1,a\n");
  folder_.write("calls.csv", "person\n1\n");
  const auto engine = open_duckdb(project_, {256 * kMebibyte, 1, folder_.file("")});
  EXPECT_NO_THROW(engine->prepare(counted(scan("visits"), true)));
  std::filesystem::resize_file(folder_.file("visits.csv"), std::uint64_t{8} << 40);
  EXPECT_EQ(testing::refusal([&] { engine->prepare(counted(scan("visits"), true)); }), Code::cannot_write);
  EXPECT_NO_THROW(engine->prepare(counted(scan("calls"), false)));
}

// Bytes that are reserved for files of a folder which have no name any more.
std::uint64_t held_in(const std::string& folder) {
  std::uint64_t held = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code error;
    const std::string target = std::filesystem::read_symlink(entry.path(), error).string();
    struct stat file {};
    if (error || target.rfind(folder, 0) != 0 || ::stat(entry.path().c_str(), &file) != 0) continue;
    if (file.st_nlink == 0) held += static_cast<std::uint64_t>(file.st_blocks) * 512;
  }
  return held;
}

TEST_F(DiskRoom, IsHeldWhileTheRunLasts) {
  const std::string folder = std::filesystem::canonical(folder_.file("")).string();
  {
    const detail::DiskRoom room(folder, 8 * kMebibyte);
    const std::uint64_t held = held_in(folder);
    EXPECT_TRUE(held >= 8 * kMebibyte || !detail::holds_room(folder)) << held;
  }
  EXPECT_EQ(held_in(folder), 0u);
  if (detail::holds_room(folder)) {
    EXPECT_EQ(testing::refusal([&] { detail::DiskRoom(folder, std::uint64_t{1} << 55); }), Code::run_failed);
  }
  EXPECT_EQ(held_in(folder), 0u);
}

// The status of a child that does this.
int status_of_child(const std::function<bool()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work() ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

// Children share files with their parent: one that changed its length would take the room from the parent's run.
TEST_F(DiskRoom, AChildOfForkHasItsOwn) {
  const std::string folder = std::filesystem::canonical(folder_.file("")).string();
  if (!detail::holds_room(folder)) GTEST_SKIP() << "the file system cannot reserve room";
  std::optional<detail::DiskRoom> room(std::in_place, folder, 8 * kMebibyte);
  const std::uint64_t held = held_in(folder);
  const int status = status_of_child([&] {
    if (held_in(folder) != 0) return false;
    {
      const detail::DiskRoom own(folder, 2 * kMebibyte);
      if (held_in(folder) < 2 * kMebibyte || held_in(folder) >= 8 * kMebibyte) return false;
    }
    room.reset();  // its parent's
    return held_in(folder) == 0;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(held_in(folder), held);
  status_of_child([&] { return room.reset(), true; });
  EXPECT_EQ(held_in(folder), held);
  room.reset();
  EXPECT_EQ(held_in(folder), 0u);
}

// Of many forks at any moment no child finds a lock that another thread held.
TEST_F(DiskRoom, ForksAtAnyMoment) {
  const std::string folder = folder_.file("");
  std::atomic<bool> stop = false;
  const auto hold = [&] { return detail::DiskRoom(folder, 2 * kMebibyte), true; };
  std::thread busy([&] {
    while (!stop) hold();
  });
  int failed = 0;
  for (int i = 0; i < 100; ++i) failed += status_of_child(hold) == 0 ? 0 : 1;
  stop = true;
  busy.join();
  EXPECT_EQ(failed, 0);
}

// What a run writes comes out of the room: however much that is, as much of the disk is taken.
TEST_F(DiskRoom, FilesOfTheRunTakeItsPlace) {
  const std::string folder = std::filesystem::canonical(folder_.file("")).string();
  if (!detail::holds_room(folder)) GTEST_SKIP() << "the file system cannot reserve room";
  const detail::DiskRoom room(folder, 64 * kMebibyte);
  const std::string bytes(kMebibyte, 'x');
  const std::uint64_t before = held_in(folder), step = 5 * kMebibyte;
  {
    detail::SpillFile one(folder), other(folder);
    for (std::uint64_t at = 0; at < 20 * kMebibyte; at += kMebibyte) {
      one.write(one.reserve(kMebibyte), bytes.data(), bytes.size());
      other.write(other.reserve(kMebibyte), bytes.data(), bytes.size());
      EXPECT_LE(held_in(folder), before + kMebibyte);
      EXPECT_GE(held_in(folder) + 2 * step, before);
    }
    for (std::uint64_t at = 0; at < 40 * kMebibyte; at += kMebibyte)  // more than was held
      one.write(one.reserve(kMebibyte), bytes.data(), bytes.size());
    EXPECT_GE(held_in(folder), 80 * kMebibyte);
  }
  EXPECT_GE(held_in(folder) + kMebibyte, before);
}

}  // namespace
}  // namespace dither::engine
