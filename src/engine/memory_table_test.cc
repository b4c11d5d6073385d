#include "engine/memory_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/int128.h"
#include "engine/files_check.h"
#include "engine/memory_table_check.h"

namespace dither::engine {
namespace {

// The values of a column, as declared.
std::string read(const std::string& type, ArrowColumn column) {
  const plan::Project project = project_of(type);
  column.name = "x";
  const std::int64_t rows = column.length;
  return found(*engine_of(project, table_of({{persons(rows), std::move(column)}})), project);
}

template <class T>
std::string read_wholes(const std::string& format) {
  return read("integer", fixed_column<T>(
                             "x", format,
                             {std::numeric_limits<T>::min(), T{7}, std::nullopt, T{7}, std::numeric_limits<T>::max()}));
}

TEST(MemoryTable, WholeNumbersOfEverySize) {
  EXPECT_EQ(read_wholes<std::int8_t>("c"), "-128 1; 127 1; 7 2; NULL 1");
  EXPECT_EQ(read_wholes<std::uint8_t>("C"), "0 1; 255 1; 7 2; NULL 1");
  EXPECT_EQ(read_wholes<std::int16_t>("s"), "-32768 1; 32767 1; 7 2; NULL 1");
  EXPECT_EQ(read_wholes<std::uint16_t>("S"), "0 1; 65535 1; 7 2; NULL 1");
  EXPECT_EQ(read_wholes<std::int32_t>("i"), "-2147483648 1; 2147483647 1; 7 2; NULL 1");
  EXPECT_EQ(read_wholes<std::uint32_t>("I"), "0 1; 4294967295 1; 7 2; NULL 1");
  EXPECT_EQ(read_wholes<std::int64_t>("l"), "-9223372036854775808 1; 7 2; 9223372036854775807 1; NULL 1");
  EXPECT_EQ(read_wholes<std::uint64_t>("L"), "0 1; 7 2; NULL 2") << "beyond 64 bits with a sign";
}

TEST(MemoryTable, FloatsOfEverySize) {
  EXPECT_EQ(read("real", fixed_column<double>("x", "g", {0.1, std::nullopt, 0.1})), "0.1 2; NULL 1");
  EXPECT_EQ(read("real", fixed_column<float>("x", "f", {0.5F, -2.25F})), "-2.25 1; 0.5 1");
  // 1, -2, the least, the greatest, an infinity, NaN and minus zero of 16 bits.
  const Maybe<std::uint16_t> halves = {0x3c00, 0xc000, 0x0001, 0x7bff, 0x7c00, 0x7e00, 0x8000};
  EXPECT_EQ(read("real", fixed_column<std::uint16_t>("x", "e", halves)),
            read("real", fixed_column<double>("x", "g", {1, -2, 0x1p-24, 65504, INFINITY, std::nan(""), -0.0})));
  EXPECT_EQ(read("integer, bounds: [0, 9], outside: clamp",
                 fixed_column<double>("x", "g", {3, std::nan(""), 1e300, INFINITY})),
            "3 1; 9 1; NULL 2");
}

TEST(MemoryTable, TextsOfEveryLayout) {
  const std::string long_one = "longer than what is kept in place";
  const Maybe<std::string> texts = {"", "Zürich", std::nullopt, long_one, "twelve bytes", long_one + "!", "Zürich"};
  const std::string all = read("text", text_column<std::int32_t>("x", "u", texts));
  EXPECT_EQ(all, "'' 1; 'Zürich' 2; '" + long_one + "!' 1; '" + long_one + "' 1; 'twelve bytes' 1; NULL 1");
  EXPECT_EQ(read("text", text_column<std::int64_t>("x", "U", texts)), all);
  EXPECT_EQ(read("text", text_column<std::int32_t>("x", "u", texts, 5)), all);
  EXPECT_EQ(read("text", view_column("x", texts)), all);
}

// Spec: W-30
TEST(MemoryTable, WhatIsNotUtf8IsNull) {
  const Maybe<std::string> texts = {"plain", "\xff", "cut \xc3", "\xed\xa0\x80 and more than twelve bytes", "Zürich"};
  for (const ArrowColumn& column :
       {text_column<std::int32_t>("x", "u", texts), text_column<std::int64_t>("x", "U", texts), view_column("x", texts),
        dictionary_column(fixed_column<std::int8_t>("x", "c", {0, 1, 2, 3, 4}),
                          text_column<std::int32_t>("", "u", texts))}) {
    EXPECT_EQ(read("text", column), "'Zürich' 1; 'plain' 1; NULL 3") << column.format;
  }
}

TEST(MemoryTable, BooleansAndNothing) {
  EXPECT_EQ(read("boolean", boolean_column("x", {true, false, std::nullopt, true}, 3)), "NULL 1; false 1; true 2");
  for (const char* type : {"boolean", "integer", "real", "text", "date", "timestamp"}) {
    EXPECT_EQ(read(type, {"x", "n", 3, 0, 3, {}}), "NULL 3") << type;
  }
}

TEST(MemoryTable, DatesAndMoments) {
  EXPECT_EQ(read("date", fixed_column<std::int32_t>("x", "tdD", {19783, std::nullopt, -1, 19783})),
            "DATE '1969-12-31' 1; DATE '2024-03-01' 2; NULL 1");
  constexpr std::int64_t kDay = 86'400'000;
  EXPECT_EQ(read("date", fixed_column<std::int64_t>("x", "tdm", {19783 * kDay, std::nullopt, -1, 19783 * kDay + 5})),
            read("date", fixed_column<std::int32_t>("x", "tdD", {19783, std::nullopt, -1, 19783})));
  EXPECT_EQ(read("date", fixed_column<std::int64_t>("x", "tdm", {INT64_MAX, INT64_MIN})), "NULL 2");
  EXPECT_EQ(read("date", fixed_column<std::int32_t>("x", "tdD", {INT32_MAX, INT32_MIN})), "NULL 2");
}

// Spec: W-30
TEST(MemoryTable, MomentsOfEveryUnitAreTheSameInstants) {
  const auto moments = [](const std::string& format, std::int64_t per_second) {
    return read("timestamp", fixed_column<std::int64_t>(
                                 "x", format, {1'709'251'199 * per_second, std::nullopt, -86'400 * per_second}));
  };
  const std::string micro = moments("tsu:", 1'000'000);
  EXPECT_EQ(micro, "NULL 1; TIMESTAMP '1969-12-31 00:00:00' 1; TIMESTAMP '2024-02-29 23:59:59' 1");
  EXPECT_EQ(moments("tss:", 1), micro);
  EXPECT_EQ(moments("tsm:", 1'000), micro);
  EXPECT_EQ(moments("tsn:", 1'000'000'000), micro);
  EXPECT_EQ(moments("tsu:Europe/Berlin", 1'000'000), micro) << "an instant, wherever it is shown";
  EXPECT_EQ(moments("tsn:UTC", 1'000'000'000), micro);
  for (const char* format : {"tss:", "tsm:", "tsu:"}) {
    EXPECT_EQ(read("timestamp", fixed_column<std::int64_t>("x", format, {INT64_MAX, INT64_MIN, INT64_MAX / 2})),
              "NULL 3")
        << format;
  }
}

// The same cells in a Parquet file and in memory are the same values.
TEST(MemoryTable, ReadsAsParquetDoes) {
  const TestFolder folder;
  const auto from_file = [&](const std::string& type, const std::string& values) {
    const std::string file = folder.file("v.parquet");
    run_freely(
        {"COPY (SELECT row_number() OVER () AS person, x FROM (VALUES " + values + ") AS v(x)) TO '" + file + "'"});
    const plan::Project project = project_of(type, "'" + file + "'");
    return found(*open_duckdb(project), project);
  };
  EXPECT_EQ(
      read("timestamp", fixed_column<std::int64_t>("x", "tsn:", {-1, -1'001, 1'999, std::nullopt})),
      from_file("timestamp", "(make_timestamp_ns(-1)), (make_timestamp_ns(-1001)), (make_timestamp_ns(1999)), (NULL)"));
  EXPECT_EQ(read("real", fixed_column<Int128>("x", "d:20,2", {Int128{1'234'567'890'123'456'789}, Int128{1}})),
            from_file("real", "(12345678901234567.89::DECIMAL(20, 2)), (0.01::DECIMAL(20, 2))"));
  EXPECT_EQ(read("real", fixed_column<float>("x", "f", {0.1F, 3e38F})),
            from_file("real", "(0.1::FLOAT), (3e38::FLOAT)"));
  EXPECT_EQ(read("integer", text_column<std::int32_t>("x", "u", {"12", " 7", "x", "1e3"})),
            from_file("integer", "('12'), (' 7'), ('x'), ('1e3')"));
}

TEST(MemoryTable, DecimalsOfEveryWidth) {
  EXPECT_EQ(read("real", fixed_column<Int128>("x", "d:9,2", {Int128{12345}, std::nullopt, Int128{-5}})),
            "-0.05 1; 123.45 1; NULL 1");
  EXPECT_EQ(read("real", fixed_column<Int128>("x", "d:3,1", {Int128{15}, Int128{1000}})), "1.5 1; NULL 1")
      << "too many digits";
  EXPECT_EQ(read("real", fixed_column<Int128>("x", "d:38,3,128", {Int128{1'500}})), "1.5 1");
  EXPECT_EQ(read("real", fixed_column<std::int32_t>("x", "d:5,1,32", {15})), "1.5 1");
  EXPECT_EQ(read("real", fixed_column<std::int64_t>("x", "d:18,1,64", {15})), "1.5 1");
  const Int128 large = Int128{INT64_MAX} * 4;
  EXPECT_EQ(read("integer", fixed_column<Int128>("x", "d:30,0", {Int128{INT64_MAX}, large})),
            "9223372036854775807 1; NULL 1");
}

TEST(MemoryTable, DictionariesOfEveryIndex) {
  const ArrowColumn cities = text_column<std::int32_t>("", "u", {"unused", "Ayr", std::nullopt, "Bonn"}, 2);
  const std::string expected = "'Ayr' 1; 'Bonn' 2; NULL 2";
  EXPECT_EQ(read("text", dictionary_column(fixed_column<std::int8_t>("x", "c", {3, 1, std::nullopt, 2, 3}), cities)),
            expected);
  EXPECT_EQ(
      read("text", dictionary_column(fixed_column<std::uint8_t>("x", "C", {3, 1, std::nullopt, 2, 3}, 4), cities)),
      expected);
  EXPECT_EQ(read("text", dictionary_column(fixed_column<std::uint16_t>("x", "S", {3, 1, std::nullopt, 2, 3}), cities)),
            expected);
  EXPECT_EQ(read("text", dictionary_column(fixed_column<std::uint32_t>("x", "I", {3, 1, std::nullopt, 2, 3}), cities)),
            expected);
  EXPECT_EQ(read("text", dictionary_column(fixed_column<std::int64_t>("x", "l", {3, 1, std::nullopt, 2, 3}), cities)),
            expected);
  EXPECT_EQ(read("text", dictionary_column(fixed_column<std::int32_t>("x", "i", {3, 1, -1, 4, 3}), cities)), expected)
      << "what points outside is NULL";
  EXPECT_EQ(read("integer", dictionary_column(fixed_column<std::int32_t>("x", "i", {1, 0, 1}),
                                              fixed_column<std::int16_t>("", "s", {5, 9}))),
            "5 1; 9 2");
  EXPECT_EQ(read("boolean",
                 dictionary_column(fixed_column<std::int32_t>("x", "i", {1, 0, 1}), boolean_column("", {true, false}))),
            "false 2; true 1");
}

TEST(MemoryTable, ChunksSlicesAndStructsOfRows) {
  const plan::Project project = project_of("integer");
  const auto chunk = [](std::int64_t from, std::int64_t count, std::size_t before) {
    Maybe<std::int32_t> values;
    for (std::int64_t i = 0; i < count; ++i)
      values.push_back(i % 3 == 0 ? std::nullopt : std::optional(static_cast<std::int32_t>(i % 3)));
    return ArrowChunk{persons(count, from, before), fixed_column("x", "i", values, 2 * before)};
  };
  ArrowSource source{{chunk(0, 70, 0), chunk(70, 0, 3), chunk(70, 131, 7)}};
  EXPECT_EQ(found(*engine_of(project, taken(source)), project), "1 67; 2 66; NULL 68");
  // The array of rows itself skips the first two, and says that the next is none.
  source.chunks = {chunk(0, 10, 0)};
  source.struct_offset = 2;
  source.struct_validity = std::string("\xfb\x0f", 2);
  EXPECT_EQ(taken(source)->rows(), 8U);
  EXPECT_EQ(found(*engine_of(project, taken(source)), project), "1 2; 2 2; NULL 3") << "a row that is none has no unit";
}

TEST(MemoryTable, WithoutRowsOrChunks) {
  const plan::Project project = project_of("integer");
  ArrowSource source{{{persons(0), fixed_column<std::int64_t>("x", "l", {})}}};
  EXPECT_EQ(taken(source)->rows(), 0U);
  EXPECT_EQ(found(*engine_of(project, taken(source)), project), "");
  source.chunks[0][1].buffers = {std::nullopt, std::nullopt};
  EXPECT_EQ(found(*engine_of(project, taken(source)), project), "");
}

// Many slices, by several threads, again and again: the numbers that one thread counts.
TEST(MemoryTable, ThreadsFindWhatOneFinds) {
  const plan::Project project = project_of("text");
  std::vector<ArrowChunk> chunks;
  std::map<std::string, int> expected;
  std::int64_t row = 0;
  for (const std::int64_t count : {300'000, 1, 150'000, 2'048, 122'881}) {
    Maybe<std::string> values;
    Maybe<std::int64_t> ids;
    for (std::int64_t i = 0; i < count; ++i, ++row) {
      const std::string city = "city number " + std::to_string(row * row % 7);
      values.emplace_back(city);
      ids.emplace_back(row / 3);
      ++expected["'" + city + "'"];
    }
    chunks.push_back({fixed_column("person", "l", ids), text_column<std::int32_t>("x", "u", values)});
  }
  std::string text;
  for (const auto& [city, rows] : expected) text += (text.empty() ? "" : "; ") + city + " " + std::to_string(rows);
  const auto table = table_of(std::move(chunks));
  for (const unsigned threads : {1U, 4U}) {
    const auto engine = engine_of(project, table, threads);
    for (int again = 0; again < 2; ++again) EXPECT_EQ(found(*engine, project), text) << threads;
  }
}

}  // namespace
}  // namespace dither::engine
