// Whether the time of a draw tells anything about the value drawn.
#include <gtest/gtest.h>
#include <x86intrin.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <vector>

#include "random/bernoulli.h"
#include "random/binomial.h"
#include "random/categorical.h"
#include "random/poisson.h"
#include "random/weighted_choice.h"
#include "testing/planted_draws.h"
#include "testing/seed.h"
#include "testing/seeded_source.h"

namespace dither::random {
namespace {

bool nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }

// The correlation of cycles with the value over single draws. Draws that took over three times the median were
// interrupted and are left out; whether that happens does not depend on the value. Standard error 1 / sqrt(draws).
template <typename Draw>
double cycles_follow_value(Draw&& draw) {
  const std::size_t draws = nightly() ? 4'000'000 : 1'000'000;
  std::vector<double> cycles(draws), values(draws);
  for (std::size_t i = 0; i < draws; ++i) {
    unsigned cpu;
    _mm_lfence();
    const std::uint64_t start = __rdtsc();
    const auto value = draw();
    const std::uint64_t end = __rdtscp(&cpu);
    _mm_lfence();
    cycles[i] = static_cast<double>(end - start);
    values[i] = static_cast<double>(value);
  }
  std::vector<double> sorted = cycles;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(draws / 2), sorted.end());
  const double longest = 3 * sorted[draws / 2];
  double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < draws; ++i) {
    if (cycles[i] > longest) continue;
    n += 1;
    x += cycles[i];
    y += values[i];
    xx += cycles[i] * cycles[i];
    yy += values[i] * values[i];
    xy += cycles[i] * values[i];
  }
  const double r = (xy - x * y / n) / std::sqrt((xx - x * x / n) * (yy - y * y / n));
  ::testing::Test::RecordProperty("r", std::to_string(r));
  return std::abs(r);
}

// The goal is 0.005, and W-72 asks for 0.01: both ten standard errors of their run.
double bound() { return nightly() ? 0.005 : 0.01; }

class Work : public ::testing::Test {
 protected:
  Source source_ = testing::seeded_source(testing::run_seed());
};

// Spec: W-72
TEST_F(Work, OfBernoulliTellsNothing) {
  const auto coin = Bernoulli::with_probability(Rational(1, 3));
  EXPECT_LT(cycles_follow_value([&] { return coin.draw(source_); }), bound());
  const auto exponential = Bernoulli::with_exp_of_minus(Rational(1, 2));
  EXPECT_LT(cycles_follow_value([&] { return exponential.draw(source_); }), bound());
}

// Spec: W-72
TEST_F(Work, OfBinomialTellsNothing) {
  const Binomial law(1000, Rational(3, 10));
  EXPECT_LT(cycles_follow_value([&] { return law.draw(source_); }), bound());
}

// Spec: W-72
TEST_F(Work, OfPoissonTellsNothing) {
  const Poisson law(20);
  EXPECT_LT(cycles_follow_value([&] { return law.draw(source_); }), bound());
}

// Spec: W-72
TEST_F(Work, OfSkellamTellsNothing) {
  const Skellam law(20, 20);
  EXPECT_LT(cycles_follow_value([&] { return std::abs(law.draw(source_)); }), bound());
}

// Spec: W-72
TEST_F(Work, OfCategoricalTellsNothing) {
  std::vector<std::uint64_t> weights(100);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 1 + i * i;
  const Categorical law(weights);
  EXPECT_LT(cycles_follow_value([&] { return law.draw(source_); }), bound());
}

// Spec: W-72
TEST_F(Work, OfWeightedChoiceTellsNothing) {
  std::vector<std::uint64_t> weights(50, 1);
  std::vector<Int128> scores(50);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = static_cast<Int128>(i);
  const WeightedChoice law(weights, scores, Rational(1, 20));
  EXPECT_LT(cycles_follow_value([&] { return law.draw(source_); }), bound());
}

TEST_F(Work, PlantedCountingPoissonIsCaught) {
  EXPECT_GT(cycles_follow_value([&] { return testing::planted::poisson_by_counting(20.0, source_); }), 0.1);
}

TEST_F(Work, PlantedEarlyExitIsCaught) {
  std::vector<std::uint64_t> sums(50);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = i + 1;
  EXPECT_GT(cycles_follow_value([&] { return testing::planted::choice_with_early_exit(sums, source_); }), 0.1);
}

}  // namespace
}  // namespace dither::random
