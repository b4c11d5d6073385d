#include "random/uniform.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "testing/planted_draws.h"
#include "testing/refusal.h"
#include "testing/seed.h"
#include "testing/seeded_source.h"
#include "testing/statistical.h"
#include "testing/tape.h"

namespace dither::random {
namespace {

using testing::Tape;

// Over every tape of two words: each number has mass in [resolved, resolved + unresolved], and what is left unresolved
// is what two words throw away. No false alarm.
bool is_uniform(std::uint64_t n, int width, int depth, const std::function<std::uint64_t(Tape&)>& draw) {
  const auto law = testing::enumerate([&](Tape& tape) { return static_cast<Int128>(draw(tape)); }, depth);
  const auto pmf = [n](Int128 k, long bits) {
    return k < 0 || k >= static_cast<Int128>(n) ? BigInterval(bits)
                                                : BigInterval(Rational(1, static_cast<long>(n)), bits);
  };
  const double rejected = static_cast<double>((std::uint64_t{1} << width) % n) / static_cast<double>(1 << width);
  return law.unresolved_share() <= rejected * rejected && testing::follows(law, pmf, 0, static_cast<Int128>(n) - 1);
}

// Spec: D-68
TEST(UniformBelow, EveryTapeOfTwoBytesGivesTheLaw) {
  for (std::uint64_t n : {1u, 2u, 3u, 6u, 7u, 100u, 127u, 128u, 129u, 255u, 256u}) {
    EXPECT_TRUE(is_uniform(n, 8, 16, [n](Tape& tape) { return detail::uniform_below(n, 8, tape); })) << n;
  }
}

TEST(UniformBelow, EveryTapeOf16BitsGivesTheLaw) {
  for (std::uint64_t n : {3u, 1000u, 40000u}) {
    const auto law =
        testing::enumerate([n](Tape& tape) { return static_cast<Int128>(detail::uniform_below(n, 16, tape)); }, 16);
    ASSERT_EQ(law.resolved.size(), n);
    for (const auto& [value, mass] : law.resolved) ASSERT_EQ(mass, 65536 / n) << "a word too many or too few";
  }
}

TEST(UniformBelow, PlantedModuloBiasIsCaught) {
  EXPECT_FALSE(is_uniform(6, 8, 16, [](Tape& tape) { return planted::modulo_uniform(6, 8, tape); }));
}

TEST(UniformBelow, PlantedMissingZeroIsCaught) {
  EXPECT_FALSE(is_uniform(6, 8, 16, [](Tape& tape) { return planted::uniform_without_zero(6, 8, tape); }));
}

TEST(UniformBelow, WideFormFollowsTheLawOnTapes) {
  for (std::uint64_t n : {1u, 2u, 5u, 8u, 11u}) {
    const auto law =
        testing::enumerate([n](Tape& tape) { return static_cast<Int128>(detail::uniform_below_wide(n, tape)); }, 16);
    const auto pmf = [n](Int128, long bits) { return BigInterval(Rational(1, static_cast<long>(n)), bits); };
    EXPECT_LT(law.unresolved_share(), 0.1) << n;
    EXPECT_TRUE(testing::follows(law, pmf, 0, static_cast<Int128>(n) - 1)) << n;
  }
}

// Halves and low bits of numbers below 3 * 2^70 and below 2^64 exactly. False alarm 4e-9 in all.
TEST(UniformBelow, WideFormReachesBothWords) {
  Source source = testing::seeded_source(testing::run_seed());
  const int draws = 20'000;
  for (const UInt128 n : {UInt128{3} << 70, UInt128{1} << 64}) {
    const auto hits = testing::count(draws, [&] { return uniform_below_wide(n, source) < n / 3; });
    const auto odd = testing::count(draws, [&] { return (uniform_below_wide(n, source) & 1) != 0; });
    EXPECT_TRUE(testing::binomial_accepts(hits, draws, 1.0 / 3, 1e-9));
    EXPECT_TRUE(testing::binomial_accepts(odd, draws, 0.5, 1e-9));
  }
  EXPECT_LT(uniform_below_wide(~UInt128{0}, source), ~UInt128{0});
}

// A die by batch: two tests at 1e-9 each.
TEST(UniformBelow, BatchFollowsTheLaw) {
  Source source = testing::seeded_source(testing::run_seed() + 1);
  std::vector<std::uint64_t> draws(100'000);
  fill_uniform_below(6, draws, source);
  std::vector<std::int64_t> counts(6);
  for (std::uint64_t x : draws) ++counts.at(x);
  const std::vector<double> probabilities(6, 1.0 / 6);
  EXPECT_TRUE(testing::chi_square_accepts(counts, probabilities, 1e-9));
  EXPECT_TRUE(testing::ks_accepts(counts, probabilities, 1e-9));
}

// A bound of 3 * 2^62 throws away every fourth word, so the batch's second attempt runs all the time. False alarm 1e-9.
TEST(UniformBelow, BatchDrawsRejectedWordsAgain) {
  Source source = testing::seeded_source(testing::run_seed() + 2);
  const std::uint64_t n = std::uint64_t{3} << 62;
  std::vector<std::uint64_t> draws(50'000);
  fill_uniform_below(n, draws, source);
  std::vector<std::int64_t> counts(3);
  for (std::uint64_t x : draws) ++counts.at(x >> 62);
  EXPECT_TRUE(testing::chi_square_accepts(counts, std::vector<double>(3, 1.0 / 3), 1e-9));
  EXPECT_GT(source.bytes_used(), 8 * draws.size());
}

// Among 60 000 numbers below 2^63 two are equal with probability 2e-10.
bool all_differ(const std::function<void(std::span<std::uint64_t>)>& fill) {
  std::vector<std::uint64_t> draws(60'000);
  fill(draws);
  return std::set<std::uint64_t>(draws.begin(), draws.end()).size() == draws.size();
}

// Spec: D-73
TEST(UniformBelow, BatchNeverRepeatsABlock) {
  Source source = testing::seeded_source(testing::run_seed() + 3);
  EXPECT_TRUE(all_differ([&](auto out) { fill_uniform_below(std::uint64_t{1} << 63, out, source); }));
}

TEST(UniformBelow, PlantedReusedBlockIsCaught) {
  Source source = testing::seeded_source(testing::run_seed() + 3);
  EXPECT_FALSE(all_differ([&](auto out) { planted::fill_with_reused_block(std::uint64_t{1} << 63, out, source); }));
}

TEST(UniformBelow, EmptyRangeIsRefused) {
  Source source = testing::seeded_source(1);
  std::vector<std::uint64_t> out(1);
  EXPECT_EQ(testing::refusal([&] { uniform_below(0, source); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([&] { uniform_below_wide(0, source); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([&] { fill_uniform_below(0, out, source); }), Code::bad_count);
}

}  // namespace
}  // namespace dither::random
