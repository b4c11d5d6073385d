#include "random/categorical.h"

#include <gtest/gtest.h>

#include <vector>

#include "testing/planted_draws.h"
#include "testing/refusal.h"
#include "testing/seed.h"
#include "testing/seeded_source.h"
#include "testing/statistical.h"
#include "testing/tape.h"

namespace dither::random {
namespace {

using detail::Precision;
using testing::Tape;
using Weights = std::vector<std::uint64_t>;

constexpr Precision kEightBits{.table_bits = 8, .step = 4};

bool follows_on_tape(const std::vector<Rational>& weights, int depth, const std::function<std::uint64_t(Tape&)>& draw) {
  Rational sum;
  for (const Rational& w : weights) sum += w;
  const auto law = testing::enumerate([&](Tape& tape) { return static_cast<Int128>(draw(tape)); }, depth);
  const auto pmf = [&](Int128 i, long bits) {
    const bool inside = i >= 0 && i < static_cast<Int128>(weights.size());
    return inside ? BigInterval(weights[static_cast<std::size_t>(i)] / sum, bits) : BigInterval(bits);
  };
  return law.unresolved_share() < 0.01 && testing::follows(law, pmf, 0, static_cast<Int128>(weights.size()) - 1);
}

bool follows_on_tape(const Weights& weights, int depth, const std::function<std::uint64_t(Tape&)>& draw) {
  std::vector<Rational> exact;
  for (std::uint64_t w : weights) exact.emplace_back(static_cast<Int128>(w));
  return follows_on_tape(exact, depth, draw);
}

constexpr std::uint64_t kHuge = ~std::uint64_t{0};

// Small sums are scaled and words thrown away; large ones are rounded down and the rest drawn exactly.
// Spec: D-68
TEST(Categorical, EveryTapeGivesTheLaw) {
  const std::vector<Weights> lists = {
      {1},          {5},
      {0, 1, 0},    {1, 2, 3},
      {10, 20, 30}, {1, 1, 1, 1, 1, 1, 1},
      {100, 1, 13}, {kHuge, kHuge, 1, kHuge / 3},
      {1000, 1},
  };
  for (const Weights& weights : lists) {
    const Categorical eight(weights, kEightBits);
    EXPECT_TRUE(follows_on_tape(weights, 24, [&](Tape& tape) { return eight.draw(tape); }));
    const Categorical sixteen(weights, Precision{.table_bits = 16, .step = 4});
    EXPECT_TRUE(follows_on_tape(weights, 24, [&](Tape& tape) { return sixteen.draw(tape); }));
  }
}

TEST(Categorical, EveryTapeGivesTheLawOfRationalWeights) {
  const std::vector<std::vector<Rational>> lists = {
      {Rational(1, 2), Rational(1, 3), Rational(1, 6)},
      {Rational(7, 3), Rational(0), Rational(22, 7)},
      {Rational(1, 1'000'003), Rational(1, 999'983), Rational(5, 1'000'033), Rational(1, 998'244'353)},
      {Rational::parse("1e-30"), Rational::parse("3e-30")},
      {Rational::parse("1e-30"), Rational::parse("1e30")},
  };
  for (const auto& weights : lists) {
    const Categorical law(weights, kEightBits);
    EXPECT_TRUE(follows_on_tape(weights, 24, [&](Tape& tape) { return law.draw(tape); }));
  }
}

TEST(Categorical, PlantedFloatRoundingInWeightsIsCaught) {
  const Weights weights = {1, 2, 4};
  const auto rounded = planted::rounded_weights(weights, kEightBits);
  EXPECT_FALSE(follows_on_tape(weights, 20, [&](Tape& tape) { return rounded.draw(tape); }));
}

// Shipped precision, batch; weights whose sum takes both ways. Two tests at 1e-9 each.
// Spec: D-73
TEST(Categorical, BatchFollowsTheLaw) {
  Source source = testing::seeded_source(testing::run_seed());
  for (const Weights& weights : {Weights{1, 0, 3, 5, 2}, Weights{kHuge, kHuge / 7, kHuge / 2}}) {
    double sum = 0;
    for (std::uint64_t w : weights) sum += static_cast<double>(w);
    std::vector<double> probabilities;
    for (std::uint64_t w : weights) probabilities.push_back(static_cast<double>(w) / sum);
    std::vector<std::uint64_t> draws(100'000);
    Categorical(weights).fill(draws, source);
    std::vector<std::int64_t> counts(weights.size());
    for (std::uint64_t i : draws) ++counts.at(i);
    EXPECT_TRUE(testing::chi_square_accepts(counts, probabilities, 1e-9));
    EXPECT_TRUE(testing::ks_accepts(counts, probabilities, 1e-9));
    EXPECT_TRUE(weights[1] != 0 || counts[1] == 0) << "an index of weight zero was drawn";
  }
}

// Words thrown away must be drawn again, not passed on: at 8 bits and a sum of 101 every fifth word is.
TEST(Categorical, BatchDrawsRejectedWordsAgain) {
  Source source = testing::seeded_source(testing::run_seed() + 1);
  const Weights weights = {50, 30, 21};
  std::vector<std::uint64_t> draws(20'000);
  Categorical(weights, kEightBits).fill(draws, source);
  std::vector<std::int64_t> counts(3);
  for (std::uint64_t i : draws) ++counts.at(i);
  EXPECT_TRUE(testing::chi_square_accepts(counts, std::vector<double>{50 / 101.0, 30 / 101.0, 21 / 101.0}, 1e-9));
  EXPECT_GT(source.bytes_used(), 8 * draws.size() * 11 / 10);
}

TEST(Categorical, ManyIndices) {
  Source source = testing::seeded_source(testing::run_seed() + 2);
  const Weights weights(1'000'000, 3);
  const Categorical law(weights);
  std::vector<std::uint64_t> draws(50'000);
  law.fill(draws, source);
  EXPECT_TRUE(testing::binomial_accepts(
      std::count_if(draws.begin(), draws.end(), [](std::uint64_t i) { return i < 250'000; }), 50'000, 0.25, 1e-9));
}

// Weights 1 .. n over a prime, and one more with another large denominator: too fine for whole numbers. Both sides of
// where tables become wide.
// Spec: W-72
TEST(Categorical, ManyRoundedWeights) {
  Source source = testing::seeded_source(testing::run_seed() + 3);
  for (long n : {3L, 1L << 16, (1L << 16) + 1, 200'000L}) {
    std::vector<Rational> weights;
    for (long i = 1; i < n; ++i) weights.emplace_back(i, 2'147'483'647L);
    weights.emplace_back(1L, (1L << 61) - 1);
    const Categorical law(weights);
    EXPECT_GT(law.fallback_probability(), 0) << n;
    EXPECT_LT(law.fallback_probability(), 0x1p-46) << n;
    if (n < 1000) continue;
    std::vector<std::uint64_t> draws(20'000);
    law.fill(draws, source);  // the lower half has a quarter of the weight
    EXPECT_TRUE(
        testing::binomial_accepts(std::count_if(draws.begin(), draws.end(),
                                                [&](std::uint64_t i) { return 2 * i < static_cast<std::uint64_t>(n); }),
                                  20'000, 0.25, 1e-9));
  }
  EXPECT_EQ(Categorical(Weights{1, 2, 3}).fallback_probability(), 0);
}

TEST(Categorical, BadWeightsAreRefused) {
  using testing::refusal;
  EXPECT_EQ(refusal([] { Categorical(Weights{}); }), Code::bad_weights);
  EXPECT_EQ(refusal([] { Categorical(Weights{0, 0}); }), Code::bad_weights);
  EXPECT_EQ(refusal([] { Categorical(std::vector<Rational>{}); }), Code::bad_weights);
  EXPECT_EQ(refusal([] { Categorical(std::vector<Rational>{1, Rational(-1, 2)}); }), Code::bad_weights);
  EXPECT_EQ(refusal([] { Categorical(Weights((1 << 24) + 1, 1)); }), Code::bad_count);
}

}  // namespace
}  // namespace dither::random
