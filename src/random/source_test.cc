#include "random/source.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <set>
#include <thread>
#include <vector>

#include "testing/planted.h"
#include "testing/seeded_source.h"
#include "testing/statistical.h"

namespace dither::random {
namespace {

// The words that a child process draws from `next` after a fork.
template <typename Next>
std::vector<std::uint64_t> words_of_child(Next next) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    std::array<std::uint64_t, 8> words;
    for (std::uint64_t& word : words) word = next();
    const bool sent = write(ends[1], words.data(), sizeof words) == sizeof words;
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  std::vector<std::uint64_t> words(8);
  const ssize_t got = read(ends[0], words.data(), 8 * sizeof(std::uint64_t));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(got, 64);
  EXPECT_EQ(status, 0);
  return words;
}

// Whether parent and two children draw 24 different words. Chance makes two of them equal with probability 2^-55.
template <typename Next>
bool children_differ(Next next) {
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 2; ++i) {
    for (std::uint64_t word : words_of_child(next)) seen.insert(word);
  }
  for (int i = 0; i < 8; ++i) seen.insert(next());
  return seen.size() == 24;
}

// Spec: W-74, D-69
TEST(Source, ForkedChildrenDrawOtherBytes) {
  Source source;
  source.word();  // half a block is buffered when the process forks
  EXPECT_TRUE(children_differ([&] { return source.word(); }));
}
TEST(Source, PlantedStreamThatSurvivesForkIsCaught) {
  Source source;
  planted::UnforkableStream stream(source);
  stream.word();
  EXPECT_FALSE(children_differ([&] { return stream.word(); }));
}

// A child that never draws must not know its parent's next block either: the cipher it inherits holds no key.
// Spec: W-74
TEST(Source, ForkedChildrenCannotFollowTheirParent) {
  Source source;
  source.word();
  std::vector<std::uint8_t> stream(64 + 32);
  const auto next_of_child = [&, at = std::size_t{0}]() mutable {
    if (at == 0) dither::testing::inherited_stream(source, stream);
    std::uint64_t word;
    std::memcpy(&word, &stream[32 + 8 * at++], 8);  // the first 32 bytes would be the next key
    return word;
  };
  const std::vector<std::uint64_t> guessed = words_of_child(next_of_child);
  for (std::size_t i = 1; i < Source::kBlockBytes / 8; ++i) source.word();  // to the end of the block
  for (std::uint64_t guess : guessed) EXPECT_NE(source.word(), guess);
}

TEST(Source, AThrowingUseStillSpendsItsBytes) {
  Source source;
  std::uint64_t first = 0;
  EXPECT_THROW(source.with_bytes(8,
                                 [&](const std::uint8_t* bytes) {
                                   std::memcpy(&first, bytes, 8);
                                   throw std::runtime_error("in the middle");
                                 }),
               std::runtime_error);
  EXPECT_NE(source.word(), first);
}

TEST(SourceDeathTest, AbortsWhenMoreThanABlockIsAskedFor) {
  EXPECT_DEATH(Source().with_bytes(Source::kBlockBytes + 1, [](const std::uint8_t*) {}), "more than a block");
}

// Spec: W-74, D-69
TEST(Source, ThreadsHaveTheirOwn) {
  std::vector<std::vector<std::uint64_t>> words(4);
  std::vector<std::thread> threads;
  for (auto& own : words) {
    threads.emplace_back([&own] {
      for (int i = 0; i < 1000; ++i) own.push_back(Source::this_thread().word());
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::uint64_t> all;
  for (const auto& own : words) all.insert(own.begin(), own.end());
  EXPECT_EQ(all.size(), 4000U);
}

// Spec: W-74, D-69
TEST(SourceDeathTest, AbortsWithoutEntropy) {
  EXPECT_DEATH(
      {
        Source source = dither::testing::source_without_entropy();
        source.word();
      },
      "the kernel gave no entropy");
}

// Repeated words in 40 blocks' worth: two of 40,000 are equal by chance with probability 4e-11.
bool words_are_fresh(const std::function<void(std::span<std::uint8_t>)>& fill) {
  std::vector<std::uint8_t> bytes(320'000);
  fill(bytes);
  std::set<std::uint64_t> seen;
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t word;
    std::memcpy(&word, &bytes[i], 8);
    seen.insert(word);
  }
  return seen.size() == bytes.size() / 8;
}

// Spec: W-74
TEST(Source, NoBlockIsHandedOutTwice) {
  Source source;
  EXPECT_TRUE(words_are_fresh([&](std::span<std::uint8_t> out) { source.fill(out); }));
}
TEST(Source, PlantedReusedBlockIsCaught) {
  Source source;
  EXPECT_FALSE(words_are_fresh([&](std::span<std::uint8_t> out) { planted::reused_block(out, source); }));
}

// Each bit of a word, and each byte value. False alarm 1e-9 a check, 65 checks.
TEST(Source, BitsAreFair) {
  Source source;
  constexpr int n = 100'000;
  std::array<std::int64_t, 64> ones{};
  std::array<std::int64_t, 256> bytes{};
  for (int i = 0; i < n; ++i) {
    const std::uint64_t word = source.word();
    for (unsigned bit = 0; bit < 64; ++bit) ones[bit] += static_cast<std::int64_t>(word >> bit & 1);
    ++bytes[word & 255];
  }
  for (std::int64_t count : ones) EXPECT_TRUE(dither::testing::binomial_accepts(count, n, 0.5, 1e-9));
  const std::vector<double> fair(256, 1.0 / 256);
  EXPECT_TRUE(dither::testing::chi_square_accepts(bytes, fair, 1e-9));
}

TEST(Source, FillReachesEveryByteOfEverySize) {
  Source source;
  for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{8}, std::size_t{9},
                           Source::kBlockBytes - 1, Source::kBlockBytes, Source::kBlockBytes + 13}) {
    std::vector<std::uint8_t> touched(size, 0);
    for (int i = 0; i < 8; ++i) {  // a byte stays zero eight times with probability 2^-64
      std::vector<std::uint8_t> bytes(size);
      source.fill(bytes);
      for (std::size_t j = 0; j < size; ++j) touched[j] |= bytes[j];
    }
    for (std::uint8_t byte : touched) ASSERT_NE(byte, 0);
  }
}

TEST(Source, BytesAreWipedOnceRead) {
  Source source;
  const std::uint8_t* where = nullptr;
  std::array<std::uint8_t, 64> copy{};
  source.with_bytes(64, [&](const std::uint8_t* bytes) {
    where = bytes;
    std::memcpy(copy.data(), bytes, copy.size());
  });
  const std::array<std::uint8_t, 64> zero{};
  EXPECT_NE(copy, zero);
  EXPECT_EQ(std::memcmp(where, zero.data(), zero.size()), 0);
}

TEST(Source, SeededSourcesRepeatAndDiffer) {
  Source a = dither::testing::seeded_source(1);
  Source b = dither::testing::seeded_source(1);
  Source c = dither::testing::seeded_source(2);
  for (int i = 0; i < 20'000; ++i) {  // beyond several blocks
    const std::uint64_t word = a.word();
    ASSERT_EQ(word, b.word());
    ASSERT_NE(word, c.word());
  }
  EXPECT_EQ(a.bytes_used(), 160'000U);
}

}  // namespace
}  // namespace dither::random
