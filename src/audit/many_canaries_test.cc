#include "audit/many_canaries.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "base/error.h"
#include "stats/clopper_pearson.h"
#include "testing/seed.h"

namespace dither::audit {
namespace {

// Spec: T-39
TEST(ManyCanaries, OneTestARunIsBernstein) {
  // 100 of 1000: t with 1000 t^2 = 2 log(2 / alpha) (m (1 - m) + t / 3), m = 0.1 + t.
  const double bound = exchangeable_upper_bound(
      [] {
        std::vector<std::int64_t> hits(1000, 0);
        for (std::size_t i = 0; i < 100; ++i) hits[i] = 1;
        return hits;
      }(),
      1, 0.05);
  const double t = bound - 0.1;
  EXPECT_NEAR(1000 * t * t, 2 * std::log(40.0) * (bound * (1 - bound) + t / 3), 1e-6);
  EXPECT_GT(bound, stats::probability_upper_bound(100, 1000, 0.05));  // the exact bound is better, where it applies
}

// Results that do not depend on each other are worth nearly as much as runs of their own; results that are all equal
// are worth nothing more.
// Spec: T-39
TEST(ManyCanaries, DependenceDecidesWhatCanariesAreWorth) {
  const std::int64_t runs = 1000, tests = 30;
  std::vector<std::int64_t> spread(runs), equal(runs, 0);
  for (std::size_t i = 0; i < 1000; ++i) {
    spread[i] = 2 + static_cast<std::int64_t>(i % 3);  // close to 3 of 30 in every run
    if (i < 100) equal[i] = tests;                     // all or nothing
  }
  const double alone = exchangeable_upper_bound(
      [&] {
        std::vector<std::int64_t> hits(runs, 0);
        for (std::size_t i = 0; i < 100; ++i) hits[i] = 1;
        return hits;
      }(),
      1, 0.05);
  const double independent = exchangeable_upper_bound(spread, tests, 0.05);
  EXPECT_LT(independent - 0.1, (alone - 0.1) / 2);
  EXPECT_NEAR(exchangeable_upper_bound(equal, tests, 0.05), alone, 1e-3);
}

// The formula of the header in another program: m1 = 0.0999667 and m2 = 0.0076575, of which the bound is 0.0213690.
// Spec: T-39
TEST(ManyCanaries, ThirtyTestsARunAreBernsteinTwice) {
  std::vector<std::int64_t> hits;
  for (std::int64_t i = 0; i < 1000; ++i) hits.push_back(2 + i % 3);
  EXPECT_NEAR(exchangeable_upper_bound(hits, 30, 0.05), 0.1107198, 1e-6);
}

// Each run draws its own rate from {0.02, 0.18} and tests 100 canaries at it: exchangeable, dependent, mean 0.1. At
// most 5% of 2000 bounds are below the mean; more than 155 would have probability below 1e-7 at a rate of 5%. Bounds
// that take the 100 results for independent are wrong in some 28% of rounds.
// Spec: T-39
TEST(ManyCanaries, CoversDependentResults) {
  std::mt19937_64 draw(testing::run_seed());
  const int runs = 100, tests = 100, rounds = 2000;
  int wrong = 0, planted = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<std::int64_t> hits;
    std::int64_t total = 0;
    for (int i = 0; i < runs; ++i) {
      hits.push_back(std::binomial_distribution<int>(tests, draw() % 2 == 0 ? 0.02 : 0.18)(draw));
      total += hits.back();
    }
    wrong += exchangeable_upper_bound(hits, tests, 0.05) < 0.1 ? 1 : 0;
    if (round < 500) planted += stats::probability_upper_bound(total, runs * tests, 0.05) < 0.1 ? 1 : 0;
  }
  EXPECT_LE(wrong, 155);
  EXPECT_GT(planted, 60);  // of 500; 25 would be right
}

// Spec: T-39
TEST(ManyCanaries, ManyCanariesShowMoreInTheSameRuns) {
  // Randomised-response-like tests at epsilon 2 that err with rate 0.1192 each, 1000 runs of each kind.
  const auto counts = [](std::int64_t tests) {
    ManyCanaries many;
    many.tests_in = many.tests_out = tests;
    for (int i = 0; i < 1000; ++i) {
      const double upto = 0.1192 * static_cast<double>(tests);  // errors spread evenly over the runs
      const auto hits = static_cast<std::int64_t>(std::floor(upto * (i + 1)) - std::floor(upto * i));
      many.false_positives.push_back(hits);
      many.false_negatives.push_back(hits);
    }
    return many;
  };
  const double one = epsilon_lower_bound_many_canaries(counts(1), 0, 0.05);
  const double many = epsilon_lower_bound_many_canaries(counts(32), 0, 0.05);
  EXPECT_LT(one, many);
  EXPECT_LT(many, 2);
  EXPECT_GT(many, 1.8);
}

TEST(ManyCanaries, EdgesAndRefusals) {
  EXPECT_EQ(exchangeable_upper_bound(std::vector<std::int64_t>(10, 5), 5, 0.05), 1);
  EXPECT_GT(exchangeable_upper_bound(std::vector<std::int64_t>(1000, 0), 5, 0.05), 0);
  EXPECT_THROW(exchangeable_upper_bound({}, 5, 0.05), Error);
  EXPECT_THROW(exchangeable_upper_bound(std::vector<std::int64_t>{6}, 5, 0.05), Error);
  EXPECT_THROW(exchangeable_upper_bound(std::vector<std::int64_t>{1}, 0, 0.05), Error);
  EXPECT_THROW(exchangeable_upper_bound(std::vector<std::int64_t>{1}, 5, 1), Error);
}

}  // namespace
}  // namespace dither::audit
