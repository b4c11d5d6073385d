#include "mechanisms/choose_noise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "mechanisms/calibrate.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/real_gaussian.h"
#include "testing/refusal.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT
using accounting::NoiseLaw;

Rational exact(const char* text) { return Rational::parse(text); }

// Spec: F-59
TEST(ChooseNoise, GaussianWinsFromSevenCounts) {
  const auto chosen = [](int k) { return choose_noise(k, k, 1, exact("1e-5")).law; };
  for (int k = 1; k <= 6; ++k) EXPECT_EQ(chosen(k), NoiseLaw::laplace) << k;
  for (int k = 7; k <= 100; ++k) EXPECT_EQ(chosen(k), NoiseLaw::gaussian) << k;
}

// On a fine grid, where rounding does not count: the thresholds of the continuous laws in one dimension.
// Spec: F-59
TEST(ChooseNoise, OneNumberTakesGaussianNoiseAboveAThreshold) {
  const Rational fine = 100'000;
  const auto chosen = [&](const char* epsilon, const char* delta) {
    return choose_noise(fine, fine * fine, exact(epsilon), exact(delta)).law;
  };
  EXPECT_EQ(chosen("1", "0.039632"), NoiseLaw::laplace);
  EXPECT_EQ(chosen("1", "0.039634"), NoiseLaw::gaussian);
  EXPECT_EQ(chosen("0.1", "0.002639"), NoiseLaw::laplace);
  EXPECT_EQ(chosen("0.1", "0.002641"), NoiseLaw::gaussian);
}

// The classical sigma would lose until delta = 1.25 / e, and until k = 12 counts.
// Spec: F-59
TEST(ChooseNoise, ClassicalSigmaChoosesLater) {
  const auto wins = [](int k, const Rational& delta) {
    const double sigma = classical_sigma(k, 1, delta).to_double_up();
    return accounting::quieter_noise(k, 1, sigma) == NoiseLaw::gaussian;
  };
  EXPECT_FALSE(wins(11, exact("1e-5")));
  EXPECT_TRUE(wins(12, exact("1e-5")));
  EXPECT_FALSE(wins(1, exact("0.459848")));
  EXPECT_TRUE(wins(1, exact("0.459850")));
}

// What both members show as their error, over budgets, dimensions and grids.
template <typename Choose>
bool picks_the_best(const Choose& choose) {
  for (const char* epsilon : {"0.05", "0.3", "1", "4", "12"}) {
    for (const char* delta : {"1e-12", "1e-6", "1e-3", "0.03", "0.3"}) {
      for (const long k : {1L, 2L, 5L, 8L, 30L, 1000L}) {
        for (const long steps : {1L, 50L}) {
          const Rational l1 = k * steps;
          const Rational l2_squared = Rational(k) * steps * steps;
          const auto laplace = make_discrete_laplace({}, l1 / exact(epsilon));
          const auto gaussian = make_real_gaussian({}, analytic_sigma(l2_squared, exact(epsilon), exact(delta)));
          const double best =
              std::min(*laplace.any().error(0)->standard_error, *gaussian.any().error(0)->standard_error);
          if (choose(l1, l2_squared, exact(epsilon), exact(delta)) > best * (1 + 1e-12)) return false;
        }
      }
    }
  }
  return true;
}

// Spec: F-59
TEST(ChooseNoise, PicksTheBestMemberEverywhere) {
  EXPECT_TRUE(picks_the_best([](const auto&... budget) { return choose_noise(budget...).standard_error; }));
}
TEST(ChooseNoise, PlantedAlwaysLaplaceIsCaught) {
  EXPECT_FALSE(picks_the_best([](const Rational& l1, const Rational&, const Rational& epsilon, const Rational&) {
    return *make_discrete_laplace({}, l1 / epsilon).any().error(0)->standard_error;
  }));
}

// Spec: F-59
TEST(ChooseNoise, TheNoiseMadeKeepsTheBudget) {
  for (const long k : {1L, 3L, 7L, 40L}) {
    const CellsDistance d{k, 5 * k, 25 * k, 5};
    const AnyMeasurement noise = make_best_noise({}, d, 1, exact("1e-5"));
    EXPECT_LE(epsilon_up(noise.loss(d), 1e-5), 1 + 1e-9) << k;
    EXPECT_EQ(noise.recipe().name, k < 7 ? "discrete-laplace" : "real-gaussian") << k;
  }
  // A loose l1 does not hide that one cell moves.
  EXPECT_EQ(make_best_noise({}, {1, 100, 10'000, 5}, 1, exact("1e-5")).recipe().number("scale"), Rational(5));
}

TEST(ChooseNoise, WithoutDeltaOnlyLaplaceIsLeft) {
  EXPECT_EQ(choose_noise(1000, 1000, 1, 0).law, NoiseLaw::laplace);
  EXPECT_EQ(testing::refusal([] { choose_noise(1, 1, 0, 0); }), Code::bad_number);
  EXPECT_EQ(testing::refusal([] { choose_noise(1, 1, 1, 1); }), Code::bad_probability);
  EXPECT_EQ(testing::refusal([] { choose_noise(0, 1, 1, 0); }), Code::bad_distance);
}

}  // namespace
}  // namespace dither::mechanisms
