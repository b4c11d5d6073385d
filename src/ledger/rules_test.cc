// Every rule of accounting decides through the ledger as its filter does.
#include <gtest/gtest.h>

#include "ledger/ledger_check.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace check;
using namespace accounting;
using dither::testing::refusal;

LossAmount loss(const char* text) { return LossAmount::down(Rational::parse(text)); }
DeltaAmount chance(const char* text) { return DeltaAmount::down(Rational::parse(text)); }

// False is in memory, true in a file.
class RulesTest : public ::testing::TestWithParam<bool> {
 protected:
  void make(const FilterRule& rule) {
    DatasetTerms terms = pure_dataset("data", "1");
    terms.budget.rule = rule;
    ledger.create_dataset(terms, steward());
  }
  Request request(const Mechanism& mechanism, std::uint64_t times = 1) {
    Request request = laplace("data", "1", std::to_string(++asked));
    request.price.events = {{{}, mechanism, times}};
    return request;
  }
  std::optional<Code> code(const Mechanism& mechanism, std::uint64_t times = 1) {
    return refusal([&] { pay(ledger, request(mechanism, times)); });
  }
  // How many of these are paid for before the first refusal.
  int admitted(const Mechanism& mechanism) {
    int count = 0;
    while (count < 500 && !code(mechanism)) ++count;
    return count;
  }
  // The same, asked for at once: all but this many at first, so that a file need not be written so often.
  int admitted_after(std::uint64_t first, const Mechanism& mechanism) {
    EXPECT_EQ(code(mechanism, first), std::nullopt);
    return static_cast<int>(first) + admitted(mechanism);
  }

  Made made{GetParam()};
  Ledger& ledger = *made.ledger;
  int asked = 0;
};
INSTANTIATE_TEST_SUITE_P(Stores, RulesTest, ::testing::Bool());

const Mechanism kTenth = Laplace{Rational(10), Rational(1)};

// Spec: B-20, W-20, A-68
TEST_P(RulesTest, AdvancedAdmitsExactly77AtFive) {
  make(AdvancedRule{loss("5"), chance("0.000001"), {}});
  EXPECT_EQ(GetParam() ? admitted_after(70, kTenth) : admitted(kTenth), 77);
}

// Spec: B-20
TEST_P(RulesTest, AdvancedAdmits3AtOneAndBasic10) {
  make(AdvancedRule{loss("1"), chance("0.000001"), {}});
  EXPECT_EQ(admitted(kTenth), 3);
  DatasetTerms basic = pure_dataset("basic", "1");
  basic.budget.rule = BasicRule{loss("1"), {}};
  ledger.create_dataset(basic, steward());
  int count = 0;
  while (!refusal([&] { pay(ledger, laplace("basic", "0.1", std::to_string(count))); })) ++count;
  EXPECT_EQ(count, 10);
}

// Spec: W-20
TEST_P(RulesTest, AdvancedAdmitsExactly100AtFiveAndThreeQuarters) {
  make(AdvancedRule{loss("5.7566"), chance("0.000001"), {}});
  EXPECT_EQ(admitted_after(90, kTenth), 100);
}

// Spec: W-20, B-20
TEST_P(RulesTest, BasicAdmits57OfThem) {
  make(BasicRule{loss("5.7566"), {}});
  EXPECT_EQ(admitted_after(50, kTenth), 57);
}

// Spec: B-20
TEST_P(RulesTest, BasicAdmits50AtFive) {
  make(BasicRule{loss("5"), {}});
  EXPECT_EQ(admitted_after(45, kTenth), 50);
  EXPECT_EQ(ledger.budget("data").spent.losses.at(0).str(), "5");
}

TEST_P(RulesTest, BasicSumsDeltasExactly) {
  make(BasicRule{loss("10"), chance("0.000001")});
  EXPECT_EQ(admitted(BlackBox{Rational(1, 10), Rational::parse("0.0000001")}), 10);
  EXPECT_EQ(code(BlackBox{Rational(1, 10), Rational::parse("1e-36")}), Code::over_budget);
  EXPECT_EQ(code(kTenth), std::nullopt);
}

// sigma = 10 costs rho = 0.005.
// Spec: W-20
TEST_P(RulesTest, ZcdpAdmitsExactly100GaussiansOfSigmaTen) {
  make(ZcdpRule{loss("0.5"), {}});
  EXPECT_EQ(admitted_after(95, Gaussian{Rational(10)}), 100);
  EXPECT_EQ(ledger.budget("data").spent.losses.at(0).str(), "0.5");
}

TEST_P(RulesTest, ZcdpTakesWhatIsPureToo) {
  make(ZcdpRule{loss("0.5"), {}});
  EXPECT_EQ(admitted_after(95, BlackBox{Rational(1, 10)}), 100);  // epsilon^2 / 2 = 0.005 each
}

// Divergences of 0.1 at order 2 and of 0.3 at order 8, against limits of 1 at both.
Mechanism steep() { return Renyi{{2, 8}, {Rational(1, 10), Rational(3, 10)}, 0}; }

// Spec: B-20, W-20
TEST_P(RulesTest, RenyiAllStopsAtTheFirstOrder) {
  make(RenyiAllRule{{2, 8}, {loss("1"), loss("1")}, {}});
  EXPECT_EQ(admitted(steep()), 3);
  EXPECT_EQ(ledger.budget("data").spent.losses.size(), 2u);
}

// Spec: B-20
TEST_P(RulesTest, RenyiAnyStopsAtTheLastOrder) {
  make(RenyiAnyRule{{2, 8}, {loss("1.0001"), loss("1")}, {}});  // beyond 1: a curve's doubles are rounded up
  EXPECT_EQ(admitted(steep()), 10);
}

// Spec: B-20
TEST_P(RulesTest, GdpSumsSquares) {
  make(GdpRule{loss("0.25")});
  EXPECT_EQ(admitted(Gaussian{Rational(10)}), 25);
  EXPECT_EQ(ledger.budget("data").spent.losses.at(0).str(), "0.25");
}

// Under renyi-any an order that is given up may grow without end. What was added there comes off exactly, or is not
// added: otherwise a void would bring the order back.
// Spec: B-20, F-33
TEST_P(RulesTest, AVoidNeverBringsAnOrderBack) {
  make(RenyiAnyRule{{2, 8}, {loss("1"), loss("1")}, {}});
  pay(ledger, request(Renyi{{2, 8}, {Rational(1, 10), Rational(50)}, 0}));
  const Spent before = ledger.budget("data").spent;
  const Mechanism huge = Renyi{{2, 8}, {Rational::parse("1e-15"), Rational::parse("1e20")}, 0};
  EXPECT_EQ(refusal([&] { ledger.reserve(request(huge, 2)); }), Code::over_budget);
  { auto held = ledger.reserve(request(huge)); }
  EXPECT_EQ(ledger.budget("data").spent, before);
  EXPECT_EQ(ledger.budget("data").lifetime, before);
}

// Spec: F-33
TEST_P(RulesTest, WhatTheRuleCannotHoldIsRefusedByName) {
  const Mechanism with_delta = BlackBox{Rational(1, 10), Rational::parse("0.0000001")};
  const std::vector<std::pair<FilterRule, Mechanism>> cases = {
      {PureRule{loss("1")}, with_delta},
      {PureRule{loss("1")}, Gaussian{Rational(10)}},
      {AdvancedRule{loss("1"), chance("0.000001"), {}}, Gaussian{Rational(10)}},
      {GdpRule{loss("1")}, BlackBox{Rational(1, 10)}},
      {GdpRule{loss("1")}, with_delta},
      {GdpRule{loss("1")}, kTenth},
      {ZcdpRule{loss("1"), {}}, with_delta}};
  int number = 0;
  for (const auto& [rule, mechanism] : cases) {
    DatasetTerms terms = pure_dataset("d" + std::to_string(++number), "1");
    terms.budget.rule = rule;
    ledger.create_dataset(terms, steward());
    Request asking = laplace(terms.name, "1", "a");
    asking.price.events = {{{}, mechanism, 1}};
    const Head before = ledger.head().head;
    EXPECT_EQ(refusal([&] { ledger.reserve(asking); }), Code::no_theorem) << number;
    EXPECT_EQ(ledger.head().head, before);
  }
}

// Spec: F-33
TEST_P(RulesTest, DeltaWithoutABudgetForItIsOverBudget) {
  const Rational delta = Rational::parse("1e-30");
  const Mechanism box = BlackBox{Rational(1, 10), delta};
  const std::vector<std::pair<FilterRule, Mechanism>> cases = {
      {BasicRule{loss("1"), {}}, box},
      {AdvancedRule{loss("1"), chance("0.000001"), {}}, box},
      {ZcdpRule{loss("1"), {}}, Zcdp{Rational(1, 100), delta}},
      {RenyiAllRule{{2}, {loss("1")}, {}}, Renyi{{2}, {Rational(1, 100)}, delta}},
      {RenyiAnyRule{{2}, {loss("1")}, {}}, Renyi{{2}, {Rational(1, 100)}, delta}}};
  int number = 0;
  for (const auto& [rule, mechanism] : cases) {
    DatasetTerms terms = pure_dataset("d" + std::to_string(++number), "1");
    terms.budget.rule = rule;
    ledger.create_dataset(terms, steward());
    Request asking = laplace(terms.name, "1", "a");
    asking.price.events = {{{}, mechanism, 1}};
    EXPECT_EQ(refusal([&] { ledger.reserve(asking); }), Code::over_budget) << number;
    EXPECT_EQ(ledger.budget(terms.name).spent, nothing_spent(rule));
    pay(ledger, laplace(terms.name, "0.1", "without delta"));
  }
}

// Numbers of any length are kept exactly.
TEST_P(RulesTest, PricesKeepLongNumbers) {
  make(PureRule{loss("1")});
  const Mechanism faint = Laplace{Rational::parse("100000000000000000000000000000001"), Rational::parse("1e30")};
  const Release release = pay(ledger, request(faint)).release;
  EXPECT_EQ(release.price.events, (std::vector<Event>{{{}, faint, 1}}));
  EXPECT_EQ(ledger.release(release.id).price, release.price);
  EXPECT_EQ(ledger.budget("data").spent.losses.at(0).str(), "0.01");  // just below, and rounded up
}

// Spec: W-24
TEST_P(RulesTest, AChildHasTheRuleOfItsParent) {
  make(ZcdpRule{loss("1"), {}});
  BudgetTerms terms;
  for (const FilterRule& rule : std::vector<FilterRule>{PureRule{loss("1")}, GdpRule{loss("1")},
                                                        BasicRule{loss("1"), {}}, RenyiAllRule{{2}, {loss("1")}, {}}}) {
    terms.rule = rule;
    EXPECT_EQ(refusal([&] { ledger.create_budget("data/a", BudgetKind::project, terms, steward()); }),
              Code::no_theorem);
    EXPECT_EQ(refusal([&] { ledger.grant("data", rule, steward()); }), Code::no_theorem);
  }
  terms.rule = ZcdpRule{loss("0.01"), {}};
  ledger.create_budget("data/a", BudgetKind::project, terms, steward());
  Request asking = request(Gaussian{Rational(10)}, 3);
  asking.budget = "data/a";
  EXPECT_EQ(refusal([&] { ledger.reserve(asking); }), Code::over_budget);
}

TEST_P(RulesTest, ChildrenHaveTheSameOrders) {
  make(RenyiAllRule{{2, 8}, {loss("1"), loss("1")}, {}});
  BudgetTerms terms;
  terms.rule = RenyiAllRule{{2, 9}, {loss("1"), loss("1")}, {}};
  EXPECT_EQ(refusal([&] { ledger.create_budget("data/a", BudgetKind::project, terms, steward()); }), Code::no_theorem);
  terms.rule = RenyiAnyRule{{2, 8}, {loss("1"), loss("1")}, {}};
  EXPECT_EQ(refusal([&] { ledger.create_budget("data/a", BudgetKind::project, terms, steward()); }), Code::no_theorem);
}

// A stop that depends on what was released leaves the rest of the budget to others: t steps and t checks are charged.
// Spec: W-25
TEST_P(RulesTest, StoppingAfterFourStepsChargesFourStepsAndFourChecks) {
  make(ZcdpRule{loss("1"), {}});
  for (int t = 0; t < 4; ++t) {
    pay(ledger, request(Gaussian{Rational(10)}));  // a step: 0.005
    pay(ledger, request(Gaussian{Rational(5)}));   // a check: 0.02
  }
  EXPECT_EQ(ledger.budget("data").spent.losses.at(0).str(), "0.1");
}

}  // namespace
}  // namespace dither::ledger
