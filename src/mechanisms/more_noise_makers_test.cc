#include "mechanisms/more_noise_makers.h"

#include <gtest/gtest.h>

#include "mechanisms/binomial.h"
#include "mechanisms/distributed.h"
#include "mechanisms/k_norm.h"
#include "mechanisms/skellam.h"
#include "mechanisms/staircase.h"
#include "testing/refusal.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT

const VectorDomain kNumber{.dimension = 1};
const VectorDomain kThree{.dimension = 3};

Makers makers() {
  Makers all;
  add_more_noise_makers(all);
  return all;
}

TEST(MoreNoiseMakers, RecipesMakeTheSameAgain) {
  const std::vector<AnyMeasurement> made = {
      make_binomial(kNumber, 80, Rational(1, 3)).any(),
      make_skellam(kNumber, Rational(41, 2), 1).any(),
      make_staircase(kNumber, {Rational(1, 2), 10, 4}).any(),
      make_k_norm(kThree, {{1, 1, 1}, {0, 1, -2}}, Rational(1, 2)).any(),
      make_distributed_binomial(kThree, {3, 1}, 40, 1).any(),
      make_distributed_skellam(kThree, {3, 1}, Rational(20, 3), 1).any(),
      make_distributed_laplace(kThree, {3, 1}, 3).any(),
  };
  EXPECT_EQ(made.size() + 1, makers().measurements.size());  // "sample" is tested with its coins
  for (const AnyMeasurement& one : made) {
    const Recipe read = recipe_from_json(canonical_json(one.recipe()));
    const AnyMeasurement again = make_measurement(read, one.input(), one.from(), makers());
    EXPECT_EQ(again.recipe(), one.recipe());
    for (const int d : {0, 1, 3, 1'000'000}) EXPECT_EQ(again.loss(Rational(d)), one.loss(Rational(d)));
  }
}

TEST(MoreNoiseMakers, RefusesRecipesThatDoNotFit) {
  const auto make = [](const Recipe& recipe, const Domain& input, MetricKind from) {
    return testing::refusal([&] { make_measurement(recipe, input, {from}, makers()); });
  };
  const Recipe binomial{"binomial", {{"trials", 80}, {"epsilon", 1}}};
  EXPECT_EQ(make(binomial, kNumber, MetricKind::l2), Code::mixed_metrics);
  EXPECT_EQ(make(binomial, RealsDomain{}, MetricKind::l1), Code::mixed_domains);
  EXPECT_EQ(make({"binomial", {{"trials", Rational(1, 2)}, {"epsilon", 1}}}, kNumber, MetricKind::l1), Code::bad_count);
  EXPECT_EQ(make({"binomial", {{"trials", 80}}}, kNumber, MetricKind::l1), Code::missing_key);
  const auto k_norm = [&](const Rational& rows, std::vector<Rational> entries) {
    return make({"k-norm", {{"epsilon", 1}, {"rows", rows}, {"matrix", std::move(entries)}}}, kThree, MetricKind::l1);
  };
  EXPECT_EQ(k_norm(0, {1, 2, 3}), Code::bad_count);
  EXPECT_EQ(k_norm(2, {1, 2, 3}), Code::bad_count);
  EXPECT_EQ(k_norm(1, {}), Code::bad_count);
  EXPECT_EQ(k_norm(1, {1, Rational(1, 2), 3}), Code::bad_count);
}

}  // namespace
}  // namespace dither::mechanisms
