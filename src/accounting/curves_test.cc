#include "accounting/curves.h"

#include <gtest/gtest.h>

#include <cmath>

#include "accounting/native_atoms.h"
#include "base/error.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

Rational decimal(const char* text) { return Rational::parse(text); }

std::vector<Curve> some_curves() {
  return {ApproximateDp{decimal("0.1"), decimal("1e-6")},
          ConcentratedDp{decimal("0.5"), 0},
          RenyiTable{{{1.5, 0.1}, {2, 0.25}, {64, 7.0 / 3}}, 1e-9},
          GaussianDp{decimal("1")},
          TradeoffCurve{{{0, 0.4}, {1, 0.13}, {4, 5e-5}}},
          LossCurve{View::remove, LossCurve::Side::pessimistic, black_box(Rational(1), decimal("1e-6"))}};
}

// Spec: A-01
TEST(Curves, ReadBackEqualAndPrintTheSameBytes) {
  for (const Curve& curve : some_curves()) {
    const std::string text = canonical_json(curve);
    const Curve again = curve_from_json(text);
    EXPECT_EQ(again.index(), curve.index());
    EXPECT_EQ(canonical_json(again), text);
    for (const double delta : {1e-9, 1e-5, 0.1}) EXPECT_EQ(epsilon_up(again, delta), epsilon_up(curve, delta)) << text;
  }
  EXPECT_EQ(canonical_json(some_curves()[2]),
            R"({"format":"dither-curve","version":1,"kind":"renyi","bounds":[["0x1.8p+0","0x1.999999999999ap-4"],)"
            R"(["0x1p+1","0x1p-2"],["0x1p+6","0x1.2aaaaaaaaaaabp+1"]],"delta":"0x1.12e0be826d695p-30"})");
}

// Spec: A-24, A-14, A-64
TEST(Curves, ConvertByTheBestTheoremOfTheirMeasure) {
  EXPECT_NEAR(epsilon_up(ConcentratedDp{decimal("0.5"), 0}, 1e-6), 5.2215344445302, 1e-10);
  EXPECT_NEAR(delta_up(ConcentratedDp{decimal("0.5"), 0}, 4), 1.9579541695772e-4, 1e-14);
  EXPECT_NEAR(epsilon_up(GaussianDp{1}, 1e-6), 4.8865541174622, 1e-10);
  EXPECT_NEAR(delta_up(GaussianDp{1}, 1), 0.12693673750664395, 1e-12);
  EXPECT_EQ(epsilon_up(ApproximateDp{1, 0}, 0), 1);
  EXPECT_TRUE(std::isinf(epsilon_up(ApproximateDp{1, decimal("1e-6")}, 1e-7)));
  EXPECT_NEAR(epsilon_up(LossCurve{View::add, LossCurve::Side::pessimistic, black_box(Rational(1), 0)}, 0.1),
              epsilon_up(ApproximateDp{1, 0}, 0.1), 1e-9);
}

TEST(Curves, FallWithDeltaAndEpsilon) {
  for (const Curve& curve : some_curves()) {
    double last = std::numeric_limits<double>::infinity();
    for (const double delta : {1e-8, 1e-6, 1e-4, 1e-2, 0.5, 1.0}) {
      EXPECT_LE(epsilon_up(curve, delta), last);
      EXPECT_GE(epsilon_up(curve, delta), 0);
      last = epsilon_up(curve, delta);
    }
    last = 1;
    for (const double epsilon : {0.0, 0.5, 1.0, 4.0}) {
      EXPECT_LE(delta_up(curve, epsilon), last);
      last = delta_up(curve, epsilon);
    }
  }
}

TEST(Curves, OfAReleaseAgreeWithEachOther) {
  const Cost laplace = cost({{}, DiscreteLaplace{Rational(2)}, 1}, Neighbours::add_remove);
  const std::vector<Curve> curves = curves_of(laplace);
  ASSERT_EQ(curves.size(), 5u);  // pure, zCDP, Renyi, and the loss in two views
  const double exact = epsilon_up(curves.back(), 1e-3);
  for (const Curve& curve : curves) EXPECT_GE(epsilon_up(curve, 1e-3), exact - 1e-9);
}

TEST(Curves, BatchesThatMayBeCutHaveNone) {
  const Event event{Poisson{decimal("0.01"), Poisson::Cut{110, 10000}}, Gaussian{Rational(1)}, 1};
  EXPECT_EQ(testing::refusal([&] { curves_of(cost(event, Neighbours::add_remove)); }), Code::no_theorem);
}

TEST(Curves, WhatIsNoCurveIsRefused) {
  const auto refused = [](const std::string& body) {
    return testing::refusal([&] { curve_from_json(R"({"format":"dither-curve","version":1,)" + body + "}"); });
  };
  EXPECT_EQ(refused(R"("kind":"gdp","squared_mu":"-1/2")"), Code::bad_number);
  EXPECT_EQ(refused(R"("kind":"gdp","squared_mu":-1)"), Code::bad_number);
  EXPECT_EQ(refused(R"("kind":"gdp","squared_mu":1,"mu":1)"), Code::unknown_key);
  EXPECT_EQ(refused(R"("kind":"zcdp","rho":1)"), Code::missing_key);
  EXPECT_EQ(refused(R"("kind":"zcdp","rho":1,"delta":2)"), Code::bad_probability);
  EXPECT_EQ(refused(R"("kind":"renyi","bounds":[["0x1p+1","0.5"]],"delta":"0x0p+0")"), Code::bad_number);
  EXPECT_EQ(refused(R"("kind":"renyi","bounds":[["0x1p+1","0x1p+0"],["0x1p+1","0x1p+0"]],"delta":"0x0p+0")"),
            Code::bad_weights);
  EXPECT_EQ(
      refused(R"("kind":"loss","view":"add","side":"pessimistic","atoms":[["0x1p+0","0x1p-1"]],"infinite":"0x0p+0")"),
      Code::bad_weights);
  EXPECT_EQ(testing::refusal([] { curve_from_json("{}"); }), Code::missing_key);
  EXPECT_EQ(testing::refusal([] { epsilon_up(GaussianDp{1}, NAN); }), Code::bad_probability);
  const LossCurve hopeful{View::add, LossCurve::Side::optimistic, no_loss()};
  EXPECT_EQ(testing::refusal([&] { epsilon_up(hopeful, 0.1); }), Code::no_theorem);
}

}  // namespace
}  // namespace dither::accounting
