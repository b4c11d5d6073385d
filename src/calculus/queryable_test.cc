#include "calculus/queryable.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "accounting/parallel.h"
#include "calculus/adaptive.h"
#include "testing/refusal.h"
#include "testing/seeded_source.h"
#include "testing/statistical.h"
#include "testing/toy_measurements.h"

namespace dither::calculus {
namespace {

using namespace accounting;  // NOLINT
using testing::pure_toy;

LossAmount loss(const char* text) { return LossAmount::up(Rational::parse(text)); }
DeltaAmount delta(const char* text) { return DeltaAmount::up(Rational::parse(text)); }
FilterRule pure_rule(const char* epsilon) { return PureRule{loss(epsilon)}; }
Rational exact(const char* text) { return Rational::parse(text); }

Place place(MetricKind metric = MetricKind::symmetric, const Rational& protect = 1) {
  return {testing::numbers_domain(), {metric}, protect};
}
Queryable queryable(const FilterRule& rule, Interleaving mode = Interleaving::sequential) {
  return Queryable::with_filter(Private(testing::numbers({1, 2, 3})), place(), rule, mode);
}
// How many of at most `most` equal questions are answered.
int admitted(const Queryable& data, const AnyMeasurement& question, int most) {
  random::Source source = testing::seeded_source(1);
  for (int i = 0; i < most; ++i) {
    if (testing::refusal([&] { data.ask(question, source); })) return i;
  }
  return most;
}
std::optional<Code> asked(const Queryable& data, const AnyMeasurement& question) {
  random::Source source = testing::seeded_source(1);
  return testing::refusal([&] { data.ask(question, source); });
}
LossAmount spent(const Queryable& data) { return data.spent().losses[0]; }

// Spec: W-20
TEST(Queryable, AdvancedFilterAdmitsHundredAndBasicFiftySeven) {
  const AnyMeasurement question = testing::approximate_toy(exact("0.1"), 0);
  const FilterRule advanced = AdvancedRule{loss("5.7566"), delta("1e-6"), {}};
  EXPECT_EQ(admitted(queryable(advanced), question, 200), 100);
  EXPECT_EQ(admitted(queryable(BasicRule{loss("5.7566"), {}}), question, 200), 57);
}

// Spec: W-20, F-33
TEST(Queryable, RefusalsChangeNothing) {
  const Queryable data = queryable(pure_rule("1.0"));
  EXPECT_EQ(asked(data, pure_toy(exact("0.4"))), std::nullopt);
  EXPECT_EQ(asked(data, pure_toy(exact("0.4"))), std::nullopt);
  EXPECT_EQ(asked(data, pure_toy(exact("0.4"))), Code::over_budget);
  EXPECT_EQ(spent(data), loss("0.8"));
  EXPECT_EQ(std::get<PureCharge>(data.remaining()).epsilon, loss("0.2"));
  EXPECT_EQ(asked(data, pure_toy(exact("0.2"))), std::nullopt);
  EXPECT_EQ(data.log().size(), 4u);
  EXPECT_EQ(data.log()[2].verdict, "over-budget");
  EXPECT_TRUE(data.log()[2].charges.empty());
}

TEST(Queryable, RefusesQuestionsAboutOtherData) {
  const Queryable data = queryable(pure_rule("1.0"));
  EXPECT_EQ(asked(data, pure_toy(1, MetricKind::change_one)), Code::mixed_neighbours);
  EXPECT_EQ(asked(data, testing::zcdp_toy(1)), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] {
              queryable(RenyiAnyRule{{2}, {LossAmount()}, {}}, Interleaving::concurrent);
            }),
            Code::no_theorem);
  AnyMeasurement silent({.recipe = {"silent"},
                         .input = testing::numbers_domain(),
                         .from = {MetricKind::symmetric},
                         .measure = Measure::pure(),
                         .loss = [](const Distance&) { return pure(5); },
                         .events = [](const Distance&) { return std::vector<Event>(); },
                         .function = [](const Data& x, random::Source&) { return x; }});
  EXPECT_EQ(asked(data, silent), Code::no_theorem);
  EXPECT_EQ(spent(data), LossAmount());
}

// Spec: W-22
TEST(Queryable, AChildIsChargedThroughItsStabilityMap) {
  const Queryable data = queryable(ZcdpRule{loss("1"), {}});
  EXPECT_EQ(asked(data.derive(testing::doubled()), testing::zcdp_toy(exact("0.01"))), std::nullopt);
  EXPECT_EQ(spent(data), loss("0.04"));  // 2^2, not 2
  EXPECT_EQ(asked(data.derive(testing::doubled()).derive(testing::doubled()), testing::zcdp_toy(exact("0.01"))),
            std::nullopt);
  EXPECT_EQ(spent(data), loss("0.2"));
}

// What the root is charged, question by question, for one question to each part.
std::vector<LossAmount> charged(const Queryable& data, MetricKind metric,
                                const std::vector<AnyMeasurement>& questions) {
  const auto parts = data.split(testing::split_by_remainder(static_cast<std::int64_t>(questions.size()), metric));
  std::vector<LossAmount> charges;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const LossAmount before = spent(data);
    EXPECT_EQ(asked(parts[i], questions[i]), std::nullopt);
    charges.push_back(without(spent(data), before));
  }
  return charges;
}

// Spec: W-22, F-30
TEST(Queryable, PartsAreChargedTheIncreaseOfTheLargest) {
  const std::vector<LossAmount> wanted{loss("0.3"), loss("0.2"), loss("0")};
  const std::vector<AnyMeasurement> pure_questions{pure_toy(exact("0.3")), pure_toy(exact("0.5")),
                                                   pure_toy(exact("0.2"))};
  EXPECT_EQ(charged(queryable(pure_rule("9")), MetricKind::symmetric, pure_questions), wanted);
  EXPECT_EQ(
      charged(queryable(ZcdpRule{loss("9"), {}}), MetricKind::symmetric,
              {testing::zcdp_toy(exact("0.3")), testing::zcdp_toy(exact("0.5")), testing::zcdp_toy(exact("0.2"))}),
      wanted);
}

// Spec: W-22, W-75
TEST(Queryable, PartsOfReplacedRowsAreChargedTheTwoLargest) {
  const auto data = [] {
    return Queryable::with_filter(Private(testing::numbers({1, 2})), place(MetricKind::change_one), pure_rule("9"),
                                  Interleaving::sequential);
  };
  const std::vector<AnyMeasurement> capped{testing::capped_toy(exact("0.3")), testing::capped_toy(exact("0.5")),
                                           testing::capped_toy(exact("0.2"))};
  EXPECT_EQ(charged(data(), MetricKind::change_one, capped),
            (std::vector<LossAmount>{loss("0.3"), loss("0.5"), loss("0")}));
  // As accounting says of charges that hold for a replaced row within a part as well.
  const std::vector<Charge> cells{PureCharge{loss("0.3")}, PureCharge{loss("0.5")}, PureCharge{loss("0.2")}};
  EXPECT_EQ(parallel(cells, Neighbours::replace_one, DataLife::fixed), Charge(PureCharge{loss("0.8")}));
  // Questions that cost twice as much for a row replaced within the part cost the largest of these.
  const std::vector<AnyMeasurement> linear{pure_toy(exact("0.3")), pure_toy(exact("0.5")), pure_toy(exact("0.2"))};
  EXPECT_EQ(charged(data(), MetricKind::change_one, linear),
            (std::vector<LossAmount>{loss("0.6"), loss("0.4"), loss("0")}));
}

// Under the advanced rule squares are what adds: 100 questions to each of two parts cost what 100 cost.
TEST(Queryable, PartsUnderTheAdvancedRuleShareOneBudget) {
  const Queryable data = queryable(AdvancedRule{loss("5.7566"), delta("1e-6"), {}});
  const auto parts = data.split(testing::split_by_remainder(2, MetricKind::symmetric));
  const AnyMeasurement question = testing::approximate_toy(exact("0.1"), 0);
  EXPECT_EQ(admitted(parts[0], question, 200), 100);
  EXPECT_EQ(admitted(parts[1], question, 200), 100);
  EXPECT_EQ(asked(data, question), Code::over_budget);
}

TEST(Queryable, PartsOfPartsAreChargedOnce) {
  const Queryable data = queryable(pure_rule("9"));
  const auto outer = data.split(testing::split_by_remainder(2, MetricKind::symmetric));
  const auto inner = outer[0].split(testing::split_by_remainder(2, MetricKind::symmetric));
  EXPECT_EQ(asked(inner[0], pure_toy(exact("0.3"))), std::nullopt);
  EXPECT_EQ(asked(inner[1], pure_toy(exact("0.5"))), std::nullopt);
  EXPECT_EQ(asked(outer[1], pure_toy(exact("0.4"))), std::nullopt);
  EXPECT_EQ(spent(data), loss("0.5"));
}

AnyTransformation side_by_side() {
  return AnyTransformation({.recipe = {"concat"},
                            .input = TablesDomain{{testing::numbers_domain(), testing::numbers_domain()}},
                            .output = testing::numbers_domain(),
                            .from = {MetricKind::sum, MetricKind::symmetric},
                            .to = {MetricKind::symmetric},
                            .map = [](const Distance& d) { return d; },
                            .function = [](const Data& data) -> Data {
                              Table all = as<Tables>(data)[0];
                              const Table& more = as<Tables>(data)[1];
                              all.insert(all.end(), more.begin(), more.end());
                              return all;
                            }});
}

// Spec: W-22
TEST(Queryable, AJoinChargesAllParentsOrNone) {
  const Queryable rich = queryable(pure_rule("1")), poor = queryable(pure_rule("0.3"));
  const std::vector<Queryable> both{rich, poor};
  const Queryable joined = Queryable::join(both, side_by_side());
  EXPECT_EQ(asked(joined, pure_toy(exact("0.2"))), std::nullopt);
  EXPECT_EQ(spent(rich), loss("0.2"));
  EXPECT_EQ(spent(poor), loss("0.2"));
  EXPECT_EQ(asked(joined, pure_toy(exact("0.2"))), Code::over_budget);
  EXPECT_EQ(spent(rich), loss("0.2"));  // though it could have paid
}

TEST(Queryable, TwoViewsOfOneBudgetJoinOnlyWherePureLossesAdd) {
  const Queryable data = queryable(pure_rule("1"));
  const std::vector<Queryable> same{data, data};
  EXPECT_EQ(asked(Queryable::join(same, side_by_side()), pure_toy(exact("0.2"))), std::nullopt);
  EXPECT_EQ(spent(data), loss("0.4"));
  // A limit there is charged both moves, as the budget is.
  const Queryable limited =
      Queryable::join(same, side_by_side()).derive(testing::doubled()).limited("anna", pure_rule("0.3"));
  EXPECT_EQ(asked(limited, pure_toy(exact("0.1"))), Code::over_budget);
  EXPECT_EQ(asked(limited, pure_toy(exact("0.05"))), std::nullopt);
  EXPECT_EQ(spent(limited), loss("0.2"));
  EXPECT_EQ(spent(data), loss("0.6"));
  const Queryable zcdp = queryable(ZcdpRule{loss("1"), {}});
  const std::vector<Queryable> again{zcdp, zcdp};
  EXPECT_EQ(testing::refusal([&] { Queryable::join(again, side_by_side()); }), Code::no_theorem);
}

// Spec: W-23
TEST(Queryable, OpeningANewChildFreezesOlderOnes) {
  const Queryable data = queryable(pure_rule("1"), Interleaving::sequential);
  const Queryable older = data.open("older", pure_rule("0.3"), Interleaving::sequential);
  EXPECT_EQ(asked(older, pure_toy(exact("0.1"))), std::nullopt);
  const Queryable newer = data.open("newer", pure_rule("0.3"), Interleaving::sequential);
  EXPECT_EQ(asked(older, pure_toy(exact("0.1"))), Code::frozen);
  EXPECT_EQ(asked(older.derive(testing::doubled()), pure_toy(exact("0.1"))), Code::frozen);
  EXPECT_EQ(asked(newer, pure_toy(exact("0.1"))), std::nullopt);
  EXPECT_EQ(asked(data, pure_toy(exact("0.1"))), std::nullopt);
  EXPECT_EQ(asked(newer, pure_toy(exact("0.1"))), Code::frozen);
  EXPECT_EQ(spent(data), loss("0.7"));
}

// Spec: W-23
TEST(Queryable, ConcurrentChildrenCostTheirSum) {
  const Queryable data = queryable(pure_rule("1"), Interleaving::concurrent);
  const Queryable one = data.open("one", pure_rule("0.3"), Interleaving::concurrent);
  const Queryable two = data.open("two", pure_rule("0.5"), Interleaving::concurrent);
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_EQ(asked(one, pure_toy(exact("0.1"))), std::nullopt);
    EXPECT_EQ(asked(two, pure_toy(exact("0.1"))), std::nullopt);
  }
  EXPECT_EQ(asked(one, pure_toy(exact("0.1"))), Code::over_budget);
  EXPECT_EQ(spent(data), loss("0.8"));
}

// Spec: W-23
TEST(Queryable, OnlyProvenRulesAreConcurrent) {
  const auto concurrent = [](const FilterRule& rule) {
    return !testing::refusal([&] { queryable(rule, Interleaving::concurrent); });
  };
  EXPECT_TRUE(concurrent(pure_rule("1")));
  EXPECT_TRUE(concurrent(BasicRule{loss("1"), delta("1e-6")}));
  EXPECT_TRUE(concurrent(AdvancedRule{loss("1"), delta("1e-6"), {}}));
  EXPECT_TRUE(concurrent(ZcdpRule{loss("1"), {}}));
  EXPECT_FALSE(concurrent(ZcdpRule{loss("1"), delta("1e-6")}));
  EXPECT_FALSE(concurrent(RenyiAnyRule{{2}, {loss("1")}, {}}));
  EXPECT_EQ(interleaving_of(Measure::renyi()), Interleaving::concurrent);
  constexpr MeasureRules kOwn = {"own", [] { return Loss(OtherLoss{0}); }, nullptr, nullptr, nullptr};
  EXPECT_EQ(interleaving_of(Measure(kOwn)), Interleaving::sequential);
}

// Spec: F-33, W-20
TEST(Queryable, HundredThreadsCannotOverspend) {
  const Queryable data = queryable(pure_rule("1"));
  std::atomic<int> answered = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 100; ++i) {
    threads.emplace_back([&] {
      if (!asked(data, pure_toy(exact("0.02")))) ++answered;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answered, 50);
  EXPECT_EQ(spent(data), loss("1"));
}

// A question that fails, as machines do, after it was charged.
AnyMeasurement failing(const Rational& epsilon) {
  return AnyMeasurement({.recipe = {"failing"},
                         .input = testing::numbers_domain(),
                         .from = {MetricKind::symmetric},
                         .measure = Measure::pure(),
                         .loss = [epsilon](const Distance&) { return pure(epsilon); },
                         .events = [epsilon](const Distance&) -> std::vector<Event> {
                           return {{{}, BlackBox{epsilon}}};
                         },
                         .function = [](const Data&, random::Source&) -> Data { throw std::runtime_error("disk"); }});
}

// Spec: W-19
TEST(Queryable, Hole49AFailureAfterTheChargeStaysCharged) {
  const Queryable data = queryable(pure_rule("1"));
  random::Source source = testing::seeded_source(1);
  EXPECT_THROW(data.ask(failing(exact("0.25")), source), std::runtime_error);
  EXPECT_EQ(spent(data), loss("0.25"));
}

TEST(Queryable, Hole33ReadingAReleaseTwiceIsTheSame) {
  const Queryable data = queryable(pure_rule("1"));
  random::Source source = testing::seeded_source(1);
  const Release<Data> release = data.ask(pure_toy(exact("0.25")), source);
  std::vector<Data> read = {release.value()};
  data.ask(pure_toy(exact("0.25")), source);  // draws again, elsewhere
  read.push_back(release.value());
  EXPECT_EQ(read[0], read[1]);
  EXPECT_EQ(spent(data), loss("0.5"));
}

TEST(Queryable, Hole34TheChargeIsTheSumOfWhatRan) {
  const Queryable data = queryable(pure_rule("1"));
  for (const char* epsilon : {"0.1", "0.2", "0.3", "0.9", "0.05"}) asked(data, pure_toy(exact(epsilon)));
  LossAmount sum;
  for (const AuditRecord& record : data.log()) {
    for (const Held& held : record.charges) sum = add_saturating(sum, held.charge.losses[0]);
  }
  EXPECT_EQ(sum, spent(data));
  EXPECT_EQ(sum, loss("0.65"));
}

// Spec: W-25
TEST(Queryable, StoppingOnAReleasedEstimateChargesStepsAndChecks) {
  const Queryable data = queryable(pure_rule("10"));
  random::Source source = testing::seeded_source(1);
  const AnyMeasurement step = pure_toy(exact("0.1")), check = pure_toy(exact("0.02"));
  int t = 0;
  Int128 error = 7;  // falls by one with each step, as descent does
  while (error > 0) {
    data.ask(step, source);
    error = as<Integers>(data.ask(check, source).value())[0] + 4 - ++t - 3;
  }
  EXPECT_EQ(t, 4);
  EXPECT_EQ(spent(data), LossAmount::up(Rational(t) * exact("0.12")));
}

// Spec: W-18, F-27
TEST(Queryable, FixedLossesAreTakenInOrder) {
  AdaptiveComposition list(Private(testing::numbers({1})), place(), Measure::pure(),
                           {pure(exact("0.4")), pure(exact("0.6"))});
  random::Source source = testing::seeded_source(1);
  EXPECT_EQ(list.total(), pure(1));
  EXPECT_EQ(testing::refusal([&] { list.ask(pure_toy(exact("0.5")), source); }), Code::over_budget);
  EXPECT_EQ(list.left(), 2u);
  list.ask(pure_toy(exact("0.4")), source);
  list.ask(pure_toy(exact("0.6")), source);
  EXPECT_EQ(testing::refusal([&] { list.ask(pure_toy(exact("0.1")), source); }), Code::over_budget);
  EXPECT_EQ(testing::refusal([&] { list.ask(testing::zcdp_toy(1), source); }), Code::mixed_metrics);
}

// Spec: W-21
TEST(Queryable, AnOdometerNeverRefusesAndShowsTheSum) {
  const Private rows(testing::numbers({1, 2}));
  const Queryable pure_meter = Queryable::with_odometer(rows, place(), PureOdometer{});
  for (int i = 0; i < 30; ++i) EXPECT_EQ(asked(pure_meter, pure_toy(exact("0.1"))), std::nullopt);
  EXPECT_DOUBLE_EQ(pure_meter.reading().epsilon, 3.0);
  const Odometer start(SquareAmount::up(1), delta("1e-6"), delta("1e-6"));
  const Queryable meter = Queryable::with_odometer(rows, place(), start, Measure::approximate());
  Odometer wanted = start;
  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(asked(meter, testing::approximate_toy(exact("0.1"), 0)), std::nullopt);
    wanted = charged(wanted, ApproximateCharge{loss("0.1"), {}});
  }
  EXPECT_NEAR(meter.reading().epsilon, reading(wanted).epsilon, 1e-9);
  EXPECT_EQ(testing::refusal([&] { meter.remaining(); }), Code::no_theorem);
}

// An adversary who answers by randomised response and stops as soon as the privacy loss is above what the odometer
// shows. The loss is a walk of +-epsilon; the odometer fails when it is ever above the reading.
// Event: it fails within 400 steps. delta = 1/20. n = 2000. False alarm: P(Binomial(2000, 1/20) > 200) < 1e-18.
// The planted odometer shows the filter's bound at each step, which holds at one time alone, at a slack of its own.
bool odometer_holds(const std::function<double(int step)>& shown) {
  random::Source source = testing::seeded_source(7);
  const double epsilon = 0.5, truth = std::exp(epsilon) / (1 + std::exp(epsilon));
  const auto fails = [&] {
    double walk = 0;
    for (int step = 1; step <= 400; ++step) {
      const double coin = static_cast<double>(source.bits(53)) * 0x1p-53;
      walk += coin < truth ? epsilon : -epsilon;
      if (walk > shown(step)) return true;
    }
    return false;
  };
  return testing::count(2000, fails) <= 200;
}

std::vector<double> readings() {
  const Odometer start(SquareAmount::up(10), delta("0.05"), {});
  const Queryable meter =
      Queryable::with_odometer(Private(testing::numbers({1})), place(), start, Measure::approximate());
  std::vector<double> shown;
  for (int step = 1; step <= 400; ++step) {
    asked(meter, testing::approximate_toy(exact("0.5"), 0));
    shown.push_back(meter.reading().epsilon);
  }
  return shown;
}

// Spec: W-21
TEST(Queryable, OdometerHoldsAgainstAStoppingAdversary) {
  const std::vector<double> shown = readings();
  EXPECT_TRUE(odometer_holds([&](int step) { return shown[static_cast<std::size_t>(step - 1)]; }));
}

TEST(Queryable, PlantedOdometerOfMeansIsCaught) {
  EXPECT_FALSE(odometer_holds([](int step) { return step * 0.125 + std::sqrt(step * 0.25); }));
}

}  // namespace
}  // namespace dither::calculus
