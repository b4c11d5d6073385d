#include "accounting/group.h"

#include <gtest/gtest.h>

#include <cmath>

#include "accounting/closed_forms_check.h"
#include "accounting/renyi_curves.h"
#include "base/ulps.h"
#include "testing/printers.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

// Spec: A-50, W-14, F-25, F-32
TEST(Group, EachMeasureByItsOwnRule) {
  EXPECT_EQ(group_epsilon(Rational(1, 10), 3), Rational(3, 10));
  EXPECT_EQ(group_rho(Rational(1, 10), 3), Rational(9, 10));
  EXPECT_EQ(group_squared_mu(Rational(1, 100), 3), Rational(9, 100));
  expect_close(group_delta_up(.5, 1e-6, 3), 5.3670030991592e-6);
  expect_close(group_delta_up(.5, 1e-6, 2), 2.648721e-6, 1e-6);
  // The readable bounds, never better: K e^(K-1)eps delta and K e^(K eps) delta.
  EXPECT_LE(group_delta_up(.5, 1e-6, 3), 8.154845e-6);
  expect_close(3e-6 * std::exp(1.0), 8.154845e-6, 1e-6);
  expect_close(3e-6 * std::exp(1.5), 1.344507e-5, 1e-6);
}

TEST(Group, Limits) {
  EXPECT_EQ(group_delta_up(0, 1e-6, 1000), 1e-3);
  EXPECT_EQ(group_delta_up(1, 0, 5), 0);
  EXPECT_EQ(group_delta_up(1, 1e-6, 1'000'000), 1);
  EXPECT_NEAR(group_delta_up(.3, .01, 1), .01, 1e-16);
  EXPECT_GE(group_delta_up(.3, .01, 1), .01);
  EXPECT_EQ(refusal([] { group_rho(Rational(1), 0); }), Code::bad_count);
  EXPECT_EQ(refusal([] { group_delta_up(-1, .1, 2); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { group_delta_up(1, 1.1, 2); }), Code::bad_probability);
}

// Spec: A-50
TEST(Triangle, Concentrated) {
  EXPECT_EQ(triangle_rho_up(.5, .125), 1.125);
  EXPECT_EQ(triangle_rho_up(0, .125), .125);
  EXPECT_NEAR(triangle_rho_up(triangle_rho_up(.1, .1), .1), .9, 1e-14);  // three steps: 9 rho
}

// A way through Q with one c > order: the order that goes with the first curve.
using InnerOrder = double (*)(double order, double c);
double hoelder_order(double order, double c) { return order * (c - 1) / (c - order); }
double printed_in_the_lemma(double order, double c) { return order * (c - 1) / c; }
double printed_in_the_text(double order, double c) { return order * (c - 1) / order; }

// Gaussians P, Q, R at distances sqrt(2 rho1), sqrt(2 rho2): the true divergence of P from R is
// (sqrt rho1 + sqrt rho2)^2 order, and no valid bound is below it for any c.
bool is_sound_for_gaussians(InnerOrder inner) {
  for (const double order : {1.5, 2.0, 5.0, 20.0}) {
    for (double c = order * 1.001; c < 1000 * order; c *= 1.1) {
      if (!(inner(order, c) > 1)) continue;
      const double bound = c / (c - 1) * .5 * inner(order, c) + .125 * c;
      if (bound < 1.125 * order * (1 - 1e-12)) return false;
    }
  }
  return true;
}

// Spec: C-03, A-50
TEST(Triangle, HoelderOrderIsSound) { EXPECT_TRUE(is_sound_for_gaussians(hoelder_order)); }
TEST(Triangle, PlantedC03PrintedOrderIsCaught) {
  EXPECT_FALSE(is_sound_for_gaussians(printed_in_the_lemma));
  EXPECT_FALSE(is_sound_for_gaussians(printed_in_the_text));
}

// For Gaussians the best c gives the exact divergence.
// Spec: A-50
TEST(Triangle, RenyiFindsTheBestWay) {
  const auto curve = [](double mu) { return [mu](double order) { return gaussian_renyi_up(order, mu); }; };
  for (const double order : {1.1, 1.5, 2.0, 7.3, 50.0}) {
    const double bound = triangle_renyi_up(order, curve(1), curve(.5));
    EXPECT_GE(bound, 1.125 * order);
    EXPECT_LE(bound, 1.125 * order * (1 + 1e-9));
  }
  const auto unknown = [](double) { return kInfinity; };
  EXPECT_EQ(triangle_renyi_up(2, curve(1), unknown), kInfinity);
  EXPECT_EQ(refusal([&] { triangle_renyi_up(1, curve(1), curve(1)); }), Code::out_of_range);
}

}  // namespace
}  // namespace dither::accounting
