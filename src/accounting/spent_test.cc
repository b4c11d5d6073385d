#include "accounting/spent.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "accounting/filter.h"
#include "testing/printers.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using dither::testing::refusal;

LossAmount loss(const char* text) { return LossAmount::up(Rational::parse(text)); }
DeltaAmount chance(const char* text) { return DeltaAmount::up(Rational::parse(text)); }

// Rules that allow about 1 of everything, one of each kind.
std::vector<FilterRule> all_rules() {
  return {PureRule{loss("1")},
          BasicRule{loss("1"), chance("1e-6")},
          AdvancedRule{loss("1"), chance("1e-6"), chance("1e-6")},
          ZcdpRule{loss("1"), chance("1e-6")},
          RenyiAllRule{{2, Rational(5, 2)}, {loss("1"), loss("2")}, chance("1e-6")},
          RenyiAnyRule{{2, Rational(5, 2)}, {loss("1"), loss("2")}, chance("1e-6")},
          GdpRule{loss("1")}};
}

Spent any_price(const FilterRule& rule) {
  Spent price = nothing_spent(rule);
  for (LossAmount& one : price.losses)
    one = LossAmount::of_steps(*rc::gen::inRange<long>(0, 1'000'000'000'000'000'000));
  if (std::holds_alternative<AdvancedRule>(rule)) {
    price.squares = square_up(LossAmount::of_steps(*rc::gen::inRange<long>(0, 400'000'000'000'000'000)));
  }
  if (!std::holds_alternative<PureRule>(rule) && !std::holds_alternative<GdpRule>(rule)) {
    price.delta =
        DeltaAmount::of_steps(Int128{*rc::gen::inRange<long>(0, 2'000'000'000'000)} * 1'000'000'000'000'000'000);
  }
  return price;
}

// The rule decides sums alike by itself, in a filter that is charged, and when it is asked beforehand.
// Spec: A-68, B-20
RC_GTEST_PROP(Spent, KeepsDecidesAsTheFilterDoes, ()) {
  for (const FilterRule& rule : all_rules()) {
    FilterState state(rule);
    Spent sums = nothing_spent(rule);
    for (int i = 0; i < 4; ++i) {
      const Spent price = any_price(rule);
      const bool fits = can_afford(state, price);
      RC_ASSERT(fits == keeps(rule, plus(sums, price)));
      RC_ASSERT(refusal([&] { state = charged(state, price); }) ==
                (fits ? std::nullopt : std::optional(Code::over_budget)));
      if (fits) sums = plus(sums, price);
      RC_ASSERT(state.spent() == sums);
    }
  }
}

RC_GTEST_PROP(Spent, WhatWasAddedComesOffExactlyInAnyOrder, ()) {
  for (const FilterRule& rule : all_rules()) {
    const Spent before = any_price(rule), one = any_price(rule), other = any_price(rule);
    const Spent sums = plus(plus(before, one), other);
    RC_ASSERT(minus(minus(sums, one), other) == before);
    RC_ASSERT(minus(sums, sums) == nothing_spent(rule));
    RC_ASSERT(spent_from_json(canonical_json(sums)) == sums);
  }
}

RC_GTEST_PROP(Spent, TimesIsAddingOneByOne, ()) {
  for (const FilterRule& rule : all_rules()) {
    const Spent one = any_price(rule);
    const int count = *rc::gen::inRange(0, 50);
    Spent sums = nothing_spent(rule);
    for (int i = 0; i < count; ++i) sums = plus(sums, one);
    RC_ASSERT(times(one, static_cast<std::uint64_t>(count)) == sums);
  }
}

TEST(Spent, SumsAndProductsStayAtTheEndOfTheRange) {
  const Spent huge{{LossAmount::of_steps(kInt128Max - 1)}, SquareAmount::of_steps(kInt128Max / 2), chance("0.9")};
  const Spent end{{LossAmount::of_steps(kInt128Max)}, SquareAmount::of_steps(kInt128Max), {}};
  EXPECT_EQ(plus(huge, huge).losses, end.losses);
  EXPECT_EQ(times(huge, 1'000'000'000'000).losses, end.losses);
  EXPECT_EQ(times(huge, 3).squares, end.squares);
  EXPECT_EQ(times(huge, std::uint64_t{1} << 63).delta.steps(), kInt128Max);
}

TEST(Spent, NothingFallsBelowZeroAndSizesMustAgree) {
  const Spent two{{loss("2")}, {}, chance("2e-9")};
  EXPECT_EQ(minus(two, {{loss("2")}, {}, chance("1e-9")}), (Spent{{loss("0")}, {}, chance("1e-9")}));
  EXPECT_EQ(refusal([&] { minus(two, {{loss("2.000000000000000001")}, {}, {}}); }), Code::out_of_range);
  EXPECT_EQ(refusal([&] { minus(two, {{loss("0")}, {}, chance("3e-9")}); }), Code::out_of_range);
  EXPECT_EQ(refusal([&] { minus(two, {{loss("0")}, SquareAmount::of_steps(1), {}}); }), Code::out_of_range);
  EXPECT_EQ(refusal([&] { minus(two, {{}, {}, {}}); }), Code::bad_count);
  EXPECT_EQ(refusal([&] { plus(two, {{loss("1"), loss("1")}, {}, {}}); }), Code::bad_count);
  EXPECT_EQ(refusal([&] { keeps(PureRule{loss("1")}, {{}, {}, {}}); }), Code::bad_count);
  EXPECT_EQ(refusal([&] { can_afford(FilterState(PureRule{loss("1")}), Spent{}); }), Code::bad_count);
}

// Sums of another rule, or an edited file, must not pass because nobody looks at their delta.
TEST(Spent, WhatARuleDoesNotAddUpMustBeZero) {
  const Spent with_delta{{loss("0.5")}, {}, chance("1e-30")};
  const Spent with_squares{{loss("0.5")}, SquareAmount::of_steps(1), {}};
  for (const FilterRule& rule : {FilterRule(PureRule{loss("1")}), FilterRule(GdpRule{loss("1")})}) {
    EXPECT_TRUE(keeps(rule, {{loss("0.5")}, {}, {}}));
    EXPECT_FALSE(keeps(rule, with_delta));
    EXPECT_FALSE(keeps(rule, with_squares));
    EXPECT_EQ(refusal([&] { FilterState(rule, with_delta); }), Code::over_budget);
    EXPECT_EQ(refusal([&] { charged(FilterState(rule), with_delta); }), Code::over_budget);
  }
}

// Spec: B-20, W-20
TEST(Spent, RulesDecideTheLastStep) {
  EXPECT_TRUE(keeps(PureRule{loss("1")}, times(price(PureRule{}, PureCharge{loss("0.1")}), 10)));
  EXPECT_FALSE(keeps(PureRule{loss("1")}, {{loss("1.000000000000000001")}, {}, {}}));
  const AdvancedRule advanced{loss("5"), chance("1e-6"), {}};
  const Spent tenth = price(advanced, ApproximateCharge{loss("0.1"), {}});
  EXPECT_TRUE(keeps(advanced, times(tenth, 77)));
  EXPECT_FALSE(keeps(advanced, times(tenth, 78)));
  EXPECT_TRUE(keeps(advanced, {{}, most_squares(advanced), {}}));
  EXPECT_FALSE(keeps(advanced, {{}, SquareAmount::of_steps(most_squares(advanced).steps() + 1), {}}));
}

// 100 charges of 0.1 need 5.7565217697569319786..., rounded up; one step less does not hold them.
// Spec: B-20
TEST(Spent, TheLeastEpsilonOfASumIsTheFirstThatHoldsIt) {
  const DeltaAmount slack = chance("1e-6");
  EXPECT_EQ(least_epsilon({}, slack), LossAmount());
  EXPECT_EQ(least_epsilon(SquareAmount::up(Rational(1)), slack).str(), "5.756521769756931979");
  for (const char* text : {"1e-32", "0.01", "0.3", "1e4"}) {
    const SquareAmount squares = SquareAmount::up(Rational::parse(text));
    const LossAmount least = least_epsilon(squares, slack);
    EXPECT_TRUE(keeps(AdvancedRule{least, slack, {}}, {{}, squares, {}})) << text;
    EXPECT_FALSE(keeps(AdvancedRule{LossAmount::of_steps(least.steps() - 1), slack, {}}, {{}, squares, {}})) << text;
  }
}

TEST(Spent, WhatIsOverdrawnHasNothingLeft) {
  const BasicRule rule{loss("1"), chance("1e-6")};
  EXPECT_EQ(remaining(rule, {{loss("0.4")}, {}, chance("1e-7")}),
            Charge(ApproximateCharge{loss("0.6"), chance("9e-7")}));
  EXPECT_EQ(remaining(rule, {{loss("1.4")}, {}, chance("1e-7")}), Charge(ApproximateCharge{{}, chance("9e-7")}));
  EXPECT_EQ(refusal([&] { remaining(rule, Spent{}); }), Code::bad_count);
}

TEST(Spent, GrantsAddLimitsAndReservesTakeThemOff) {
  for (const FilterRule& rule : all_rules()) {
    const FilterRule twice = plus_limits(rule, rule);
    EXPECT_TRUE(same_measure(rule, twice));
    EXPECT_EQ(minus_limits(twice, rule), rule);
    EXPECT_EQ(refusal([&] { minus_limits(rule, twice); }), Code::out_of_range);
    EXPECT_EQ(rule_from_json(canonical_json(twice)), twice);
    for (const FilterRule& other : all_rules()) {
      EXPECT_EQ(same_measure(rule, other), rule.index() == other.index());
      if (rule.index() == other.index()) continue;
      EXPECT_EQ(refusal([&] { plus_limits(rule, other); }), Code::no_theorem);
      EXPECT_EQ(refusal([&] { minus_limits(rule, other); }), Code::no_theorem);
    }
  }
  EXPECT_EQ(plus_limits(AdvancedRule{loss("1"), chance("1e-6"), chance("1e-9")},
                        AdvancedRule{loss("2"), chance("1e-6"), chance("1e-9")}),
            FilterRule(AdvancedRule{loss("3"), chance("1e-6"), chance("2e-9")}));
  EXPECT_EQ(plus_limits(RenyiAllRule{{2, 8}, {loss("1"), loss("4")}, {}}, RenyiAllRule{{2, 8}, {{}, loss("2")}, {}}),
            FilterRule(RenyiAllRule{{2, 8}, {loss("1"), loss("6")}, {}}));
}

TEST(Spent, LimitsThatDoNotAddAreRefused) {
  const AdvancedRule advanced{loss("1"), chance("1e-6"), {}};
  EXPECT_TRUE(same_measure(advanced, AdvancedRule{loss("1"), chance("1e-7"), {}}));  // one price, two slacks
  EXPECT_EQ(refusal([&] { plus_limits(advanced, AdvancedRule{loss("1"), chance("1e-7"), {}}); }), Code::no_theorem);
  const RenyiAllRule renyi{{2, 8}, {loss("1"), loss("1")}, {}};
  EXPECT_FALSE(same_measure(renyi, RenyiAllRule{{2, 9}, {loss("1"), loss("1")}, {}}));
  EXPECT_EQ(refusal([&] { plus_limits(renyi, RenyiAllRule{{2, 9}, {loss("1"), loss("1")}, {}}); }), Code::no_theorem);
  const BasicRule half{loss("1"), chance("0.5")};
  EXPECT_EQ(refusal([&] { plus_limits(half, half); }), Code::bad_probability);
  const PureRule most{loss("100000000000000000")};
  EXPECT_EQ(refusal([&] { plus_limits(most, PureRule{loss("1e-18")}); }), Code::out_of_range);
}

TEST(Spent, TextIsStableAndOtherTextIsRefused) {  // stored ledgers must keep reading
  const FilterRule rule = ZcdpRule{loss("0.5"), chance("1e-6")};
  EXPECT_EQ(canonical_json(rule), R"({"rule":"zcdp","rho":"0.5","delta":"0.000001"})");
  const Spent spent{{loss("0.5"), loss("2")}, {}, chance("1e-6")};
  EXPECT_EQ(canonical_json(spent), R"({"losses":["0.5","2"],"squares":"0","delta":"0.000001"})");
  const auto rule_code = [](const char* text) { return refusal([&] { rule_from_json(text); }); };
  EXPECT_EQ(rule_code(R"({"rule":"pure","epsilon":"1"})"), std::nullopt);
  EXPECT_EQ(rule_code(R"({"rule":"pure","epsilon": "1"})"), Code::bad_syntax);
  EXPECT_EQ(rule_code(R"({"rule":"pure","epsilon":"1","delta":"0"})"), Code::bad_syntax);
  EXPECT_EQ(rule_code(R"({"rule":"pure"})"), Code::bad_syntax);
  EXPECT_EQ(rule_code(R"({"rule":"pure","epsilon":"1.0"})"), Code::bad_number);
  EXPECT_EQ(rule_code(R"({"rule":"basic","epsilon":"1","delta":"1"})"), Code::bad_probability);
  const auto spent_code = [](const char* text) { return refusal([&] { spent_from_json(text); }); };
  EXPECT_EQ(spent_code(R"({"losses":[],"squares":"0","delta":"0"})"), std::nullopt);
  EXPECT_EQ(spent_code(R"({"losses":[],"delta":"0","squares":"0"})"), Code::bad_syntax);
  EXPECT_EQ(spent_code(R"({"losses":[0],"squares":"0","delta":"0"})"), Code::bad_syntax);
  EXPECT_EQ(spent_code(R"({"losses":["-1"],"squares":"0","delta":"0"})"), Code::out_of_range);
}

}  // namespace
}  // namespace dither::accounting
