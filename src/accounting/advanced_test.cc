#include "accounting/advanced.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "accounting/closed_forms_check.h"
#include "accounting/gaussian.h"
#include "accounting/optimal.h"
#include "accounting/zcdp.h"
#include "base/ulps.h"
#include "testing/printers.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

std::vector<ApproximateRelease> same(const Rational& epsilon, std::uint64_t k) { return {{epsilon, 0, k}}; }

// Spec: A-02, F-26
TEST(Basic, SumsAreExact) {
  const std::vector<ApproximateRelease> releases = {{Rational(1, 10), 0, 50}, {Rational(1, 5), 0, 25}};
  EXPECT_EQ(basic_epsilon(releases), Rational(10));
  const std::vector<ApproximateRelease> three = {{Rational::parse("0.3"), Rational::parse("1e-6")},
                                                 {Rational::parse("0.5"), Rational::parse("2e-6")},
                                                 {Rational::parse("0.2")}};
  EXPECT_EQ(basic_epsilon(three), Rational(1));
  EXPECT_EQ(basic_delta(three), Rational::parse("3e-6"));
  EXPECT_LE(failure_up(three), 3e-6);
  EXPECT_EQ(basic_epsilon({}), Rational(0));
}

// Spec
TEST(Advanced, Oracles) {
  expect_close(advanced_epsilon_up(same(Rational(1, 10), 100), 1e-6), 5.756521769757, 1e-12);
  expect_close(advanced_epsilon_up(same(Rational(1, 10), 10), 1e-6), 1.0, 1e-15);  // the sum is better
  const std::vector<ApproximateRelease> mixed = {{Rational(1, 10), Rational::parse("1e-8"), 50},
                                                 {Rational(1, 5), Rational::parse("1e-8"), 25}};
  // delta' is 9.25e-6, by the product form 9.2500072e-6: 6.6468348305951 with the first.
  const double advanced = advanced_epsilon_up(mixed, 1e-5);
  EXPECT_LE(advanced, 6.6468348305951);
  expect_close(advanced, 6.6468348305951, 1e-6);
  EXPECT_EQ(advanced_epsilon_up(mixed, 7e-7), kInfinity);  // below 1 - prod (1 - delta_j)
}

// Spec: A-65, F-28
TEST(Advanced, FourBoundsForOneList) {
  const std::vector<ApproximateRelease> list = same(Rational(1, 10), 100);
  expect_close(first_advanced_epsilon_up(.1, 100, 1e-6), 6.308230950513, 1e-12);
  expect_close(tanh_epsilon_up(list, 1e-6), 5.756106, 1e-7);
  expect_close(zcdp_epsilon_simple_up(.5, 1e-6), 5.756522, 1e-7);
  expect_close(optimal_epsilon_up(.1, 0, 100, 1e-6), 4.774568, 1e-7);
  expect_close(first_advanced_epsilon_up(1, 10, 1e-5), 32.36, 1e-3);
}

// From which k on the formulas beat the sum.
template <typename Bound>
int first_better_than_basic(const Bound& bound) {
  int k = 1;
  while (bound(k) >= 0.1 * k * (1 - 1e-9)) ++k;
  return k;
}

// Spec: F-28
TEST(Advanced, WhereItBeatsTheSum) {
  EXPECT_EQ(first_better_than_basic([](int k) { return first_advanced_epsilon_up(.1, k, 1e-6); }), 35);
  EXPECT_EQ(first_better_than_basic([](int k) { return tanh_epsilon_up(same(Rational(1, 10), k), 1e-6); }), 31);
}

// One lecture's claim epsilon sqrt(k) ln(1/delta'), without a term for the mean loss, against what k randomised
// responses really lose. A bound is sound when the best composition at its epsilon needs no more than delta.
bool is_sound(double epsilon, std::uint64_t k, double delta, double total) {
  return optimal_delta_down(epsilon, 0, k, total) <= delta;
}

// Spec: F-28
TEST(Advanced, IsSoundForRandomisedResponse) {
  EXPECT_TRUE(is_sound(1, 1000, 1e-3, advanced_epsilon_up(same(Rational(1), 1000), 1e-3)));
  EXPECT_TRUE(is_sound(1, 1000, 1e-3, tanh_epsilon_up(same(Rational(1), 1000), 1e-3)));
}
TEST(Advanced, PlantedClaimWithoutTheMeanIsCaught) {
  const double claimed = std::sqrt(1000.0) * std::log(1e3);
  expect_close(claimed, 218.44, 1e-4);
  EXPECT_FALSE(is_sound(1, 1000, 1e-3, claimed));
}

// The book's figure 3.1.
// Spec: O-07, A-28, A-67
TEST(Advanced, FigureOfFiveCurves) {
  const double expected[][5] = {{10, 1.712258136269, 1.471594750532, .9993709057218, .9405155265308},
                                {50, 3.96692218885, 3.542291300477, 3.172902734019, 2.25408465022},
                                {100, 5.756521769757, 5.22153444453, 4.774567588108, 3.307600722613},
                                {200, 8.4338443777, 7.766216625312, 7.185594457672, 4.886554117462},
                                {1000, 21.62258136269, 20.55194881404, 19.34467144799, 12.59524673551}};
  for (const auto& [k, advanced, concentrated, optimal, gaussian] : expected) {
    const auto times = static_cast<std::uint64_t>(k);
    const std::vector<ApproximateRelease> list = same(Rational(1, 10), times);
    expect_close(advanced_epsilon_up(list, 1e-6), std::min(advanced, 0.1 * k), 1e-11);
    expect_close(zcdp_epsilon_simple_up(k * .005, 1e-6), advanced, 1e-11);
    expect_close(zcdp_epsilon_up(k * .005, 1e-6), concentrated, 1e-10);
    expect_close(optimal_epsilon_up(.1, 0, times, 1e-6), optimal, 1e-10);
    expect_close(gaussian_epsilon_up(std::sqrt(k * .005), 1e-6), gaussian, 1e-10);
    EXPECT_LE(optimal_epsilon_up(.1, 0, times, 1e-6), tanh_epsilon_up(list, 1e-6));
    EXPECT_LE(tanh_epsilon_up(list, 1e-6), advanced_epsilon_up(list, 1e-6));
  }
}

// Spec: A-04
TEST(Basic, PureNeedsTheSum) {
  EXPECT_EQ(advanced_epsilon_up(same(Rational(1, 2), 10), 0), 5);  // delta 0
  EXPECT_EQ(optimal_epsilon_up(.5, 0, 10, 0), 5);
  EXPECT_EQ(std::pow(.5, 10), 9.765625e-4);
}

TEST(Advanced, LimitsAndRefusals) {
  EXPECT_EQ(advanced_epsilon_up({}, 0), 0);
  EXPECT_EQ(advanced_epsilon_up(same(Rational(1), 5), 1), 0);
  EXPECT_EQ(first_advanced_epsilon_up(1, 5, 0), kInfinity);
  EXPECT_LE(tanh_epsilon_up(same(Rational(5000), 3), 1e-9), 15000);
  EXPECT_EQ(refusal([] { basic_epsilon(std::vector<ApproximateRelease>{{Rational(-1)}}); }), Code::out_of_range);
  EXPECT_EQ(refusal([] {
              basic_delta(std::vector<ApproximateRelease>{{Rational(1), Rational(2)}});
            }),
            Code::bad_probability);
  EXPECT_EQ(refusal([] {
              basic_delta(std::vector<ApproximateRelease>{{Rational(1), Rational(-1)}});
            }),
            Code::bad_probability);
  EXPECT_EQ(refusal([] { basic_epsilon(std::vector<ApproximateRelease>{{Rational(1), 0, 0}}); }), Code::bad_count);
  EXPECT_EQ(refusal([] { advanced_epsilon_up({}, std::nan("")); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { first_advanced_epsilon_up(-1, 5, .1); }), Code::out_of_range);
}

}  // namespace
}  // namespace dither::accounting
