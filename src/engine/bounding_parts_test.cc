// The parts of the bounding operator, one by one.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <random>
#include <set>

#include "base/error.h"
#include "engine/bounding_check.h"
#include "engine/detail/bounding_few_keys.h"
#include "engine/detail/bounding_least.h"
#include "engine/detail/bounding_many_keys.h"
#include "engine/detail/bounding_mix.h"
#include "engine/detail/bounding_sink.h"
#include "engine/detail/bounding_units.h"
#include "engine/detail/text_digest.h"
#include "testing/peak_memory.h"
#include "testing/seed.h"

namespace dither::engine::detail {
namespace {

// Spec: D-77
TEST(BoundingMix, IsTheHashOfTheBase) {
  std::mt19937_64 random(testing::run_seed());
  std::vector<std::int64_t> units{0,
                                  1,
                                  -1,
                                  std::numeric_limits<std::int64_t>::min(),
                                  std::numeric_limits<std::int64_t>::max(),
                                  static_cast<std::int64_t>(kHashPrime),
                                  -static_cast<std::int64_t>(kHashPrime),
                                  static_cast<std::int64_t>(kHashPrime) + 1,
                                  -5};
  for (int i = 0; i < 1000; ++i) units.push_back(static_cast<std::int64_t>(random()) >> (i % 64));
  for (const std::int64_t unit : units) {
    EXPECT_EQ(quick_integer_digest(unit), integer_digest(unit)) << unit;
    const std::uint64_t key = 1 + (random() >> 4);
    EXPECT_EQ(quick_hash(integer_digest(unit), key), bounding_hash(integer_digest(unit), key));
  }
  EXPECT_EQ(quick_hash(kHashPrime - 1, kHashPrime - 1), bounding_hash(kHashPrime - 1, kHashPrime - 1));
}

TEST(NthLeast, IsWhatSortingGives) {
  std::mt19937_64 random(testing::run_seed());
  for (std::size_t nth = 1; nth < 20; ++nth) {
    NthLeast least(nth);
    for (std::size_t count = nth; count < 40; ++count) {
      std::vector<std::uint64_t> numbers(count);
      for (auto& number : numbers) number = random() % 50;
      const std::uint64_t found = least.of(numbers.data(), count);
      std::sort(numbers.begin(), numbers.end());
      EXPECT_EQ(found, numbers[nth - 1]);
    }
  }
}

TEST(TextDigest, IsSha256OfTheCanonicalBytes) {
  std::vector<std::string> texts;
  for (std::size_t size = 0; size < 200; ++size) texts.push_back(std::string(size, static_cast<char>('a' + size % 26)));
  texts.push_back(std::string("\0\xff\n", 3));
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  std::vector<TextDigest> digests(texts.size());
  text_digests(views.data(), views.size(), digests.data());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(digests[i], text_digest(texts[i])) << i;
    EXPECT_EQ((digests[i].first >> 4) + 1, unit_digest(Cell(texts[i]))) << i;
    EXPECT_EQ(digest_of(Unit<2>{{digests[i].first, digests[i].second}}, UnitKind::text), unit_digest(Cell(texts[i])));
  }
}

TEST(UnitTable, NumbersEveryUnitOnce) {
  UnitTable<1> table(0x9E3779B97F4A7C15);
  for (int round = 0; round < 3; ++round) {
    table.clear();
    std::map<std::uint64_t, std::uint32_t> numbers;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
      if (i % 100 == 0) table.make_room(100);
      const std::uint64_t unit = i * i % 7919 << (round * 20);
      const std::uint32_t number = table.number({{unit}});
      EXPECT_EQ(numbers.try_emplace(unit, number).first->second, number);
      EXPECT_EQ(table.unit(number).words[0], unit);
    }
    EXPECT_EQ(table.count(), numbers.size());
  }
}

// Keys of one unit as both ways choose them.
class Chosen : public ::testing::Test {
 protected:
  Chosen() {
    plan::BoundedAggregate aggregate{rows_of({Type::integer, Type::integer}, 1), 1, {}, 1, {}};
    books_ = std::make_unique<KeyBooks>(aggregate);
    for (std::int64_t key : {5, 3, 9, 1, 7}) books_->code({Cell(key)});
  }

  std::set<std::uint32_t> chosen_of_many(const KeyDigests& digests, std::uint64_t most) {
    ManyKeys many(digests, most);
    const std::vector<std::uint32_t> rows(5, 1), codes{1, 2, 3, 4, 5};
    std::vector<std::uint32_t> slots(5);
    KeptKeys kept;
    many.choose(rows, codes, 1, unit_digest_, kept, slots.data());
    std::set<std::uint32_t> result;
    for (std::uint32_t slot = kNowhere; slot < kept.slots(); ++slot) result.insert(kept.data()[slot].code);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(slots[i] >= kNowhere, result.count(codes[i]) != 0);
    return result;
  }

  std::set<std::uint32_t> chosen_of_few(const KeyDigests& digests, std::uint64_t most) {
    FewKeys few(digests.data(), most);
    KeptKeys kept;
    few.make_room(1);
    for (std::uint32_t code = 1; code <= 5; ++code) few.meet(1, code);
    few.choose(1, unit_digest_, kept);
    std::set<std::uint32_t> result;
    for (std::uint32_t slot = kNowhere; slot < kept.slots(); ++slot) result.insert(kept.data()[slot].code);
    for (std::uint32_t code = 1; code <= 5; ++code) EXPECT_EQ(few.slot(1, code) >= kNowhere, result.count(code) != 0);
    return result;
  }

  std::unique_ptr<KeyBooks> books_;
  Digests unit_digest_ = [](std::span<const std::uint32_t> units, std::uint64_t* out) {
    std::fill_n(out, units.size(), 12345);
  };
};

TEST_F(Chosen, BothWaysAgree) {
  const KeyDigests digests(*books_, true);
  EXPECT_TRUE(digests.differ());
  for (std::uint64_t most = 0; most < 8; ++most) {
    EXPECT_EQ(chosen_of_few(digests, most), chosen_of_many(digests, most)) << most;
    EXPECT_EQ(chosen_of_many(digests, most).size(), most == 0 ? 5u : std::min<std::size_t>(most, 5));
  }
}

// Codes 1 to 5 are the keys 5, 3, 9, 1, 7.
TEST_F(Chosen, OfEqualHashesTheLeastBytesWin) {
  const KeyDigests equal(*books_, std::vector<std::uint64_t>(6, 99));
  EXPECT_FALSE(equal.differ());
  EXPECT_EQ(chosen_of_many(equal, 1), (std::set<std::uint32_t>{4}));
  EXPECT_EQ(chosen_of_many(equal, 3), (std::set<std::uint32_t>{4, 2, 1}));
  const KeyDigests two(*books_, {0, 1, 2, 2, 1, 2});  // smaller digests, smaller hashes: the unit's is 12345
  EXPECT_EQ(chosen_of_many(two, 2), (std::set<std::uint32_t>{1, 4}));
  EXPECT_EQ(chosen_of_many(two, 3), (std::set<std::uint32_t>{1, 4, 2}));
}

// What a sink spilled is what it would have kept, and the folder shows nothing.
TEST(BoundingStore, SpillsWithoutAName) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / fmt::format("dither-{}", ::getpid());
  std::filesystem::create_directory(folder);
  {
    SpillFile file(folder.string());
    StoreBudget budget{1 << 20, 4096};
    Store store(2, 3, file, budget);
    store.narrow.start();
    for (std::uint64_t i = 0; i < 10'000; ++i) {
      std::uint64_t* record = store.narrow.next(i % kPartitions);
      record[0] = i;
      record[1] = ~i;
      if (i % 1000 == 999) store.keep_within_budget();
    }
    EXPECT_GT(file.size(), 0u);
    EXPECT_TRUE(std::filesystem::is_empty(folder));
    std::set<std::uint64_t> found;
    for (std::size_t p = 0; p < kPartitions; ++p) {
      const auto take = [&](const std::uint64_t* words, std::size_t records) {
        for (std::size_t i = 0; i < records; ++i) {
          EXPECT_EQ(words[2 * i] % kPartitions, p);
          EXPECT_EQ(words[2 * i + 1], ~words[2 * i]);
          found.insert(words[2 * i]);
        }
      };
      for (const Piece& piece : store.narrow.pieces(p)) take(piece.words, piece.records);
      for (const Extent& extent : store.narrow.extents(p)) {
        std::vector<std::uint64_t> words(2 * extent.records);
        file.read(extent.place, words.data(), words.size() * sizeof(std::uint64_t));
        take(words.data(), extent.records);
      }
    }
    EXPECT_EQ(found.size(), 10'000u);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove(folder);
}

// DuckDB takes rows by more states than it has threads: what is spilled is counted no more, so it has to be gone.
TEST(BoundingStore, KeepsNothingOfWhatItSpilled) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  const auto peak = [](std::size_t stores) {
    return testing::peak_of([stores] {
      SpillFile file("");
      StoreBudget budget{8 * kMebibyte, 8 * kMebibyte};
      std::vector<std::unique_ptr<Store>> all;
      for (std::size_t i = 0; i < stores; ++i) {
        Store& store = *all.emplace_back(std::make_unique<Store>(1, 2, file, budget));
        store.narrow.start();
        for (std::uint64_t word = 0; word < kMebibyte; ++word) {
          *store.narrow.next(word % kPartitions) = word;
          if (word % 1024 == 1023) store.keep_within_budget();
        }
      }
    });
  };
  EXPECT_LE(peak(8), peak(1) + 24 * kMebibyte);
}

// A limit on the size of files stands in for a disk that is full.
TEST(SpillFile, AFailureIsTheOneOfRuns) {
  SpillFile file("/no/such/folder");
  const std::uint64_t word = 1;
  try {
    file.write(file.reserve(8), &word, 8);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::run_failed);
  }
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{4096, old.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  SpillFile full("");
  const std::vector<char> bytes(10'000);
  EXPECT_THROW(full.write(full.reserve(bytes.size()), bytes.data(), bytes.size()), Error);
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, old_handler);

  SpillFile other("");
  other.write(other.reserve(8), &word, 8);
  std::uint64_t back = 0;
  EXPECT_THROW(other.read(8, &back, 8), Error);
  other.read(0, &back, 8);
  EXPECT_EQ(back, word);
}

TEST(BoundingLayout, SmallFieldsShareAWord) {
  const std::vector<Type> types{Type::integer, Type::integer, Type::integer, Type::real};
  plan::BoundedAggregate aggregate{rows_of(types, 1), 1, {}, 3, {counted(20), summed(2, 0, 1000, 20)}};
  const Layout small = make_layout(aggregate, 51);
  EXPECT_EQ(small.words(false), 1u);
  EXPECT_EQ(small.words(true), 2u);
  EXPECT_EQ(small.unit_bits(), 48u);  // 10 bits of a value, 6 of a code
  aggregate.measures.push_back(summed(3, -(std::int64_t{1} << 62), std::int64_t{1} << 62, 1));
  const Layout large = make_layout(aggregate, {});
  EXPECT_EQ(large.words(false), 2u);
  EXPECT_EQ(large.fields[1].bits, 64u);
}

}  // namespace
}  // namespace dither::engine::detail
