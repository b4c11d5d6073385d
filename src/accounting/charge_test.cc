#include "accounting/charge.h"

#include <gtest/gtest.h>

#include <limits>

#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using dither::testing::refusal;

LossAmount loss(const char* text) { return LossAmount::up(Rational::parse(text)); }
DeltaAmount chance(const char* text) { return DeltaAmount::up(Rational::parse(text)); }
const FilterRule kRenyi = RenyiAllRule{{2, 8}, {loss("1"), loss("1")}, {}};

Cost gaussian() {  // sigma = 3: everything that is known about it
  Cost cost;
  cost.concentrated = ConcentratedDp{Rational(1, 18), 0};
  cost.renyi = RenyiDp{[](double order) { return order / 16; }, 0};
  cost.squared_mu = Rational(1, 9);
  return cost;
}

Cost laplace(const char* delta) {
  Cost cost;
  cost.approximate = ApproximateDp{Rational(1, 3), Rational::parse(delta)};
  return cost;
}

// Spec: A-68
TEST(Charge, EachRuleTakesItsOwnMeasureRoundedUp) {
  EXPECT_EQ(charge_for(PureRule{}, laplace("0")), Charge(PureCharge{loss("0.333333333333333334")}));
  EXPECT_EQ(charge_for(BasicRule{}, laplace("1e-9")),
            Charge(ApproximateCharge{loss("0.333333333333333334"), chance("1e-9")}));
  EXPECT_EQ(charge_for(AdvancedRule{}, laplace("0")), Charge(ApproximateCharge{loss("0.333333333333333334"), {}}));
  EXPECT_EQ(charge_for(ZcdpRule{}, gaussian()), Charge(ZcdpCharge{loss("0.055555555555555556"), {}}));
  EXPECT_EQ(charge_for(kRenyi, gaussian()), Charge(RenyiCharge{{loss("0.125"), loss("0.5")}, {}}));
  EXPECT_EQ(charge_for(GdpRule{}, gaussian()), Charge(GdpCharge{loss("0.111111111111111112")}));
}

TEST(Charge, WhatIsNotProvenIsRefused) {
  const auto code = [](const FilterRule& rule, const Cost& cost) { return refusal([&] { charge_for(rule, cost); }); };
  EXPECT_EQ(code(PureRule{}, gaussian()), Code::no_theorem);
  EXPECT_EQ(code(PureRule{}, laplace("1e-9")), Code::no_theorem);
  EXPECT_EQ(code(AdvancedRule{}, gaussian()), Code::no_theorem);
  EXPECT_EQ(code(ZcdpRule{}, laplace("0")), Code::no_theorem);
  EXPECT_EQ(code(kRenyi, laplace("0")), Code::no_theorem);
  EXPECT_EQ(code(GdpRule{}, laplace("0")), Code::no_theorem);
  Cost partly = gaussian();
  partly.renyi->epsilon = [](double order) { return order < 4 ? 1 : std::numeric_limits<double>::infinity(); };
  EXPECT_EQ(code(kRenyi, partly), Code::no_theorem);
  Cost cut = gaussian();
  cut.overflow = 1e-9;
  EXPECT_EQ(code(ZcdpRule{}, cut), Code::no_theorem);
}

// 77 releases at 0.1 fit into the advanced rule with epsilon 5 and slack 1e-6, 50 into the basic one, and no more.
// Spec: B-20, W-20
TEST(Charge, EventsAreChargedWithAllTheirReleases) {
  const auto releases = [](std::uint64_t times) { return Event{{}, Laplace{Rational(10)}, times}; };
  const FilterState advanced(AdvancedRule{loss("5"), chance("1e-6"), {}});
  EXPECT_TRUE(can_afford(advanced, releases(77), Neighbours::add_remove));
  EXPECT_FALSE(can_afford(advanced, releases(78), Neighbours::add_remove));
  const FilterState basic(BasicRule{loss("5"), {}});
  EXPECT_TRUE(can_afford(basic, releases(50), Neighbours::add_remove));
  EXPECT_FALSE(can_afford(basic, releases(51), Neighbours::add_remove));
  EXPECT_FALSE(can_afford(basic, releases(1'000'000'000'000), Neighbours::add_remove));
  const FilterState half = charged(basic, releases(25), Neighbours::add_remove);
  EXPECT_TRUE(can_afford(half, releases(25), Neighbours::add_remove));
  EXPECT_FALSE(can_afford(half, releases(26), Neighbours::add_remove));
  const FilterState zcdp(ZcdpRule{loss("0.5"), {}});
  EXPECT_TRUE(can_afford(zcdp, Event{{}, Gaussian{Rational(10)}, 100}, Neighbours::add_remove));
  EXPECT_FALSE(can_afford(zcdp, Event{{}, Gaussian{Rational(10)}, 101}, Neighbours::add_remove));
  const Event box{{}, BlackBox{Rational(1), Rational(1, 100)}, 1};
  EXPECT_EQ(refusal([&] { can_afford(zcdp, box, Neighbours::add_remove); }), Code::no_theorem);
}

// Under the advanced rule too, where the squares of 0.1 and of the awkward 1/3 are multiplied instead of looped over.
// Spec: B-20
TEST(Charge, ThePriceOfAnEventIsThatOfItsReleasesOneByOne) {
  const std::vector<FilterRule> rules{PureRule{}, BasicRule{}, AdvancedRule{}, ZcdpRule{}, kRenyi};
  for (const FilterRule& rule : rules) {
    for (const Rational& scale : {Rational(10), Rational(3), Rational(1'000'003, 7)}) {
      const Spent one = price(rule, Event{{}, Laplace{scale}, 1}, Neighbours::add_remove);
      Spent sums = nothing_spent(rule);
      EXPECT_EQ(price(rule, Event{{}, Laplace{scale}, 0}, Neighbours::add_remove), sums);
      for (int i = 0; i < 1000; ++i) sums = plus(sums, one);
      EXPECT_EQ(price(rule, Event{{}, Laplace{scale}, 1000}, Neighbours::add_remove), sums) << rule_name(rule);
    }
  }
  const FilterState advanced(AdvancedRule{loss("5"), chance("1e-6"), {}});
  EXPECT_FALSE(can_afford(advanced, Event{{}, Laplace{Rational(10)}, kMostTimes}, Neighbours::add_remove));
}

// Discrete Laplace noise is charged without the law of its loss: by the same number.
// Spec: B-20
TEST(Charge, DiscreteLaplaceIsChargedAsItsWholeCostSays) {
  for (const FilterRule& rule : std::vector<FilterRule>{PureRule{}, BasicRule{}, AdvancedRule{}}) {
    for (const Rational& scale : {Rational(10), Rational(3), Rational(1'000'003, 7), Rational(1, 3)}) {
      const Event event{{}, DiscreteLaplace{scale, 6}, 7};
      EXPECT_EQ(price(rule, event, Neighbours::replace_one),
                times(price(rule, charge_for(rule, cost(event, Neighbours::replace_one))), 7));
    }
    const Event half{{}, DiscreteLaplace{1, Rational(1, 2)}, 1};
    EXPECT_EQ(refusal([&] { price(rule, half, Neighbours::add_remove); }),
              refusal([&] { require_valid(half.mechanism); }));
  }
}

}  // namespace
}  // namespace dither::accounting
