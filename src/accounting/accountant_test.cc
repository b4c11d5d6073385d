#include "accounting/accountant.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

Rational decimal(const char* text) { return Rational::parse(text); }

EventList list_of(std::vector<Event> events, Neighbours neighbours = Neighbours::add_remove) {
  return {neighbours, {"record"}, 1, std::move(events)};
}
Event gaussian(const char* sigma, std::uint64_t times = 1) { return {{}, Gaussian{decimal(sigma)}, times}; }
Event laplace(const char* scale, std::uint64_t times = 1) { return {{}, Laplace{decimal(scale)}, times}; }
Event response(const char* epsilon, std::uint64_t times = 1) {
  return {{}, RandomisedResponse{decimal(epsilon)}, times};
}
Event sampled(const char* rate, const char* sigma, std::uint64_t times) {
  return {Poisson{decimal(rate), {}}, Gaussian{decimal(sigma)}, times};
}

// The certified interval holds the oracle, known to within `error`, and is at most `width` wide.
void expect_encloses(const Certified& bound, double oracle, double error, double width) {
  ASSERT_TRUE(bound.lower.has_value());
  EXPECT_LE(*bound.lower, bound.upper);
  EXPECT_LE(*bound.lower, oracle + error);
  EXPECT_GE(bound.upper, oracle - error);
  EXPECT_LE(bound.upper - *bound.lower, width);
}

Certified epsilon_at(const EventList& list, const char* delta, double width = 1e-7) {
  return Composition(list).epsilon_at(decimal(delta), width).epsilon;
}
double upper_by(const EventList& list, Accountant accountant, const char* delta) {
  return Composition(list).epsilon_by(accountant, decimal(delta)).epsilon.upper;
}

// Spec: O-22, O-21, O-19, O-23
TEST(Accountant, SubsampledGaussiansLieInTheInterval) {
  expect_encloses(epsilon_at(list_of({sampled("256/60000", "1.1", 14062)}), "1e-5"), 2.3815969, 2e-7, 1e-6);
  expect_encloses(epsilon_at(list_of({sampled("256/60000", "1.1", 14063)}), "1e-5"), 2.3816897, 2e-7, 1e-6);
  expect_encloses(epsilon_at(list_of({sampled("0.01", "1", 1000)}), "1e-6"), 2.1245152, 2e-7, 1e-6);
  expect_encloses(epsilon_at(list_of({sampled("0.01", "4", 10000)}), "1e-5"), 0.9468668, 2e-7, 1e-6);
  expect_encloses(epsilon_at(list_of({sampled("4096/50000", "3", 2500)}), "1e-5"), 6.5788958, 2e-7, 1e-6);
}

// Spec: O-25, A-39
TEST(Accountant, ReplacingARecordCostsMoreThanRemovingIt) {
  const EventList replace = list_of({sampled("256/60000", "1.1", 14062)}, Neighbours::replace_one);
  expect_encloses(epsilon_at(replace, "1e-5"), 4.2212967, 2e-7, 1e-6);
  const EventList both = list_of({sampled("256/60000", "1.1", 14062)}, Neighbours::both);
  expect_encloses(epsilon_at(both, "1e-5"), 4.2212967, 2e-7, 1e-6);
}

// Spec: O-26, A-67
TEST(Accountant, AMixedListLiesInTheInterval) {
  const EventList mixed =
      list_of({gaussian("5", 10), laplace("10", 20), response("0.2", 5), sampled("0.01", "1", 100)});
  const Guarantee guarantee = Composition(mixed).epsilon_at(decimal("1e-6"), 1e-7);
  expect_encloses(guarantee.epsilon, 4.2229256, 2e-7, 1e-6);
  EXPECT_EQ(guarantee.accountant, Accountant::fourier);
  expect_encloses(Composition(mixed).delta_at(Rational(2)).delta, 0.010007998, 2e-9, 1e-7);
}

// Spec: A-18, O-06
TEST(Accountant, GaussiansAloneStayAClosedForm) {
  const Guarantee guarantee =
      Composition(list_of({gaussian("2"), gaussian("5"), gaussian("10")})).epsilon_at(decimal("1e-6"));
  EXPECT_EQ(guarantee.accountant, Accountant::gdp);
  expect_encloses(guarantee.epsilon, 2.4919620486808, 1e-12, 1e-10);
  expect_encloses(epsilon_at(list_of({gaussian("10", 30)}), "1e-5"), 2.2070594697595, 1e-12, 1e-10);
  expect_encloses(epsilon_at(list_of({gaussian("50", 1000)}), "1e-5"), 2.5943833805276, 1e-12, 1e-10);
}

struct Figure {
  std::uint64_t k;
  double advanced, zcdp, optimal, gaussian;
};

// Spec: O-07, A-28
TEST(Accountant, EveryAccountantGivesItsCurveOfTheFigure) {
  for (const Figure& row : {Figure{10, 1.712258136269, 1.471594750532, 0.9993709057218, 0.9405155265308},
                            Figure{50, 3.96692218885, 3.542291300477, 3.172902734019, 2.25408465022},
                            Figure{100, 5.756521769757, 5.22153444453, 4.774567588108, 3.307600722613},
                            Figure{200, 8.4338443777, 7.766216625312, 7.185594457672, 4.886554117462},
                            Figure{1000, 21.62258136269, 20.55194881404, 19.34467144799, 12.59524673551}}) {
    const EventList pure = list_of({{{}, BlackBox{decimal("0.1")}, row.k}});
    EXPECT_NEAR(upper_by(pure, Accountant::zcdp, "1e-6"), row.zcdp, 1e-9 * row.zcdp);
    EXPECT_NEAR(upper_by(pure, Accountant::optimal, "1e-6"), row.optimal, 1e-9 * row.optimal);
    // The accountant may use a sharper mean, and never more than the sum.
    EXPECT_LE(upper_by(pure, Accountant::advanced, "1e-6"), row.advanced * (1 + 1e-9));
    EXPECT_NEAR(upper_by(pure, Accountant::basic, "1e-6"), 0.1 * static_cast<double>(row.k), 1e-12);
    // Gaussian noise of the variance of Laplace noise with scale 10.
    const EventList noise = list_of({{{}, Zcdp{decimal("0.0025")}, row.k}});
    EXPECT_GE(upper_by(noise, Accountant::zcdp, "1e-6"), row.gaussian);
  }
}

// Spec
TEST(Accountant, WithoutDeltaTheLossesAdd) {
  const EventList list = list_of({laplace("10", 50), laplace("5", 25)});
  const Guarantee guarantee = Composition(list).epsilon_at(0);
  EXPECT_EQ(guarantee.accountant, Accountant::basic);
  EXPECT_EQ(guarantee.epsilon.upper, 10.0);
  EXPECT_EQ(guarantee.epsilon.lower, 10.0);
  EXPECT_TRUE(std::isinf(epsilon_at(list_of({gaussian("1")}), "0").upper));
}

TEST(Accountant, NothingReleasedCostsNothing) {
  for (const EventList& list : {list_of({}), list_of({gaussian("1", 0)}), list_of({sampled("0", "1", 100)})}) {
    const Certified epsilon = epsilon_at(list, "1e-6");
    EXPECT_EQ(epsilon.upper, 0);
    EXPECT_EQ(epsilon.lower, 0);
  }
  EXPECT_EQ(epsilon_at(list_of({gaussian("1")}), "1").upper, 0);
}

// Spec: A-37, B-15, B-16, B-18
TEST(Accountant, RefusesWhatNoTheoremCovers) {
  const auto refused = [](Sampler sampler, Neighbours neighbours) {
    const EventList list = list_of({{sampler, Gaussian{Rational(1)}, 10}}, neighbours);
    return testing::refusal([&] { Composition(list).epsilon_at(decimal("1e-6")); });
  };
  EXPECT_EQ(refused(AllOrNothing{decimal("0.1")}, Neighbours::add_remove), Code::no_theorem);
  EXPECT_EQ(refused(WithoutReplacement{10, 1000}, Neighbours::add_remove), Code::no_theorem);
  EXPECT_EQ(refused(ShuffledBatches{100}, Neighbours::add_remove), Code::no_theorem);
  EXPECT_EQ(refused(Poisson{decimal("0.01"), Poisson::Cut{5, 1000}}, Neighbours::add_remove), Code::no_theorem);
  EXPECT_EQ(refused(WithoutReplacement{10, 1000}, Neighbours::replace_one), std::nullopt);
}

// Spec: B-15, B-16
TEST(Accountant, OtherSamplersNeverGetThePoissonNumber) {
  const double poisson = epsilon_at(list_of({sampled("0.01", "1", 100)}, Neighbours::replace_one), "1e-6").upper;
  const auto at = [](Sampler sampler) {
    const EventList list = list_of({{sampler, Gaussian{Rational(1)}, 100}}, Neighbours::replace_one);
    return epsilon_at(list, "1e-6").upper;
  };
  EXPECT_GT(std::abs(at(WithoutReplacement{100, 10000}) - poisson), 0.01);
  EXPECT_GT(at(ShuffledBatches{100}), 10 * poisson);
}

// Spec: B-18
TEST(Accountant, ACutThatNeverHappensCostsNothing) {
  const Event uncut = sampled("0.01", "1", 1000);
  const Event never{Poisson{decimal("0.01"), Poisson::Cut{5000, 5000}}, Gaussian{Rational(1)}, 1000};
  const Event seldom{Poisson{decimal("0.01"), Poisson::Cut{110, 5000}}, Gaussian{Rational(1)}, 1000};
  const double base = epsilon_at(list_of({uncut}), "1e-6").upper;
  EXPECT_EQ(epsilon_at(list_of({never}), "1e-6").upper, base);
  EXPECT_GT(epsilon_at(list_of({seldom}), "1e-6").upper, base);
}

TEST(Accountant, BadQuestionsAreRefused) {
  const Composition composition(list_of({gaussian("1")}));
  EXPECT_EQ(testing::refusal([&] { composition.epsilon_at(decimal("-0.1")); }), Code::bad_probability);
  EXPECT_EQ(testing::refusal([&] { composition.epsilon_at(decimal("1.1")); }), Code::bad_probability);
  EXPECT_EQ(testing::refusal([&] { composition.epsilon_at(decimal("1e-301")); }), Code::below_floor);
  EXPECT_EQ(testing::refusal([&] { composition.delta_at(decimal("-1")); }), Code::bad_number);
  EXPECT_EQ(testing::refusal([&] { composition.epsilon_at(decimal("1e-6"), 0); }), Code::bad_number);
}

// Spec: A-09
TEST(Accountant, TheAttackerOfOneGaussian) {
  const Attack against = attack(Composition(list_of({gaussian("1")})));
  EXPECT_NEAR(against.accuracy, 0.69146246127, 1e-9);
  for (const AttackPoint& point : against.region) {
    EXPECT_GE(point.true_positive, point.false_positive);
    EXPECT_LE(point.true_positive, 1);
  }
  EXPECT_NEAR(against.region[7].true_positive, 1 - 0.74048897715856, 2e-3);  // at a false positive rate of 0.05
}

TEST(Accountant, SharesSumToOneAndFollowTheLoss) {
  const Guarantee guarantee =
      Composition(list_of({gaussian("1"), laplace("1000"), gaussian("2")})).epsilon_at(decimal("1e-6"));
  ASSERT_EQ(guarantee.shares.size(), 3u);
  EXPECT_NEAR(guarantee.shares[0] + guarantee.shares[1] + guarantee.shares[2], 1, 1e-12);
  EXPECT_NEAR(guarantee.shares[0] / guarantee.shares[2], 4, 1e-6);
  EXPECT_LT(guarantee.shares[1], 1e-5);
}

// Spec: B-32
TEST(Accountant, SaysWhatItAssumes) {
  const Guarantee guarantee = Composition(list_of({sampled("0.01", "1", 10)})).epsilon_at(decimal("1e-6"));
  EXPECT_EQ(guarantee.neighbours, Neighbours::add_remove);
  EXPECT_EQ(guarantee.unit.name, "record");
  EXPECT_FALSE(guarantee.theorem.empty());
  EXPECT_GE(guarantee.notes.size(), 3u);
}

}  // namespace
}  // namespace dither::accounting
