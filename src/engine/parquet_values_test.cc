// Values in Parquet files that DuckDB gives up on: they are NULL, whatever is asked, and nobody learns that they are there.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "engine/detail/opened.h"
#include "engine/detail/parquet_footer.h"
#include "engine/engine.h"
#include "engine/files_check.h"
#include "engine/survey.h"
#include "plan/functions.h"
#include "testing/refusal.h"

namespace dither::engine {
namespace {

using plan::Type;

plan::Project project_in(const TestFolder& folder, const std::string& person, const std::string& note) {
  return plan::parse_project(
      "version: 1\ndata_version: \"1\"\nprivacy: {unit: person, neighbours: add-remove}\nbudgets: {main: {epsilon: "
      "1}}\n"
      "tables:\n  visits:\n    source: \"v*.parquet\"\n    unit: person\n    columns: {person: {type: " +
          person + "}, note: {type: " + note + "}}\n",
      folder.file("dither.yaml"));
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {(std::istreambuf_iterator<char>(file)), {}};
}

// Writes rows as DuckDB does, and other bytes of the same length in place of some.
void write_patched(const TestFolder& folder, const std::string& name, const std::string& rows, const std::string& from,
                   const std::string& to) {
  run_freely({"COPY (" + rows + ") TO '" + folder.file(name) + "' (COMPRESSION uncompressed)"});
  std::string bytes = bytes_of(folder.file(name));
  int times = 0;
  for (std::size_t at = bytes.find(from); at != std::string::npos; at = bytes.find(from, at)) {
    bytes.replace(at, from.size(), to);
    ++times;
  }
  EXPECT_GE(times, 1) << name;
  folder.write(name, bytes);
}

// Notes "ok", one that is not UTF-8, "yo", NULL, of four people, and as often again.
void write_texts(const TestFolder& folder, int times = 1) {
  const std::string rows = "SELECT p AS person, n AS note FROM range(" + std::to_string(times) +
                           "), (VALUES (1, 'ok'), (2, 'QQQQQQ'), (3, 'yo'), (4, NULL)) t(p, n)";
  write_patched(folder, "v.parquet", rows, "QQQQQQ", "Q\xff\xfe\xc0\x80Q");
}

// Rows, those with a note, and units.
std::string counted(Engine& engine, const plan::Relation& rows) {
  const std::vector<plan::Facts>& columns = rows->columns();
  plan::BoundedAggregate aggregate;
  aggregate.rows = plan::project(rows, {plan::column(0, columns[0].type), plan::column(1, columns[1].type)});
  aggregate.measures = {{.kind = plan::MeasureKind::rows, .column = {}, .total_high = 1000},
                        {.kind = plan::MeasureKind::rows, .column = 1, .total_high = 1000}};
  engine.prepare(aggregate);
  return shown(by_key(engine.run(aggregate, {})));
}

std::string counted(const plan::Project& project) {
  return counted(*open_duckdb(project), plan::scan(project, "visits"));
}

// DISTINCT of these is more than DuckDB's share of the memory, and then so are texts that are made of bytes. It used to end the process.
TEST(ParquetValues, LongTextsAreReadWithCareInLittleMemory) {
  const TestFolder folder;
  run_freely(
      {"COPY (SELECT CAST(i % 10 AS BIGINT) AS person, repeat('x', 20000) || i AS note FROM range(520) r(i)) TO '" +
       folder.file("v.parquet") + "'"});
  const plan::Project project = project_in(folder, "integer", "text");
  const auto number = [](std::int64_t value) { return plan::constant({Type::integer, Cell(value)}); };
  std::vector<plan::Expression> columns = {plan::column(0, Type::integer)};
  for (std::int64_t i = 0; i < 4; ++i) {
    columns.push_back(plan::call(plan::function_named("lpad"), {plan::column(1, Type::text), number(65'000 - i),
                                                                plan::constant({Type::text, Cell(std::string("x"))})}));
  }
  const auto engine = open_duckdb(project, {.memory = std::uint64_t{64} << 20, .threads = 1, .spill = {}});
  EXPECT_EQ(counted(*engine, plan::distinct(plan::project(plan::scan(project, "visits"), columns))), ": 520 520 10\n");
}

// Spec: W-30
TEST(ParquetValues, TextThatIsNotUtf8IsNull) {
  const TestFolder folder;
  write_texts(folder);
  const plan::Project project = project_in(folder, "integer", "text");
  const auto engine = open_duckdb(project);
  const plan::Relation visits = plan::scan(project, "visits");
  const plan::Expression note = plan::column(1, Type::text);
  const plan::Expression ok = plan::constant({Type::text, Cell{std::string("ok")}});
  for (int i = 0; i < 2; ++i) {  // as it lies, and with care from the first
    EXPECT_EQ(counted(*engine, visits), ": 4 2 4\n");
    EXPECT_EQ(counted(*engine, plan::filter(visits, plan::resolve("=", {note, ok}))), ": 1 1 1\n");
    EXPECT_EQ(counted(*engine, plan::filter(visits, plan::resolve("is null", {note}))), ": 2 0 2\n");
  }
}

// Of every statement by itself, on a file whose statistics say that no note is NULL: a count that they answer would take for a text
// what another count finds to be none.
TEST(ParquetValues, StatisticsAnswerNothing) {
  const TestFolder folder;
  write_patched(folder, "v.parquet", "SELECT p AS person, n AS note FROM (VALUES (1, 'ok'), (2, 'QQQQQQ')) t(p, n)",
                "QQQQQQ", "Q\xff\xfe\xc0\x80Q");
  const plan::Project project = project_in(folder, "integer", "text");
  EXPECT_EQ(counted(project), ": 2 1 2\n");
  const plan::Relation visits = plan::scan(project, "visits");
  for (const char* test : {"is null", "is not null"}) {
    const plan::Expression keep = plan::resolve(test, {plan::column(1, Type::text)});
    const bool null = std::string(test) == "is null";
    EXPECT_EQ(counted(*open_duckdb(project), plan::filter(visits, keep)), null ? ": 1 0 1\n" : ": 1 1 1\n");
  }
}

// Rows without an id are dropped.
TEST(ParquetValues, UnitsThatAreNotUtf8AreNone) {
  const TestFolder folder;
  write_patched(folder, "v.parquet", "SELECT p AS person, 1 AS note FROM (VALUES ('a'), ('QQQQQQ'), ('a'), ('c')) t(p)",
                "QQQQQQ", "Q\xff\xfe\xc0\x80Q");
  EXPECT_EQ(counted(project_in(folder, "text", "integer")), ": 3 3 2\n");
}

// Files of one source of which one has such a value, beside another with columns in another order.
TEST(ParquetValues, GlobsAreReadWithCareToo) {
  const TestFolder folder;
  write_texts(folder, 1000);
  run_freely({"COPY (SELECT 'x' AS note, 9 AS person) TO '" + folder.file("v2.parquet") + "'"});
  EXPECT_EQ(counted(project_in(folder, "integer", "text")), ": 4001 2001 5\n");
}

std::string moments(const TestFolder& folder, const std::string& value) {
  // The milliseconds 0x0102030405 of the year 1977, as they are written.
  const std::string written("\x05\x04\x03\x02\x01\0\0\0", 8);
  write_patched(
      folder, "v.parquet",
      "SELECT p AS person, n AS note FROM (VALUES (1, epoch_ms(4328719365)::TIMESTAMP_MS), (2, '1999-05-05'), (3, "
      "NULL)) t(p, n)",
      written, value);
  return counted(project_in(folder, "integer", "timestamp")) + counted(project_in(folder, "integer", "date"));
}

// Spec: W-30
TEST(ParquetValues, MomentsThatAreNoneAreNull) {
  const TestFolder folder;
  EXPECT_EQ(moments(folder, std::string("\x06\x04\x03\x02\x01\0\0\0", 8)), ": 3 2 3\n: 3 2 3\n");
  EXPECT_EQ(moments(folder, std::string("\0\0\0\0\0\0\0\x40", 8)), ": 3 1 3\n: 3 1 3\n");  // 2^62
  EXPECT_EQ(moments(folder, std::string("\1\0\0\0\0\0\0\x80", 8)), ": 3 1 3\n: 3 1 3\n");
}

// A file with a hole between its pages and its end, so large that no copy has room. Room is asked for before anything is charged, and by
// sizes alone: the values are well. Nothing is copied where no column is read that could need it.
TEST(ParquetValues, NoRoomForACopyIsSaidBeforeTheRun) {
  const TestFolder folder;
  run_freely({"COPY (SELECT 1 AS person, 'ok' AS note) TO '" + folder.file("v.parquet") + "'"});
  std::string bytes = bytes_of(folder.file("v.parquet"));
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + bytes.size() - 8, sizeof length);
  const std::string end = bytes.substr(bytes.size() - 8 - length);
  const auto room = std::filesystem::space(folder.file("")).available;
  std::filesystem::resize_file(folder.file("v.parquet"), bytes.size() - end.size());
  std::filesystem::resize_file(folder.file("v.parquet"), room + (std::uintmax_t{1} << 36));
  std::ofstream(folder.file("v.parquet"), std::ios::binary | std::ios::app) << end;
  Limits limits;
  limits.spill = folder.file("");
  const auto prepared = [&](const plan::Project& project) {
    plan::BoundedAggregate aggregate;
    aggregate.rows = plan::scan(project, "visits");
    aggregate.measures = {{.kind = plan::MeasureKind::rows, .column = {}, .total_high = 1000}};
    return testing::refusal([&] { open_duckdb(project, limits)->prepare(aggregate); });
  };
  EXPECT_EQ(prepared(project_in(folder, "integer", "text")), Code::cannot_write);
  EXPECT_EQ(prepared(project_in(folder, "integer", "integer")), Code::cannot_write);
  std::string without =
      "version: 1\ndata_version: \"1\"\nprivacy: {unit: person, neighbours: add-remove}\n"
      "budgets: {main: {epsilon: 1}}\ntables:\n  visits:\n    source: \"v*.parquet\"\n"
      "    unit: person\n    columns: {person: {type: integer}}\n";
  const plan::Project project = plan::parse_project(without, folder.file("dither.yaml"));
  EXPECT_NO_THROW(detail::Opened(project, limits).require_room({"visits"}, 0));
}

// A copy that is stopped leaves nothing.
TEST(ParquetValues, CopiesCanBeStopped) {
  const TestFolder folder;
  write_texts(folder);
  CancelToken token;
  token.cancel();
  EXPECT_THROW(detail::write_raw_copy(folder.file("v.parquet"), folder.file("copy"), token), Cancelled);
  EXPECT_FALSE(std::filesystem::exists(folder.file("copy")));
  detail::write_raw_copy(folder.file("v.parquet"), folder.file("copy"), {});
  EXPECT_GT(std::filesystem::file_size(folder.file("copy")), 0u);
}

// What is there before `prepare` and after it is the same for every value.
TEST(ParquetValues, PrepareIsTheSameForEveryValue) {
  const TestFolder folder;
  write_texts(folder);
  const plan::Project project = project_in(folder, "integer", "integer");  // of texts
  EXPECT_EQ(counted(project), ": 4 0 4\n");
}

TEST(ParquetValues, TheStewardSeesHowManyCannotBeRead) {
  const TestFolder folder;
  write_texts(folder);
  const std::vector<TableSurvey> found = survey(project_in(folder, "integer", "text"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].rows, 4u);
  EXPECT_EQ(found[0].columns[1].null, 1u);
  EXPECT_EQ(found[0].columns[1].unreadable, 1u);
}

// Decimals of 16 bytes are numbers; one byte more in each, and DuckDB gives up on a value that does not fit, so the column is
// refused for every value.
TEST(ParquetValues, DecimalsOfTooManyBytesAreRefusedByType) {
  const TestFolder folder;
  write_patched(folder, "v.parquet", "SELECT 1 AS person, 1.5::DECIMAL(38, 2) AS note",
                std::string("\x15\x0e\x15\x20", 4), std::string("\x15\x0e\x15\x22", 4));
  const plan::Project project = project_in(folder, "integer", "real");
  try {
    counted(project);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.str(),
              "error: bad-source: table \"visits\": the column \"note\" of v.parquet has decimals that are kept as "
              "bytes of any "
              "length\nhint:  write its values into another file or table, and name that as the source");
  }
  EXPECT_EQ(
      survey(plan::parse_project("version: 1\ndata_version: \"1\"\nprivacy: {unit: row, neighbours: add-remove}\n"
                                 "budgets: {main: {epsilon: 1}}\ntables: {v: {source: v.parquet, unit: row, columns: "
                                 "{person: {type: integer}}}}\n",
                                 folder.file("dither.yaml")))[0]
          .rows,
      1u);
}

// A copy is made where temporary files go, and goes with the engine.
TEST(ParquetValues, CopiesAreRemoved) {
  const TestFolder folder;
  write_texts(folder);
  std::filesystem::create_directory(folder.file("spill"));
  Limits limits;
  limits.spill = folder.file("spill");
  const plan::Project project = project_in(folder, "integer", "text");
  {
    const auto engine = open_duckdb(project, limits);
    EXPECT_EQ(counted(*engine, plan::scan(project, "visits")), ": 4 2 4\n");
    for (const auto& entry : std::filesystem::recursive_directory_iterator(limits.spill)) {
      using std::filesystem::perms;
      EXPECT_EQ(entry.status().permissions() & (perms::group_all | perms::others_all), perms::none) << entry.path();
    }
  }
  EXPECT_TRUE(std::filesystem::is_empty(limits.spill));
}

std::string footer_bytes(const std::string& file) {
  std::uint32_t length = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    length |= std::uint32_t{static_cast<unsigned char>(file[file.size() - 8 + i])} << (8 * i);
  }
  return file.substr(file.size() - 8 - length, length);
}

TEST(ParquetFooter, SaysWhichColumnsAreChecked) {
  const TestFolder folder;
  run_freely(
      {"COPY (SELECT 1 AS a, 'x' AS b, {'k': 'x', 'l': [1]} AS c, TIMESTAMP_MS '2024-01-01' AS d, TIMESTAMP "
       "'2024-01-01' "
       "AS e, 1.5::DECIMAL(38, 2) AS f, 'y'::BLOB AS g, '{}'::JSON AS h FROM range(10000)) TO '" +
       folder.file("v.parquet") + "' (ROW_GROUP_SIZE 2048)"});
  const std::string bytes = footer_bytes(bytes_of(folder.file("v.parquet")));
  const detail::ParquetFooter footer = detail::parse_footer(bytes);
  using detail::Checked;
  EXPECT_EQ(footer.columns, (std::vector{Checked::none, Checked::text, Checked::none, Checked::milliseconds,
                                         Checked::none, Checked::none, Checked::none, Checked::text}));
  EXPECT_GE(footer.largest_group, 2048u * sizeof(std::int64_t));
  EXPECT_LT(footer.largest_group, 10'000u * 100);
  EXPECT_LT(footer.plain.size(), bytes.size());
  EXPECT_LT(footer.raw.size(), footer.plain.size());
  EXPECT_EQ(detail::parse_footer(footer.plain).plain, footer.plain);
  EXPECT_EQ(detail::parse_footer(footer.raw).columns, std::vector(8, Checked::none));
}

// Whatever the bytes are, there is an answer or the one complaint.
TEST(ParquetFooter, DamageIsNoticedOrHarmless) {
  const TestFolder folder;
  write_texts(folder);
  const std::string whole = footer_bytes(bytes_of(folder.file("v.parquet")));
  const auto refused = [](const std::string& bytes) {
    try {
      detail::parse_footer(bytes);
      return false;
    } catch (const detail::BadFooter&) {
      return true;
    }
  };
  EXPECT_FALSE(refused(whole));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_TRUE(refused(whole.substr(0, i)));
    for (const char other : {'\0', '\x7f', '\xff', '\x1c', '\x19'}) {
      std::string damaged = whole;
      damaged[i] = other;
      refused(damaged);
    }
  }
  EXPECT_TRUE(refused(std::string(100'000, '\x1c')));  // structures in structures
  EXPECT_TRUE(refused(std::string(100'000, '\x19')));  // lists in lists
}

}  // namespace
}  // namespace dither::engine
