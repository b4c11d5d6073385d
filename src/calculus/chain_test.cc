// Chaining: what fits, what it costs, and what is refused by name.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "calculus/toy_check.h"
#include "testing/calculus_access.h"
#include "testing/refusal.h"

namespace dither::calculus {
namespace {

using testing::refusal;

const Rational kMillion = 1'000'000;

// Spec: W-07
TEST(Chain, ThreeRowsThenLaplaceAtOneFifthCostsThreeFifths) {
  const AnyMeasurement plan = chain(chain(toy::repeat(3), toy::count(MetricKind::l1)), toy::laplace(5));
  EXPECT_EQ(plan.loss(Rational(1)), pure(Rational(3, 5)));
  EXPECT_EQ(plan.loss(Rational(0)), pure(0));
  EXPECT_EQ(plan.loss(Rational(3)), pure(Rational(9, 5)));
  EXPECT_EQ(plan.loss(kMillion), pure(600'000));
  EXPECT_TRUE(plan.check(Rational(1), pure(Rational(3, 5))));
  EXPECT_FALSE(plan.check(Rational(1), pure(Rational(599, 1000))));
}

// Spec: W-07, W-14
TEST(Chain, ThreeRowsThenSigmaTenCostsRho0045) {
  const AnyMeasurement plan = chain(chain(toy::repeat(3), toy::count(MetricKind::l2)), toy::gaussian(10));
  EXPECT_EQ(plan.loss(Rational(1)), concentrated(Rational(45, 1000)));
  EXPECT_NE(plan.loss(Rational(1)), concentrated(Rational(15, 1000)));  // 3 x 0.005 would be the wrong rule
}

// Spec: W-07
TEST(Chain, StabilitiesMultiply) {
  const AnyTransformation twice = chain(toy::repeat(3), toy::repeat(4));
  EXPECT_EQ(twice.map(Rational(1)), Distance(Rational(12)));
  EXPECT_EQ(twice.map(Rational(0)), Distance(Rational(0)));
  EXPECT_TRUE(twice.check(Rational(2), Rational(24)));
  EXPECT_FALSE(twice.check(Rational(2), Rational(23)));
  EXPECT_EQ(refusal([&] { twice.check(Rational(1), Rational(-1)); }), Code::bad_distance);
  EXPECT_EQ(std::get<Table>(testing::apply(twice, toy::rows({7}))).size(), 12u);
}

// Spec: W-07
RC_GTEST_PROP(Chain, IsAssociative, ()) {
  const auto factor = [] { return long{*rc::gen::inRange(1, 9)}; };
  const AnyTransformation a = toy::repeat(factor()), b = toy::repeat(factor()), count = toy::count(MetricKind::l1);
  const AnyMeasurement noise = toy::laplace(factor());
  const AnyMeasurement left = chain(chain(chain(a, b), count), noise);
  const AnyMeasurement right = chain(a, chain(b, chain(count, noise)));
  RC_ASSERT(left.recipe() == right.recipe());
  RC_ASSERT(canonical_json(left.recipe()) == canonical_json(right.recipe()));
  for (const Rational& d : {Rational(0), Rational(1), Rational(3), kMillion}) {
    RC_ASSERT(left.loss(d) == right.loss(d));
    RC_ASSERT(left.events(d) == right.events(d));
  }
  RC_ASSERT(left.input() == right.input());
}

// Spec: W-11, W-07
TEST(Chain, OneCountServesEveryNoise) {
  const AnyTransformation count = toy::count(MetricKind::linf);
  EXPECT_EQ(count.map(Rational(5)), Distance(Rational(5)));
  // The same map d -> d, whichever norm of one number is meant (l2: squared).
  EXPECT_EQ(chain(toy::count(MetricKind::l1), toy::laplace(2)).loss(Rational(5)), pure(Rational(5, 2)));
  EXPECT_EQ(chain(toy::count(MetricKind::l2), toy::gaussian(2)).loss(Rational(5)), concentrated(Rational(25, 8)));
}

// Spec: W-03, W-07
TEST(Chain, MixingIsRefusedByName) {
  const AnyTransformation replaced = toy::repeat(1, MetricKind::change_one), added = toy::repeat(1);
  EXPECT_EQ(refusal([&] { chain(replaced, added); }), Code::mixed_neighbours);
  EXPECT_EQ(refusal([&] { chain(replaced, toy::count(MetricKind::l1)); }), Code::mixed_neighbours);
  EXPECT_EQ(refusal([&] { chain(toy::repeat(1, MetricKind::insert_delete), added); }), Code::mixed_metrics);
  EXPECT_EQ(refusal([&] { chain(toy::count(MetricKind::l1), toy::gaussian(1)); }), Code::mixed_metrics);
  EXPECT_EQ(refusal([&] { chain(toy::count(MetricKind::linf), toy::laplace(1)); }), Code::mixed_metrics);
  EXPECT_EQ(refusal([&] { chain(added, toy::laplace(1)); }), Code::mixed_metrics);
  try {
    chain(replaced, added);
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "toy-repeat gives distances in change-one, but toy-repeat takes them in symmetric");
    EXPECT_FALSE(error.hint().empty());
  }
}

// Spec: W-05, W-07
TEST(Chain, DomainsMustFit) {
  AnyTransformation::Parts wider = CombinatorAccess::parts(toy::repeat(1));
  wider.output = TableDomain{{{"value", CellType::real}}};
  EXPECT_EQ(refusal([&] { chain(AnyTransformation(wider), toy::count(MetricKind::l1)); }), Code::mixed_domains);
  AnyMeasurement::Parts narrow = CombinatorAccess::parts(toy::laplace(1));
  narrow.input = VectorDomain{1, 1, bounds(0, 10)};
  EXPECT_EQ(refusal([&] { chain(toy::count(MetricKind::l1), AnyMeasurement(narrow)); }), Code::mixed_domains);
  narrow.input = VectorDomain{2};
  EXPECT_EQ(refusal([&] { chain(toy::count(MetricKind::l1), AnyMeasurement(narrow)); }), Code::mixed_domains);
}

TEST(Chain, DomainsThatAreNoneAreRefused) {
  AnyTransformation::Parts parts = CombinatorAccess::parts(toy::count(MetricKind::l1));
  parts.output = VectorDomain{1, 1, Bounds{1, 0}};
  EXPECT_EQ(refusal([&] { AnyTransformation{parts}; }), Code::bad_bounds);
  AnyMeasurement::Parts noise = CombinatorAccess::parts(toy::laplace(1));
  noise.input = VectorDomain{1, 0};
  EXPECT_EQ(refusal([&] { AnyMeasurement{noise}; }), Code::bad_grid);
}

TEST(Chain, DistancesOfOthersAreRefused) {
  const AnyMeasurement plan = chain(toy::count(MetricKind::l1), toy::laplace(1));
  EXPECT_EQ(refusal([&] { plan.loss(Rational(-1)); }), Code::bad_distance);
  EXPECT_EQ(refusal([&] { plan.loss(CellsDistance{1, 1, 1, 1}); }), Code::bad_distance);
  EXPECT_EQ(refusal([&] { plan.events(Rational(-1)); }), Code::bad_distance);
  EXPECT_TRUE(plan.events(Rational(0)).empty());
}

TEST(Chain, EndsAtAThousandSteps) {
  AnyTransformation all = toy::repeat(1);
  for (int i = 1; i < 1000; ++i) all = chain(all, toy::repeat(1));
  EXPECT_EQ(all.map(Rational(3)), Distance(Rational(3)));
  EXPECT_EQ(all.recipe().parts.size(), 1000u);
  EXPECT_EQ(refusal([&] { chain(all, toy::repeat(1)); }), Code::bad_count);
}

// A chain that takes the second's map alone is what this check exists for.
bool three_rows_cost_three(const AnyMeasurement& plan) { return plan.loss(Rational(1)) == pure(Rational(3, 5)); }

TEST(Chain, PlantedForgottenStabilityIsCaught) {
  EXPECT_TRUE(three_rows_cost_three(chain(chain(toy::repeat(3), toy::count(MetricKind::l1)), toy::laplace(5))));
  AnyMeasurement::Parts planted = CombinatorAccess::parts(chain(toy::count(MetricKind::l1), toy::laplace(5)));
  planted.function = [](const Data& data, random::Source&) { return testing::apply(toy::repeat(3), data); };
  EXPECT_FALSE(three_rows_cost_three(AnyMeasurement(planted)));
}

}  // namespace
}  // namespace dither::calculus
