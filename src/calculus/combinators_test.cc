#include "calculus/combinators.h"

#include <gtest/gtest.h>

#include <cmath>

#include "calculus/combinator_makers.h"
#include "calculus/partition.h"
#include "calculus/sample.h"
#include "testing/exact_laws.h"
#include "testing/refusal.h"
#include "testing/seeded_source.h"
#include "testing/toy_measurements.h"

namespace dither::calculus {
namespace {

using accounting::ApproximateDp;
using accounting::Event;
using testing::approximate_toy;
using testing::capped_toy;
using testing::claiming;
using testing::keeps_its_claim;
using testing::kLog3;
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
  const auto script = std::make_shared<testing::Script>();
  const AnyMeasurement one = testing::response_toy(script), two = compose({one, one});
  const auto holds = [&](const AnyMeasurement& all) {
    return keeps_its_claim(all, script, testing::numbers({1}), Table(), steps(1));
  };
  EXPECT_TRUE(holds(two));
  EXPECT_FALSE(holds(claiming(two, one.loss(steps(1)))));
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

// Without rows 1 is never said, with one in 1 of 100 cases, with two in 3 * 0.01 + 0.01: (ln 3, 0.01) for one row.
TEST(Combinators, PlantedGroupByAFactorIsCaught) {
  const auto script = std::make_shared<testing::Script>();
  const AnyMeasurement honest = approximate_toy(kLog3, exact("0.01"));
  const AnyMeasurement one = testing::coin_toy(
      {.chance = [](const Table& table) { return Rational(table.empty()       ? 0
                                                          : table.size() == 1 ? 1
                                                                              : 4,
                                                          100); },
       .measure = honest.measure(),
       .loss = [honest](const Rational& d) { return honest.loss(d); },
       .event = [honest](const Rational& d) { return honest.events(d)[0]; }},
      script);
  const auto holds = [&](const AnyMeasurement& all, const Table& table) {
    return keeps_its_claim(all, script, table, Table(), steps(static_cast<long>(table.size())));
  };
  EXPECT_TRUE(holds(one, testing::numbers({1})));
  const AnyMeasurement two = group(one, 2);
  EXPECT_TRUE(holds(two, testing::numbers({1})));
  EXPECT_TRUE(keeps_its_claim(claiming(two, two.loss(steps(1))), script, testing::numbers({1, 2}), Table(), steps(2)));
  // What a factor for everything would say.
  EXPECT_FALSE(keeps_its_claim(claiming(two, approximate(2 * kLog3, exact("0.02"))), script, testing::numbers({1, 2}),
                               Table(), steps(2)));
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

// A loss beyond the doubles proves nothing there, and says so by saying nothing.
TEST(Combinators, CastsOfHugeLossesProveNothing) {
  const Rational huge = pow(Rational(10), 400);
  const Loss renyi = cast_measure(zcdp_toy(huge), Measure::renyi()).loss(steps(1));
  EXPECT_TRUE(std::get<accounting::RenyiTable>(renyi).bounds.empty());
  const Loss lines = cast_measure(pure_toy(huge), Measure::tradeoff()).loss(steps(1));
  EXPECT_TRUE(std::get<accounting::TradeoffCurve>(lines).lines.empty());
  EXPECT_EQ(Measure::tradeoff().group(lines, 3), lines);
}

TEST(Combinators, PlantedCastByHalfTheLossIsCaught) {
  // Randomised response at ln 3: its divergence at order 1 is ln 3 / 2 = 0.549, its rho at most (ln 3)^2 / 2 = 0.603.
  const auto script = std::make_shared<testing::Script>();
  const AnyMeasurement cast = cast_measure(testing::response_toy(script), Measure::concentrated());
  const auto holds = [&](const AnyMeasurement& one) {
    return keeps_its_claim(one, script, testing::numbers({1}), Table(), steps(1));
  };
  EXPECT_TRUE(holds(cast));
  EXPECT_FALSE(holds(claiming(cast, concentrated(kLog3 * kLog3 / 4))));  // of half the loss
  EXPECT_FALSE(holds(claiming(cast, concentrated(kLog3 * kLog3 / 8))));  // right for losses of bounded range only
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
  // Two randomised responses at ln 3: epsilon 2 ln 3, or less at the delta that pays for it.
  const auto script = std::make_shared<testing::Script>();
  const AnyMeasurement one = testing::response_toy(script), fixed = fix_delta(compose({one, one}), exact("0.05"));
  const auto holds = [&](const AnyMeasurement& two) {
    return keeps_its_claim(two, script, testing::numbers({1}), Table(), steps(1));
  };
  EXPECT_TRUE(holds(fixed));
  EXPECT_LT(epsilon(fixed.loss(steps(1))), 2.15);
  EXPECT_FALSE(holds(claiming(fixed, approximate(std::get<ApproximateDp>(fixed.loss(steps(1))).epsilon, 0))));
}

// Spec: W-14
TEST(Combinators, AStatedDeltaIsFixedAtItself) {
  const AnyMeasurement one = approximate_toy(1, exact("1e-6"));
  EXPECT_NEAR(epsilon(fix_delta(one, exact("1e-6")).loss(steps(1))), 1.0, 1e-6);
}

// A histogram of one bit: a replaced row moves two cells.
TEST(Combinators, PlantedUnchangedRelationIsCaught) {
  const auto script = std::make_shared<testing::Script>();
  const AnyMeasurement bit = testing::response_toy(script);
  const AnyMeasurement both = chain(testing::split_by_remainder(2, MetricKind::symmetric), partition({bit, bit}));
  const AnyMeasurement replaced = change_relation(both, {MetricKind::change_one});
  const auto holds = [&](const AnyMeasurement& one) {
    return keeps_its_claim(one, script, testing::numbers({1}), testing::numbers({2}), steps(1));
  };
  EXPECT_TRUE(holds(replaced));
  EXPECT_FALSE(holds(claiming(replaced, both.loss(steps(1)))));
}

// One row goes from the front to the end: two steps in insert-delete, but every place of the table is another row.
TEST(Combinators, OrderedRowsChangeNoRelationBackwards) {
  TableDomain four = testing::numbers_domain();
  four.rows = 4;
  const Table before = testing::numbers({1, 2, 3, 4}), after = testing::numbers({2, 3, 4, 1});
  EXPECT_EQ(distance({MetricKind::insert_delete}, before, after), Distance(Rational(2)));
  EXPECT_EQ(distance({MetricKind::hamming}, before, after), Distance(Rational(4)));
  const auto of = [&](MetricKind metric) {
    AnyMeasurement::Parts parts = CombinatorAccess::parts(pure_toy(1, metric));
    parts.input = four;
    return AnyMeasurement(std::move(parts));
  };
  EXPECT_EQ(testing::refusal([&] { change_relation(of(MetricKind::hamming), {MetricKind::insert_delete}); }),
            Code::no_theorem);
  EXPECT_EQ(change_relation(of(MetricKind::insert_delete), {MetricKind::hamming}).loss(steps(1)), pure(2));
  EXPECT_EQ(change_relation(of(MetricKind::change_one), {MetricKind::symmetric}).loss(steps(3)), pure(1));
}

// Units that may be there on one side only: what is proven for replaced units alone is not enough.
TEST(Combinators, ChangedUnitsAreBothReplacedAndAdded) {
  const AnyMeasurement shuffled = testing::make_toy({.loss = [](const Rational&) { return pure(4); },
                                                     .event = [](const Rational&) -> Event {
                                                       return {{}, accounting::Shuffle{4, 10'000}};
                                                     },
                                                     .metric = MetricKind::units_changed});
  EXPECT_GT(epsilon(fix_delta(shuffled, exact("1e-6")).loss(steps(1))), 3.9);
  AnyMeasurement::Parts replaced = CombinatorAccess::parts(shuffled);
  replaced.from = {MetricKind::units_replaced};
  EXPECT_LT(epsilon(fix_delta(AnyMeasurement(replaced), exact("1e-6")).loss(steps(1))), 1.0);
}

constexpr MeasureRules kOwn = {
    "own", [] { return Loss(OtherLoss{0}); },
    [](const Loss& a, const Loss& b) { return std::get<OtherLoss>(a).amount <= std::get<OtherLoss>(b).amount; },
    nullptr, nullptr};
TEST(Combinators, MixturesAreKnownOfBuiltInMeasuresOnly) {
  const AnyMeasurement own = testing::make_toy({.measure = Measure(kOwn),
                                                .loss = [](const Rational& d) { return Loss(OtherLoss{d}); },
                                                .event = [](const Rational&) -> Event {
                                                  return {{}, accounting::BlackBox{1}};
                                                }});
  const std::vector<Rational> halves{Rational(1, 2), Rational(1, 2)};
  const auto first = [](random::Source&) { return std::size_t{0}; };
  EXPECT_EQ(testing::refusal([&] { mix({own, own}, halves, first); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([&] { mix({pure_toy(1), pure_toy(1)}, halves, first); }), std::nullopt);
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

// Two parts that say with probability 1/100 whether they have a row; one that leaves one for the other: delta = 0.0199.
AnyMeasurement two_that_show(const std::shared_ptr<testing::Script>& script) {
  AnyMeasurement::Parts shows = CombinatorAccess::parts(approximate_toy(0, exact("0.01")));
  shows.function = [script](const Data& data, random::Source&) -> Data {
    const bool shown = script->flip(Rational(1, 100));
    return Integers{!shown ? 0 : as<Table>(data).empty() ? 1 : 2};
  };
  const AnyMeasurement one(shows);
  return chain(testing::split_by_remainder(2, MetricKind::change_one), partition({one, one}));
}
bool holds_for_a_moved_row(const AnyMeasurement& parts, const std::shared_ptr<testing::Script>& script) {
  return keeps_its_claim(parts, script, testing::numbers({1}), testing::numbers({2}), steps(1));
}
// Spec: F-30
TEST(Combinators, ReplacedRowsCountInBothParts) {
  const auto script = std::make_shared<testing::Script>();
  EXPECT_TRUE(holds_for_a_moved_row(two_that_show(script), script));
}
TEST(Combinators, PlantedMaximumForReplacedRowsIsCaught) {
  const auto script = std::make_shared<testing::Script>();
  EXPECT_FALSE(holds_for_a_moved_row(claiming(two_that_show(script), approximate(0, exact("0.01"))), script));
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
  const auto script = std::make_shared<testing::Script>();
  const AnyMeasurement sampled =
      sample(testing::response_toy(script), exact("0.1"), [script](const Table& table, random::Source&) {
        Table kept;
        for (const Row& row : table) {
          if (script->flip(exact("0.1"))) kept.push_back(row);
        }
        return kept;
      });
  const auto holds = [&](const AnyMeasurement& one) {
    return keeps_its_claim(one, script, testing::numbers({1, 2}), testing::numbers({2}), steps(1)) &&
           keeps_its_claim(one, script, testing::numbers({1}), Table(), steps(1));
  };
  EXPECT_TRUE(holds(sampled));
  EXPECT_FALSE(holds(claiming(sampled, pure(exact("0.1") * kLog3))));
}

// The event of Gaussian noise has no epsilon; the loss that was fixed has one, and that is amplified.
TEST(Combinators, SamplingAmplifiesAFixedDelta) {
  const AnyMeasurement gaussian = testing::make_toy({.measure = Measure::concentrated(),
                                                     .loss = [](const Rational& d) { return concentrated(d * d / 32); },
                                                     .event = [](const Rational& d) -> Event {
                                                       return {{}, accounting::Gaussian{4, d}};
                                                     }});
  const AnyMeasurement fixed = fix_delta(gaussian, exact("1e-6"));
  const Loss loss = sample(fixed, exact("0.1"), first_row).loss(steps(1));
  EXPECT_NEAR(epsilon(loss), std::log1p(0.1 * std::expm1(epsilon(fixed.loss(steps(1))))), 1e-12);
  EXPECT_EQ(std::get<ApproximateDp>(loss).delta, exact("1e-7"));
  EXPECT_EQ(sample(fixed, exact("0.1"), first_row).events(steps(1))[0].mechanism,
            gaussian.events(steps(1))[0].mechanism);
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
