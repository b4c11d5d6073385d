#include "accounting/renyi_curves.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "accounting/closed_forms_check.h"
#include "base/ulps.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

// Spec: B-11, F-22, A-26
TEST(RenyiCurves, PureAndLaplaceEncloseTheExactValue) {
  const std::tuple<double, double, const char*, const char*> expected[] = {
      {2, 1, "0.735325664055519224709930424887", "0.619123629998592883399788536544"},
      {10, 0.5, "0.447333096094280287365676738439", "0.428690386467274833491612031039"},
      {1.001, 1e-5, "5.0049999999582084347617015544e-11", "5.00498331670829168534382744432e-11"},
      {1.5, 30, "29.9999999999998128475406232228", "29.4246358550964381451215619939"},
      {300, 4, "3.99993929789994043565098667787", "3.99768736079110619301211046479"},
      {32, 0.01, "0.00157421320335529968724646410096", "0.00156910854550839702103229472895"},
      {2, 1e-9, "1.00000000000000012414651624889e-18", "9.99999999666666790979849520195e-19"},
      {1000, 0.2, "0.199401262393011430687128046951", "0.199306659604085833913543599433"}};
  for (const auto& [order, epsilon, pure, laplace] : expected) {
    expect_just_above(pure_renyi_up(order, epsilon), pure, 1e-13);
    expect_just_above(laplace_renyi_up(order, epsilon), laplace, 1e-13);
  }
}

// Spec
TEST(RenyiCurves, GaussianAndBoundedLoss) {
  EXPECT_EQ(gaussian_renyi_up(3, 0.5), .375);
  EXPECT_EQ(bounded_loss_renyi_up(4, 1, 1), 2);
  expect_close(pure_renyi_up(4, 1), .89588325964518);
  EXPECT_GE(bounded_loss_renyi_up(2, 1, 1), pure_renyi_up(2, 1));
}

// Spec: A-49
TEST(RenyiCurves, Mixture) {
  expect_close(mixture_renyi_up(2, .01, .1, 5), .947111184471);
  expect_close(mixture_renyi_up(2, .99, 5, .1), .947111184471);
  EXPECT_EQ(mixture_renyi_up(2, 0, .1, 5), .1);
  EXPECT_NEAR(mixture_renyi_up(2, 1, .1, 5), 5, 1e-13);
  EXPECT_NEAR(mixture_renyi_up(1000, .5, 0, 900), 900 - std::log(2.0) / 999, 1e-9);
}

// Every curve grows with its order and stays below what bounds it.
// Spec: A-46
TEST(RenyiCurves, GrowWithTheOrder) {
  for (const double epsilon : {1e-8, 0.01, 0.5, 3.0, 40.0}) {
    double pure = 0;
    double laplace = 0;
    for (double order = 1.0001; order < 1e5; order = 1 + 1.5 * (order - 1)) {
      EXPECT_GE(pure_renyi_up(order, epsilon), pure * (1 - 1e-12));
      EXPECT_GE(laplace_renyi_up(order, epsilon), laplace * (1 - 1e-12));
      pure = pure_renyi_up(order, epsilon);
      laplace = laplace_renyi_up(order, epsilon);
      EXPECT_LE(laplace, pure);
      EXPECT_LE(pure, epsilon);
      EXPECT_LE(pure, bounded_loss_renyi_up(order, epsilon, epsilon) * (1 + 1e-12));
    }
  }
}

TEST(RenyiCurves, RefuseBadInput) {
  EXPECT_EQ(refusal([] { pure_renyi_up(1, 1); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { laplace_renyi_up(2, -1); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { gaussian_renyi_up(std::nan(""), 1); }), Code::bad_number);
  EXPECT_EQ(refusal([] { bounded_loss_renyi_up(2, 1, kInfinity); }), Code::bad_number);
  EXPECT_EQ(refusal([] { mixture_renyi_up(2, 1.5, 1, 1); }), Code::bad_probability);
}

}  // namespace
}  // namespace dither::accounting
