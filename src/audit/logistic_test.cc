// What classifiers see of outputs, and what they learn.
#include "audit/logistic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "audit/detail/minimise.h"
#include "audit/network.h"
#include "testing/seed.h"

namespace dither::audit {
namespace {

Outputs rows(std::size_t width, const std::vector<double>& cells) {
  Outputs outputs(width);
  const std::span<double> to = outputs.add(static_cast<std::int64_t>(cells.size() / width));
  std::copy(cells.begin(), cells.end(), to.begin());
  return outputs;
}

std::map<std::size_t, double> seen(const Features& features, const std::vector<double>& row) {
  std::map<std::size_t, double> found;
  features.visit(row, [&](std::size_t i, double value) { found[i] = value; });
  return found;
}

// Spec: T-45
TEST(Features, StandardiseNumbersAndFlagTheRest) {
  const double nan = std::nan("");
  const Outputs first = rows(1, {1, 2, 3, 4, 5, nan, HUGE_VAL});
  const Outputs second = rows(1, {1, 2, 3, 4, 5, absent(), -HUGE_VAL});
  const Features features(first, second, {Reading::number}, {});
  EXPECT_EQ(features.size(), 5U);
  EXPECT_EQ(seen(features, {3}).at(0), 0);  // the median
  EXPECT_GT(seen(features, {5}).at(0), seen(features, {4}).at(0));
  EXPECT_GT(seen(features, {1e300}).at(0), seen(features, {1e200}).at(0));  // far out, still in order
  EXPECT_LT(seen(features, {1e300}).at(0), 1000);
  const double largest = std::numeric_limits<double>::max();
  const Features narrow(rows(1, {-0.1, 0, 0.1, -largest}), rows(1, {-0.1, 0, 0.1, largest}), {Reading::number}, {});
  EXPECT_GT(seen(narrow, {largest}).at(0), seen(narrow, {1e300}).at(0));
  EXPECT_LT(seen(narrow, {largest}).at(0), 1000);  // its distance in spreads is more than a double holds
  std::set<std::size_t> flags;
  for (const double odd : {nan, HUGE_VAL, -HUGE_VAL, absent()}) flags.insert(seen(features, {odd}).begin()->first);
  EXPECT_EQ(flags.size(), 4U);
  EXPECT_FALSE(flags.contains(0));
}

TEST(Features, FlagWordsAndAtomsAndShapes) {
  const Features words(rows(1, {0, 0, 7}), rows(1, {7, 7, 0}), {Reading::word}, {});
  EXPECT_EQ(words.size(), 2U);
  EXPECT_EQ(seen(words, {7}).size(), 1U);
  EXPECT_TRUE(seen(words, {3}).empty());
  const Features atoms(rows(1, {1, 1, 2, 2.5}), rows(1, {1, 3, 4, 5}), {Reading::number},
                       {.shapes = true, .atoms = true});
  EXPECT_EQ(seen(atoms, {1}).size(), 4U);  // z, |z|, z^2, and that it is 1
  EXPECT_EQ(seen(atoms, {2}).size(), 3U);
}

// Spec: T-52
TEST(Features, ShowEveryBit) {
  const Features bits(rows(1, {1, 2}), rows(1, {3, 4}), {Reading::number}, {.bits = true});
  const std::size_t from = 1;
  const auto one = seen(bits, {1});  // 0x3FF0...: ten bits of the exponent
  for (std::size_t i = 52; i < 62; ++i) EXPECT_EQ(one.at(from + i), 1);
  EXPECT_FALSE(one.contains(from));
  EXPECT_EQ(one.at(from + 64), 52 / 8.0);                               // its lowest bit is 2^0
  EXPECT_EQ(seen(bits, {1 + 0x1p-52}).at(from + 64), 0);                // 2^-52
  EXPECT_EQ(seen(bits, {0x1p-1074}).at(from + 64), (52 - 1074) / 8.0);  // the smallest of all
  EXPECT_EQ(seen(bits, {-1}).at(from + 63), 1);
}

TEST(Minimise, FindsTheBottomOfAStretchedBowl) {
  const std::vector<double> found = detail::minimise(
      [](std::span<const double> x, std::span<double> slope) {
        slope[0] = 2 * (x[0] - 3);
        slope[1] = 200 * (x[1] + 1);
        return (x[0] - 3) * (x[0] - 3) + 100 * (x[1] + 1) * (x[1] + 1);
      },
      {0, 0}, 100);
  EXPECT_NEAR(found[0], 3, 1e-4);
  EXPECT_NEAR(found[1], -1, 1e-4);
}

// Draws whose log odds are known.
Outputs normal(double mean, int runs, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> law(mean, 1);
  std::vector<double> cells;
  for (int i = 0; i < runs; ++i) cells.push_back(law(random));
  return rows(1, cells);
}

// N(1, 1) against N(0, 1): the log odds are x - 1/2. The slope's deviation at 20000 runs each is 0.016; a fixed seed.
TEST(Logistic, LearnsTheLogOddsOfShiftedNormals) {
  const Outputs first = normal(1, 20'000, 1);
  const Outputs second = normal(0, 20'000, 2);
  const Logistic fitted = fit_logistic(Features(first, second, {Reading::number}, {}), first, second);
  const double slope = fitted.score(std::vector<double>{1}) - fitted.score(std::vector<double>{0});
  EXPECT_NEAR(slope, 1, 0.08);
  const Logistic again = fit_logistic(Features(first, second, {Reading::number}, {}), first, second);
  EXPECT_EQ(fitted.weights(), again.weights());  // nothing random in it
}

TEST(Logistic, LearnsFromOneRunAndFromNone) {
  const Outputs one = rows(1, {1});
  const Outputs none(1);
  EXPECT_EQ(fit_logistic(Features(one, none, {Reading::number}, {}), one, none).weights(), std::vector<double>{0});
  const Logistic told = fit_logistic(Features(one, rows(1, {2}), {Reading::number}, {}), one, rows(1, {2}));
  EXPECT_GT(told.score(std::vector<double>{1}), told.score(std::vector<double>{2}));
}

// The middle against the sides: no linear rule tells them apart, the network does. Four of five after training.
TEST(Network, LearnsASetThatNoLineCutsOut) {
  std::mt19937_64 random(testing::run_seed());
  const auto draw = [&](bool middle) {
    std::vector<double> cells;
    for (int i = 0; i < 4000; ++i) {
      const double u = static_cast<double>(random() >> 11) * 0x1p-53;
      const double sign = random() % 2 == 0 ? 1 : -1;
      cells.push_back(sign * (middle ? u : 1 + u));
    }
    return rows(1, cells);
  };
  const Outputs first = draw(true);
  const Outputs second = draw(false);
  const Network fitted =
      fit_network(Features(first, second, {Reading::number}, {}), first, second, testing::run_seed());
  const auto share = [&](const Outputs& outputs) {
    int above = 0;
    for (std::int64_t i = 0; i < outputs.runs(); ++i) above += fitted.score(outputs.row(i)) > 0 ? 1 : 0;
    return above / static_cast<double>(outputs.runs());
  };
  EXPECT_GT(share(first), 0.8);
  EXPECT_LT(share(second), 0.2);
  const Network again = fit_network(Features(first, second, {Reading::number}, {}), first, second, testing::run_seed());
  EXPECT_EQ(fitted.score(first.row(0)), again.score(first.row(0)));
}

}  // namespace
}  // namespace dither::audit
