// Tables in memory that are handed over badly, or hold what cannot be asked for.
#include <gtest/gtest.h>

#include "base/error.h"
#include "engine/memory_table_check.h"
#include "testing/refusal.h"

namespace dither::engine {
namespace {

using testing::refusal;

TEST(MemoryStream, IsReleasedWhenTheLastOwnerGoes) {
  const plan::Project project = project_of("integer");
  ArrowSource source{{{persons(3), fixed_column<std::int64_t>("x", "l", {1, 2, 3})},
                      {persons(0), fixed_column<std::int64_t>("x", "l", {})}}};
  {
    auto table = taken(source);
    const auto engine = engine_of(project, table);
    table.reset();
    EXPECT_EQ(found(*engine, project), "1 1; 2 1; 3 1");
    EXPECT_GT(source.alive.use_count(), 1);
  }
  EXPECT_EQ(source.alive.use_count(), 1);
}

TEST(MemoryStream, StreamsThatFailAreRefusedAndReleased) {
  ArrowSource source{{{persons(3)}, {persons(3)}}};
  ArrowArrayStream stream = stream_of(source);
  MemoryTable::take(&stream);
  EXPECT_EQ(stream.release, nullptr);
  EXPECT_EQ(refusal([&] { MemoryTable::take(&stream); }), Code::cannot_read) << "read before";
  EXPECT_EQ(refusal([&] { MemoryTable::take(nullptr); }), Code::cannot_read);
  source.failing = 1;
  try {
    taken(source);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(
        error.str(),
        "error: cannot-read: the table cannot be read: its library reports error 5\nhint:  look whether the library "
        "that made the table can read it, and give it again");
  }
  source.failing = SIZE_MAX;
  source.schema_error = ENOMEM;
  EXPECT_EQ(refusal([&] { taken(source); }), Code::cannot_read);
  source.schema_error = 0;
  source.format = "l";
  EXPECT_EQ(refusal([&] { taken(source); }), Code::bad_source) << "no table";
  EXPECT_EQ(source.alive.use_count(), 1);
}

TEST(MemoryStream, ChunksOfAnotherTypeAreRefused) {
  const auto refused = [](const ArrowChunk& second) {
    ArrowSource source{
        {{persons(3), dictionary_column(fixed_column<std::int8_t>("x", "c", {0, 0, 0}), persons(1))}, second}};
    const auto code = refusal([&] { taken(source); });
    EXPECT_EQ(source.alive.use_count(), 1);
    return code;
  };
  const ArrowColumn right = dictionary_column(fixed_column<std::int8_t>("x", "c", {0, 0, 0}), persons(1));
  EXPECT_EQ(refused({persons(3), right}), std::nullopt);
  EXPECT_EQ(refused({persons(3)}), Code::cannot_read) << "a column less";
  EXPECT_EQ(refused({persons(4), right}), Code::cannot_read) << "a shorter column";
  EXPECT_EQ(refused({persons(3), fixed_column<std::int8_t>("x", "c", {0, 0, 0})}), Code::cannot_read)
      << "no dictionary";
  EXPECT_EQ(refused({{"person", "l", 3, 0, 0, {std::nullopt}}, right}), Code::cannot_read) << "no buffer";
  EXPECT_EQ(refused({{"person", "l", 3, 0, 0, {std::nullopt, std::nullopt}}, right}), Code::cannot_read)
      << "none there";
  EXPECT_EQ(refused({{"person", "l", 3, -1, 0, {std::nullopt, "123"}}, right}), Code::cannot_read)
      << "before its begin";
}

// Columns that have no type of ours are refused by name, and only where they are declared.
TEST(MemoryStream, UnfitColumnsAreRefusedWhenDeclared) {
  const plan::Project project = project_of("text");
  const auto complaint = [&](const std::string& format, const std::string& name = "x") {
    const auto engine =
        engine_of(project, table_of({{persons(1), {name, format, 1, 0, 0, {std::nullopt, "12345678"}}}}));
    try {
      return found(*engine, project);
    } catch (const Error& error) {
      return error.str();
    }
  };
  EXPECT_EQ(complaint("+l"),
            "error: bad-source: table \"visits\": the column \"x\" of the table in memory is of Arrow's type list\n"
            "hint:  convert it to numbers, text, dates or timestamps, or rename it, before the table is given");
  for (const auto& [format, type] : std::vector<std::pair<std::string, std::string>>{{"+s", "struct"},
                                                                                     {"z", "binary"},
                                                                                     {"Z", "large_binary"},
                                                                                     {"vz", "binary_view"},
                                                                                     {"w:16", "fixed_size_binary"},
                                                                                     {"ttu", "time"},
                                                                                     {"tDn", "duration"},
                                                                                     {"tiM", "interval"},
                                                                                     {"+m", "map"},
                                                                                     {"+us:0,1", "union"},
                                                                                     {"d:76,2,256", "decimal256"},
                                                                                     {"d:9,-2", "decimal"},
                                                                                     {"d:9", "decimal"},
                                                                                     {"d:", "decimal"},
                                                                                     {"tsx:", "timestamp"},
                                                                                     {"+r", "run_end_encoded"},
                                                                                     {"+vl", "list_view"},
                                                                                     {"?", "unknown"}}) {
    EXPECT_NE(complaint(format).find("type " + type + "\n"), std::string::npos) << format << ": " << complaint(format);
  }
  EXPECT_EQ(
      complaint("l", "y"),
      "error: bad-source: table \"visits\": the table in memory has no column \"x\"\nhint:  name the columns as the "
      "table does, in the same capitals");
  const ArrowColumn value = fixed_column<std::int64_t>("x", "l", {7});
  const plan::Project whole = project_of("integer");
  EXPECT_EQ(refusal([&] {
              found(*engine_of(whole, table_of({{persons(1), value, value}})), whole);
            }),
            Code::bad_source)
      << "twice the same name";
  EXPECT_EQ(found(*engine_of(whole,
                             table_of({{persons(1), value, {"list", "+l", 1, 0, 0, {}}, {"list", "+l", 1, 0, 0, {}}}})),
                  whole),
            "7 1");
  const plan::Project days = project_of("date");
  EXPECT_EQ(refusal([&] {
              found(*engine_of(days, table_of({{persons(1), fixed_column<double>("x", "g", {1})}})), days);
            }),
            Code::bad_source)
      << "no cast";
}

TEST(MemoryStream, TellsItsColumns) {
  const auto table = table_of(
      {{persons(1),
        {"list", "+l", 1, 0, 0, {}},
        dictionary_column(fixed_column<std::int8_t>("city", "c", {0}), text_column<std::int32_t>("", "u", {"a"}))}});
  ASSERT_EQ(table->columns().size(), 3U);
  EXPECT_EQ(table->columns()[0].type, "int64");
  EXPECT_EQ(table->columns()[0].is, plan::Type::integer);
  EXPECT_EQ(table->columns()[1].is, std::nullopt);
  EXPECT_EQ(table->columns()[2].name, "city");
  EXPECT_EQ(table->columns()[2].is, plan::Type::text);
}

// Without the program that has the table nothing can be asked of it.
TEST(MemoryStream, IsMissedWhereNobodyGivesIt) {
  const plan::Project project = project_of("integer");
  const auto engine = open_duckdb(project);
  try {
    engine->prepare(by_value(project));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(
        error.str(),
        "error: bad-source: table \"visits\": it lives in the memory of a program, and is not here\nhint:  ask from "
        "the program that has it: in Python, dither.Session(tables={name: table}, ...)");
  }
  EXPECT_EQ(refusal([&] { engine->fingerprint({"visits"}); }), Code::bad_source);
}

}  // namespace
}  // namespace dither::engine
