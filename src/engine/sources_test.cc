// Sources that are not what the project file says, and what happens to whom.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "engine/engine.h"
#include "engine/sources_check.h"
#include "engine/survey.h"
#include "plan/functions.h"
#include "testing/refusal.h"

namespace dither::engine {
namespace {

using testing::refusal;

TEST(Sources, AreFoundBesideTheProjectFile) {
  const TestFolder folder;
  folder.write("visits.csv", "cost,more,person\n5,x,1\n7,y,2\n9,z,1\n");
  EXPECT_EQ(answer(project_in(folder, one_table("visits.csv"))), ": 3 21 2\n");
}

// A glob is all its files, whatever the order of their columns.
TEST(Sources, GlobsAreReadByName) {
  const TestFolder folder;
  folder.write("v1.csv", "cost,person\n5,1\n");
  folder.write("v2.csv", "person,cost\n2,7\n");
  folder.write("v3.csv", "person,cost\n3,8\n");
  const plan::Project project = project_in(folder, one_table("\"v*.csv\""));
  EXPECT_EQ(answer(project), ": 3 20 3\n");
  folder.write("v4.csv", "person\n4\n");
  EXPECT_EQ(
      complaint(project),
      "error: bad-source: table \"visits\": v4.csv has no column \"cost\"\nhint:  name the columns in the project "
      "file as the source does, in the same capitals; `dither init` lists them");
  run_freely({"COPY (SELECT 1::TINYINT AS person, 2.5::FLOAT AS cost) TO '" + folder.file("p1.parquet") + "'",
              "COPY (SELECT 'x' AS more, 3::DECIMAL(9, 2) AS cost, 2::UBIGINT AS person) TO '" +
                  folder.file("p2.parquet") + "'"});
  EXPECT_EQ(answer(project_in(folder, one_table("\"p?.parquet\""))), ": 2 5 2\n");
}

// More files than may be open at once: each is closed when it has been read.
TEST(Sources, AGlobMayBeMoreFilesThanMayBeOpen) {
  const TestFolder folder;
  for (int i = 0; i < 300; ++i) folder.write(fmt::format("v{}.csv", i), fmt::format("person,cost\n{},1\n", i));
  const plan::Project project = project_in(folder, one_table("\"v*.csv\""));
  struct rlimit before {};
  getrlimit(RLIMIT_NOFILE, &before);
  const struct rlimit few { 100, before.rlim_max };
  setrlimit(RLIMIT_NOFILE, &few);
  const std::string found = complaint(project);
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(found, ": 300 300 300\n");
}

TEST(Sources, PackedFilesAreUnpacked) {
  const TestFolder folder;
  run_freely(
      {"COPY (SELECT 1 AS person, 5 AS cost) TO '" + folder.file("v.csv.gz") + "' (FORMAT csv, COMPRESSION gzip)",
       "COPY (SELECT 1 AS person, 5 AS cost) TO '" + folder.file("v.ndjson.gz") + "' (FORMAT json, COMPRESSION gzip)"});
  EXPECT_EQ(answer(project_in(folder, one_table("v.csv.gz"))), ": 1 5 1\n");
  EXPECT_EQ(answer(project_in(folder, one_table("v.ndjson.gz"))), ": 1 5 1\n");
}

TEST(Sources, TablesOfADatabaseMayHaveASchema) {
  const TestFolder folder;
  run_freely({"ATTACH '" + folder.file("c.duckdb") + "' AS one", "CREATE SCHEMA one.s",
              "CREATE TABLE one.s.\"odd 'name\" AS SELECT 1 AS person, 5 AS cost"});
  EXPECT_EQ(answer(project_in(folder, one_table("{path: c.duckdb, table: \"s.odd 'name\"}"))), ": 1 5 1\n");
  EXPECT_EQ(complaint(project_in(folder, one_table("{path: c.duckdb, table: none}"))).substr(0, 17),
            "error: bad-source");
}

// What is worked out while it is read could fail for a value, so it is refused for every one.
TEST(Sources, ViewsAndComputedColumnsOfADatabaseAreRefused) {
  const TestFolder folder;
  run_freely({"ATTACH '" + folder.file("c.duckdb") + "' AS one", "USE one",
              "CREATE TABLE stored AS SELECT 1 AS person, '5' AS cost",
              "CREATE VIEW seen AS SELECT person, CAST(cost AS INTEGER) AS cost FROM stored",
              "CREATE TABLE computed (person INTEGER, told VARCHAR, cost INTEGER AS (CAST(told AS INTEGER)))",
              "INSERT INTO computed VALUES (1, '5')", "UPDATE computed SET told = 'x'",
              "CREATE TABLE usual (person INTEGER, cost INTEGER DEFAULT 7)", "INSERT INTO usual VALUES (1, 5)"});
  EXPECT_EQ(
      complaint(project_in(folder, one_table("{path: c.duckdb, table: Seen}"))),
      "error: bad-source: table \"visits\": \"Seen\" of c.duckdb is a view\nhint:  copy what it shows into a table, "
      "with CREATE TABLE ... AS, and name that: a view can fail for a value");
  EXPECT_EQ(complaint(project_in(folder, one_table("{path: c.duckdb, table: main.seen}"))).substr(0, 17),
            "error: bad-source");
  EXPECT_EQ(
      complaint(project_in(folder, one_table("{path: c.duckdb, table: computed}"))),
      "error: bad-source: table \"visits\": the column \"cost\" of c.duckdb is computed while it is read, or has a "
      "default beside such columns\nhint:  write its values into another file or table, and name that as the source");
  EXPECT_EQ(answer(project_in(folder, one_table("{path: c.duckdb, table: usual}"))), ": 1 5 1\n");
  EXPECT_EQ(answer(project_in(folder, one_table("{path: c.duckdb, table: stored}"))), ": 1 5 1\n");
}

// Every type that a file can hold becomes one of ours, or is named.
TEST(Sources, NativeTypesAreConverted) {
  const TestFolder folder;
  const auto read = [&](const std::string& cell, const std::string& declared) {
    run_freely({"COPY (SELECT 1 AS person, " + cell + " AS cost) TO '" + folder.file("v.parquet") + "'"});
    return complaint(project_in(folder, one_table("v.parquet", declared)));
  };
  EXPECT_EQ(read("7::HUGEINT", "{type: integer, bounds: [0, 9], outside: null}"),
            ": 1 7 1\n");                                                            // DuckDB writes a double
  EXPECT_EQ(read("18446744073709551615::UBIGINT", "{type: integer}"), ": 1 0 1\n");  // NULL
  EXPECT_EQ(read("7::DECIMAL(18, 0)", "{type: integer}"), ": 1 7 1\n");
  EXPECT_EQ(read("6.5::DECIMAL(18, 1)", "{type: integer, bounds: [0, 9], outside: null}"),
            ": 1 6 1\n");  // half to even
  EXPECT_EQ(read("7", "{type: real}"), ": 1 7 1\n");
  EXPECT_EQ(read("'7'", "{type: integer}"), ": 1 7 1\n");
  const std::string day =
      "{type: date, bounds: [\"2024-01-01\", \"2024-01-02\"], outside: null, null_as: \"2024-01-02\"}";
  EXPECT_EQ(read("DATE '2024-01-01'", day), ": 1 1\n");
  EXPECT_EQ(read("DATE 'infinity'", day), ": 1 1\n");
  EXPECT_EQ(read("TIMESTAMPTZ '2024-01-01 00:00:00+02'", "{type: timestamp}"), ": 1 1\n");
  EXPECT_EQ(read("TIMESTAMP_NS '2024-01-01 00:00:00.123456789'", "{type: timestamp}"), ": 1 1\n");
  EXPECT_EQ(read("TIMESTAMP 'infinity'", "{type: timestamp}"), ": 1 1\n");
  for (const std::string cell : {"[1, 2]", "{'a': 1}", "'x'::BLOB", "INTERVAL 1 DAY", "TIME '10:00'"}) {
    EXPECT_EQ(read(cell, "{type: text}").substr(0, 17), "error: bad-source") << cell;
  }
  EXPECT_EQ(read("DATE '2024-01-01'", "{type: integer}"),
            "error: bad-source: table \"visits\": the column \"cost\" of v.parquet does not hold what can be read as "
            "integer\nhint:  declare it as date, or give it as whole numbers");
}

// NaN and infinities are values in some kinds of files and not in others: here they are values in none, so that an answer does not
// depend on the kind, and COUNT(x) counts what `x IS NOT NULL` says.
TEST(Sources, RealsAreFiniteInEveryKindOfFile) {
  const TestFolder folder;
  const std::string rows =
      "(SELECT * FROM (VALUES (1, 5::DOUBLE), (2, 'NaN'), (3, 'inf'), (4, '-inf')) AS v(person, cost))";
  run_freely({"COPY " + rows + " TO '" + folder.file("v.parquet") + "'",
              "ATTACH '" + folder.file("v.duckdb") + "' AS one", "CREATE TABLE one.visits AS " + rows, "DETACH one"});
  folder.write("v.csv", "person,cost\n1,5.0\n2,NaN\n3,inf\n4,-1e999\n");
  folder.write("v.json",
               "{\"person\": 1, \"cost\": 5.0}\n{\"person\": 2, \"cost\": \"NaN\"}\n"
               "{\"person\": 3, \"cost\": 1e999}\n{\"person\": 4, \"cost\": \"-inf\"}\n");
  const plan::Constant nothing{plan::Type::integer, {}}, one{plan::Type::integer, std::int64_t{1}};
  for (const std::string cost :
       {"{type: real}", "{type: real, bounds: [-9, 9], outside: clamp}", "{type: real, bounds: [-9, 9], outside: null}",
        "{type: real, keys: [5], outside: null}"}) {
    for (const char* file : {"v.csv", "v.json", "v.parquet", "v.duckdb"}) {
      const plan::Project project = project_in(folder, one_table(file, cost));
      const plan::Relation visits = plan::scan(project, "visits");
      plan::BoundedAggregate counts = asked(project);
      const plan::Expression missing = plan::resolve("is null", {plan::column(1, plan::Type::real)});
      const plan::Expression there = plan::resolve("case", {missing, plan::constant(nothing), plan::constant(one)});
      counts.rows =
          plan::project(visits, {plan::column(0, plan::Type::integer), plan::column(1, plan::Type::real), there});
      counts.measures[0].column = 1;
      counts.measures.push_back(counts.measures[0]);
      counts.measures.back().column = 2;
      EXPECT_EQ(shown(by_key(open_duckdb(project)->run(counts, {}))), ": 1 5 1 4\n") << file << " " << cost;
      const ColumnSurvey found = survey(project)[0].columns[1];
      EXPECT_EQ(found.unreadable, 3u) << file << " " << cost;
      EXPECT_EQ(found.outside, 0u) << file << " " << cost;
    }
  }
  const plan::Project with_default =
      project_in(folder, one_table("v.parquet", "{type: real, bounds: [-9, 9], outside: clamp, null_as: 7}"));
  EXPECT_EQ(answer(with_default), ": 4 26 4\n");
}

TEST(Sources, WhatIsMissingIsNamedBeforeAnythingRuns) {
  const TestFolder folder;
  const auto refused = [&](const std::string& source) {
    const plan::Project project = project_in(folder, one_table(source));
    return refusal([&] { open_duckdb(project)->prepare(asked(project)); });
  };
  for (const std::string source : {"v.csv", "v.parquet", "v.json", "v.duckdb", "\"no*.csv\""}) {
    EXPECT_EQ(refused(source), Code::cannot_read) << source;
  }
  folder.write("v.csv", "");
  folder.write("v.parquet", "PAR1 nothing of the kind");
  folder.write("v.duckdb", "no database");
  for (const std::string source : {"v.csv", "v.parquet", "v.duckdb"}) {
    EXPECT_EQ(refused(source), Code::bad_source) << source;
  }
  EXPECT_EQ(refused("{path: v.csv, kind: parquet}"), Code::bad_source);
  EXPECT_EQ(complaint(project_in(folder, one_table("gone.csv"))),
            "error: cannot-read: table \"visits\": there is no file gone.csv\nhint:  put it into " +
                folder.file("").substr(0, folder.file("").size() - 1) + ", or correct `source:` in the project file");
}

// A pipe would be waited for, a device has no end, and both would be read without a size that the ledger could note.
TEST(Sources, OnlyFilesAreRead) {
  const TestFolder folder;
  ASSERT_EQ(mkfifo(folder.file("pipe.csv").c_str(), 0600), 0);
  std::filesystem::create_directory(folder.file("folder.csv"));
  std::filesystem::create_symlink("/dev/zero", folder.file("device.csv"));
  std::filesystem::create_symlink("gone", folder.file("nowhere.csv"));
  folder.write("v.csv", "person,cost\n1,5\n");
  const auto said = [&](const std::string& source) {
    const std::string text = complaint(project_in(folder, one_table(source)));
    return text.substr(0, text.find('\n'));
  };
  const std::string begin = "error: cannot-read: table \"visits\": ";
  EXPECT_EQ(said("pipe.csv"), begin + folder.file("pipe.csv") + " is a pipe or a socket, not a file");
  EXPECT_EQ(said("folder.csv"), begin + folder.file("folder.csv") + " is a folder, not a file");
  EXPECT_EQ(said("device.csv"), begin + folder.file("device.csv") + " is a device, not a file");
  EXPECT_EQ(said("nowhere.csv"), begin + "there is no file nowhere.csv");
  EXPECT_EQ(said("\"[pv]*.csv\""), begin + folder.file("pipe.csv") + " is a pipe or a socket, not a file");
  EXPECT_EQ(said("\"[dv]*.csv\""), begin + folder.file("device.csv") + " is a device, not a file");
  EXPECT_EQ(said("\"[nv]*.csv\""), begin + folder.file("nowhere.csv") + " is a link that leads nowhere, not a file");
  EXPECT_EQ(answer(project_in(folder, one_table("\"[fv]*.csv\""))), ": 1 5 1\n");  // folders are passed by
}

// What cannot be read is named before anything is charged, whatever kind of file it is said to be: /proc/self/mem is a file to the
// system, and its first byte cannot be read.
TEST(Sources, WhatCannotBeReadIsNamed) {
  const TestFolder folder;
  for (const char* kind : {"csv", "json", "parquet", "duckdb"}) {
    const std::string source = fmt::format("{{path: /proc/self/mem, kind: {}}}", kind);
    const plan::Project project = project_in(folder, one_table(source));
    const auto refused = refusal([&] { open_duckdb(project)->prepare(asked(project)); });
    EXPECT_TRUE(refused == Code::cannot_read || refused == Code::bad_source) << kind;
    EXPECT_EQ(refusal([&] { columns_of(project.tables[0].source, folder.file("")); }), refused) << kind;
    EXPECT_EQ(refusal([&] { survey(project); }), refused) << kind;
  }
  for (const std::string ending : {".csv.gz", ".json.gz"}) {
    folder.write("v" + ending, "\x1f\x8b\x08 is how packed files begin");
    const plan::Project project = project_in(folder, one_table("v" + ending));
    EXPECT_EQ(refusal([&] { open_duckdb(project)->prepare(asked(project)); }), Code::cannot_read) << ending;
    EXPECT_EQ(refusal([&] { columns_of(project.tables[0].source, folder.file("")); }), Code::cannot_read) << ending;
  }
}

// Other tables of the project need not be there.
TEST(Sources, OnlyTablesThatAreAskedForAreLookedAt) {
  const TestFolder folder;
  folder.write("visits.csv", "person,cost\n1,5\n");
  EXPECT_EQ(answer(project_in(folder, one_table("visits.csv") + "  gone: {source: gone.csv, unit: row}\n")),
            ": 1 5 1\n");
}

// A file that changes is read anew; one that goes between looking and running ends the run with its one text.
TEST(Sources, ChangesAreNoticed) {
  const TestFolder folder;
  const plan::Project project = project_in(folder, one_table("v.csv"));
  folder.write("v.csv", "person,cost\n1,5\n");
  const auto engine = open_duckdb(project);
  const std::string before = engine->fingerprint({"visits"});
  EXPECT_EQ(answer(*engine, project), ": 1 5 1\n");
  folder.write("v.csv", "cost,person\n5,1\n6,2\n");
  EXPECT_EQ(answer(*engine, project), ": 2 11 2\n");
  EXPECT_NE(engine->fingerprint({"visits"}), before);
  engine->prepare(asked(project));
  std::filesystem::remove(folder.file("v.csv"));
  try {
    engine->run(asked(project), {});
    ADD_FAILURE() << "ran without its file";
  } catch (const Error& error) {
    EXPECT_EQ(
        error.str(),
        "error: run-failed: the run ended early: a file, the disk, memory or a server was lost\nhint:  what it cost "
        "stays charged; look at the disk and the sources, then ask again with `--again`");
  }
}

// Half of a file may be read of one state, and half of another: no answer comes of that. The file is cut off once rows of it were read.
TEST(Sources, AFileThatIsCutOffWhileItIsReadEndsTheRun) {
  const TestFolder folder;
  const plan::Project project = project_in(folder, one_table("v.csv"));
  std::string rows = "person,cost\n";
  for (int i = 0; i < 2'000'000; ++i) rows += "1,5\n";
  folder.write("v.csv", rows);
  const auto engine = open_duckdb(project);
  engine->prepare(asked(project));
  std::once_flag cut;
  const auto cut_off = [&] { std::filesystem::resize_file(folder.file("v.csv"), rows.size() / 2); };
  Progress progress([&](const ProgressReport&) { std::call_once(cut, cut_off); }, CancelToken(),
                    std::chrono::nanoseconds(0));
  EXPECT_EQ(refusal([&] { engine->run(asked(project), {CancelToken(), &progress}); }), Code::run_failed);
  EXPECT_EQ(std::filesystem::file_size(folder.file("v.csv")), rows.size() / 2);
}

// Bytes of a page are overwritten, and the file is cut: prepare names it, or the run fails with its one text, or, where nothing can
// tell, there are numbers. Never anything else.
TEST(Sources, DamagedParquetFailsWithTheOneText) {
  const TestFolder folder;
  run_freely({"COPY (SELECT i AS person, 'secret' || hash(i) AS note, i * 1.5 AS cost FROM range(20000) t(i)) TO '" +
              folder.file("whole.parquet") + "'"});
  std::ifstream file(folder.file("whole.parquet"), std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(file)), {});
  const plan::Project project = project_in(folder, one_table("v.parquet"));
  int failed = 0;
  for (std::size_t i = 0; i < 24; ++i) {
    std::string broken = whole;
    const std::size_t at = 4 + i * (whole.size() - 8) / 24;
    if (i % 4 == 3) {
      broken.resize(at);
    } else {
      for (std::size_t k = at; k < std::min(at + 40, whole.size()); ++k) broken[k] = static_cast<char>(~broken[k]);
    }
    folder.write("v.parquet", broken);
    const std::string said = complaint(project);
    const bool named = said.starts_with("error: bad-source: table \"visits\": v.parquet cannot be read as Parquet");
    const bool lost = said.starts_with("error: run-failed: the run ended early:");
    failed += named || lost ? 1 : 0;
    EXPECT_TRUE(named || lost || said[0] == ':') << said;
    EXPECT_EQ(said.find("secret"), std::string::npos);
  }
  EXPECT_GE(failed, 6);
}

// Values that cannot be read, of every kind, never make a run fail.
TEST(Sources, NoValueMakesARunFail) {
  const TestFolder folder;
  const std::string long_text(100'000, 'x');
  folder.write("v.csv", "person,cost\n1,5\nx,6\n2,nothing\n3," + long_text + "\n99999999999999999999,7\n" + long_text +
                            ",1\n4,1e999\n5,NaN\n6,-inf\n7,\n,8\n8,\"" + std::string(1, '\0') + "\"\n9,0x10\n10,١\n");
  EXPECT_EQ(answer(project_in(folder, one_table("v.csv"))), ": 10 5 10\n");
  EXPECT_EQ(answer(project_in(folder, one_table("v.csv", "{type: text}"))), ": 10 10\n");
  EXPECT_EQ(answer(project_in(folder, one_table("v.csv", "{type: date}"))), ": 10 10\n");
  EXPECT_EQ(answer(project_in(folder, one_table("v.csv", "{type: boolean}"))), ": 10 10\n");
}

TEST(Sources, TooLittleMemoryIsNamed) {
  const TestFolder folder;
  folder.write("v.csv", "person,cost\n1,5\n");
  const plan::Project project = project_in(folder, one_table("v.csv"));
  Limits limits;
  limits.memory = std::uint64_t{1} << 20;
  EXPECT_EQ(refusal([&] { open_duckdb(project, limits); }), Code::needs_memory);
  limits.memory = std::uint64_t{64} << 20;
  const auto engine = open_duckdb(project, limits);
  EXPECT_EQ(answer(*engine, project), ": 1 5 1\n");
  plan::BoundedAggregate many = asked(project);
  many.rows = plan::project(plan::scan(project, "visits"),
                            {plan::column(1, plan::Type::real), plan::column(0, plan::Type::integer)});
  many.keys = 1;
  many.measures.resize(1);
  many.public_keys.emplace();
  for (int i = 0; i < 400'000; ++i) many.public_keys->push_back({static_cast<double>(i)});
  EXPECT_EQ(refusal([&] { engine->prepare(many); }), Code::needs_memory);
}

// What does not fit goes to the folder for temporary files; where that is full, the run fails with its one text, and leaves nothing.
TEST(Sources, AFullDiskFailsTheRun) {
  const TestFolder folder;
  run_freely(
      {"COPY (SELECT i AS person, i % 100 AS cost FROM range(2000000) t(i)) TO '" + folder.file("v.parquet") + "'"});
  const plan::Project project = project_in(folder, one_table("v.parquet", "{type: integer}"));
  Limits limits;
  limits.memory = std::uint64_t{64} << 20;
  limits.threads = 2;
  std::filesystem::create_directory(folder.file("spill"));
  limits.spill = folder.file("spill");
  plan::BoundedAggregate once = asked(project);
  once.rows = plan::distinct(once.rows);
  {
    const auto engine = open_duckdb(project, limits);
    struct rlimit before {};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
    const struct rlimit small { 65536, before.rlim_max };
    setrlimit(RLIMIT_FSIZE, &small);
    EXPECT_EQ(refusal([&] { engine->run(once, {}); }), Code::run_failed);
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, ignored);
    EXPECT_EQ(shown(by_key(engine->run(once, {}))), ": 2000000 99000000 2000000\n");
  }
  EXPECT_TRUE(std::filesystem::is_empty(limits.spill));
}

TEST(Sources, ACancelledRunSaysSo) {
  const TestFolder folder;
  folder.write("v.csv", "person,cost\n1,5\n");
  const plan::Project project = project_in(folder, one_table("v.csv"));
  const auto engine = open_duckdb(project);
  Watch watch;
  watch.token.cancel();
  EXPECT_THROW(engine->run(asked(project), watch), Cancelled);
  EXPECT_EQ(answer(*engine, project), ": 1 5 1\n");
}

// One person meets themselves 4 * 10^9 times: nobody waits for that.
TEST(Sources, ALongRunStopsWhenItIsCancelled) {
  const TestFolder folder;
  run_freely({"COPY (SELECT 1 AS person, i AS cost FROM range(65536) t(i)) TO '" + folder.file("v.parquet") + "'"});
  const plan::Project project = project_in(folder, one_table("v.parquet", "{type: integer}"));
  const auto engine = open_duckdb(project);
  const plan::Relation visits = plan::scan(project, "visits");
  plan::BoundedAggregate numbers = asked(project);
  numbers.rows = plan::join(visits, visits, plan::JoinKind::inner, {{0, 0}});
  plan::BoundedAggregate distinct = numbers;
  distinct.measures = {{.kind = plan::MeasureKind::distinct, .column = 3, .rows = 1, .total_high = 1}};
  for (const plan::BoundedAggregate& one : {numbers, distinct}) {
    engine->prepare(one);
    const Watch watch;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      watch.token.cancel();
    });
    EXPECT_THROW(engine->run(one, watch), Cancelled);
    other.join();
  }
}

// One database, one of its tables through another.
TEST(Sources, TablesShareADatabase) {
  const TestFolder folder;
  run_freely({"ATTACH '" + folder.file("c.duckdb") + "' AS one",
              "CREATE TABLE one.orders AS SELECT * FROM (VALUES (1, 7), (2, 8), (2, 9)) v(id, person)",
              "CREATE TABLE one.visits AS SELECT * FROM (VALUES (1, 5), (2, 6), (2, 7), (3, 8)) v(order_id, cost)"});
  const plan::Project project = project_in(folder, R"(version: 1
data_version: "1"
privacy: {unit: person, neighbours: add-remove}
budgets: {main: {epsilon: 1}}
tables:
  visits:
    source: c.duckdb
    unit: {through: orders, by: {order_id: id}}
    columns: {order_id: {type: integer}, cost: {type: integer}}
  orders:
    source: c.duckdb
    unit: person
    unique: [id]
    columns: {id: {type: integer}, person: {type: integer}}
)");
  const plan::Relation visits = plan::scan(project, "visits");
  plan::BoundedAggregate aggregate = asked(project);
  aggregate.rows = plan::project(visits, {plan::column(2, plan::Type::integer), plan::column(1, plan::Type::integer)});
  const auto engine = open_duckdb(project);
  engine->prepare(aggregate);
  EXPECT_EQ(shown(by_key(engine->run(aggregate, {}))), ": 3 18 2\n");  // order 2 is that of person 8, the lesser one
  EXPECT_NE(engine->fingerprint({"visits"}).find("c.duckdb"), std::string::npos);
}

// Several threads ask at once, and one of them finds that a file has changed.
TEST(Sources, ThreadsShareAnEngine) {
  const TestFolder folder;
  folder.write("v.csv", "person,cost\n1,5\n2,6\n");
  const plan::Project project = project_in(folder, one_table("v.csv"));
  const auto engine = open_duckdb(project);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 5; ++k) EXPECT_EQ(answer(*engine, project), ": 2 11 2\n");
    });
  }
  std::filesystem::last_write_time(folder.file("v.csv"), std::filesystem::file_time_type::clock::now());
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace dither::engine
