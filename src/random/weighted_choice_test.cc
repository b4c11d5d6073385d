#include "random/weighted_choice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "base/error.h"
#include "random/pmf.h"
#include "testing/planted_draws.h"
#include "testing/refusal.h"
#include "testing/seed.h"
#include "testing/seeded_source.h"
#include "testing/statistical.h"
#include "testing/tape.h"

namespace dither::random {
namespace {

using testing::Tape;

struct Case {
  std::vector<std::uint64_t> weights;
  std::vector<Int128> scores;
  Rational rate;
};

constexpr std::uint64_t kHuge = ~std::uint64_t{0};

// Ties, zero weights, weights that make up for scores, gaps beyond all numbers, the ends of 128 bits.
const std::vector<Case> kCases = {
    {{1}, {5}, Rational(1)},
    {{1, 1, 1}, {7, 7, 7}, Rational(1, 2)},
    {{1, 2, 3}, {0, 0, 0}, Rational(0)},
    {{1, 1, 1}, {0, 1, 2}, Rational(1)},
    {{3, 0, 1, 5}, {-1, 100, 2, 0}, Rational(1, 3)},
    {{kHuge, 1}, {-44, 0}, Rational(1)},
    {{1, 1, 1}, {1'000'000, -1'000'000, 999'999}, Rational(1)},
    {{1, 1, 1}, {-1'000'000, -1'000'001, -1'000'003}, Rational(1, 2)},
    {{1, 2, 1}, {kInt128Min, kInt128Max, kInt128Max}, Rational(1)},
    {{1, 1}, {kInt128Min, kInt128Max}, Rational::power_of_two(-128)},
    {{1, 1}, {0, 1}, Rational::parse("1e50")},
    {{1, 3}, {kInt128Min, kInt128Max}, Rational::parse("1e-300")},
};

bool follows_on_tape(const Case& c, int depth, const std::function<std::uint64_t(Tape&)>& draw) {
  const auto law = testing::enumerate([&](Tape& tape) { return static_cast<Int128>(draw(tape)); }, depth);
  const auto pmf = [&](Int128 i, long bits) {
    return weighted_choice_pmf(c.weights, c.scores, c.rate, static_cast<std::size_t>(i), bits);
  };
  return law.unresolved_share() < 0x1p-11 && testing::follows(law, pmf, 0, static_cast<Int128>(c.weights.size()) - 1);
}

// Two words of 4 bits: about one draw in a hundred is decided in arbitrary precision.
// Spec: D-68
TEST(WeightedChoice, EveryTapeGivesTheLaw) {
  for (std::size_t i = 0; i < kCases.size(); ++i) {
    const Case& c = kCases[i];
    const WeightedChoice choice(c.weights, c.scores, c.rate, 4);
    EXPECT_TRUE(follows_on_tape(c, 16, [&](Tape& tape) { return choice.draw(tape); })) << "case " << i;
  }
  const WeightedChoice sixteen(kCases[4].weights, kCases[4].scores, kCases[4].rate, 8);
  EXPECT_TRUE(follows_on_tape(kCases[4], 16, [&](Tape& tape) { return sixteen.draw(tape); }));
}

TEST(WeightedChoice, PlantedHalfRateIsCaught) {
  const Case& c = kCases[3];
  const auto choice = planted::choice_at_half_rate(c.weights, c.scores, c.rate, 4);
  EXPECT_FALSE(follows_on_tape(c, 16, [&](Tape& tape) { return choice.draw(tape); }));
}

// exp(1e6) / (exp(1e6) + exp(1e6 - 1)) = 0.731058578630005, and -1e6 never comes. Two tests at 1e-9.
bool large_scores_are_right(const std::function<std::uint64_t()>& draw) {
  std::vector<std::int64_t> counts(3);
  for (int i = 0; i < 20'000; ++i) ++counts.at(draw());
  const std::vector<double> p = {0.731058578630005, 0, 0.268941421369995};
  return testing::chi_square_accepts(counts, p, 1e-9) && testing::ks_accepts(counts, p, 1e-9);
}

// Spec: F-84
TEST(WeightedChoice, ScoresOfAMillionDoNotOverflow) {
  Source source = testing::seeded_source(testing::run_seed());
  const WeightedChoice choice(kCases[6].weights, kCases[6].scores, 1);
  EXPECT_TRUE(large_scores_are_right([&] { return choice.draw(source); }));
}

TEST(WeightedChoice, PlantedOverflowIsCaught) {
  Source source = testing::seeded_source(testing::run_seed());
  EXPECT_FALSE(large_scores_are_right([&] { return planted::choice_with_overflow(kCases[6].scores, 1.0, source); }));
}

// Shipped width, 40 candidates with weights, batch: two tests at 1e-9.
// Spec: D-73
TEST(WeightedChoice, BatchFollowsTheLaw) {
  Source source = testing::seeded_source(testing::run_seed() + 1);
  std::vector<std::uint64_t> weights;
  std::vector<Int128> scores;
  for (std::uint64_t i = 0; i < 40; ++i) {
    weights.push_back(i * i % 7);
    scores.push_back(static_cast<Int128>(i * 37 % 41) - 20);
  }
  std::vector<std::uint64_t> draws(100'000);
  WeightedChoice(weights, scores, Rational(1, 10)).fill(draws, source);
  std::vector<std::int64_t> counts(weights.size());
  for (std::uint64_t i : draws) ++counts.at(i);
  std::vector<double> p;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    p.push_back(weighted_choice_pmf(weights, scores, Rational(1, 10), i, 96).low_double());
  }
  EXPECT_TRUE(testing::chi_square_accepts(counts, p, 1e-9));
  EXPECT_TRUE(testing::ks_accepts(counts, p, 1e-9));
}

// The certified bounds hold at every index, and are as narrow as promised: random and extreme lists.
TEST(ExpSums, BoundsHold) {
  Source source = testing::seeded_source(testing::run_seed() + 2);
  std::vector<Case> cases = kCases;
  const std::vector<Rational> rates = {Rational(1),           Rational(1, 3), Rational::parse("1e-20"),
                                       Rational(1000001, 17), Rational(1, 2), Rational::power_of_two(-60)};
  for (int round = 0; round < 60; ++round) {
    Case c{{}, {}, rates[static_cast<std::size_t>(round) % rates.size()]};
    for (int i = 0; i < 20; ++i) {
      c.weights.push_back(source.word() >> (source.word() % 64));
      const auto wide = static_cast<Int128>(static_cast<UInt128>(source.word()) << 64 | source.word());
      c.scores.push_back(wide >> (source.word() % 128));
    }
    cases.push_back(std::move(c));
  }
  for (const Case& c : cases) {
    const auto sums = detail::exp_sums(c.weights, c.scores, c.rate);
    constexpr long bits = 400;
    BigInterval exact(bits);
    for (std::size_t i = 0; i < c.weights.size(); ++i) {
      if (c.weights[i] != 0) {
        const Rational exponent = (Rational(c.scores[i]) - Rational(sums.best)) * c.rate;
        exact += BigInterval(Rational(static_cast<Int128>(c.weights[i])) * Rational::power_of_two(sums.scale), bits) *
                 exp(BigInterval(exponent, bits));
      }
      ASSERT_FALSE(exact.surely_below(Rational(static_cast<Int128>(sums.low[i]))));
      ASSERT_FALSE(exact.surely_above(Rational(static_cast<Int128>(sums.high[i]))));
    }
    const UInt128 total = sums.low.back();
    EXPECT_GE(total, UInt128{1} << 101);
    EXPECT_LT(sums.high.back() - total, (total >> 84) + 2 * c.weights.size());
  }
}

// Equal shares have the most ends that can be met; falling ones, gaps and huge weights are other shapes. The bound
// grows with the number n like n 2^-84 and n^2 2^-101, so that 2^24 candidates stay below 2^-50 too. Spec: W-72
TEST(WeightedChoice, FallbackIsRarerThanTwoToMinus45) {
  const int largest = std::getenv("DITHER_NIGHTLY") != nullptr ? 22 : 16;
  for (int log2 : {0, 4, 12, largest}) {
    const std::size_t n = std::size_t{1} << log2;
    std::vector<Int128> scores(n, 0);
    const auto bound = std::max(std::ldexp(1.0, log2 - 84 + 2), std::ldexp(1.0, 2 * log2 - 101 + 2));
    for (std::uint64_t weight : {std::uint64_t{1}, kHuge}) {
      EXPECT_LT(WeightedChoice(std::vector(n, weight), scores, 1).fallback_probability(), bound) << n;
    }
    for (std::size_t i = 0; i < n; ++i) scores[i] = static_cast<Int128>(i) * static_cast<Int128>(i);
    EXPECT_LT(WeightedChoice(std::vector<std::uint64_t>(n, 1), scores, Rational(1, 1000)).fallback_probability(), bound)
        << n;
    EXPECT_LT(bound, 0x1p-50);
  }
}

TEST(WeightedChoice, BadParametersAreRefused) {
  using testing::refusal;
  using Weights = std::vector<std::uint64_t>;
  using Scores = std::vector<Int128>;
  EXPECT_EQ(refusal([] { WeightedChoice(Weights{}, Scores{}, 1); }), Code::bad_weights);
  EXPECT_EQ(refusal([] { WeightedChoice(Weights{0, 0}, Scores{1, 2}, 1); }), Code::bad_weights);
  EXPECT_EQ(refusal([] { WeightedChoice(Weights{1, 2}, Scores{1}, 1); }), Code::bad_weights);
  EXPECT_EQ(refusal([] { WeightedChoice(Weights{1}, Scores{1}, Rational(-1, 7)); }), Code::bad_scale);
}

}  // namespace
}  // namespace dither::random
