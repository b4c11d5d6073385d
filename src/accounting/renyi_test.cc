#include "accounting/renyi.h"

#include <gtest/gtest.h>

#include <cmath>

#include "accounting/closed_forms_check.h"
#include "accounting/gaussian.h"
#include "accounting/renyi_curves.h"
#include "accounting/sampled_gaussian_renyi.h"
#include "accounting/zcdp.h"
#include "base/ulps.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

std::vector<double> whole_orders() {
  std::vector<double> orders;
  for (int order = 2; order <= 256; ++order) orders.push_back(order);
  return orders;
}

RenyiCurve sgd(double rate, double sigma, std::uint64_t steps) {
  return RenyiCurve().add(SampledGaussianRenyi(1 / sigma, rate), steps);
}

void expect_bound(const RenyiBound& bound, double value, double order, double relative = 1e-10) {
  expect_close(bound.value, value, relative);
  EXPECT_NEAR(bound.order, order, 1e-5 * order);
}

// Spec: O-16, O-17, O-18, A-51, F-22
TEST(RenyiEpsilon, DpSgdOnMnist) {
  const std::vector<double> whole = whole_orders();
  const RenyiCurve floor_steps = sgd(256 / 60000.0, 1.1, 14062);
  expect_bound(renyi_epsilon_classic_up(floor_steps, 1e-5, whole), 3.00909952573, 9);
  expect_bound(renyi_epsilon_up(floor_steps, 1e-5, whole), 2.59698117859, 8);
  expect_bound(renyi_epsilon_up(floor_steps, 1e-5, default_orders()), 2.59655586895, 8.1);
  const RenyiCurve ceil_steps = sgd(256 / 60000.0, 1.1, 14063);
  expect_bound(renyi_epsilon_classic_up(ceil_steps, 1e-5, whole), 3.009211173, 9);
  expect_bound(renyi_epsilon_up(ceil_steps, 1e-5, whole), 2.59707951966, 8);
  expect_bound(renyi_epsilon_up(ceil_steps, 1e-5, default_orders()), 2.59665552868, 8.1);
}

// Spec: O-20, A-42
TEST(RenyiEpsilon, RefinementFindsTheBestRealOrder) {
  expect_bound(renyi_epsilon_up(sgd(256 / 60000.0, 1.1, 14062), 1e-5), 2.5965419685698, 8.1218184);
}

// Spec: O-19, O-21, O-23
TEST(RenyiEpsilon, OtherDpSgdSettings) {
  const std::vector<double> whole = whole_orders();
  const RenyiCurve abadi = sgd(.01, 4, 10000);
  expect_bound(renyi_epsilon_classic_up(abadi, 1e-5, whole), 1.25857474125, 20);
  expect_bound(renyi_epsilon_up(abadi, 1e-5, whole), 1.03549006604, 17);
  expect_bound(renyi_epsilon_up(sgd(.01, 1, 1000), 1e-6, whole), 2.43669380302, 8);
  expect_close(renyi_epsilon_up(sgd(4096 / 50000.0, 3, 2500), 1e-5, default_orders()).value, 7.09848302081);
}

// Spec: B-11, A-67
TEST(RenyiEpsilon, ComposedPureAndLaplace) {
  RenyiCurve pure;
  pure.add([](double order) { return pure_renyi_up(order, .1); }, 100);
  expect_close(renyi_epsilon_up(pure, 1e-6).value, 5.0731061746320310, 1e-12);  // 5.07310627 at order 6.3
  RenyiCurve laplace;
  laplace.add([](double order) { return laplace_renyi_up(order, .1); }, 100);
  expect_close(renyi_epsilon_up(laplace, 1e-6).value, 4.9841739586396232, 1e-12);  // 4.9841744 at order 6.4 or near
}

// The two directions of A-51 agree, and zCDP is the linear curve.
// Spec
TEST(RenyiConversion, AgreesWithZcdp) {
  RenyiCurve curve;
  curve.add_zcdp(Rational(1, 200), 100);
  EXPECT_EQ(curve.at(3), 1.5);
  const RenyiBound epsilon = renyi_epsilon_up(curve, 1e-6);
  expect_close(epsilon.value, zcdp_epsilon_up(.5, 1e-6), 1e-9);
  EXPECT_NEAR(epsilon.order, 5.9070094, 1e-4);  // t + 1
  EXPECT_GE(epsilon.value, gaussian_epsilon_down(1, 1e-6));
  const RenyiBound delta = renyi_delta_up(curve, 4);
  expect_close(delta.value, 1.9579541695772e-4, 1e-9);
  EXPECT_NEAR(delta.order, 4.737114411, 1e-4);
  expect_close(renyi_delta_up(curve, epsilon.value).value, 1e-6, 1e-8);
}

TEST(RenyiCurve, TermsAddOrderByOrder) {
  RenyiCurve curve;
  curve.add_zcdp(Rational(1, 10)).add([](double order) { return order * order; }, 3);
  curve.add_table({{8, 0.7}, {2, 0.5}, {4, 0.9}}, 2);
  EXPECT_NEAR(curve.at(2), 0.2 + 12 + 1.0, 1e-12);
  EXPECT_NEAR(curve.at(3), 0.3 + 27 + 1.4, 1e-12);  // the smallest bound from order 3 on is at 8
  EXPECT_NEAR(curve.at(8), 0.8 + 192 + 1.4, 1e-12);
  EXPECT_EQ(curve.at(8.5), kInfinity);
}

// Spec: A-72
TEST(RenyiCurve, TruncatedZcdpEndsAtOmega) {
  RenyiCurve curve;
  curve.add_truncated_zcdp(Rational(1, 2), 5);
  EXPECT_EQ(curve.at(4), 2);
  EXPECT_EQ(curve.at(5), kInfinity);
  RenyiCurve whole;
  whole.add_zcdp(Rational(1, 2));
  const RenyiBound cut = renyi_epsilon_up(curve, 1e-6);
  EXPECT_GT(cut.value, renyi_epsilon_up(whole, 1e-6).value);
  EXPECT_LT(cut.order, 5);
}

// Spec: B-30
TEST(RenyiCurve, ApproximateCurvesSpendDelta) {
  RenyiCurve curve;
  curve.add_zcdp(Rational(1, 2), 1, 1e-7).add([](double) { return 0.0; }, 3, 1e-7);
  expect_close(curve.failure(), 4e-7, 1e-6);
  const double left = *delta_beside_failure_down(1e-6, curve.failure());
  EXPECT_EQ(renyi_epsilon_up(curve, 1e-6).value, renyi_epsilon_up(RenyiCurve().add_zcdp(Rational(1, 2)), left).value);
  EXPECT_EQ(renyi_epsilon_up(curve, 3e-7).value, kInfinity);
  EXPECT_GE(renyi_delta_up(curve, 1000).value, curve.failure());
}

// Spec: B-12
TEST(RenyiConversion, TotalVariationFromKullbackLeibler) {
  expect_close(bretagnolle_huber_up(.5), .62727134502332);
  expect_close(pinsker_up(.5), .5);
  RenyiCurve curve;
  curve.add_zcdp(Rational(1, 2));
  const RenyiBound bound = renyi_epsilon_up(curve, 0.6);  // total variation is 0.383
  EXPECT_EQ(bound.value, 0);
  EXPECT_EQ(bound.order, 1);
  EXPECT_LE(renyi_delta_up(curve, 0).value, 0.51);
}

TEST(RenyiConversion, Limits) {
  EXPECT_EQ(renyi_epsilon_up(RenyiCurve(), 0).value, 0);  // nothing released
  EXPECT_EQ(renyi_delta_up(RenyiCurve(), 0).value, 0);
  RenyiCurve curve;
  curve.add_zcdp(Rational(1));
  EXPECT_EQ(renyi_epsilon_up(curve, 0).value, kInfinity);
  EXPECT_EQ(renyi_epsilon_up(curve, 0).order, 0);
  EXPECT_EQ(renyi_epsilon_up(curve, 1).value, 0);
  RenyiCurve unknown;
  unknown.add([](double) { return std::nan(""); });
  EXPECT_EQ(renyi_epsilon_up(unknown, 1e-6).value, kInfinity);  // fails closed
  EXPECT_EQ(renyi_delta_up(unknown, 5).value, 1);
  EXPECT_EQ(renyi_epsilon_up(curve, 1e-6, std::vector<double>{}).value, kInfinity);
}

TEST(RenyiConversion, FallsWithDeltaAndGrowsWithTheCurve) {
  for (double delta = 1e-30; delta < 0.5; delta *= 50) {
    const double one = renyi_epsilon_up(RenyiCurve().add_zcdp(Rational(1, 3)), delta).value;
    EXPECT_GE(one, renyi_epsilon_up(RenyiCurve().add_zcdp(Rational(1, 3)), 1.1 * delta).value);
    EXPECT_LE(one, renyi_epsilon_up(RenyiCurve().add_zcdp(Rational(1, 3), 2), delta).value);
    EXPECT_GE(one, gaussian_epsilon_down(std::sqrt(2 / 3.0) * (1 - 1e-15), delta));
  }
}

// Spec: A-42
TEST(RenyiOrders, Default) {
  const auto orders = default_orders();
  EXPECT_EQ(orders.size(), 157u);
  EXPECT_EQ(orders.front(), 1.1);
  EXPECT_EQ(orders.back(), 1024);
  EXPECT_TRUE(std::is_sorted(orders.begin(), orders.end()));
}

TEST(Renyi, RefusesBadInput) {
  RenyiCurve curve;
  EXPECT_EQ(refusal([&] { curve.add_zcdp(Rational(-1)); }), Code::out_of_range);
  EXPECT_EQ(refusal([&] { curve.add_zcdp(Rational(1), 0); }), Code::bad_count);
  EXPECT_EQ(refusal([&] { curve.add_table({}); }), Code::bad_weights);
  EXPECT_EQ(refusal([&] { curve.add_table({{1, 0.1}}); }), Code::out_of_range);
  EXPECT_EQ(refusal([&] { curve.add_table({{2, -0.1}}); }), Code::out_of_range);
  EXPECT_EQ(refusal([&] { curve.add_truncated_zcdp(Rational(1), std::nan("")); }), Code::bad_number);
  EXPECT_EQ(refusal([&] { curve.add_zcdp(Rational(1), 1, 1.5); }), Code::bad_probability);
  EXPECT_EQ(refusal([&] { curve.at(1); }), Code::out_of_range);
  EXPECT_EQ(refusal([&] { renyi_epsilon_up(curve, std::nan("")); }), Code::bad_probability);
  EXPECT_EQ(refusal([&] { renyi_delta_up(curve, -1); }), Code::out_of_range);
  EXPECT_EQ(curve.at(2), 0);  // a refused term leaves nothing behind
}

}  // namespace
}  // namespace dither::accounting
