#include "ledger/outlook.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "accounting/charge.h"
#include "accounting/gaussian.h"
#include "base/error.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace accounting;  // NOLINT: written in the words of the accountant
using dither::testing::refusal;

LossAmount loss(const char* text) { return LossAmount::up(Rational::parse(text)); }
DeltaAmount chance(const char* text) { return DeltaAmount::up(Rational::parse(text)); }
AdvancedRule advanced(const char* epsilon) { return {loss(epsilon), chance("1e-6"), {}}; }

std::vector<FilterRule> all_rules() {
  return {PureRule{loss("2")},
          BasicRule{loss("2"), chance("1e-5")},
          AdvancedRule{loss("2"), chance("1e-3"), chance("1e-5")},
          ZcdpRule{loss("2"), chance("1e-5")},
          RenyiAllRule{{2, Rational(5, 2)}, {loss("1"), loss("2")}, chance("1e-5")},
          RenyiAnyRule{{2, Rational(5, 2)}, {loss("1"), loss("2")}, chance("1e-5")},
          GdpRule{loss("2")}};
}

Spent tenth(const FilterRule& rule) { return price(rule, Event{{}, Laplace{Rational(10)}, 1}, Neighbours::add_remove); }

std::uint64_t tenths_in(const FilterRule& rule) { return how_many_fit(rule, nothing_spent(rule), tenth(rule)); }

// Spec: B-20, W-20
TEST(Outlook, AsManyStatementsFitAsTheSpecSays) {
  EXPECT_EQ(tenths_in(PureRule{loss("1")}), 10u);
  EXPECT_EQ(tenths_in(BasicRule{loss("5"), {}}), 50u);
  EXPECT_EQ(tenths_in(advanced("5")), 77u);
  EXPECT_EQ(tenths_in(advanced("1")), 3u);
  EXPECT_EQ(tenths_in(advanced("5.7566")), 100u);
  EXPECT_EQ(tenths_in(advanced("5.756521769756931978")), 99u);
}

// The number that fits is the number that a filter admits one after the other, whatever was spent before.
// Spec: W-20, A-68
RC_GTEST_PROP(Outlook, HowManyFitIsHowManyAreAdmitted, ()) {
  for (const FilterRule& rule : all_rules()) {
    Spent one = nothing_spent(rule);
    for (LossAmount& amount : one.losses) amount = LossAmount::up(Rational(*rc::gen::inRange(1, 50), 97));
    if (one.losses.empty()) one.squares = SquareAmount::up(Rational(*rc::gen::inRange(1, 50), 997));
    FilterState state(rule);
    const int before = *rc::gen::inRange(0, 10);
    for (int i = 0; i < before && can_afford(state, one); ++i) state = charged(state, one);
    const std::uint64_t fit = how_many_fit(rule, state.spent(), one);
    std::uint64_t admitted = 0;
    for (; can_afford(state, one); ++admitted) state = charged(state, one);
    RC_ASSERT(admitted == fit);
  }
}

TEST(Outlook, NothingCostsNothingAndOverdrawnFitsNothing) {
  const PureRule rule{loss("1")};
  const auto sums = [](const char* text) { return Spent{{loss(text)}, {}, {}}; };
  EXPECT_EQ(how_many_fit(rule, sums("1"), sums("0")), kUnlimited);
  EXPECT_EQ(how_many_fit(PureRule{loss("1e17")}, sums("0"), sums("1e-18")), kUnlimited);
  EXPECT_EQ(how_many_fit(rule, sums("0"), sums("1e-18")), kUnlimited);  // just so
  EXPECT_EQ(how_many_fit(rule, sums("1e-18"), sums("1e-18")), kUnlimited - 1);
  EXPECT_EQ(how_many_fit(rule, sums("1"), sums("1e-18")), 0u);
  EXPECT_EQ(how_many_fit(rule, sums("1.1"), sums("0")), 0u);
  EXPECT_EQ(left(rule, sums("1.1")), Charge(PureCharge{}));
  EXPECT_EQ(left(rule, sums("0.4")), Charge(PureCharge{loss("0.6")}));
  EXPECT_EQ(refusal([&] { how_many_fit(rule, Spent{}, sums("1")); }), Code::bad_count);
}

TEST(Outlook, TheLargestLaplaceIsWhatIsLeft) {
  const auto most = [](const FilterRule& rule, const Spent& sums) {
    return largest_laplace(rule, sums)->epsilon.str();
  };
  EXPECT_EQ(most(PureRule{loss("1")}, {{loss("0.7")}, {}, {}}), "0.3");
  EXPECT_EQ(most(PureRule{loss("1000")}, {{loss("0.7")}, {}, {}}), "999.3");
  EXPECT_EQ(most(PureRule{loss("1")}, {{loss("1")}, {}, {}}), "0");
  EXPECT_EQ(most(PureRule{loss("1")}, {{loss("2")}, {}, {}}), "0");
  EXPECT_EQ(most(BasicRule{loss("1"), chance("1e-6")}, {{loss("0.999999999999999999")}, {}, {}}),
            "0.000000000000000001");
  EXPECT_FALSE(largest_laplace(GdpRule{loss("1")}, nothing_spent(GdpRule{})));
}

TEST(Outlook, TheLargestLaplaceFitsAndALargerOneDoesNot) {
  for (const FilterRule& rule : all_rules()) {
    const Spent sums = std::holds_alternative<GdpRule>(rule) ? nothing_spent(rule) : tenth(rule);
    const auto most = largest_laplace(rule, sums);
    ASSERT_EQ(most.has_value(), !std::holds_alternative<GdpRule>(rule));
    if (!most) continue;
    const auto fits = [&](const Rational& epsilon) {
      const Event event{{}, Laplace{Rational(1) / epsilon}, 1};
      return can_afford(FilterState(rule, sums), event, Neighbours::add_remove);
    };
    EXPECT_TRUE(fits(most->epsilon.value())) << rule_name(rule);
    EXPECT_FALSE(fits(most->epsilon.value() * Rational(1'000'000'000'001, 1'000'000'000'000))) << rule_name(rule);
  }
}

// rho = 1/2 and mu = 1 are the same noise, whose epsilon at 1e-6 is 4.8865541174622.
// Spec: A-14
TEST(Outlook, TheLargestGaussianIsTheExactOne) {
  const DeltaAmount delta = chance("1e-6");
  const auto most = [&](const FilterRule& rule) {
    return largest_gaussian(rule, nothing_spent(rule), delta)->epsilon.value().to_double_down();
  };
  EXPECT_NEAR(most(ZcdpRule{loss("0.5"), {}}), 4.8865541174622, 1e-9);
  EXPECT_NEAR(most(GdpRule{loss("1")}), 4.8865541174622, 1e-9);
  EXPECT_NEAR(most(RenyiAllRule{{2, 8}, {loss("1"), loss("4")}, {}}), 4.8865541174622, 1e-9);
  EXPECT_NEAR(most(RenyiAllRule{{2, 8}, {loss("5"), loss("4")}, {}}), 4.8865541174622, 1e-9);
  EXPECT_EQ(most(BasicRule{loss("2"), delta}), 2);
  EXPECT_EQ(most(BasicRule{loss("2"), chance("9e-7")}), 0);
  EXPECT_EQ(most(GdpRule{loss("1e-12")}), 0);  // so much noise has no epsilon above 0 at this delta
  EXPECT_EQ(most(GdpRule{}), 0);
  EXPECT_FALSE(largest_gaussian(PureRule{loss("1")}, nothing_spent(PureRule{}), delta));
  for (const char* wrong : {"0", "1"}) {
    EXPECT_EQ(refusal([&] { largest_gaussian(GdpRule{}, nothing_spent(GdpRule{}), chance(wrong)); }),
              Code::bad_probability);
  }
}

// Noise calibrated to what was shown, as a statement does it, is admitted; to 1e-9 more it is not.
// Spec: F-54
TEST(Outlook, NoiseCalibratedToTheLargestGaussianFits) {
  const DeltaAmount delta = chance("1e-6");
  for (const FilterRule& rule : all_rules()) {
    if (rule.index() < 3) continue;  // pure has none; basic and advanced charge epsilon itself
    const Spent sums = price(rule, Event{{}, Gaussian{Rational(3)}, 1}, Neighbours::add_remove);
    const double epsilon = largest_gaussian(rule, sums, delta)->epsilon.value().to_double_down();
    const auto fits = [&](double mu) {
      const Event event{{}, Gaussian{Rational(1) / Rational::from_double(mu)}, 1};
      return can_afford(FilterState(rule, sums), event, Neighbours::add_remove);
    };
    EXPECT_TRUE(fits(gaussian_mu_down(epsilon, 1e-6))) << rule_name(rule);
    EXPECT_FALSE(fits(gaussian_mu_up(epsilon * (1 + 1e-9), 1e-6))) << rule_name(rule);
  }
}

TEST(Outlook, TheShareIsThatOfTheTightestNumber) {
  const double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(share_spent(PureRule{loss("2")}, {{loss("1")}, {}, {}}), 0.5);
  EXPECT_EQ(share_spent(PureRule{}, {{loss("0")}, {}, {}}), 0);
  EXPECT_EQ(share_spent(PureRule{}, {{loss("1")}, {}, {}}), kInfinity);
  EXPECT_EQ(share_spent(PureRule{loss("1")}, {{loss("1.5")}, {}, {}}), 1.5);
  EXPECT_EQ(share_spent(BasicRule{loss("2"), chance("4e-6")}, {{loss("1")}, {}, chance("3e-6")}), 0.75);
  const std::vector<LossAmount> limits{loss("1"), loss("2")};
  const Spent sums{{loss("0.25"), loss("1")}, {}, chance("1e-7")};
  EXPECT_EQ(share_spent(RenyiAllRule{{2, 8}, limits, chance("1e-6")}, sums), 0.5);
  EXPECT_EQ(share_spent(RenyiAnyRule{{2, 8}, limits, chance("1e-6")}, sums), 0.25);
  EXPECT_EQ(share_spent(RenyiAnyRule{{2, 8}, limits, chance("2e-7")}, sums), 0.5);
  const FilterRule rule = advanced("5");
  EXPECT_LE(share_spent(rule, times(tenth(rule), 77)), 1);
  EXPECT_GT(share_spent(rule, times(tenth(rule), 78)), 1);
  EXPECT_EQ(share_spent(GdpRule{loss("3")}, {{loss("1")}, {}, {}}), Rational(1, 3).to_double_up());
}

// A share of 1 is where the rule ends: whoever is above it, and nobody else, breaks it.
RC_GTEST_PROP(Outlook, AShareAboveOneIsOverdrawn, ()) {
  for (const FilterRule& rule : all_rules()) {
    Spent sums = nothing_spent(rule);
    for (LossAmount& amount : sums.losses) amount = LossAmount::up(Rational(*rc::gen::inRange(0, 300), 100));
    if (sums.losses.empty()) sums.squares = SquareAmount::up(Rational(*rc::gen::inRange(0, 50), 100));
    RC_ASSERT((share_spent(rule, sums) <= 1) == keeps(rule, sums));
  }
}

TEST(Outlook, NumbersAreShownInTheMeasureOfTheRule) {
  const Spent one{{loss("1.5")}, {}, {}};
  EXPECT_EQ(shown(PureRule{loss("2")}, one), (Shown{{"epsilon", "1.5"}, {"delta", "0"}}));
  EXPECT_EQ(shown_left(PureRule{loss("2")}, one), (Shown{{"epsilon", "0.5"}, {"delta", "0"}}));
  EXPECT_EQ(shown_left(PureRule{loss("1")}, one), (Shown{{"epsilon", "0"}, {"delta", "0"}}));
  EXPECT_EQ(shown_limits(BasicRule{loss("2"), chance("1e-6")}), (Shown{{"epsilon", "2"}, {"delta", "0.000001"}}));
  EXPECT_EQ(shown(ZcdpRule{loss("2"), {}}, one), (Shown{{"rho", "1.5"}, {"delta", "0"}}));
  EXPECT_EQ(shown(GdpRule{loss("2")}, one), (Shown{{"mu_squared", "1.5"}}));
  const RenyiAllRule renyi{{2, Rational(5, 2)}, {loss("1"), loss("2")}, chance("1e-5")};
  EXPECT_EQ(shown_left(renyi, {{loss("0.1"), loss("0.2")}, {}, chance("1e-6")}),
            (Shown{{"order 2", "0.9"}, {"order 5/2", "1.8"}, {"delta", "0.000009"}}));
  EXPECT_EQ(in_words(shown(PureRule{loss("2")}, one)), "epsilon 1.5, delta 0");
  EXPECT_EQ(refusal([&] { shown(renyi, one); }), Code::bad_count);
}

// Spec: B-20
TEST(Outlook, AdvancedShowsSquaresAndTheEpsilonTheyNeed) {
  const AdvancedRule rule = advanced("6");
  const Spent sums = times(tenth(rule), 100);
  EXPECT_EQ(shown(rule, sums), (Shown{{"epsilon", "5.756521769756931979"}, {"squares", "1"}, {"delta", "0"}}));
  EXPECT_EQ(shown_limits(rule), (Shown{{"epsilon", "6"}, {"squares", most_squares(rule).str()}, {"delta", "0"}}));
  EXPECT_EQ(shown_left(rule, sums),
            (Shown{{"squares", without(most_squares(rule), sums.squares).str()}, {"delta", "0"}}));
}

}  // namespace
}  // namespace dither::ledger
