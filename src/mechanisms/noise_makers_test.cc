#include "mechanisms/noise_makers.h"

#include <gtest/gtest.h>

#include "mechanisms/noise_check.h"
#include "testing/refusal.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT

Makers noise_makers() {
  Makers makers;
  add_noise_makers(makers);
  return makers;
}

AnyMeasurement again(const AnyMeasurement& noise) {
  const Recipe recipe = recipe_from_json(canonical_json(noise.recipe()));
  return make_measurement(recipe, noise.input(), noise.from(), noise_makers());
}

// Spec: W-12
TEST(NoiseMakers, RecipesMakeTheSameNoiseAgain) {
  std::vector<AnyMeasurement> all;
  for (check::Family& family : check::families(Rational(7, 3))) all.push_back(std::move(family.noise));
  all.push_back(make_real_gaussian_gdp({}, 5).any());
  all.push_back(make_discrete_laplace({.dimension = 3}, 5, MetricKind::linf));
  all.push_back(make_laplace({.dimension = 3}, 5, MetricKind::linf));
  for (const AnyMeasurement& noise : all) {
    const AnyMeasurement made = again(noise);
    EXPECT_EQ(made.recipe(), noise.recipe());
    EXPECT_EQ(made.measure(), noise.measure());
    for (const long d : {0L, 1L, 3L, 1'000'000L}) EXPECT_EQ(made.loss(Rational(d)), noise.loss(Rational(d)));
    EXPECT_EQ(made.error(5)->high, noise.error(5)->high);
  }
  const AnyMeasurement cells = make_gaussian({}, 5, MetricKind::cells);
  EXPECT_EQ(again(cells).loss(CellsDistance{2, 6, 18, 3}), cells.loss(CellsDistance{2, 6, 18, 3}));
}

TEST(NoiseMakers, RefusesTablesAndRecipesWithoutScale) {
  const auto make = [](const Recipe& recipe, const Domain& domain) {
    return testing::refusal([&] { make_measurement(recipe, domain, {MetricKind::l1}, noise_makers()); });
  };
  EXPECT_EQ(make({"discrete-laplace", {{"scale", Rational(1)}}}, TableDomain{}), Code::wrong_type);
  EXPECT_EQ(make({"discrete-laplace"}, VectorDomain{}), Code::missing_key);
  EXPECT_EQ(make({"loud-noise"}, VectorDomain{}), Code::unknown_mechanism);
}

}  // namespace
}  // namespace dither::mechanisms
