#include "engine/detail/memory_digest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/arrow_check.h"
#include "engine/engine.h"

namespace dither::engine::detail {
namespace {

// The definition, with the message's 32 bytes: computed by hand from the two passes of RFC 2104 for key "Jefe".
TEST(MemoryDigest, IsAnHmac) {
  const Digest message = sha256("what do ya want for nothing?");
  std::string inner(64, '\x36'), outer(64, '\x5c');
  const std::string key = "Jefe";
  for (std::size_t i = 0; i < key.size(); ++i) {
    inner[i] = static_cast<char>(key[i] ^ 0x36);
    outer[i] = static_cast<char>(key[i] ^ 0x5c);
  }
  const auto text = [](const Digest& digest) {
    return std::string(reinterpret_cast<const char*>(digest.bytes.data()), digest.bytes.size());
  };
  EXPECT_EQ(hmac_sha256(key, message), sha256(outer + text(sha256(inner + text(message)))));
  const std::string long_key(100, 'k');
  EXPECT_EQ(hmac_sha256(long_key, message), hmac_sha256(text(sha256(long_key)), message));
  EXPECT_NE(hmac_sha256("Jeff", message), hmac_sha256(key, message));
}

std::string digest_of(ArrowColumn column) {
  column.name = "c";
  return table_of({{std::move(column)}})->digest("key");
}

struct Rows {
  Maybe<std::int64_t> numbers = {1, std::nullopt, 3, 4, 5};
  Maybe<std::string> texts = {"a", "bc", std::nullopt, "", "a text of more than twelve bytes"};
  Maybe<bool> flags = {true, false, true, std::nullopt, true};

  ArrowChunk chunk(std::size_t from, std::size_t to, std::size_t before) const {
    const auto some = [&](const auto& values) {
      return std::decay_t<decltype(values)>(values.begin() + static_cast<std::ptrdiff_t>(from),
                                            values.begin() + static_cast<std::ptrdiff_t>(to));
    };
    return {fixed_column("n", "l", some(numbers), before), text_column<std::int32_t>("t", "u", some(texts), before),
            boolean_column("b", some(flags), before)};
  }
  std::string digest(const std::string& key = "key") const { return table_of({chunk(0, 5, 0)})->digest(key); }
};

TEST(MemoryDigest, DependsOnTheRowsAlone) {
  const Rows rows;
  const std::string whole = rows.digest();
  EXPECT_EQ(whole.size(), 64U);
  EXPECT_EQ(table_of({rows.chunk(0, 2, 0), rows.chunk(2, 2, 0), rows.chunk(2, 5, 0)})->digest("key"), whole)
      << "chunks";
  EXPECT_EQ(table_of({rows.chunk(0, 5, 13)})->digest("key"), whole) << "offsets";
  ArrowChunk hidden = rows.chunk(0, 5, 0);
  (*hidden[0].buffers[1])[8] = '\x77';
  EXPECT_EQ(table_of({hidden})->digest("key"), whole) << "what lies under a NULL";
  EXPECT_NE(rows.digest("another"), whole);
}

TEST(MemoryDigest, EveryBitCounts) {
  const Rows rows;
  const std::string whole = rows.digest();
  Rows other = rows;
  other.numbers[4] = 5 + 65536;
  EXPECT_NE(other.digest(), whole);
  other = rows;
  other.texts[4]->back() ^= 1;
  EXPECT_NE(other.digest(), whole);
  other = rows;
  other.flags[1] = true;
  EXPECT_NE(other.digest(), whole);
  other = rows;
  other.texts[3] = std::nullopt;
  EXPECT_NE(other.digest(), whole) << "an empty text is not NULL";
  other = rows;
  std::swap(other.numbers[0], other.numbers[2]);
  EXPECT_NE(other.digest(), whole);
  ArrowChunk renamed = rows.chunk(0, 5, 0);
  renamed[0].name = "m";
  EXPECT_NE(table_of({renamed})->digest("key"), whole);
  ArrowChunk fewer = rows.chunk(0, 5, 0);
  fewer.pop_back();
  EXPECT_NE(table_of({fewer})->digest("key"), whole);
}

// What is declared does not matter, nor where a column stands.
TEST(MemoryDigest, AllColumnsCountInAnyOrder) {
  const Rows rows;
  ArrowChunk chunk = rows.chunk(0, 5, 0);
  std::swap(chunk[0], chunk[2]);
  EXPECT_EQ(table_of({chunk})->digest("key"), rows.digest());
  chunk.push_back(fixed_column<double>("more", "g", {1.5, 2.5, 3.5, 4.5, 5.5}));
  const std::string more = table_of({chunk})->digest("key");
  EXPECT_NE(more, rows.digest());
  chunk.back() = fixed_column<double>("more", "g", {1.5, 2.5, 3.5, 4.5, 6.5});
  EXPECT_NE(table_of({chunk})->digest("key"), more);
  chunk.back().name = "n";  // twice
  const std::string twice = table_of({chunk})->digest("key");
  std::swap(chunk[2], chunk[3]);
  EXPECT_EQ(table_of({chunk})->digest("key"), twice);
}

// A column that was seen elsewhere counts as if it were here, and instead of one of its name.
TEST(MemoryDigest, SeenColumnsCount) {
  const Rows rows;
  const auto whole = table_of({rows.chunk(0, 5, 0)});
  const std::vector<SeenColumn> all = whole->seen_columns();
  ASSERT_EQ(all.size(), 3U);
  const auto digest_with = [&](ArrowChunk chunk, const std::vector<SeenColumn>& seen) {
    ArrowSource source{{std::move(chunk)}};
    ArrowArrayStream stream = stream_of(source);
    return MemoryTable::take(&stream, seen)->digest("key");
  };
  ArrowChunk fewer = rows.chunk(0, 5, 0);
  fewer.pop_back();
  EXPECT_EQ(digest_with(fewer, {all[2]}), rows.digest());
  EXPECT_NE(digest_with(fewer, {}), rows.digest());
  ArrowChunk other = rows.chunk(0, 5, 0);
  other[1] = fixed_column<std::int64_t>("t", "l", {1, 2, 3, 4, 5});
  EXPECT_EQ(digest_with(other, {all[1]}), rows.digest());
  EXPECT_NE(digest_with(other, {}), rows.digest());
}

// What no declaration can read, and NaN, which pandas writes for NULL.
TEST(MemoryDigest, UnreadableValuesCountAsNull) {
  const std::string nothing = digest_of(fixed_column<std::int64_t>("", "l", {std::nullopt, std::nullopt}));
  EXPECT_EQ(digest_of(fixed_column<double>("", "g", {std::nan(""), std::nullopt})), nothing);
  EXPECT_EQ(digest_of(fixed_column<std::int64_t>("", "tDs", {1, 2})), nothing) << "durations";
  EXPECT_NE(digest_of(fixed_column<std::int64_t>("", "tDs", {1, 2, 3})), nothing);
}

TEST(MemoryDigest, NumbersCountByTheirValues) {
  const std::string whole = digest_of(fixed_column<std::int64_t>("", "l", {1, std::nullopt, -3}));
  EXPECT_EQ(digest_of(fixed_column<std::int32_t>("", "i", {1, std::nullopt, -3})), whole);
  EXPECT_EQ(digest_of(fixed_column<std::int8_t>("", "c", {1, std::nullopt, -3})), whole);
  EXPECT_EQ(digest_of(fixed_column<float>("", "f", {1, std::nullopt, -3})), whole) << "whole numbers as floats";
  EXPECT_EQ(digest_of(fixed_column<double>("", "g", {1, std::nullopt, -3})), whole);
  EXPECT_EQ(digest_of(fixed_column<std::int64_t>("", "d:10,2,64", {100, std::nullopt, -300})), whole);
  EXPECT_NE(digest_of(fixed_column<double>("", "g", {1, std::nullopt, -3.5})), whole);
  EXPECT_EQ(digest_of(fixed_column<std::uint64_t>("", "L", {5})), digest_of(fixed_column<std::uint8_t>("", "C", {5})));
  EXPECT_NE(digest_of(fixed_column<std::uint64_t>("", "L", {~std::uint64_t{0}})),
            digest_of(fixed_column<std::int64_t>("", "l", {-1})));
  EXPECT_EQ(digest_of(fixed_column<float>("", "f", {0.5F})), digest_of(fixed_column<double>("", "g", {0.5})));
  EXPECT_EQ(digest_of(fixed_column<std::uint16_t>("", "e", {0x3800})), digest_of(fixed_column<double>("", "g", {0.5})));
  EXPECT_EQ(digest_of(fixed_column<std::int64_t>("", "d:10,2,64", {150})),
            digest_of(fixed_column<std::int32_t>("", "d:5,1,32", {15})));
  EXPECT_NE(digest_of(fixed_column<std::int64_t>("", "d:10,2,64", {150})),
            digest_of(fixed_column<std::int64_t>("", "d:10,3,64", {150})));
}

TEST(MemoryDigest, TextsCountByTheirBytes) {
  const Maybe<std::string> words = {"a", std::nullopt, "a text of more than twelve bytes", "a"};
  const std::string text = digest_of(text_column<std::int32_t>("", "u", words));
  EXPECT_EQ(digest_of(text_column<std::int64_t>("", "U", words)), text);
  EXPECT_EQ(digest_of(view_column("", words)), text);
  EXPECT_EQ(digest_of(dictionary_column(fixed_column<std::int8_t>("", "c", {1, std::nullopt, 0, 1}),
                                        text_column<std::int32_t>("", "u", {words[2], "a"}))),
            text);
}

TEST(MemoryDigest, MomentsCountInMicroseconds) {
  const std::string day = digest_of(fixed_column<std::int32_t>("", "tdD", {2, std::nullopt, -1}));
  constexpr std::int64_t kDay = 86'400;
  for (const auto& [format, per_second] : {std::pair("tss:", 1L), std::pair("tsm:", 1'000L),
                                           std::pair("tsu:UTC", 1'000'000L), std::pair("tsn:", 1'000'000'000L)}) {
    EXPECT_EQ(
        digest_of(fixed_column<std::int64_t>("", format, {2 * kDay * per_second, std::nullopt, -kDay * per_second})),
        day)
        << format;
  }
  EXPECT_EQ(digest_of(fixed_column<std::int64_t>("", "tsn:", {1'999})),
            digest_of(fixed_column<std::int64_t>("", "tsu:", {1})));
  EXPECT_NE(digest_of(fixed_column<std::int64_t>("", "tsu:", {2})),
            digest_of(fixed_column<std::int64_t>("", "tsu:", {1})));
}

// An index outside its dictionary is NULL, also where a step behind it has no number.
TEST(MemoryDigest, IndicesOutsideAreNull) {
  const auto coded = [](const Maybe<std::int64_t>& codes) {
    return digest_of(
        dictionary_column(fixed_column("", "l", codes), text_column<std::int32_t>("", "u", {"a", "b"}, 3)));
  };
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(coded({0, kMost, -1}), coded({0, std::nullopt, std::nullopt}));
}

// The values count, and not how a dictionary lists them.
TEST(MemoryDigest, DictionariesCountByTheirValues) {
  const auto coded = [](const Maybe<std::int8_t>& codes, const Maybe<std::string>& words) {
    return table_of({{dictionary_column(fixed_column("c", "c", codes), text_column<std::int32_t>("", "u", words))}})
        ->digest("key");
  };
  EXPECT_EQ(coded({0, 1, 0}, {"a", "b"}), coded({2, 1, 2}, {"c", "b", "a"}));
  EXPECT_NE(coded({0, 1, 0}, {"a", "b"}), coded({0, 1, 1}, {"a", "b"}));
}

// A table larger than what is hashed at once.
TEST(MemoryDigest, LongTablesAreChained) {
  Maybe<std::int64_t> values(200'000, 7);
  const auto digest = [&] { return table_of({{fixed_column("n", "l", values)}})->digest("key"); };
  const std::string before = digest();
  EXPECT_EQ(digest(), before);
  values.front() = 8;
  EXPECT_NE(digest(), before);
}

constexpr const char* kProject =
    "version: 1\ndata_version: \"1\"\nprivacy: {unit: person, neighbours: add-remove}\nbudgets: {main: {epsilon: 1}}\n"
    "tables:\n  visits:\n    source: {kind: memory}\n    unit: {through: people, by: {'n': 'n'}}\n"
    "    columns: {'n': {type: integer}, t: {type: text}, b: {type: boolean}}\n"
    "  people:\n    source: people.csv\n    unit: 'n'\n    unique: ['n']\n    columns: {'n': {type: integer}}\n";

// Neither the number of rows nor a file beside it stands in it.
TEST(MemoryDigest, IsTheFingerprintOfTheSource) {
  const plan::Project project = plan::parse_project(kProject, "dither.yaml");
  const Rows rows;
  const auto engine =
      open_duckdb(project, {}, {{"visits", table_of({rows.chunk(0, 5, 0)})}}, [] { return std::string("key"); });
  EXPECT_EQ(engine->fingerprint({"visits"}), "visits in memory, HMAC-SHA-256 of columns " + rows.digest());
}

}  // namespace
}  // namespace dither::engine::detail
