// A search under small limits: what one unit brings, however much it is, must not decide how a question ends.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "engine/small_folder_check.h"
#include "sql/search_check.h"
#include "testing/seed.h"

namespace dither::sql::search {
namespace {

bool nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }

// RELATION is that of neighbours, OWNER says whose the rows of t1 are, ENDING what their file is.
constexpr const char* kProject = R"(version: 1
data_version: "1"
privacy: {unit: person, neighbours: RELATION}
tables:
  t1:
    source: t1.ENDING
OWNER
    columns:
      unit: {type: integer}
      a: {type: text}
      b: {type: integer, bounds: [0, 9], outside: clamp}
      c: {type: integer}
      d: {type: text}
  t2:
    source: t2.csv
    unit: unit
    bounds: {rows_per_unit: 3, keys_per_unit: 2, rows_per_key: 2}
    columns:
      unit: {type: integer}
      a: {type: text, keys: [x, z], outside: other}
  pub:
    source: pub.csv
    public: true
    unique: [k]
    multiplicity: {z: 2}
    columns:
      k: {type: text}
      z: {type: text, keys: [x, z], outside: other}
      w: {type: integer, bounds: [-2, 3], outside: clamp}
      note: {type: text}
budgets: {main: {epsilon: 1000000, delta: 0.9}}
ledger: ":memory:"
)";

// Few people with few rows.
World small_world(const std::string& relation, const std::string& owner, const std::string& ending) {
  World world{kProject, {}};
  world.project.replace(world.project.find("ENDING"), 6, ending);
  world.project.replace(world.project.find("RELATION"), 8, relation);
  world.project.replace(world.project.find("OWNER"), 5, owner);
  Records people, visits;
  for (std::int64_t person = 1; person <= 7; ++person) {
    people.push_back({{person, std::string(person % 2 == 0 ? "x" : "z")}});
    for (std::int64_t visit = 0; visit < person; ++visit)
      visits.push_back({{person, std::string(visit % 2 == 0 ? "x" : "y"), visit, visit * person, Cell{}}});
  }
  const auto region = [](const char* k, const char* z, std::int64_t w, std::size_t note) {
    return Record{{std::string(k), std::string(z), w, std::string(note, 'n')}};
  };
  Records regions = {region("x", "x", 1, 5), region("w", "z", 2, 3000)};
  for (int i = 0; i < 100; ++i) regions.push_back(region(std::to_string(i).c_str(), "", 0, 1));
  world.rows = {{"t1", {visits, visits}}, {"t2", {people, people}}, {"pub", {regions, regions}}};
  return world;
}

// In both worlds the files of neighbours are as large as each other, since their size is public.

// Many rows that are one person's in the second database, and have no unit in the first. They meet the longest public row.
World heavy_world(const engine::HostileUnit& unit, const std::string& ending) {
  World world = small_world(
      "add-remove", "    unit: unit\n    bounds: {rows_per_unit: 3, keys_per_unit: 2, rows_per_key: 2}", ending);
  world.more = [unit](std::ostream& to, bool second) {
    for (std::size_t row = 0; row < unit.rows; ++row)
      to << (second ? "8," : "-,") << unit.text(row) << ',' << row % 11 << ',' << unit.number(row) << ",w\n";
  };
  return world;
}

// One row, as long as a record may be or longer, whose text is in another column of the first database.
World long_row_world(const engine::HostileUnit& unit) {
  World world = small_world("replace-one", "    unit: row", "csv");
  world.more = [unit](std::ostream& to, bool second) {
    const std::string text(40 * unit.length, 'w');
    to << "8," << (second ? text : "") << ",3,4," << (second ? "" : text) << '\n';
  };
  return world;
}

// Statements whose rows are wide, or whose state is large.
std::string hungry(const plan::Project& project, Choices& choices) {
  const std::string width = choices.one_of(std::vector<std::string>{"10", "1000", "65000"});
  const std::string padded = "LPAD(a, " + width + ", 'x')";
  std::string many;
  switch (choices.below(10)) {
    case 0:
      return "SELECT COUNT(*), SUM(b) FROM t1";
    case 1:
      return "SELECT COUNT(*) FROM (SELECT DISTINCT unit, a FROM t1) s";
    case 2:
      return "SELECT COUNT(*) FROM t1 r JOIN t2 q ON r.unit = q.unit";
    case 3:
      return "SELECT a, COUNT(*) FROM t1 GROUP BY a";
    case 4:
      return fmt::format("SELECT COUNT(*) FROM (SELECT DISTINCT unit, {} k FROM t1) s", padded);
    case 5:
      return fmt::format("SELECT {}, SUM(b), COUNT(DISTINCT unit) FROM t1 GROUP BY {}", padded, padded);
    case 6:
      for (int i = 0; i < 12; ++i) many += fmt::format("{}LPAD(a, {}, 'x')", i == 0 ? "" : ", ", 65'000 - i);
      return fmt::format("SELECT {}, COUNT(*) FROM t1 GROUP BY {}", many, many);
    case 7:
      for (int i = 0; i < 40; ++i) many += fmt::format(", LPAD(a, {}, 'x') k{}", 65'500 - i, i);
      return fmt::format(
          "SELECT COUNT(*), SUM(b) FROM (SELECT DISTINCT unit, b{} FROM (SELECT * FROM t1 WHERE b = 9 UNION ALL "
          "SELECT * FROM t1 WHERE b = 8) y) x",
          many);
    case 8:
      return "SELECT COUNT(*) FROM (SELECT DISTINCT r.unit, r.c, q.note FROM t1 r JOIN pub q ON r.d = q.k) s";
    default:
      return Statements(project, choices).next();
  }
}

World some_world(Choices& choices, const engine::HostileUnit& unit) {
  if (choices.below(5) == 4) return long_row_world(unit);
  return heavy_world(unit, choices.one_of(std::vector<std::string>{"csv", "csv", "csv.gz", "parquet"}));
}

// Where runs put what does not fit.
enum class Room { any, small };

// What is found by so many worlds; "" for nothing.
std::string search(std::uint64_t seed, int worlds, Room room, const Planted& planted = {}) {
  constexpr int kStatements = 4;
  const std::uint64_t most = nightly() ? 20 : 1;
  std::string all;
  for (std::uint64_t at = seed; at < seed + static_cast<std::uint64_t>(worlds); ++at) {
    Choices choices(at);
    const engine::HostileUnit unit = engine::hostile_unit(choices, 50'000 * most, (10 << 20) * most);
    engine::Limits limits;
    limits.memory = choices.one_of(std::vector<std::uint64_t>{64, 64, 96, 128}) << 20;
    limits.threads = static_cast<unsigned>(1 + choices.below(2));
    const auto mebibytes = choices.one_of(std::vector<std::uint64_t>{2, 8, 64, 256, 1024});
    std::optional<engine::SmallFolder> small;
    if (room == Room::small) limits.spill = small.emplace(mebibytes).path();
    Neighbours pair(some_world(choices, unit), limits, planted);
    for (int j = 0; j < kStatements; ++j) {
      const std::string statement = hungry(pair.project(), choices);
      bool answered = false;
      const std::string complaint = pair.complaint({statement}, answered);
      if (complaint.empty()) continue;
      all += fmt::format("{}\n{}\n{} rows of {} bytes, {}; {} MiB of memory, {} threads, {}\nalone: --seed {}\n\n",
                         complaint, statement.substr(0, 1000), unit.rows, unit.length,
                         unit.distinct ? "distinct" : "the same", limits.memory >> 20, limits.threads,
                         small ? fmt::format("{} MiB of disk", mebibytes) : "any room", at);
    }
  }
  return all;
}

// Spec: D-72
TEST(SearchMemory, OneUnitDecidesNothing) {
  const std::string found = search(testing::run_seed(), nightly() ? 100 : 5, Room::any);
  EXPECT_TRUE(found.empty()) << found;
}

// Spec: D-72
TEST(SearchMemory, OneUnitDecidesNothingWhereThereIsLittleDisk) {
  if (!engine::SmallFolder::may_be_made()) GTEST_SKIP() << "nobody may mount a small disk here";
  const std::string found = search(testing::run_seed(), nightly() ? 100 : 10, Room::small);
  EXPECT_TRUE(found.empty()) << found;
}

// A run that gives up on the thousandth row of a unit.
TEST(SearchMemory, PlantedFailureOnHeavyUnitsIsCaught) {
  Planted bug;
  bug.run = [](const std::string& folder) {
    std::ifstream rows(folder + "t1.csv");
    int of_one = 0;
    for (std::string line; std::getline(rows, line);) {
      if (line.starts_with("8,") && ++of_one == 1000) engine::run_failed();
    }
  };
  EXPECT_EQ(search(10, 1, Room::any), "");
  EXPECT_TRUE(search(10, 1, Room::any, bug).starts_with("failure"));
}

}  // namespace
}  // namespace dither::sql::search
