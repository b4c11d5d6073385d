#include "calculus/combinators.h"

#include <gtest/gtest.h>

#include <cmath>

#include "calculus/combinator_makers.h"
#include "calculus/partition.h"
#include "calculus/sample.h"
#include "testing/refusal.h"
#include "testing/seeded_source.h"
#include "testing/toy_measurements.h"

namespace dither::calculus {
namespace {

using accounting::ApproximateDp;
using accounting::ConcentratedDp;
using accounting::Event;
using testing::approximate_toy;
using testing::capped_toy;
using testing::pure_toy;
using testing::zcdp_toy;

Rational exact(const char* text) { return Rational::parse(text); }
Distance steps(long count) { return Rational(count); }
Data released(const AnyMeasurement& measurement, const Data& data) {
  random::Source source = testing::seeded_source(1);
  return measurement.release(Private(data), source).value();
}
double epsilon(const Loss& loss) { return std::get<ApproximateDp>(loss).epsilon.to_double_up(); }
double delta(const Loss& loss) { return std::get<ApproximateDp>(loss).delta.to_double_up(); }

// Spec: F-23
TEST(Combinators, PostProcessingCostsNothing) {
  const AnyMeasurement half =
      post_process(pure_toy(1), "half", [](const Data& data) -> Data { return Integers{as<Integers>(data)[0] / 2}; });
  EXPECT_EQ(half.loss(steps(3)), pure(3));
  EXPECT_EQ(released(half, testing::numbers({5, 6, 7, 8})), Data(Integers{2}));
  EXPECT_EQ(half.error(2), std::nullopt);
  EXPECT_EQ(testing::refusal([] { post_process(pure_toy(1), "", [](const Data& data) { return data; }); }),
            Code::missing_key);
}

// What looks at the data again is no post-processing: the exact count behind an answer that says nothing.
TEST(Combinators, PlantedPostProcessingThatLooksBackIsCaught) {
  // Same answers for both tables, so that whatever is computed from them is the same too.
  const auto tells = [](const AnyMeasurement& measurement) {
    return released(measurement, testing::numbers({1})) != released(measurement, testing::numbers({1, 2}));
  };
  const auto nothing = [](const Data&, random::Source&) -> Data { return Integers{0}; };
  const auto silent = [&](const AnyMeasurement::Function& function) {
    return AnyMeasurement({.recipe = {"silent"},
                           .input = testing::numbers_domain(),
                           .from = {MetricKind::symmetric},
                           .measure = Measure::pure(),
                           .loss = [](const Distance&) { return pure(0); },
                           .events = [](const Distance&) { return std::vector<Event>(); },
                           .function = function});
  };
  EXPECT_FALSE(tells(post_process(silent(nothing), "same", [](const Data& data) { return data; })));
  EXPECT_TRUE(tells(silent([](const Data& data, random::Source&) { return testing::exact_count(data); })));
}

// Spec: F-26, W-17
TEST(Combinators, ComposedLossesAdd) {
  const AnyMeasurement all = compose({approximate_toy(exact("0.3"), exact("1e-6")),
                                      approximate_toy(exact("0.5"), exact("2e-6")), approximate_toy(exact("0.2"), 0)});
  EXPECT_EQ(all.loss(steps(1)), approximate(1, exact("3e-6")));
  EXPECT_EQ(all.loss(steps(0)), approximate(0, 0));
  EXPECT_EQ(all.events(steps(1)).size(), 3u);
  const Data answers = released(all, testing::numbers({5, 6}));
  EXPECT_EQ(as<Answers>(answers).parts, (std::vector<Answer>{{Integers{2}}, {Integers{2}}, {Integers{2}}}));
  EXPECT_EQ(testing::refusal([] { compose({}); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { compose({pure_toy(1), zcdp_toy(1)}); }), Code::mixed_metrics);
  EXPECT_EQ(testing::refusal([] {
              compose({pure_toy(1), pure_toy(1, MetricKind::change_one)});
            }),
            Code::mixed_neighbours);
}

TEST(Combinators, PlantedForgottenPartIsCaught) {
  // Two randomised responses at ln 3 about one bit: the pair of true answers is 9 times as likely.
  const auto covers = [](const Loss& loss) { return epsilon(loss) >= std::log(9.0); };
  const AnyMeasurement one = capped_toy(exact("1.0986122886681098"));
  EXPECT_TRUE(covers(compose({one, one}).loss(steps(1))));
  EXPECT_FALSE(covers(one.loss(steps(1))));
}

// Spec: F-25, F-32, W-14
TEST(Combinators, GroupsGrowByTheRuleOfTheMeasure) {
  const AnyMeasurement one = approximate_toy(exact("0.5"), exact("1e-6"));
  for (const AnyMeasurement& two : {group(one, 2), chain(testing::doubled(), one)}) {
    EXPECT_EQ(epsilon(two.loss(steps(1))), 1.0);
    EXPECT_NEAR(delta(two.loss(steps(1))), 2.648721e-6, 1e-12);
  }
  EXPECT_NEAR(delta(group(one, 3).loss(steps(1))), 5.367003e-6, 1e-12);
  EXPECT_EQ(group(zcdp_toy(exact("0.005")), 3).loss(steps(1)), concentrated(exact("0.045")));
  EXPECT_EQ(group(pure_toy(1), 1000).loss(steps(1000)), pure(1'000'000));
  EXPECT_EQ(testing::refusal([] { group(pure_toy(1), 0); }), Code::bad_count);
}

// What a factor for everything would say.
bool is_group_delta(const Loss& loss) { return delta(loss) >= 2.6487212e-6; }
TEST(Combinators, PlantedGroupByAFactorIsCaught) {
  EXPECT_TRUE(is_group_delta(group(approximate_toy(exact("0.5"), exact("1e-6")), 2).loss(steps(1))));
  EXPECT_FALSE(is_group_delta(approximate(1, exact("2e-6"))));
}

AnyMeasurement with_event(const Event& event) {
  return testing::make_toy(
      {.loss = [](const Rational& d) { return pure(d); }, .event = [event](const Rational&) { return event; }});
}

// Spec: W-14
TEST(Combinators, CastsAreTheProvenOnes) {
  EXPECT_EQ(cast_measure(pure_toy(1), Measure::approximate()).loss(steps(2)), approximate(2, 0));
  EXPECT_EQ(cast_measure(pure_toy(1), Measure::concentrated()).loss(steps(1)), concentrated(Rational(1, 2)));
  EXPECT_EQ(cast_measure(approximate_toy(1, exact("1e-6")), Measure::concentrated()).loss(steps(1)),
            concentrated(Rational(1, 2), exact("1e-6")));
  // Two of them cost 2 * 1/2, not 2^2 / 2, and a loss of bounded range costs 1/8.
  EXPECT_EQ(cast_measure(compose({pure_toy(1), pure_toy(1)}), Measure::concentrated()).loss(steps(1)), concentrated(1));
  const AnyMeasurement exponential = with_event({{}, accounting::Exponential{1}});
  EXPECT_EQ(cast_measure(exponential, Measure::concentrated()).loss(steps(1)), concentrated(Rational(1, 8)));
  const Loss renyi = cast_measure(zcdp_toy(exact("0.5")), Measure::renyi()).loss(steps(1));
  EXPECT_EQ(std::get<accounting::RenyiTable>(renyi).bounds.back(), (accounting::OrderBound{1024, 512}));
  EXPECT_EQ(testing::refusal([] { cast_measure(zcdp_toy(1), Measure::pure()); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { cast_measure(zcdp_toy(1), Measure::approximate()); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { cast_measure(pure_toy(1), Measure::gaussian()); }), Code::no_theorem);
}

TEST(Combinators, PlantedCastByHalfTheLossIsCaught) {
  // The law of randomised response at epsilon 1: its divergence at order 1 is epsilon tanh(epsilon / 2) = 0.462.
  const auto holds = [](const Loss& rho) { return std::get<ConcentratedDp>(rho).rho >= exact("0.4621"); };
  EXPECT_TRUE(holds(cast_measure(pure_toy(1), Measure::concentrated()).loss(steps(1))));
  EXPECT_FALSE(holds(concentrated(Rational(1, 8))));  // right for bounded range, wrong for all that is pure
}

// Spec: W-14
TEST(Combinators, FixedDeltasGiveTheLeastEpsilon) {
  const struct {
    const char *rho, *delta;
    double epsilon;
  } oracles[] = {{"0.014973", "1e-9", 1}, {"0.024356", "1e-6", 1}, {"1.7714e-4", "1e-9", 0.1}, {"1.0908", "1e-9", 10}};
  for (const auto& oracle : oracles) {
    const AnyMeasurement fixed = fix_delta(zcdp_toy(exact(oracle.rho)), exact(oracle.delta));
    EXPECT_NEAR(epsilon(fixed.loss(steps(1))), oracle.epsilon, 1e-4 * oracle.epsilon);
    EXPECT_EQ(fixed.events(steps(1)), zcdp_toy(exact(oracle.rho)).events(steps(1)));
  }
  // The exact law of Gaussian noise, not its rho: 100 releases of sigma = 40 are mu = 1/4.
  const AnyMeasurement gaussian = testing::make_toy({.measure = Measure::concentrated(),
                                                     .loss = [](const Rational& d) { return concentrated(d * d / 32); },
                                                     .event = [](const Rational& d) -> Event {
                                                       return {{}, accounting::Gaussian{40, d}, 100};
                                                     }});
  EXPECT_NEAR(epsilon(fix_delta(gaussian, exact("1e-6")).loss(steps(1))), 1.060702, 1e-5);
  EXPECT_EQ(testing::refusal([] { fix_delta(zcdp_toy(1), 0); }), Code::bad_probability);
}

TEST(Combinators, PlantedForgottenDeltaIsCaught) {
  // Gaussian noise at mu = 1/4 has delta(1) = 1.66e-6: no epsilon of 1 at 1e-6 holds.
  const auto holds = [](double claimed) { return claimed >= 1.0607; };
  EXPECT_TRUE(holds(epsilon(fix_delta(zcdp_toy(Rational(1, 32)), exact("1e-6")).loss(steps(1)))));
  EXPECT_FALSE(holds(epsilon(fix_delta(zcdp_toy(Rational(1, 32)), exact("1e-2")).loss(steps(1)))));
}

// A histogram of one bit: a replaced row moves two cells.
TEST(Combinators, PlantedUnchangedRelationIsCaught) {
  const auto covers = [](const Loss& loss) { return std::get<ApproximateDp>(loss).epsilon >= 2; };
  EXPECT_TRUE(covers(change_relation(pure_toy(1), {MetricKind::change_one}).loss(steps(1))));
  EXPECT_FALSE(covers(pure_toy(1, MetricKind::change_one).loss(steps(1))));
}

// Spec: W-03
TEST(Combinators, ChangedRelationsCountTwoSteps) {
  const AnyMeasurement replaced = change_relation(pure_toy(1), {MetricKind::change_one});
  EXPECT_EQ(replaced.loss(steps(1)), pure(2));
  EXPECT_EQ(replaced.from(), Metric{MetricKind::change_one});
  EXPECT_EQ(change_relation(zcdp_toy(1), {MetricKind::change_one}).loss(steps(1)), concentrated(4));
  EXPECT_EQ(testing::refusal([] { change_relation(pure_toy(1, MetricKind::change_one), {MetricKind::symmetric}); }),
            Code::no_theorem);
}

// Spec: F-30, W-22
TEST(Combinators, PartsCostTheWorstWayToShareSteps) {
  const AnyMeasurement linear = partition({pure_toy(exact("0.3")), pure_toy(exact("0.5")), pure_toy(exact("0.2"))});
  EXPECT_EQ(linear.loss(steps(0)), pure(0));
  EXPECT_EQ(linear.loss(steps(1)), pure(exact("0.5")));
  EXPECT_EQ(linear.loss(steps(3)), pure(exact("1.5")));
  EXPECT_EQ(linear.loss(steps(1'000'000)), pure(500'000));
  const AnyMeasurement capped =
      partition({capped_toy(exact("0.3")), capped_toy(exact("0.5")), capped_toy(exact("0.2"))});
  EXPECT_EQ(capped.loss(steps(1)), pure(exact("0.5")));
  EXPECT_EQ(capped.loss(steps(2)), pure(exact("0.8")));  // the two largest: one row replaced
  EXPECT_EQ(capped.loss(steps(3)), pure(1));
  const AnyMeasurement whole =
      chain(testing::split_by_remainder(2, MetricKind::change_one), partition({pure_toy(1), pure_toy(1)}));
  EXPECT_EQ(whole.loss(steps(1)), pure(2));
  const Data answers = released(whole, testing::numbers({1, 2, 3}));
  EXPECT_EQ(as<Answers>(answers).parts, (std::vector<Answer>{{Integers{1}}, {Integers{2}}}));
}

// Two parts that show all they have with probability 1/100; a row that leaves one for the other: delta = 0.0199.
bool covers_both_parts(const Loss& loss) { return std::get<ApproximateDp>(loss).delta >= exact("0.0199"); }
// Spec: F-30
TEST(Combinators, ReplacedRowsCountInBothParts) {
  const AnyMeasurement shows = approximate_toy(0, exact("0.01"));
  EXPECT_TRUE(covers_both_parts(partition({shows, shows}).loss(steps(2))));
}
TEST(Combinators, PlantedMaximumForReplacedRowsIsCaught) {
  EXPECT_FALSE(covers_both_parts(approximate_toy(0, exact("0.01")).loss(steps(1))));
}

// A part whose loss is 1 at one step and 10 at two, as behind a step with a map of its own.
TEST(Combinators, Hole45EveryPartAnswersByItsOwnMap) {
  const AnyMeasurement bent =
      testing::make_toy({.loss = [](const Rational& d) { return pure(d == 1 ? Rational(1) : 5 * d); },
                         .event = [](const Rational& d) -> Event {
                           return {{}, accounting::BlackBox{d == 1 ? Rational(1) : 5 * d}};
                         }});
  EXPECT_EQ(partition({bent, pure_toy(2)}).loss(steps(1)), pure(2));
  EXPECT_EQ(partition({bent, pure_toy(2)}).loss(steps(2)), pure(10));
  EXPECT_EQ(partition({bent, pure_toy(2)}).loss(steps(3)), pure(15));
}

Table first_row(const Table& table, random::Source&) { return table.empty() ? Table() : Table{table.front()}; }
// Spec: W-26
TEST(Combinators, SamplingAmplifiesOneStep) {
  const AnyMeasurement sampled = sample(pure_toy(1), exact("0.1"), first_row);
  EXPECT_NEAR(epsilon(sampled.loss(steps(1))), std::log1p(0.1 * std::expm1(1.0)), 1e-12);
  EXPECT_EQ(sampled.events(steps(1))[0].sample, accounting::Sampler(accounting::Poisson{exact("0.1"), {}}));
  EXPECT_EQ(released(sampled, testing::numbers({4, 5, 6})), Data(Integers{1}));
  EXPECT_EQ(testing::refusal([&] { sampled.loss(steps(2)); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { sample(pure_toy(1, MetricKind::change_one), exact("0.1"), first_row); }),
            Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { sample(pure_toy(1), 2, first_row); }), Code::bad_probability);
  const Loss renyi = sample(zcdp_toy(exact("0.5")), exact("0.01"), first_row).loss(steps(1));
  EXPECT_LT(std::get<accounting::RenyiTable>(renyi).bounds.front().epsilon, 0.55);
}
TEST(Combinators, PlantedSamplingByTheRateAloneIsCaught) {
  const auto holds = [](double claimed) { return claimed >= std::log1p(0.1 * std::expm1(1.0)) - 1e-12; };
  EXPECT_TRUE(holds(epsilon(sample(pure_toy(1), exact("0.1"), first_row).loss(steps(1)))));
  EXPECT_FALSE(holds(0.1 * 1));
}

// A combinator of a user, outside the core: the larger of two answers of measurements of the same data. Proof: a function
// of both answers, so post-processing of their composition (F-23, F-26).
AnyMeasurement larger_of(const AnyMeasurement& a, const AnyMeasurement& b) {
  return post_process(compose({a, b}), "larger-of", [](const Data& both) -> Data {
    const std::vector<Answer>& parts = as<Answers>(both).parts;
    return Integers{std::max(as<Integers>(parts[0].data)[0], as<Integers>(parts[1].data)[0])};
  });
}
// Spec: W-26
TEST(Combinators, AUserAddsOneInAFewLines) {
  const AnyMeasurement larger = larger_of(pure_toy(exact("0.3")), pure_toy(exact("0.2")));
  EXPECT_EQ(larger.loss(steps(1)), pure(exact("0.5")));
  EXPECT_EQ(released(larger, testing::numbers({1, 2})), Data(Integers{2}));
}

AnyMeasurement made_toy(const Recipe&, const Domain&, const Metric& from, const Makers&) {
  return pure_toy(exact("0.25"), from.kind);
}

// Spec: W-26
TEST(Combinators, RecipesMakeThemAgain) {
  Makers makers;
  add_combinator_makers(makers);
  makers.measurements["toy"] = made_toy;
  const AnyMeasurement toy = pure_toy(exact("0.25"));
  for (const AnyMeasurement& original :
       {compose({toy, toy}), group(toy, 3), cast_measure(toy, Measure::concentrated()), fix_delta(toy, exact("1e-6")),
        change_relation(toy, {MetricKind::change_one}), partition({toy, toy})}) {
    const Recipe recipe = recipe_from_json(canonical_json(original.recipe()));
    const AnyMeasurement again = make_measurement(recipe, original.input(), original.from(), makers);
    EXPECT_EQ(again.recipe(), original.recipe());
    for (const long d : {0L, 1L, 3L, 1'000'000L}) EXPECT_EQ(again.loss(steps(d)), original.loss(steps(d)));
  }
}

}  // namespace
}  // namespace dither::calculus
