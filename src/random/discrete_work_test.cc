// The time of a draw must not say anything about the value drawn: laws by tables, choices and subsets.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "random/bernoulli.h"
#include "random/binomial.h"
#include "random/categorical.h"
#include "random/poisson.h"
#include "random/subset.h"
#include "random/truncated_geometric.h"
#include "random/weighted_choice.h"
#include "testing/planted_draws.h"
#include "testing/work.h"

namespace dither::random {
namespace {

// 2.5 million draws a law, standard error 0.0008: 0.005 is six of them.
constexpr int kLayouts = 33;
constexpr int kDraws = 75'000;
constexpr double kMost = testing::kMostCorrelation;

using testing::cycles_follow_value;

template <typename Law>
void expect_silent(const char* name, const Law& law) {
  Source source;
  const double r =
      cycles_follow_value([&] { return [own = law, &source] { return own.draw(source); }; }, kLayouts, kDraws);
  EXPECT_LT(std::abs(r), kMost) << name << ": cycles follow |value|, correlation " << r;
}

// Spec: W-72
TEST(DiscreteWork, CoinsTellNothing) {
  expect_silent("bernoulli", Bernoulli::with_probability(Rational(1, 3)));
  expect_silent("bernoulli exp", Bernoulli::with_exp_of_minus(Rational(1, 2)));
}

// Spec: W-72
TEST(DiscreteWork, CountsTellNothing) {
  expect_silent("binomial", Binomial(1000, Rational(3, 10)));
  expect_silent("binomial of five parts", Binomial(1000, Rational(3, 10), {.variance_alone = 50, .variance_part = 50}));
  expect_silent("poisson", Poisson(20));
  expect_silent("skellam", Skellam(20, 20));
}

// Spec: W-72
TEST(DiscreteWork, CategoricalTellsNothing) {
  std::vector<std::uint64_t> weights(100);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 1 + i * i;
  expect_silent("categorical", Categorical(weights));
}

// Spec: W-72
TEST(DiscreteWork, TruncatedGeometricTellsNothing) {
  Source source;
  const double r = cycles_follow_value(
      [&] { return [own = TruncatedGeometric(10, 20), &source] { return own.draw(3, source); }; }, kLayouts, kDraws);
  EXPECT_LT(std::abs(r), kMost) << r;
}

// Spec: W-72
TEST(DiscreteWork, WeightedChoiceTellsNothing) {
  std::vector<std::uint64_t> weights(50, 1);
  std::vector<Int128> scores(50);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = static_cast<Int128>(i);
  expect_silent("weighted choice", WeightedChoice(weights, scores, Rational(1, 20)));
}

// Scores that lie all at one place, or one far above the others, or anywhere between: the value is how far. Set-up
// takes ten microseconds, so there are fewer draws: standard error 0.005, and 0.0011 nightly.
TEST(DiscreteWork, SetUpOfWeightedChoiceTellsNothingOfTheScores) {
  const bool nightly = std::getenv("DITHER_NIGHTLY") != nullptr;
  Source source;
  const std::vector<std::uint64_t> weights(16, 1);
  const auto make = [&] {
    return [&, scores = std::vector<Int128>(16)]() mutable {
      const auto gap = static_cast<Int128>(source.bits(8)) * static_cast<Int128>(source.bits(1));
      for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = gap * static_cast<Int128>(i);
      detail::exp_sums(weights, scores, Rational(1, 20));
      return gap;
    };
  };
  const double r = cycles_follow_value(make, kLayouts, nightly ? 40'000 : 2'000);
  EXPECT_LT(std::abs(r), nightly ? kMost : 6 * kMost) << r;
}

// How long it takes to choose eight numbers, and the smallest of them.
// Spec: W-72
TEST(DiscreteWork, SubsetsTellNothing) {
  Source source;
  const double r =
      cycles_follow_value([&] { return [&] { return choose(8, 1'000'000, source)[0]; }; }, kLayouts, kDraws);
  EXPECT_LT(std::abs(r), kMost) << r;
}

TEST(DiscreteWork, PlantedCountingPoissonIsCaught) {
  Source source;
  const auto make = [&] { return [&] { return planted::poisson_by_counting(20.0, source); }; };
  EXPECT_GT(cycles_follow_value(make, 1, 2 * kDraws), 0.1);
}

TEST(DiscreteWork, PlantedEarlyExitIsCaught) {
  Source source;
  std::vector<std::uint64_t> sums(50);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = i + 1;
  const auto make = [&] { return [&] { return planted::choice_with_early_exit(sums, source); }; };
  EXPECT_GT(cycles_follow_value(make, 1, 2 * kDraws), 0.1);
}

}  // namespace
}  // namespace dither::random
