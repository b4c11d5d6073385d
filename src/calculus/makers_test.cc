#include "calculus/makers.h"

#include <gtest/gtest.h>

#include "calculus/toy_check.h"
#include "testing/refusal.h"

namespace dither::calculus {
namespace {

using testing::refusal;

Recipe chain_of(std::initializer_list<Recipe> parts) {
  Recipe all{"chain"};
  for (const Recipe& part : parts) all.parts.push_back(std::make_shared<const Recipe>(part));
  return all;
}

const Metric kSymmetric = {MetricKind::symmetric};

// Spec: W-26
TEST(Makers, MakeAChainAgain) {
  const AnyMeasurement plan = chain(chain(toy::repeat(3), toy::count(MetricKind::l1)), toy::laplace(5));
  const Recipe read = recipe_from_json(canonical_json(plan.recipe()));
  const AnyMeasurement again = make_measurement(read, plan.input(), plan.from(), toy::makers());
  EXPECT_TRUE(again.recipe() == plan.recipe());
  EXPECT_EQ(again.measure(), plan.measure());
  for (const long d : {0L, 1L, 3L, 1'000'000L}) EXPECT_EQ(again.loss(Rational(d)), plan.loss(Rational(d)));
  const AnyTransformation steps = chain(toy::repeat(2), toy::repeat(5));
  const AnyTransformation made = make_transformation(steps.recipe(), steps.input(), steps.from(), toy::makers());
  EXPECT_TRUE(made.recipe() == steps.recipe());
  for (const long d : {0L, 1L, 3L, 1'000'000L}) EXPECT_EQ(made.map(Rational(d)), steps.map(Rational(d)));
}

TEST(Makers, RefuseWhatNobodyMakes) {
  const Makers makers = toy::makers();
  const auto measure = [&](const Recipe& recipe) {
    return refusal([&] { make_measurement(recipe, toy::one_column(), kSymmetric, makers); });
  };
  EXPECT_EQ(measure({"toy-repeat", {{"times", Rational(1)}}}), Code::unknown_mechanism);  // not a measurement
  EXPECT_EQ(measure({"nobody"}), Code::unknown_mechanism);
  EXPECT_EQ(measure({"chain"}), Code::unknown_mechanism);
  EXPECT_EQ(measure(chain_of({{"toy-laplace", {{"scale", Rational(1)}}}})), Code::unknown_mechanism);
  EXPECT_EQ(measure(chain_of({{"nobody"}, {"toy-laplace", {{"scale", Rational(1)}}}})), Code::unknown_mechanism);
  EXPECT_EQ(measure({"toy-laplace"}), Code::missing_key);
  EXPECT_EQ(measure({"toy-laplace", {{"scale", true}}}), Code::wrong_type);
  EXPECT_EQ(measure({"toy-laplace", {{"scale", Rational(0)}}}), Code::bad_scale);
}

// A recipe cannot chain what code could not.
TEST(Makers, ChainsOfRecipesAreCheckedToo) {
  const Recipe mixed =
      chain_of({{"toy-count", {{"to", std::string("l2")}}}, {"toy-laplace", {{"scale", Rational(1)}}}});
  EXPECT_EQ(refusal([&] { make_measurement(mixed, toy::one_column(), kSymmetric, toy::makers()); }),
            Code::mixed_metrics);
  const Recipe relations =
      chain_of({{"toy-repeat", {{"times", Rational(1)}}}, {"toy-count", {{"to", std::string("l1")}}}});
  EXPECT_EQ(
      refusal([&] { make_transformation(relations, toy::one_column(), {MetricKind::change_one}, toy::makers()); }),
      Code::mixed_neighbours);
}

TEST(Makers, LongChainsAreRefused) {
  Recipe all{"chain"};
  all.parts.assign(100'000, std::make_shared<const Recipe>(Recipe{"toy-repeat", {{"times", Rational(1)}}}));
  EXPECT_EQ(refusal([&] { make_transformation(all, toy::one_column(), kSymmetric, toy::makers()); }), Code::bad_count);
}

}  // namespace
}  // namespace dither::calculus
