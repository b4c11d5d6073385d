#include "accounting/zcdp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "accounting/closed_forms_check.h"
#include "accounting/failure.h"
#include "accounting/gaussian.h"
#include "base/directed.h"
#include "base/ulps.h"
#include "testing/printers.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

// Spec, B-11, F-22
TEST(Zcdp, ExactRho) {
  EXPECT_NEAR(zcdp_of_gaussian(Rational(100, 121)).to_double_up(), 0.413223140496, 1e-12);
  EXPECT_EQ(zcdp_of_pure(Rational(1, 10)) * Rational(100), Rational(1, 2));  // 100 times, exactly
  EXPECT_EQ(zcdp_of_bounded_range(Rational(2)), Rational(1, 2));
}

// Spec: A-24, F-22
TEST(Zcdp, EpsilonEnclosesTheInfimum) {
  const std::tuple<double, double, const char*> expected[] = {
      {0.5, 1e-6, "5.2215344445301690534428487543462"},      {0.001, 1e-9, "0.24511925387195138096090329428434"},
      {1e-6, 1e-12, "0.0085467659508368914289797269287982"}, {30, 1e-3, "56.836496869710523800100475126779"},
      {0.1, 0.2, "0.14796559640644355977217586514675"},      {2.5, 1e-100, "50.139537978478968721208410893581"},
      {1000, 1e-6, "1231.8793230918424238460901906056"},     {1e-4, 1e-5, "0.045047462087777228832108647957651"}};
  for (const auto& [rho, delta, epsilon] : expected) expect_just_above(zcdp_epsilon_up(rho, delta), epsilon, 1e-13);
  expect_close(zcdp_epsilon_simple_up(.1, 1e-6), 2.450788, 1e-6);
}

// The twin of a public library's slip: an answer for delta rounded down lies below the infimum. (peers, row 16)
// Spec: A-24
TEST(Zcdp, DeltaEnclosesTheInfimum) {
  const std::tuple<double, double, const char*> expected[] = {
      {0.5, 4, "0.00019579541695772159729459851953166"},     {0.01, 1, "1.6641139773879954372235530165086e-13"},
      {0.3, 0, "0.44713119685875845752678887869339"},        {5, 2, "0.9590300485195095507060849268741"},
      {1e-4, 0.5, "6.9518998485918535049994681200387e-276"}, {20, 60, "5.1224069168128963425900767016821e-10"}};
  for (const auto& [rho, epsilon, delta] : expected) expect_just_above(zcdp_delta_up(rho, epsilon), delta, 1e-11);
  EXPECT_GT(zcdp_delta_up(0.02, 10), 0);  // 2.9e-544 is not a double, but it is not 0
  EXPECT_LT(zcdp_delta_up(0.02, 10), 1e-320);
}

// Spec, W-14
TEST(Zcdp, Oracles) {
  expect_close(zcdp_epsilon_simple_up(.5, 1e-6), 5.7565217697569);
  expect_close(zcdp_epsilon_up(.5, 1e-6), 5.2215344445302);
  expect_close(zcdp_rho_simple_down(1, 1e-6), .017468904769123);
  expect_close(zcdp_rho_down(1, 1e-6), .024355970359538);
  const double l = std::log(1e6);
  EXPECT_GE(zcdp_rho_simple_down(1, 1e-6), 1 / (4 * l + 4));
  EXPECT_LE(zcdp_rho_simple_down(1, 1e-6), 1 / (4 * l));
  const double mu = gaussian_mu_down(1, 1e-6);
  expect_close(mu * mu / 2, .02801448191263);
  expect_close(zcdp_rho_down(1, 1e-9), .014973, 5e-5);
  expect_close(zcdp_rho_down(.1, 1e-9), 1.7714e-4, 5e-5);
  expect_close(zcdp_rho_down(10, 1e-9), 1.0908, 5e-5);
}

// Spec: A-29, F-29
TEST(Zcdp, NoiseScaling) {
  expect_close(std::sqrt(100 / (2 * zcdp_rho_simple_down(1, 1e-6))), 53.499800619763);  // Laplace scale for k = 100
  expect_close(zcdp_epsilon_simple_up(100 / (2.0 * 1600), 1e-6), 1.345380, 1e-6);
}

// The inverse is where the forward bound stops holding.
// Spec: W-13, W-14
TEST(Zcdp, InverseIsSafeAndTight) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> log_epsilon(-5, 3);
  std::uniform_real_distribution<double> log_delta(-60, -0.01);
  for (int i = 0; i < 2000; ++i) {
    const double epsilon = std::pow(10, log_epsilon(random));
    const double delta = std::pow(10, log_delta(random));
    const double rho = zcdp_rho_down(epsilon, delta);
    EXPECT_LE(zcdp_epsilon_up(rho, delta), epsilon);
    EXPECT_GT(zcdp_epsilon_up(rho * (1 + 1e-12), delta), epsilon * (1 - 1e-12)) << epsilon << " " << delta;
    EXPECT_GE(rho, zcdp_rho_simple_down(epsilon, delta));
  }
}

// Never below what Gaussian noise of that rho really loses, never above the simple form, never negative, monotone.
TEST(Zcdp, LiesBetweenGaussianAndSimple) {
  for (double rho = 1e-6; rho < 100; rho *= 3.1) {
    for (const double delta : {1e-300, 1e-20, 1e-6, 0.01, 0.3, 0.9, 0.999999}) {
      const double epsilon = zcdp_epsilon_up(rho, delta);
      EXPECT_GE(epsilon, 0);
      EXPECT_GE(epsilon, gaussian_epsilon_down(sqrt_down(2 * rho), delta)) << rho << " " << delta;
      EXPECT_LE(epsilon, zcdp_epsilon_simple_up(rho, delta));
      EXPECT_LE(epsilon, zcdp_epsilon_up(1.01 * rho, delta));
      EXPECT_GE(epsilon, zcdp_epsilon_up(rho, std::min(1.0, 1.01 * delta)));
    }
    for (const double epsilon : {0.0, 0.1, 1.0, 10.0, 500.0}) {
      EXPECT_GE(zcdp_delta_up(rho, epsilon), gaussian_delta_down(sqrt_down(2 * rho), epsilon));
      EXPECT_LE(zcdp_delta_up(rho, epsilon), 1);
      EXPECT_GE(zcdp_delta_up(rho, epsilon), zcdp_delta_up(rho, epsilon + 0.1));
    }
  }
}

TEST(Zcdp, Limits) {
  EXPECT_EQ(zcdp_epsilon_up(0, 0), 0);
  EXPECT_EQ(zcdp_epsilon_up(1, 0), kInfinity);  // and it returns
  EXPECT_EQ(zcdp_epsilon_up(1, 1), 0);
  EXPECT_EQ(zcdp_delta_up(0, 0), 0);
  EXPECT_LE(zcdp_delta_up(1e300, 0), 1);
  EXPECT_EQ(zcdp_rho_down(1, 0), 0);
  EXPECT_EQ(zcdp_rho_down(1, 1), kInfinity);
  EXPECT_LE(zcdp_epsilon_up(zcdp_rho_down(0, 0.1), 0.1), 0);
  EXPECT_GE(zcdp_epsilon_up(1e-300, 1e-300), 0);
  EXPECT_GE(zcdp_epsilon_up(1e300, 1e-300), 1e300);
}

TEST(Zcdp, RefusesBadInput) {
  EXPECT_EQ(refusal([] { zcdp_epsilon_up(-1, 0.1); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { zcdp_epsilon_up(std::nan(""), 0.1); }), Code::bad_number);
  EXPECT_EQ(refusal([] { zcdp_epsilon_up(kInfinity, 0.1); }), Code::bad_number);
  EXPECT_EQ(refusal([] { zcdp_epsilon_up(1, -0.1); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { zcdp_delta_up(1, -1); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { zcdp_rho_down(1, 2); }), Code::bad_probability);
}

// Spec: B-30, A-64, A-31
TEST(Failure, Composes) {
  expect_just_above(FailureProbability().add(.001, 10).up(), "0.00995511979", 1e-8);
  expect_close(FailureProbability().add(1e-6, 10).up(), 9.99995500012e-6);
  FailureProbability mixed;
  mixed.add(1e-8, 50).add(1e-8, 25);
  expect_close(*delta_beside_failure_down(1e-5, mixed.up()), 9.2500072150028e-6);
  EXPECT_EQ(FailureProbability().up(), 0);
  EXPECT_EQ(FailureProbability().add(1).up(), 1);
  EXPECT_EQ(FailureProbability().add(0, 1'000'000'000'000).up(), 0);
}

TEST(Failure, SplitsDelta) {
  EXPECT_EQ(delta_beside_failure_down(0.1, 0), 0.1);
  EXPECT_EQ(delta_beside_failure_down(0.1, 0.2), std::nullopt);
  EXPECT_EQ(delta_beside_failure_down(0.5, 0.5), 0.0);
  EXPECT_EQ(delta_beside_failure_down(1, 0.5), 1.0);
  EXPECT_EQ(delta_with_failure_up(0.5, 0.5), 0.75);
  for (const double failure : {1e-12, 1e-3, 0.7}) {
    const double back = delta_with_failure_up(*delta_beside_failure_down(0.9, failure), failure);
    EXPECT_NEAR(back, 0.9, 1e-15);
  }
  EXPECT_EQ(refusal([] { delta_beside_failure_down(-1, 0); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { FailureProbability().add(2); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { FailureProbability().add(0.1, 0); }), Code::bad_count);
}

}  // namespace
}  // namespace dither::accounting
