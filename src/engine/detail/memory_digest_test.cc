#include "engine/detail/memory_digest.h"

#include <gtest/gtest.h>

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
  renamed = rows.chunk(0, 5, 0);
  renamed[0].format = "L";
  EXPECT_NE(table_of({renamed})->digest("key"), whole) << "another type";
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

TEST(MemoryDigest, IsTheFingerprintOfTheSource) {
  const plan::Project project = plan::parse_project(
      "version: 1\ndata_version: \"1\"\nprivacy: {unit: row, neighbours: add-remove}\nbudgets: {main: {epsilon: 1}}\n"
      "tables: {visits: {source: {kind: memory}, unit: row}}\n",
      "dither.yaml");
  const Rows rows;
  const auto engine =
      open_duckdb(project, {}, {{"visits", table_of({rows.chunk(0, 5, 0)})}}, [] { return std::string("key"); });
  EXPECT_EQ(engine->fingerprint({"visits"}), "visits in memory, 5 rows, HMAC-SHA-256 " + rows.digest());
}

}  // namespace
}  // namespace dither::engine::detail
