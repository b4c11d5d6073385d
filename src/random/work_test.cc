// The time of a draw must not say anything about the value drawn. The laws that other files add are in *_work_test.cc.
#include <gtest/gtest.h>

#include "random/discrete_gaussian.h"
#include "random/discrete_laplace.h"
#include "random/geometric.h"
#include "testing/planted.h"
#include "testing/work.h"

namespace dither::random {
namespace {

// 2.5 million draws a law, standard error 0.0008: 0.005 is six of them.
constexpr int kLayouts = 33;
constexpr int kDraws = 75'000;
constexpr double kMost = dither::testing::kMostCorrelation;

template <typename Law>
void expect_silent(const char* name, const Rational& parameter) {
  Source source;
  const double r = dither::testing::cycles_follow_value(
      [&] { return [law = Law(parameter), &source] { return law.draw(source); }; }, kLayouts, kDraws);
  EXPECT_LT(std::abs(r), kMost) << name << "(" << parameter.str() << "): cycles follow |value|, correlation " << r;
}

// Spec: W-72
TEST(Work, CyclesSayNothingOfTheValue) {
  for (const Rational& scale : {Rational(1), Rational(100), Rational(1'000'000), Rational::power_of_two(40)}) {
    expect_silent<DiscreteLaplace>("laplace", scale);
    expect_silent<DiscreteGaussian>("gaussian", scale);
  }
  expect_silent<Geometric>("geometric", Rational(1, 1000));
}

// The few numbers that all these draws look up lie at one place, which no new layout moves: where that place is shifts
// the median too, by 0.01 on some machines. Work that depends on the value shows 0.2 (below).
// Spec: W-72
TEST(Work, DrawsWithoutTablesSayNothingEither) {
  constexpr double kMostAtOnePlace = 4 * kMost;
  Source source;
  for (const Rational& scale : {Rational(10), Rational(1'000'000)}) {
    const double laplace = dither::testing::cycles_follow_value(
        [&] { return [&] { return discrete_laplace(scale, source); }; }, kLayouts, kDraws);
    const double gaussian = dither::testing::cycles_follow_value(
        [&] { return [&] { return discrete_gaussian(scale, source); }; }, kLayouts, kDraws);
    EXPECT_LT(std::abs(laplace), kMostAtOnePlace) << scale.str();
    EXPECT_LT(std::abs(gaussian), kMostAtOnePlace) << scale.str();
  }
}

TEST(Work, PlantedValueDependentWorkIsCaught) {
  Source source;
  const double r = dither::testing::cycles_follow_value(
      [&] { return [&] { return planted::value_dependent_work(source); }; }, 1, 200'000);
  EXPECT_GT(r, 0.2);
}

}  // namespace
}  // namespace dither::random
