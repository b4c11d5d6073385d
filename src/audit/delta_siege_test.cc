#include "audit/delta_siege.h"

#include <cstdio>

#include "audit/searching_check.h"

namespace dither::audit {
namespace {

// Spec: T-46
TEST(DeltaSiege, TellsBrokenFromRight) { check::expect_tells_twins(delta_siege, {}); }
TEST(DeltaSiege, FalseAlarmsAreRare) { check::expect_false_alarms_are_rare(delta_siege); }
TEST(DeltaSiege, FindsAScaleALittleTooSmall) { check::expect_finds_a_little(delta_siege); }

// A Gaussian count that promises mu = 1: sigma 0.8 is found on the curve and its severity is at most 1.25 or so; sigma 1
// passes (false alarm 1e-6).
// Spec: T-46
TEST(DeltaSiege, FindsTheWeakPointOfACurve) {
  Effort effort = check::usual();
  effort.certify = 400'000;
  const Report broken = delta_siege(check::gaussian_count(Rational(4, 5)), effort);
  EXPECT_EQ(broken.verdict, Verdict::violated);
  ASSERT_EQ(broken.notes.size(), 1U);
  double times = 0;
  ASSERT_EQ(std::sscanf(broken.notes[0].c_str(), "severity %lf:", &times), 1) << broken.notes[0];
  EXPECT_GT(times, 1);
  EXPECT_LT(times, 1.3);
  EXPECT_EQ(delta_siege(check::gaussian_count(1), effort).verdict, Verdict::none_found);
}

TEST(DeltaSiege, LooksBetweenThePointsOfACurve) {
  const Promise curve = Promise::from_text("mu=1");
  const std::vector<CurvePoint> points = siege_points(curve);
  EXPECT_EQ(points.size(), 5 * curve.epsilons().size() - 4);
  for (std::size_t i = 1; i < points.size(); ++i) {
    EXPECT_GT(points[i].epsilon, points[i - 1].epsilon);
    EXPECT_LE(points[i].delta, points[i - 1].delta);
  }
  EXPECT_EQ(siege_points(Promise::pure(1)).size(), 1U);
}

// The best event of N(0, 1) and N(1.25, 1), whose probabilities are Phi(.625) and Phi(-.625): mu = 1 is 1.25 times too strong,
// although at epsilon 0, where no factor on epsilon helps, the promise is broken too. rho = 1/2 allows a little more.
// Spec: T-46
TEST(Severity, OfACurveIsThatOfItsNoise) {
  const double first = 0.5 * std::erfc(-0.625 / std::sqrt(2.0)), second = 1 - first;
  EXPECT_NEAR(severity(Promise::from_text("mu=1"), first, second), 1.25, 0.02);
  const double rho = severity(Promise::from_text("rho=1/2"), first, second);
  EXPECT_GE(rho, 1);
  EXPECT_LT(rho, 1.25);
}

// Probabilities with ratio e^2 need twice the epsilon of 1; those that are allowed need nothing.
TEST(Severity, IsHowManyTimesEpsilonMustGrow) {
  EXPECT_NEAR(severity(Promise::pure(1), 0.5, 0.5 * std::exp(-2)), 2, 0.05);
  EXPECT_EQ(severity(Promise::pure(1), 0.5, 0.5 * std::exp(-1)), 1);
  EXPECT_EQ(severity(Promise::pure(1), 0.2, 0.5), 1);
  EXPECT_GT(severity(Promise::approximate(1, Rational(1, 100)), 0.5, 0), 10);
}

}  // namespace
}  // namespace dither::audit
