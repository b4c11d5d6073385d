#include "accounting/filter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <numeric>
#include <thread>

#include "testing/printers.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using dither::testing::refusal;

LossAmount loss(const char* text) { return LossAmount::up(Rational::parse(text)); }
DeltaAmount chance(const char* text) { return DeltaAmount::up(Rational::parse(text)); }
ApproximateCharge approximate(const char* epsilon, const char* delta = "0") { return {loss(epsilon), chance(delta)}; }
AdvancedRule advanced(const char* epsilon, const char* slack, const char* delta = "0") {
  return {loss(epsilon), chance(slack), chance(delta)};
}

const double kInfinity = std::numeric_limits<double>::infinity();

int admitted(FilterState state, const Charge& charge) {
  int count = 0;
  for (; can_afford(state, charge); ++count) state = charged(state, charge);
  return count;
}

// Spec: B-20, W-20, A-68
TEST(Filter, AdvancedAndBasicAdmitWhatTheSpecSays) {
  const Charge tenth = approximate("0.1");
  EXPECT_EQ(admitted(FilterState(advanced("5", "1e-6")), tenth), 77);
  EXPECT_EQ(admitted(FilterState(advanced("1", "1e-6")), tenth), 3);
  EXPECT_EQ(admitted(FilterState(BasicRule{loss("5"), {}}), tenth), 50);
  EXPECT_EQ(admitted(FilterState(BasicRule{loss("1"), {}}), tenth), 10);
  EXPECT_EQ(admitted(FilterState(advanced("5.7566", "1e-6")), tenth), 100);
  EXPECT_EQ(admitted(FilterState(BasicRule{loss("5.7566"), {}}), tenth), 57);
}

// The bound for 100 charges of 0.1 is 5.7565217697569319786...; both neighbours on the grid are decided rightly.
TEST(Filter, AdvancedDecidesTheLastDigit) {
  const Charge tenth = approximate("0.1");
  EXPECT_EQ(admitted(FilterState(advanced("5.756521769756931978", "1e-6")), tenth), 99);
  EXPECT_EQ(admitted(FilterState(advanced("5.756521769756931979", "1e-6")), tenth), 100);
}

// Spec: F-33
TEST(Filter, PureSumsExactlyAndSaysWhatIsLeft) {
  FilterState state{FilterRule(PureRule{loss("1")})};
  state = charged(charged(state, PureCharge{loss("0.4")}), PureCharge{loss("0.4")});
  EXPECT_FALSE(can_afford(state, PureCharge{loss("0.4")}));
  EXPECT_EQ(remaining(state), Charge(PureCharge{loss("0.2")}));
  EXPECT_EQ(admitted(FilterState(PureRule{loss("1")}), PureCharge{loss("0.1")}), 10);  // ten tenths are one
}

// Spec: F-26
TEST(Filter, BasicSumsBoth) {
  FilterState state{FilterRule(BasicRule{loss("1"), chance("3e-6")})};
  for (const ApproximateCharge& charge : {approximate("0.3", "1e-6"), approximate("0.5", "2e-6"), approximate("0.2")}) {
    state = charged(state, charge);
  }
  EXPECT_EQ(state.spent(), (Spent{{loss("1")}, {}, chance("3e-6")}));
  EXPECT_EQ(remaining(state), Charge(approximate("0")));
  EXPECT_FALSE(can_afford(state, approximate("0", "1e-36")));
  EXPECT_FALSE(can_afford(state, approximate("1e-18")));
}

// Spec: B-30
TEST(Filter, ApproximateZcdpSumsRhoAndDelta) {
  const FilterRule rule = ZcdpRule{loss("0.5"), chance("1e-6")};
  EXPECT_EQ(admitted(FilterState(rule), ZcdpCharge{loss("0.005"), {}}), 100);
  EXPECT_EQ(admitted(FilterState(rule), ZcdpCharge{loss("0.005"), chance("2e-7")}), 5);
}

TEST(Filter, RenyiAllNeedsEveryOrderAndRenyiAnyOne) {
  const std::vector<Rational> orders{2, 8};
  const std::vector<LossAmount> limits{loss("1"), loss("2")};
  const Charge charge = RenyiCharge{{loss("0.1"), loss("0.4")}, chance("1e-7")};
  EXPECT_EQ(admitted(FilterState(RenyiAllRule{orders, limits, chance("1e-6")}), charge), 5);
  EXPECT_EQ(admitted(FilterState(RenyiAnyRule{orders, limits, chance("1e-6")}), charge), 10);
  EXPECT_EQ(admitted(FilterState(RenyiAnyRule{orders, limits, chance("7e-7")}), charge), 7);
  EXPECT_EQ(admitted(FilterState(RenyiAllRule{{2}, {loss("1")}, {}}), RenyiCharge{{loss("0.3")}, {}}), 3);
}

TEST(Filter, GdpSumsSquares) {  // sigma 2, 5, 10: mu^2 = 0.25 + 0.04 + 0.01
  FilterState state{FilterRule(GdpRule{loss("0.3")})};
  for (const char* squared : {"0.25", "0.04", "0.01"}) state = charged(state, GdpCharge{loss(squared)});
  EXPECT_FALSE(can_afford(state, GdpCharge{loss("1e-18")}));
}

TEST(Filter, RoundsPricesUpAndBudgetsDown) {
  const Rational third(1, 3);
  EXPECT_EQ(LossAmount::up(third).str(), "0.333333333333333334");
  EXPECT_EQ(LossAmount::down(third).str(), "0.333333333333333333");
  const FilterState state{FilterRule(PureRule{LossAmount::down(Rational(1))})};
  EXPECT_EQ(admitted(state, PureCharge{LossAmount::up(third)}), 2);  // three thirds, each rounded up, are above 1
}

// Spec: B-20
TEST(Filter, AnotherMeasureIsRefusedByName) {
  const std::vector<FilterRule> rules{
      PureRule{loss("1")},     BasicRule{loss("1"), {}},           advanced("1", "1e-6"),
      ZcdpRule{loss("1"), {}}, RenyiAllRule{{2}, {loss("1")}, {}}, RenyiAnyRule{{2}, {loss("1")}, {}},
      GdpRule{loss("1")}};
  const std::vector<Charge> charges{PureCharge{}, ApproximateCharge{}, ZcdpCharge{}, RenyiCharge{{loss("0")}, {}},
                                    GdpCharge{}};
  const std::vector<std::size_t> fits{0, 1, 1, 2, 3, 3, 4};
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    for (std::size_t charge = 0; charge < charges.size(); ++charge) {
      const auto code = refusal([&] { can_afford(FilterState(rules[rule]), charges[charge]); });
      const auto want = charge == fits[rule] ? std::nullopt : std::optional(Code::no_theorem);
      EXPECT_EQ(code, want) << rule_name(rules[rule]) << " " << charge;
    }
  }
  const FilterState renyi{FilterRule(RenyiAllRule{{2, 3}, {loss("1"), loss("1")}, {}})};
  EXPECT_EQ(refusal([&] { can_afford(renyi, RenyiCharge{{loss("1")}, {}}); }), Code::bad_count);
}

TEST(Filter, BadRulesAreRefused) {
  const auto code = [](const FilterRule& rule) { return refusal([&] { FilterState{rule}; }); };
  EXPECT_EQ(code(advanced("1", "0")), Code::bad_probability);
  EXPECT_EQ(code(advanced("1", "1")), Code::bad_probability);
  EXPECT_EQ(code(BasicRule{loss("1"), chance("1")}), Code::bad_probability);
  EXPECT_EQ(code(advanced("100001", "1e-6")), Code::out_of_range);
  EXPECT_EQ(code(PureRule{loss("100000000000000001")}), Code::out_of_range);
  EXPECT_EQ(code(RenyiAllRule{}), Code::bad_weights);
  EXPECT_EQ(code(RenyiAllRule{{1}, {loss("1")}, {}}), Code::bad_weights);
  EXPECT_EQ(code(RenyiAllRule{{3, 2}, {loss("1"), loss("1")}, {}}), Code::bad_weights);
  EXPECT_EQ(code(RenyiAnyRule{{2}, {}, {}}), Code::bad_weights);
  EXPECT_EQ(refusal([] { LossAmount::up(Rational(-1)); }), Code::out_of_range);
}

TEST(Filter, SumsBeyondTheRangeAreOverBudget) {
  const LossAmount huge = LossAmount::of_steps(kInt128Max);
  EXPECT_FALSE(can_afford(FilterState(PureRule{loss("1")}), PureCharge{huge}));
  EXPECT_FALSE(can_afford(FilterState(advanced("100000", "1e-6")), ApproximateCharge{huge, {}}));
  EXPECT_TRUE(can_afford(FilterState(advanced("100000", "1e-6")), approximate("400")));
  const FilterState one = charged(FilterState(PureRule{loss("1")}), PureCharge{loss("1")});
  EXPECT_FALSE(can_afford(one, PureCharge{huge}));
}

// Limits of the union bound: (epsilon, delta) = (1, 1e-6), order 2 cannot be used, 16 and 32 share delta. mpmath, 40 digits.
TEST(Filter, RenyiAnySplitsDelta) {
  const RenyiAnyRule rule = renyi_any({2, 16, 32}, 1, Rational::parse("1e-6"), 0);
  ASSERT_EQ(rule.orders, (std::vector<Rational>{16, 32}));
  EXPECT_EQ(rule.limits[0].str(), "0.282133920051941959");
  EXPECT_EQ(rule.limits[1].str(), "0.675525413291209563");
  const auto none = [] { renyi_any({2}, 1, Rational::parse("1e-6"), 0); };
  EXPECT_EQ(refusal(none), Code::unreachable);
}

// Spec: A-25, A-18, B-20
TEST(Filter, PromisesAsEpsilonAndDelta) {
  const Rational millionth = Rational::parse("1e-6");
  EXPECT_EQ(promised_epsilon(PureRule{loss("1.5")}, 0), 1.5);
  EXPECT_EQ(promised_epsilon(BasicRule{loss("1.5"), chance("1e-6")}, millionth), 1.5);
  EXPECT_EQ(promised_epsilon(BasicRule{loss("1.5"), chance("2e-6")}, millionth), kInfinity);
  EXPECT_EQ(promised_epsilon(advanced("5", "5e-7", "5e-7"), millionth), 5);
  EXPECT_EQ(promised_epsilon(advanced("5", "1e-6", "1e-36"), millionth), kInfinity);
  EXPECT_NEAR(promised_epsilon(ZcdpRule{loss("0.5"), {}}, millionth), 5.2215344445302, 1e-9);
  EXPECT_NEAR(promised_epsilon(ZcdpRule{loss("0.5"), chance("1e-6")}, 2 * millionth), 5.2215344445302, 1e-9);
  EXPECT_EQ(promised_epsilon(ZcdpRule{loss("0.5"), chance("1e-6")}, millionth), kInfinity);
  EXPECT_NEAR(promised_epsilon(GdpRule{loss("1")}, millionth), 4.8865541174622, 1e-9);
  const RenyiAnyRule any = renyi_any({8, 16, 32}, 1, millionth, millionth);
  EXPECT_NEAR(promised_epsilon(any, 2 * millionth), 1, 1e-13);
  const RenyiAllRule all{any.orders, any.limits, any.delta};  // 8 is of no use; the others promise half of delta each
  EXPECT_NEAR(promised_epsilon(all, Rational(3, 2) * millionth), 1, 1e-13);
  EXPECT_EQ(promised_epsilon(any, 0), kInfinity);
  EXPECT_EQ(refusal([] { promised_epsilon(PureRule{}, 1); }), Code::bad_probability);
}

TEST(Filter, SquaresRoundUp) {
  EXPECT_EQ(square_up(loss("1e-18")).str(), "0." + std::string(31, '0') + "1");
  EXPECT_EQ(square_up(loss("0.1")).str(), "0.01");
  EXPECT_EQ(square_up(loss("1300")).str(), "1690000");
  EXPECT_EQ(square_up(LossAmount::of_steps(kInt128Max)).steps(), kInt128Max);
  for (const Int128 steps : {Int128{123'456'789}, Int128{99}, Int128{1'299'999'999'999'999'999} * 1000 + 987}) {
    const LossAmount amount = LossAmount::of_steps(steps);
    EXPECT_EQ(square_up(amount), SquareAmount::up(amount.value() * amount.value()));
  }
}

// A random ledger: charges in hundredths for a rule of each kind.
std::vector<FilterRule> all_rules() {
  return {PureRule{loss("2")},
          BasicRule{loss("2"), chance("1e-5")},
          advanced("2", "1e-3", "1e-5"),
          ZcdpRule{loss("2"), chance("1e-5")},
          RenyiAllRule{{2, Rational(5, 2)}, {loss("1"), loss("2")}, chance("1e-5")},
          RenyiAnyRule{{2, Rational(5, 2)}, {loss("1"), loss("2")}, chance("1e-5")},
          GdpRule{loss("2")}};
}

Charge charge_for(const FilterRule& rule, int hundredths, int millionths) {
  const LossAmount amount = LossAmount::up(Rational(hundredths, 97));
  const DeltaAmount delta = DeltaAmount::up(Rational(millionths, 1'000'003));
  switch (rule.index()) {
    case 0:
      return PureCharge{amount};
    case 1:
    case 2:
      return ApproximateCharge{amount, delta};
    case 3:
      return ZcdpCharge{amount, delta};
    case 6:
      return GdpCharge{amount};
    default:
      return RenyiCharge{{amount, add_saturating(amount, amount)}, delta};
  }
}

std::vector<Charge> any_charges(const FilterRule& rule) {
  std::vector<Charge> charges;
  for (const int hundredths : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 30))) {
    charges.push_back(charge_for(rule, hundredths, *rc::gen::inRange(0, 3)));
  }
  return charges;
}

// Spec: W-20, A-01
RC_GTEST_PROP(Filter, RefusalChangesNothingAndReplayIsBitForBit, ()) {
  for (const FilterRule& rule : all_rules()) {
    FilterState state(rule);
    std::vector<std::string> ledger;
    for (const Charge& charge : any_charges(rule)) {
      const FilterState before = state;
      const bool affordable = can_afford(state, charge);
      const auto code = refusal([&] { state = charged(state, charge); });
      RC_ASSERT(code == (affordable ? std::nullopt : std::optional(Code::over_budget)));
      if (affordable) ledger.push_back(canonical_json(charge));
      if (!affordable) RC_ASSERT(state == before);
      RC_ASSERT(filter_from_json(canonical_json(state)) == state);
    }
    FilterState again(rule);
    for (const std::string& text : ledger) again = charged(again, charge_from_json(text));
    RC_ASSERT(canonical_json(again) == canonical_json(state));
    const Charge rest = remaining(state);
    RC_ASSERT(can_afford(state, rest));
  }
}

// Spec: B-23, A-69, W-23
RC_GTEST_PROP(Filter, InterleavedSessionsSpendWhatSequentialOnesDo, ()) {
  for (const FilterRule& rule : all_rules()) {
    FilterState first(rule), then(rule);
    std::vector<Charge> charges;
    for (const Charge& charge : any_charges(rule)) {
      if (!can_afford(first, charge)) continue;
      first = charged(first, charge);
      charges.push_back(charge);
    }
    std::vector<std::size_t> order(charges.size());
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[*rc::gen::inRange<std::size_t>(0, i)]);
    for (const std::size_t i : order) then = charged(then, charges[i]);
    RC_ASSERT(first == then);
  }
}

TEST(Filter, AdvancedRemainingIsTheLargestCharge) {
  FilterState state{FilterRule(advanced("1", "1e-6", "1e-9"))};
  state = charged(state, approximate("0.05", "1e-10"));
  const auto rest = std::get<ApproximateCharge>(remaining(state));
  EXPECT_TRUE(can_afford(state, rest));
  EXPECT_FALSE(can_afford(state, ApproximateCharge{LossAmount::of_steps(rest.epsilon.steps() + 1), rest.delta}));
}

TEST(Filter, CanonicalTextIsStable) {  // stored ledgers must keep reading
  const FilterState state = charged(FilterState(advanced("5", "1e-6", "1e-8")), approximate("0.1", "1e-10"));
  const std::string text =
      R"({"version":1,"filter":{"rule":"advanced","epsilon":"5","slack":"0.000001","delta":"0.00000001"},)"
      R"("spent":{"losses":[],"squares":"0.01","delta":"0.0000000001"}})";
  EXPECT_EQ(canonical_json(state), text);
  EXPECT_EQ(filter_from_json(text), state);
  EXPECT_EQ(canonical_json(Charge(approximate("0.1", "1e-10"))),
            R"({"charge":"approximate","epsilon":"0.1","delta":"0.0000000001"})");
}

TEST(Filter, OtherTextIsRefused) {
  const auto code = [](const char* text) { return refusal([&] { filter_from_json(text); }); };
  EXPECT_EQ(code(R"({"version":1,"filter":{"rule":"pure","epsilon":"1"},)"
                 R"("spent":{"losses":["0.5"],"squares":"0","delta":"0"}})"),
            std::nullopt);
  const char* const wrong[] = {
      "", "[]", "{}", "{\"version\":1",
      // another version, a space, a key twice, an unknown key, a number that is no text, a rule that does not exist
      R"({"version":2,"filter":{"rule":"pure","epsilon":"1"},"spent":{"losses":["0.5"],"squares":"0","delta":"0"}})",
      R"({"version": 1,"filter":{"rule":"pure","epsilon":"1"},"spent":{"losses":["0.5"],"squares":"0","delta":"0"}})",
      R"({"version":1,"filter":{"rule":"pure","epsilon":"9","epsilon":"1"},"spent":{"losses":["0.5"],"squares":"0","delta":"0"}})",
      R"({"version":1,"filter":{"rule":"pure","epsilon":"1","d":"1"},"spent":{"losses":["0.5"],"squares":"0","delta":"0"}})",
      R"({"version":1,"filter":{"rule":"pure","epsilon":1},"spent":{"losses":["0.5"],"squares":"0","delta":"0"}})",
      R"({"version":1,"filter":{"rule":"best","epsilon":"1"},"spent":{"losses":["0.5"],"squares":"0","delta":"0"}})"};
  for (const char* text : wrong) EXPECT_EQ(code(text), Code::bad_syntax) << text;
  EXPECT_EQ(code(R"({"version":1,"filter":{"rule":"pure","epsilon":"1.0"},)"
                 R"("spent":{"losses":["0.5"],"squares":"0","delta":"0"}})"),
            Code::bad_number);
  EXPECT_EQ(code(R"({"version":1,"filter":{"rule":"pure","epsilon":"1"},)"
                 R"("spent":{"losses":["1.5"],"squares":"0","delta":"0"}})"),
            Code::over_budget);
  EXPECT_EQ(refusal([] { charge_from_json(R"({"charge":"pure","epsilon":"-1"})"); }), Code::out_of_range);
}

// Spec: B-23, W-23
TEST(Filter, ConcurrentUseNeedsATheorem) {
  const auto code = [](const FilterRule& rule) { return refusal([&] { require_concurrent(rule); }); };
  EXPECT_EQ(code(PureRule{}), std::nullopt);
  EXPECT_EQ(code(BasicRule{loss("1"), chance("1e-6")}), std::nullopt);
  EXPECT_EQ(code(advanced("1", "1e-6", "1e-6")), std::nullopt);
  EXPECT_EQ(code(GdpRule{}), std::nullopt);
  EXPECT_EQ(code(ZcdpRule{loss("1"), {}}), std::nullopt);
  EXPECT_EQ(code(ZcdpRule{loss("1"), chance("1e-6")}), Code::no_theorem);
  EXPECT_EQ(code(RenyiAllRule{{2}, {loss("1")}, chance("1e-6")}), Code::no_theorem);
  EXPECT_EQ(code(RenyiAnyRule{{2}, {loss("1")}, {}}), Code::no_theorem);
}

// Spec: F-33, W-20
TEST(Filter, ThreadsBehindALockCannotOverspend) {
  std::mutex lock;
  FilterState state{FilterRule(PureRule{loss("1")})};
  std::atomic<int> succeeded = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 100; ++i) {
    threads.emplace_back([&] {
      const std::lock_guard guard(lock);
      if (!can_afford(state, PureCharge{loss("0.02")})) return;
      state = charged(state, PureCharge{loss("0.02")});
      ++succeeded;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(succeeded, 50);
}

}  // namespace
}  // namespace dither::accounting
