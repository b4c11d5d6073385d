#include "ledger/hindsight.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace accounting;  // NOLINT: written in the words of the accountant
using dither::testing::refusal;

LossAmount loss(const char* text) { return LossAmount::up(Rational::parse(text)); }
DeltaAmount chance(const char* text) { return DeltaAmount::up(Rational::parse(text)); }
const Rational kMillionth(1, 1'000'000);

TotalIfFixed total(const std::vector<TotalIfFixed>& totals, Accountant accountant) {
  for (const TotalIfFixed& total : totals) {
    if (total.accountant == accountant) return total;
  }
  throw std::logic_error("an accountant is missing");
}

TEST(Hindsight, EqualReleasesAreOneKind) {
  const Event laplace{{}, Laplace{Rational(10)}, 2};
  const Event gaussian{{}, Gaussian{Rational(10)}, 1};
  const Event sampled{Poisson{Rational(1, 10), {}}, Gaussian{Rational(10)}, 1};
  EXPECT_EQ(grouped({laplace, gaussian, laplace, sampled, gaussian}),
            (std::vector<Event>{{{}, Laplace{Rational(10)}, 4}, {{}, Gaussian{Rational(10)}, 2}, sampled}));
  const Event most{{}, Laplace{Rational(10)}, kMostTimes};
  EXPECT_EQ(grouped({most, laplace, laplace}), (std::vector<Event>{most, {{}, Laplace{Rational(10)}, 4}}));
}

// 100 Laplace releases of 0.1: epsilon 10 by adding up, 5.33... or so by others, and none by gdp.
TEST(Hindsight, TotalsOfOtherAccountantsAreEstimates) {
  const std::vector<Event> events(100, Event{{}, Laplace{Rational(10)}, 1});
  const auto totals = totals_if_fixed(Neighbours::add_remove, PrivacyUnit{"person"}, events, kMillionth);
  ASSERT_EQ(totals.size(), all_accountants().size());
  EXPECT_EQ(total(totals, Accountant::basic).epsilon->value, 10);
  EXPECT_EQ(total(totals, Accountant::basic).epsilon->method, "basic, if fixed in advance");
  const Composition same({Neighbours::add_remove, PrivacyUnit{"person"}, 1, {{{}, Laplace{Rational(10)}, 100}}});
  EXPECT_EQ(total(totals, Accountant::fourier).epsilon->value,
            same.epsilon_by(Accountant::fourier, kMillionth).epsilon.upper);
  EXPECT_LT(total(totals, Accountant::fourier).epsilon->value, total(totals, Accountant::advanced).epsilon->value);
  EXPECT_FALSE(total(totals, Accountant::gdp).epsilon);
  EXPECT_FALSE(total(totals, Accountant::gdp).why_not.empty());
}

TEST(Hindsight, ManyKindsAreLeftToTheQuickAccountants) {
  const auto of_kinds = [](int kinds) {
    std::vector<Event> events;
    for (int i = 1; i <= kinds; ++i) events.push_back({{}, Laplace{Rational(1000 + i, 10)}, 1});
    return totals_if_fixed(Neighbours::add_remove, PrivacyUnit{"person"}, events, kMillionth);
  };
  EXPECT_TRUE(total(of_kinds(16), Accountant::lattice).epsilon);
  EXPECT_EQ(total(of_kinds(17), Accountant::lattice).why_not, "there are more than 16 different kinds of release");
  EXPECT_TRUE(total(of_kinds(17), Accountant::fourier).epsilon);
  const auto many = of_kinds(101);
  ASSERT_EQ(many.size(), all_accountants().size());
  EXPECT_EQ(total(many, Accountant::fourier).why_not, "there are more than 100 different kinds of release");
  EXPECT_TRUE(total(many, Accountant::basic).epsilon);
  EXPECT_TRUE(total(many, Accountant::renyi).epsilon);
}

TEST(Hindsight, NothingReleasedCostsNothing) {
  const auto totals = totals_if_fixed(Neighbours::add_remove, PrivacyUnit{"person"}, {}, kMillionth);
  EXPECT_EQ(total(totals, Accountant::basic).epsilon->value, 0);
  EXPECT_EQ(refusal([] { totals_if_fixed(Neighbours::add_remove, PrivacyUnit{"person"}, {}, 2); }),
            Code::bad_probability);
}

// Spec
TEST(Hindsight, TheOddsOfAPurePromise) {
  const double e = std::exp(1.0);
  const AttackOdds odds = attack_odds(PureRule{loss("1")}, 0);
  EXPECT_EQ(odds.epsilon, 1);
  EXPECT_NEAR(odds.accuracy, e / (1 + e), 1e-12);
  EXPECT_NEAR(odds.hits, 0.01 * e, 1e-12);
  EXPECT_NEAR(odds.posterior.value(), 0.01 * e / (0.01 * e + 0.99), 1e-12);
}

TEST(Hindsight, TheOddsOfCurvesUseAllTheirDeltas) {
  const AttackOdds gdp = attack_odds(GdpRule{loss("1")}, kMillionth);
  EXPECT_NEAR(gdp.epsilon, 4.8865541174622, 1e-9);
  EXPECT_NEAR(gdp.accuracy, 0.69146246127401, 1e-9);  // Phi(1/2)
  EXPECT_NEAR(gdp.hits, 0.09236, 1e-4);               // Phi(1 - 2.3263)
  EXPECT_FALSE(gdp.posterior);
  const AttackOdds zcdp = attack_odds(ZcdpRule{loss("0.5"), {}}, kMillionth);
  EXPECT_GE(zcdp.accuracy, gdp.accuracy);  // its promise covers Gaussian noise with mu = 1
  EXPECT_GE(zcdp.hits, gdp.hits);
  EXPECT_LT(zcdp.accuracy, 0.95);  // the epsilon at 1e-6 alone would say 0.9946
  const AttackOdds basic = attack_odds(BasicRule{loss("1"), chance("1e-3")}, Rational(1, 1000));
  EXPECT_NEAR(basic.accuracy, 1 - 0.999 / (1 + std::exp(1.0)), 1e-12);
}

TEST(Hindsight, APromiseOfNothingLeavesTheAttackerEverything) {
  const AttackOdds none = attack_odds(BasicRule{loss("1"), chance("0.5")}, kMillionth);
  EXPECT_EQ(none.epsilon, std::numeric_limits<double>::infinity());
  EXPECT_EQ(none.accuracy, 1);
  EXPECT_EQ(none.hits, 1);
  EXPECT_FALSE(none.posterior);
  EXPECT_EQ(refusal([] { attack_odds(PureRule{}, 1); }), Code::bad_probability);
}

}  // namespace
}  // namespace dither::ledger
