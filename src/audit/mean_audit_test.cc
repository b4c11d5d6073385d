#include "audit/mean_audit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/error.h"
#include "testing/seed.h"

namespace dither::audit {
namespace {

// -1 and 1 in the proportions of a law, as exactly as n draws can.
std::vector<double> signs(std::int64_t n, double mean) {
  std::vector<double> draws(static_cast<std::size_t>(n), -1.0);
  const auto ones = static_cast<std::size_t>((1 + mean) / 2 * static_cast<double>(n));
  for (std::size_t i = 0; i < ones; ++i) draws[i] = 1;
  return draws;
}

// Randomised response with epsilon 1, mapped to +-1, has means +-tanh(1/2): what they show is close to log(1 + 2
// tanh(1/2)), and below the truth.
// Spec: A-35
TEST(MeanAudit, RandomisedResponseShowsLessThanItsEpsilon) {
  const double mean = std::tanh(0.5);
  const double shown = std::log1p(2 * mean);  // |Y| = 1 always
  const double bound = epsilon_lower_bound_of_means(signs(10'000'000, mean), signs(10'000'000, -mean), 1, 0, 0.05);
  EXPECT_LT(bound, shown);
  EXPECT_GT(bound, shown - 0.005);
  EXPECT_LT(bound, 1);
}

// Spec: A-35
TEST(MeanAudit, DeltaAndFewDrawsShowLess) {
  const auto bound = [](std::int64_t n, double delta) {
    return epsilon_lower_bound_of_means(signs(n, 0.4), signs(n, -0.4), 1, delta, 0.05);
  };
  EXPECT_GT(bound(100'000, 0), bound(1000, 0));
  EXPECT_GT(bound(100'000, 0), bound(100'000, 0.1));
  EXPECT_EQ(bound(100'000, 0.4), 0);
  EXPECT_EQ(epsilon_lower_bound_of_means(signs(1000, 0), signs(1000, 0), 1, 0, 0.05), 0);
}

// A mechanism that reveals its input: the answer to one of two neighbours is always 0.
// Spec: A-35
TEST(MeanAudit, WhatIsAlwaysZeroCannotMove) {
  const std::vector<double> ones(1000, 1.0), zeros(1000, 0.0);
  EXPECT_GT(epsilon_lower_bound_of_means(ones, zeros, 1, 0, 0.05), 3);
}

// The mean of a skewed law on [0, 1] (1 with probability 0.02): at most 5% of 2000 bounds are wrong on either side;
// more than 155 have probability below 1e-7 at a rate of 5%.
TEST(MeanAudit, IntervalsCover) {
  std::mt19937_64 draw(testing::run_seed());
  int above = 0, below = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> draws(500);
    for (double& value : draws) value = draw() % 50 == 0 ? 1 : 0;
    above += mean_lower_bound(draws, {0, 1}, 0.05) > 0.02 ? 1 : 0;
    below += mean_upper_bound(draws, {0, 1}, 0.05) < 0.02 ? 1 : 0;
  }
  EXPECT_LE(above, 155);
  EXPECT_LE(below, 155);
}

// Spec: A-34
TEST(MeanAudit, TracingIdentityForKnownAnswers) {
  for (const std::int64_t n : {1, 2, 10, 100}) {
    const TracingTerms half = tracing_terms([](std::int64_t) { return 0.5; }, n);
    EXPECT_NEAR(half.tracing, 0, 1e-12);
    EXPECT_NEAR(half.squared_bias, 1.0 / 12, 1e-12);
    const TracingTerms mean =
        tracing_terms([n](std::int64_t ones) { return static_cast<double>(ones) / static_cast<double>(n); }, n);
    EXPECT_NEAR(mean.tracing, 1.0 / 6, 1e-12);
    EXPECT_NEAR(mean.squared_bias, 0, 1e-12);
  }
}

// Any answer at all: 300 random ones.
// Spec: A-34
TEST(MeanAudit, EveryAnswerIsTraceableOrWrong) {
  std::mt19937_64 choose(testing::run_seed());
  std::uniform_real_distribution<double> unit(0, 1);
  for (int round = 0; round < 300; ++round) {
    const std::int64_t n = 1 + static_cast<std::int64_t>(choose() % 12);
    std::vector<double> answers;
    for (std::int64_t k = 0; k <= n; ++k) answers.push_back(unit(choose));
    const TracingTerms terms =
        tracing_terms([&](std::int64_t ones) { return answers[static_cast<std::size_t>(ones)]; }, n);
    EXPECT_GE(terms.tracing + terms.squared_bias, 1.0 / 12 - 1e-12);
  }
}

std::vector<TracingRound> rounds_of_mean(int rounds, std::int64_t records, double noise, std::mt19937_64& draw) {
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<TracingRound> result;
  for (int i = 0; i < rounds; ++i) {
    TracingRound round;
    round.probability = unit(draw);
    for (std::int64_t r = 0; r < records; ++r) round.ones += unit(draw) < round.probability ? 1 : 0;
    const double laplace = noise * std::log(unit(draw) + 1e-300) * (draw() % 2 == 0 ? 1 : -1);
    round.answer = std::clamp(static_cast<double>(round.ones) / static_cast<double>(records) + laplace, 0.0, 1.0);
    result.push_back(round);
  }
  return result;
}

// The exact mean of 10 records follows them: E[(f - P) sum] = 1/6 over n * E[2P(1-P)|f-P|] shows epsilon of about
// log(1 + (1/60) / 0.036). Laplace noise for epsilon 0.3 keeps the bound below 0.3, with probability 1 - 1e-6.
// Spec: A-34
TEST(MeanAudit, ExactMeansAreTracedAndNoisyOnesAreNot) {
  std::mt19937_64 draw(testing::run_seed());
  const double exact = epsilon_lower_bound_of_tracing(rounds_of_mean(100'000, 10, 0, draw), 10, 0, 1e-6);
  EXPECT_GT(exact, 0.25);
  EXPECT_LT(exact, 0.5);
  EXPECT_LE(epsilon_lower_bound_of_tracing(rounds_of_mean(100'000, 10, 0.1 / 0.3, draw), 10, 0, 1e-6), 0.3);
}

TEST(MeanAudit, RefusesBadInput) {
  const std::vector<double> two{0, 1};
  EXPECT_THROW(mean_lower_bound(std::vector<double>{0.5}, {0, 1}, 0.05), Error);
  EXPECT_THROW(mean_lower_bound(two, {0, 0.5}, 0.05), Error);
  EXPECT_THROW(mean_lower_bound(two, {1, 0}, 0.05), Error);
  EXPECT_THROW(mean_upper_bound(std::vector<double>{0, std::nan("")}, {0, 1}, 0.05), Error);
  EXPECT_THROW(epsilon_lower_bound_of_means(two, two, 0.5, 0, 0.05), Error);
  EXPECT_THROW(epsilon_lower_bound_of_means(two, two, 1, 2, 0.05), Error);
  EXPECT_THROW(epsilon_lower_bound_of_tracing(std::vector<TracingRound>{{0.5, 3, 0.5}, {0.5, 1, 0.5}}, 2, 0, 0.05),
               Error);
  EXPECT_THROW(tracing_terms([](std::int64_t) { return 0.0; }, 0), Error);
}

}  // namespace
}  // namespace dither::audit
