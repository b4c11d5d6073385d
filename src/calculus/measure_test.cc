#include "calculus/measure.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "accounting/zcdp.h"
#include "calculus/toy_check.h"
#include "testing/printers.h"
#include "testing/refusal.h"

namespace dither::calculus {
namespace {

using accounting::GaussianDp;
using accounting::RenyiTable;
using accounting::TradeoffCurve;
using testing::refusal;

rc::Gen<Rational> amounts() {
  return rc::gen::map(rc::gen::pair(rc::gen::inRange(0, 9), rc::gen::inRange(1, 5)),
                      [](const auto& pair) { return Rational(pair.first, pair.second); });
}

// Small losses of each measure; all doubles are multiples of 1/4, so that their sums are exact.
Loss some_loss(std::string_view measure) {
  const auto quarter = [] { return *rc::gen::inRange(0, 20) / 4.0; };
  if (measure == "pure") return pure(*amounts());
  if (measure == "approximate") return approximate(*amounts(), *amounts() / 100);
  if (measure == "concentrated") return concentrated(*amounts(), *amounts() / 100);
  if (measure == "gaussian") return GaussianDp{*amounts()};
  if (measure == "renyi") {
    RenyiTable table;
    double least = 0;
    for (const double order : {2.0, 3.0, 4.0, 8.0}) {
      least += quarter();
      if (order == 2 || *rc::gen::arbitrary<bool>()) table.bounds.push_back({order, least});
    }
    table.delta = quarter() / 64;
    return table;
  }
  TradeoffCurve curve;
  double epsilon = 0, delta = 0.5;
  for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
    curve.lines.push_back({epsilon, delta});
    epsilon += 0.25 + quarter(), delta /= 2;
  }
  return curve;
}

const std::vector<Measure>& built_in() {
  static const std::vector<Measure> all = {Measure::pure(),  Measure::approximate(), Measure::concentrated(),
                                           Measure::renyi(), Measure::gaussian(),    Measure::tradeoff()};
  return all;
}

bool equal(const Measure& measure, const Loss& a, const Loss& b) {
  return measure.at_most(a, b) && measure.at_most(b, a);
}

// The laws of a measure (W-13): a partial order, with a zero below all, and a sum that keeps the order.
void laws_hold(const Measure& measure, const Loss& a, const Loss& b, const Loss& c) {
  RC_ASSERT(measure.at_most(a, a));
  RC_ASSERT(measure.at_most(measure.zero(), a));
  RC_ASSERT(measure.at_most(a, measure.add(a, b)));
  RC_ASSERT(equal(measure, measure.add(a, b), measure.add(b, a)));
  RC_ASSERT(equal(measure, measure.add(a, measure.zero()), a));
  RC_ASSERT(equal(measure, measure.add(measure.add(a, b), c), measure.add(a, measure.add(b, c))));
  if (measure.at_most(a, b)) {
    RC_ASSERT(measure.at_most(measure.add(a, c), measure.add(b, c)));
  }
  if (measure.at_most(a, b) && measure.at_most(b, c)) {
    RC_ASSERT(measure.at_most(a, c));
  }
  RC_ASSERT(equal(measure, measure.group(a, 1), a));
}

// Spec: W-13
RC_GTEST_PROP(Measure, BuiltInOnesKeepTheLaws, ()) {
  for (const Measure& measure : built_in()) {
    laws_hold(measure, some_loss(measure.name()), some_loss(measure.name()), some_loss(measure.name()));
  }
}

// Spec: W-14
RC_GTEST_PROP(Measure, LargerGroupsNeverCostLess, ()) {
  const auto k = static_cast<std::uint64_t>(*rc::gen::inRange(1, 50));
  for (const Measure& measure : {Measure::pure(), Measure::approximate(), Measure::gaussian(), Measure::tradeoff()}) {
    const Loss one = some_loss(measure.name());
    RC_ASSERT(measure.at_most(measure.group(one, k), measure.group(one, k + 1)));
  }
  const Loss rho = concentrated(*amounts());
  RC_ASSERT(Measure::concentrated().at_most(rho, Measure::concentrated().group(rho, k)));
}

// Spec: W-14
TEST(Measure, GroupsGrowByTheirOwnRule) {
  EXPECT_EQ(Measure::pure().group(pure(Rational(1, 5)), 3), pure(Rational(3, 5)));
  EXPECT_EQ(Measure::concentrated().group(concentrated(Rational(1, 200)), 3), concentrated(Rational(45, 1000)));
  EXPECT_EQ(Measure::gaussian().group(GaussianDp{Rational(1, 4)}, 3), Loss(GaussianDp{Rational(9, 4)}));
  // (epsilon, delta): 3 epsilon and delta (e^(3 epsilon) - 1) / (e^epsilon - 1), not 3 delta.
  const auto group = std::get<accounting::ApproximateDp>(
      Measure::approximate().group(approximate(Rational(1, 2), Rational::parse("1e-6")), 3));
  EXPECT_EQ(group.epsilon, Rational(3, 2));
  const double exact = 1e-6 * std::expm1(1.5) / std::expm1(0.5);
  EXPECT_GE(group.delta.to_double_up(), exact);
  EXPECT_NEAR(group.delta.to_double_up(), exact, 1e-15);
  // An epsilon beyond the doubles proves nothing with a delta, and is still a number without.
  const Rational huge = pow(Rational(10), 400);
  EXPECT_EQ(Measure::approximate().group(approximate(huge, Rational(1, 9)), 2), approximate(2 * huge, 1));
  EXPECT_EQ(Measure::pure().group(pure(huge), 2), pure(2 * huge));
  for (const Measure& measure : built_in()) {
    EXPECT_EQ(refusal([&] { measure.group(measure.zero(), 0); }), Code::bad_count) << measure.name();
  }
  EXPECT_EQ(refusal([] { Measure::renyi().group(RenyiTable{{{2, 1}}}, 2); }), Code::no_theorem);
  EXPECT_EQ(refusal([] { Measure::concentrated().group(concentrated(1, Rational(1, 9)), 2); }), Code::no_theorem);
}

// Spec: W-14
TEST(Measure, RhoForAnEpsilonAndDelta) {
  EXPECT_NEAR(accounting::zcdp_rho_down(1, 1e-9), 0.014973, 5e-7);
  EXPECT_NEAR(accounting::zcdp_rho_down(1, 1e-6), 0.024356, 5e-7);
  EXPECT_NEAR(accounting::zcdp_rho_down(0.1, 1e-9), 1.7714e-4, 5e-9);
  EXPECT_NEAR(accounting::zcdp_rho_down(10, 1e-9), 1.0908, 5e-5);
  const Rational rho = Rational::from_double(accounting::zcdp_rho_down(1, 1e-9));
  EXPECT_LE(epsilon_up(concentrated(rho), 1e-9), 1.0);
  EXPECT_GT(epsilon_up(concentrated(rho * Rational(1001, 1000)), 1e-9), 1.0);
  EXPECT_EQ(accounting::zcdp_of_pure(1), Rational(1, 2));
}

// Spec: W-13
TEST(Measure, LossesOfOthersAreRefused) {
  for (const Measure& measure : built_in()) {
    EXPECT_EQ(refusal([&] { measure.at_most(measure.zero(), OtherLoss{1}); }), Code::mixed_metrics) << measure.name();
    EXPECT_EQ(refusal([&] { measure.add(OtherLoss{1}, measure.zero()); }), Code::mixed_metrics) << measure.name();
  }
  // Pure DP has no delta, however small.
  const Loss small = approximate(1, Rational::parse("1e-30"));
  EXPECT_EQ(refusal([&] { Measure::pure().add(pure(1), small); }), Code::mixed_metrics);
  EXPECT_EQ(refusal([&] { Measure::pure().at_most(small, pure(2)); }), Code::mixed_metrics);
  EXPECT_EQ(refusal([] { epsilon_up(OtherLoss{1}, 0.1); }), Code::no_theorem);
  EXPECT_EQ(refusal([] { measure_from("epsilon"); }), Code::unknown_measure);
  for (const Measure& measure : built_in()) EXPECT_EQ(measure_from(measure.name()), measure);
}

// Spec: W-13
TEST(Measure, RenyiTablesAreSteps) {
  const Measure renyi = Measure::renyi();
  const Loss a = RenyiTable{{{2, 1}, {8, 4}}}, b = RenyiTable{{{4, 1}}};
  EXPECT_EQ(renyi.add(a, b), Loss(RenyiTable{{{2, 2}, {4, 5}}}));  // at 4 the bound of order 8 holds
  EXPECT_TRUE(renyi.at_most(b, RenyiTable{{{2, 1}}}));
  EXPECT_FALSE(renyi.at_most(a, RenyiTable{{{9, 100}}}));  // a says nothing at 9
  EXPECT_FALSE(renyi.at_most(RenyiTable{{{2, 1}}, 0.1}, RenyiTable{{{2, 1}}, 0.05}));
  // A table without orders says nothing: it is not the zero.
  EXPECT_FALSE(renyi.at_most(RenyiTable{}, a));
  EXPECT_EQ(refusal([&] { renyi.add(RenyiTable{}, a); }), Code::no_theorem);
  EXPECT_NEAR(epsilon_up(renyi.zero(), 1e-6), 0, 1e-12);
}

TEST(Measure, SumsRoundOutward) {
  const Loss sum = Measure::renyi().add(RenyiTable{{{2, 1}}, 1e-20}, RenyiTable{{{2, 1e-20}}, 0.1});
  EXPECT_GT(std::get<RenyiTable>(sum).bounds[0].epsilon, 1);
  EXPECT_GT(std::get<RenyiTable>(sum).delta, 0.1);
  const Loss lines = Measure::tradeoff().add(TradeoffCurve{{{1, 0.1}}}, TradeoffCurve{{{1e-20, 1e-20}}});
  EXPECT_GT(std::get<TradeoffCurve>(lines).lines[0].epsilon, 1);
  EXPECT_GT(std::get<TradeoffCurve>(lines).lines[0].delta, 0.1);
  // 10^6 times 1e-6 is not less than 1 (W-78): exact.
  Loss total = pure(0);
  for (int i = 0; i < 1'000'000; ++i) total = Measure::pure().add(total, pure(Rational(1, 1'000'000)));
  EXPECT_EQ(total, pure(1));
}

TEST(Measure, TooManyLinesAreRefused) {
  TradeoffCurve many;
  for (int i = 0; i < 1001; ++i) many.lines.push_back({i / 100.0, 1.0 / (i + 1)});
  EXPECT_EQ(refusal([&] { Measure::tradeoff().add(many, many); }), Code::bad_count);
}

// A measure that nobody here knows: the number of bits an answer may say. Bits add; k steps cost no more than k times.
Loss bits_zero() { return OtherLoss{0}; }
bool bits_at_most(const Loss& a, const Loss& b) {
  return std::get<OtherLoss>(a).amount <= std::get<OtherLoss>(b).amount;
}
Loss bits_add(const Loss& a, const Loss& b) {
  return OtherLoss{std::get<OtherLoss>(a).amount + std::get<OtherLoss>(b).amount};
}
Loss bits_group(const Loss& one, std::uint64_t k) {
  return OtherLoss{std::get<OtherLoss>(one).amount * Rational(static_cast<Int128>(k))};
}
constexpr MeasureRules kBits = {"toy-bits", bits_zero, bits_at_most, bits_add, bits_group};

// Spec: W-13
RC_GTEST_PROP(Measure, AUsersOwnKeepsTheLaws, ()) {
  laws_hold(Measure(kBits), OtherLoss{*amounts()}, OtherLoss{*amounts()}, OtherLoss{*amounts()});
}

// Spec: W-13
TEST(Measure, AUsersOwnMeasurementChains) {
  const AnyMeasurement bits({
      .recipe = {"toy-bits"},
      .input = VectorDomain{},
      .from = {MetricKind::l1},
      .measure = Measure(kBits),
      .loss = [](const Distance& d) { return OtherLoss{number(d)}; },
      .events = [](const Distance&) { return std::vector<accounting::Event>{}; },
      .function = [](const Data& data, random::Source&) { return data; },
  });
  const AnyMeasurement all = chain(chain(toy::repeat(3), toy::count(MetricKind::l1)), bits);
  EXPECT_EQ(all.loss(Rational(2)), Loss(OtherLoss{6}));
  EXPECT_TRUE(all.check(Rational(2), OtherLoss{6}));
  EXPECT_FALSE(all.check(Rational(2), OtherLoss{5}));
  EXPECT_EQ(all.loss(Rational(0)), Loss(OtherLoss{0}));
  EXPECT_NE(all.measure(), Measure::pure());
}

TEST(Measure, PlantedSumThatForgetsIsCaught) {
  static constexpr MeasureRules kForgets = {"toy-forgets", bits_zero, bits_at_most,
                                            [](const Loss& a, const Loss&) { return a; }, bits_group};
  const Measure planted(kForgets);
  const Loss one = OtherLoss{1};
  EXPECT_FALSE(equal(planted, planted.add(planted.zero(), one), one));
}

TEST(Measure, LossesAreToldInWords) {
  EXPECT_EQ(str(pure(Rational(3, 5))), "epsilon 3/5");
  EXPECT_EQ(str(approximate(1, Rational(1, 10))), "epsilon 1, delta 1/10");
  EXPECT_EQ(str(concentrated(Rational(9, 200))), "rho 9/200");
  EXPECT_EQ(str(Measure::tradeoff().zero()), "a trade-off curve of 1 lines");
}

}  // namespace
}  // namespace dither::calculus
