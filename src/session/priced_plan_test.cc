#include "session/priced_plan.h"

#include <gtest/gtest.h>

#include "accounting/amount.h"
#include "session/plan_check.h"
#include "testing/refusal.h"

namespace dither::session {
namespace {

using accounting::DeltaAmount;
using accounting::FilterRule;
using accounting::LossAmount;
using accounting::Neighbours;
using check::laplace_plan;
using check::plan_of;
using testing::refusal;

LossAmount loss(const std::string& text) { return LossAmount::down(Rational::parse(text)); }
DeltaAmount delta(const std::string& text) { return DeltaAmount::down(Rational::parse(text)); }

const FilterRule kPure = accounting::PureRule{loss("3")};
const FilterRule kBasic = accounting::BasicRule{loss("3"), delta("1e-6")};
const FilterRule kAdvanced = accounting::AdvancedRule{loss("3"), delta("1e-7"), delta("1e-6")};
const FilterRule kZcdp = accounting::ZcdpRule{loss("3"), delta("1e-6")};
const FilterRule kGdp = accounting::GdpRule{loss("3")};

accounting::Spent cost(const PricedPlan& plan, const FilterRule& rule) {
  const Charged charge = charged(plan, rule, Neighbours::add_remove);
  EXPECT_EQ(charge.cost, ledger::cost_of(charge.price, rule, Neighbours::add_remove));
  return charge.cost;
}

// What was typed as epsilon 1 and delta 1e-6, released with Gaussian noise.
PricedPlan gaussian_plan() {
  return plan_of({{{}, accounting::Gaussian{5, 1}, 1}},
                 {.epsilon = Rational(1), .rho = {}, .delta = Rational(1, 1000000)});
}

// Spec: A-02
TEST(Charged, LaplacePartsAddUpToWhatWasTyped) {
  const PricedPlan plan = laplace_plan({"0.1", "0.25", "0.15"});
  EXPECT_EQ(charged(plan, kPure, Neighbours::add_remove).price.events, plan.events);
  EXPECT_EQ(cost(plan, kPure).losses.at(0).str(), "0.5");
  EXPECT_EQ(cost(plan, kBasic).losses.at(0).str(), "0.5");
  EXPECT_EQ(cost(plan, kBasic).delta.str(), "0");
}

// A third of a budget is no whole number of its steps: three of them, each rounded up, would be more than there is.
TEST(Charged, ThirdsCostTheWhole) {
  const PricedPlan plan = laplace_plan({"1/3", "1/3", "1/3"});
  EXPECT_EQ(ledger::cost_of({plan.events, {}}, kPure, Neighbours::add_remove).losses.at(0).str(),
            "1.000000000000000002");
  EXPECT_EQ(cost(plan, kPure).losses.at(0).str(), "1");
  EXPECT_EQ(cost(plan, kBasic).losses.at(0).str(), "1");
  EXPECT_EQ(charged(plan, kZcdp, Neighbours::add_remove).price.events, plan.events);
}

TEST(Charged, EventsThatCostMoreThanWasTypedAreChargedInFull) {
  PricedPlan plan = laplace_plan({"1/2", "1/2"});
  plan.price.epsilon = Rational(3, 4);
  EXPECT_EQ(cost(plan, kPure).losses.at(0).str(), "1");
}

TEST(Charged, AdvancedAddsTheSquaresOfTheParts) {
  // 0.3^2 + 0.4^2, not 0.7^2.
  EXPECT_EQ(cost(laplace_plan({"0.3", "0.4"}), kAdvanced).squares.str(), "0.25");
}

// Keys that nobody listed: accounting describes the selection by its curve, and finds a little more delta than was
// typed.
TEST(Charged, KeysCostNoMoreDeltaThanWasTyped) {
  const PricedPlan plan = check::selection_plan(Rational(1, 2), Rational(1, 10000000));
  EXPECT_GT(ledger::cost_of({plan.events, {}}, kBasic, Neighbours::add_remove).delta, delta("1e-7"));
  EXPECT_EQ(cost(plan, kBasic).losses.at(0).str(), "1");
  EXPECT_EQ(cost(plan, kBasic).delta, delta("1e-7"));
  EXPECT_EQ(cost(plan, kAdvanced).squares.str(), "0.5");  // 0.5^2 twice, not 1^2
  EXPECT_LE(cost(plan, kAdvanced).delta, delta("1e-7"));
  EXPECT_GT(cost(plan, kAdvanced).delta, delta("0.999e-7"));
}

// Laplace noise of epsilon e is e^2/2-zCDP at most.
TEST(Charged, ConcentratedBudgetsAddTheRhosOfTheParts) {
  const accounting::Spent spent = cost(laplace_plan({"0.3", "0.4"}), kZcdp);
  EXPECT_LE(spent.losses.at(0).value(), Rational(125, 1000));
  EXPECT_GT(spent.losses.at(0).value(), Rational(120, 1000));
}

TEST(Charged, GaussianNoiseUnderEpsilonsIsChargedAsTyped) {
  const accounting::Event whole{{}, accounting::BlackBox{1, Rational(1, 1000000)}, 1};
  EXPECT_EQ(charged(gaussian_plan(), kBasic, Neighbours::add_remove).price.events, std::vector{whole});
  EXPECT_EQ(cost(gaussian_plan(), kBasic).losses.at(0).str(), "1");
  EXPECT_EQ(cost(gaussian_plan(), kBasic).delta.str(), "0.000001");
  EXPECT_EQ(cost(gaussian_plan(), kAdvanced).squares.str(), "1");
}

TEST(Charged, GaussianNoiseKeepsItsCurveWhereTheRuleHasOne) {
  EXPECT_EQ(cost(gaussian_plan(), kZcdp).losses.at(0).value(), Rational(1, 50));  // 1 / (2 5^2)
  EXPECT_EQ(cost(gaussian_plan(), kGdp).losses.at(0).value(), Rational(1, 25));   // 1 / 5^2
}

TEST(Charged, WhatTheRuleCannotAddUpIsRefused) {
  const PricedPlan rho =
      plan_of({{{}, accounting::DiscreteGaussian{5, 1}, 1}}, {.epsilon = {}, .rho = Rational(1, 50), .delta = 0});
  EXPECT_EQ(refusal([&] { charged(rho, kBasic, Neighbours::add_remove); }), Code::no_theorem);
  EXPECT_EQ(refusal([&] { charged(rho, kPure, Neighbours::add_remove); }), Code::no_theorem);
  EXPECT_EQ(refusal([&] { charged(gaussian_plan(), kPure, Neighbours::add_remove); }), Code::no_theorem);
  EXPECT_EQ(refusal([&] { charged(laplace_plan({"1"}), kGdp, Neighbours::add_remove); }), Code::no_theorem);
  EXPECT_EQ(cost(rho, kZcdp).losses.at(0).value(), Rational(1, 50));
}

}  // namespace
}  // namespace dither::session
