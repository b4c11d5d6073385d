#include "accounting/gaussian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "accounting/closed_forms_check.h"
#include "accounting/zcdp.h"
#include "base/big_interval.h"
#include "base/directed.h"
#include "base/ulps.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

// delta(epsilon) in intervals; the difference loses about 1 / mu.
BigInterval exact_delta(double mu, double epsilon) {
  const long bits = mu < 1e-10 ? 800 : 200;
  const BigInterval m(Rational::from_double(mu), bits);
  const BigInterval e(Rational::from_double(epsilon), bits);
  const BigInterval half(Rational(1, 2), bits);
  const BigInterval root_two = sqrt(BigInterval(Rational(2), bits));
  return half * (erfc((e / m - half * m) / root_two) - exp(e) * erfc((e / m + half * m) / root_two));
}

void expect_encloses(double mu, double epsilon, double relative) {
  const BigInterval exact = exact_delta(mu, epsilon);
  const double down = gaussian_delta_down(mu, epsilon);
  const double up = gaussian_delta_up(mu, epsilon);
  EXPECT_FALSE(exact.surely_below(Rational::from_double(down))) << mu << " " << epsilon;
  EXPECT_FALSE(exact.surely_above(Rational::from_double(up))) << mu << " " << epsilon;
  EXPECT_LE(up - down, relative * up + 1e-300) << mu << " " << epsilon;
}

int nightly(int usual, int at_night) { return std::getenv("DITHER_NIGHTLY") != nullptr ? at_night : usual; }

// Spec: A-14, O-01, O-02
TEST(GaussianDelta, Oracles) {
  const double expected[][3] = {
      {1, 0, .38292492254802621},    {1, 1, .12693673750664395},       {1, 2, .020923635821113731},
      {1, 4, 4.7122412007931199e-5}, {.5, 1, .0068295949831145754},    {.2, 1, 1.7546333318962327e-8},
      {2, 1, .50986166005467015},    {1e-6, 1e-6, 8.3315512245425e-8}, {10, 200, 1.46220517756907e-51},
      {1, 20, 2.6647067053655e-86},  {1, 10, 9.8127058268e-23}};
  for (const auto& [mu, epsilon, delta] : expected) {
    expect_close(gaussian_delta_up(mu, epsilon), delta, 2e-11);
    expect_close(gaussian_delta_down(mu, epsilon), delta, 2e-11);
  }
}

// Spec: O-03, O-04, O-05, O-06, A-18
TEST(GaussianEpsilon, Oracles) {
  const double expected[][3] = {
      {1, 1e-5, 4.3771780956812246},  {1, 1e-6, 4.8865541174622120},  {1, 1e-9, 6.1739350466709080},
      {.5, 1e-5, 1.9930914044151196}, {.5, 1e-6, 2.2540846502197409}, {.5, 1e-9, 2.9097323807636170},
      {.1, 1e-6, .39685737764408359}, {4, 1e-6, 26.356963925325814},  {.25, 1e-6, 1.060702}};
  for (const auto& [mu, delta, epsilon] : expected) {
    const double digits = mu == .25 ? 1e-6 : 1e-11;
    expect_close(gaussian_epsilon_up(mu, delta), epsilon, digits);
    expect_close(gaussian_epsilon_down(mu, delta), epsilon, digits);
  }
  expect_close(gaussian_epsilon_up(std::sqrt(1000.0 / 2500), 1e-5), 2.5943833805276);
  expect_close(gaussian_delta_up(std::sqrt(1000.0 / 2500), 1), .024421026245318);
  expect_close(gaussian_epsilon_up(std::sqrt(.3), 1e-6), 2.4919620486808);  // sigma 2, 5, 10
  expect_close(gaussian_epsilon_up(std::sqrt(.3), 1e-5), 2.2070594697595);  // sigma 10, 30 times
}

// Spec: B-28
TEST(GaussianMu, CalibrationOracles) {
  const double expected[][3] = {
      {1, 1e-5, 3.7306316348159}, {1, 1e-6, 4.2246788893268}, {.1, 1e-6, 36.304690426196}, {8, 1e-6, .65293538435822}};
  for (const auto& [epsilon, delta, sigma] : expected) {
    const double mu = gaussian_mu_down(epsilon, delta);
    expect_close(1 / mu, sigma, 1e-11);
    EXPECT_LE(gaussian_delta_up(mu, epsilon), delta);
    EXPECT_GE(gaussian_mu_up(epsilon, delta), mu);
  }
}

// At distance d, with d epsilon, delta grows: one delta does not serve all distances.
// Spec: F-14
TEST(GaussianDelta, GrowsWithTheDistance) {
  const auto at_distance = [](double sigma, int d) { return gaussian_delta_up(d / sigma, d); };
  expect_close(at_distance(3.7306316348159, 1), 1e-5, 1e-10);
  expect_close(at_distance(3.7306316348159, 2), 3.218e-5, 1e-3);
  const double classical = std::sqrt(2 * std::log(1.25e5));
  expect_close(classical, 4.844805, 1e-6);
  EXPECT_LE(at_distance(classical, 8), 1e-5);
  EXPECT_GT(at_distance(classical, 9), 1e-5);
  expect_close(at_distance(classical, 10), 2.265e-5, 1e-3);
  expect_close(at_distance(classical, 50), .586, 1e-3);
}

TEST(GaussianDelta, EnclosesTheExactValue) {
  std::mt19937_64 random(20240501);
  std::uniform_real_distribution<double> log_mu(-8, 3);
  std::uniform_real_distribution<double> z(-9, 36.5);
  for (int i = 0; i < nightly(300, 20000); ++i) {
    const double mu = std::pow(10, log_mu(random));
    const double epsilon = i % 5 == 0 ? 0 : std::max(0.0, mu * (0.5 * mu + z(random)));
    expect_encloses(mu, epsilon, mu < 1e-3 || mu > 1e3 ? 1e-9 : 1e-11);
  }
}

// The seams between the three formulas, huge noise and huge mu.
TEST(GaussianDelta, EnclosesTheExactValueInCorners) {
  for (const double c : {0.0, 0.5, 0.999, 1.0, 1.001, 2.999, 3.0, 3.001, 12.0, 35.0}) {
    for (const double mu : {1e-150, 1e-12, .0099, .01, .0101, .0299, .03, .0301, .5, 2.0, 2.0001, 60.0}) {
      expect_encloses(mu, c * mu, 1e-10);
    }
  }
  expect_encloses(1e6, 5e11, 1e-5);
  EXPECT_EQ(gaussian_delta_up(1e160, 1), 1);
  EXPECT_GT(gaussian_delta_down(1e160, 1), 1 - 1e-12);
  EXPECT_LE(gaussian_delta_up(1e-300, 1e300), 1e-300);
  EXPECT_GE(gaussian_delta_up(1e-310, 1e-310), gaussian_delta_down(1e-310, 1e-310));
}

TEST(GaussianEpsilon, BothEndsEncloseAndAreTight) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> log_mu(-3, 3);
  std::uniform_real_distribution<double> log_delta(-300, -0.05);
  for (int i = 0; i < nightly(500, 20000); ++i) {
    const double mu = std::pow(10, log_mu(random));
    const double delta = std::pow(10, i % 2 == 0 ? log_delta(random) : log_delta(random) / 30);
    const double up = gaussian_epsilon_up(mu, delta);
    const double down = gaussian_epsilon_down(mu, delta);
    EXPECT_LE(gaussian_delta_up(mu, up), delta);  // verified at the double returned
    if (down > 0) {
      EXPECT_GE(gaussian_delta_down(mu, down), delta);
    }
    EXPECT_LE(down, up);
    EXPECT_LE(up - down, 1e-11 * std::max(1.0, up)) << mu << " " << delta;
  }
}

TEST(GaussianMu, BothEndsEncloseAndAreTight) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> log_epsilon(-6, 3);
  std::uniform_real_distribution<double> log_delta(-300, -0.05);
  for (int i = 0; i < nightly(500, 20000); ++i) {
    const double epsilon = i % 10 == 0 ? 0 : std::pow(10, log_epsilon(random));
    const double delta = std::pow(10, i % 2 == 0 ? log_delta(random) : log_delta(random) / 30);
    const double down = gaussian_mu_down(epsilon, delta);
    const double up = gaussian_mu_up(epsilon, delta);
    EXPECT_LE(gaussian_delta_up(down, epsilon), delta);
    EXPECT_GE(gaussian_delta_down(up, epsilon), delta);
    EXPECT_LE(up - down, 1e-10 * up) << epsilon << " " << delta;
  }
}

TEST(Gaussian, GrowsAndFallsAsItShould) {
  for (double mu = 0.05; mu < 6; mu *= 1.3) {
    for (double epsilon = 0; epsilon < 8; epsilon += 0.37) {
      EXPECT_GE(gaussian_delta_up(mu, epsilon), gaussian_delta_up(mu, epsilon + 0.1));
      EXPECT_LE(gaussian_delta_up(mu, epsilon), gaussian_delta_up(mu * 1.01, epsilon));
    }
    for (double delta = 1e-12; delta < 0.3; delta *= 7) {
      EXPECT_GE(gaussian_epsilon_up(mu, delta), gaussian_epsilon_up(mu, 1.01 * delta));
      EXPECT_LE(gaussian_epsilon_up(mu, delta), gaussian_epsilon_up(1.01 * mu, delta));
    }
  }
}

TEST(Gaussian, Limits) {
  EXPECT_EQ(gaussian_delta_up(0, 0), 0);  // nothing about the data is released
  EXPECT_EQ(gaussian_epsilon_up(0, 0), 0);
  EXPECT_EQ(gaussian_epsilon_up(1, 0), kInfinity);  // Gaussian noise is not pure
  EXPECT_EQ(gaussian_epsilon_down(1, 0), kInfinity);
  EXPECT_EQ(gaussian_epsilon_up(1, 1), 0);
  EXPECT_EQ(gaussian_epsilon_up(1, 0.4), 0);  // total variation is 0.383
  EXPECT_EQ(gaussian_epsilon_down(1, 0.4), 0);
  EXPECT_EQ(gaussian_mu_down(1, 0), 0);
  EXPECT_EQ(gaussian_mu_up(1, 1), kInfinity);
  EXPECT_EQ(gaussian_epsilon_up(1, 5e-324), kInfinity);  // below what can be certified
}

TEST(Gaussian, RefusesBadInput) {
  EXPECT_EQ(refusal([] { gaussian_delta_up(std::nan(""), 1); }), Code::bad_number);
  EXPECT_EQ(refusal([] { gaussian_delta_down(1, kInfinity); }), Code::bad_number);
  EXPECT_EQ(refusal([] { gaussian_delta_up(-1, 1); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { gaussian_delta_up(1, -1e-9); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { gaussian_epsilon_up(1, 1.1); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { gaussian_epsilon_down(1, std::nan("")); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { gaussian_mu_down(1, -0.1); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { gaussian_mu_up(kInfinity, 0.1); }), Code::bad_number);
}

// Spec
TEST(GaussianTail, IsAboveDeltaAndBelowTheReadableBounds) {
  const double r = 0.5;
  const double epsilon = 4;
  const double tail = gaussian_tail_up(1, epsilon);
  expect_close(tail, 2.32629079035525e-4);
  EXPECT_LE(gaussian_tail_down(1, epsilon), tail);
  EXPECT_LT(gaussian_delta_up(1, epsilon), tail);
  const double pi = std::acos(-1.0);
  const double readable =
      std::exp(-(epsilon - r) * (epsilon - r) / (4 * r)) / std::max(2.0, std::sqrt(pi / r) * (epsilon - r));
  const double chernoff = std::exp(-(epsilon - r) * (epsilon - r) / (4 * r));
  expect_close(readable, 2.493379e-4, 1e-6);
  expect_close(chernoff, 2.187491e-3, 1e-6);
  EXPECT_LE(tail, readable);
  EXPECT_LE(readable, chernoff);
}

// The statement after the book's theorem 3.22, taken literally: (epsilon, delta)-DP if and only if the loss stays
// within epsilon but for probability delta.
bool tail_says_private(double mu, double epsilon, double delta) { return gaussian_tail_down(mu, epsilon) <= delta; }
bool profile_says_private(double mu, double epsilon, double delta) { return gaussian_delta_up(mu, epsilon) <= delta; }

// N(1, 1) and N(0, 1) are (1, 0.127)-close, though the loss exceeds 1 with probability 0.31.
template <typename Verdict>
bool accepts_the_tight_point(const Verdict& is_private) {
  return is_private(1, 1, 0.127);
}

// Spec: F-11, C-08
TEST(GaussianTail, ProfileAcceptsTheTightPoint) {
  EXPECT_TRUE(accepts_the_tight_point(profile_says_private));
  expect_close(gaussian_tail_up(1, 1), 0.308538, 2e-6);
  // The converse that does hold: P(loss > e') <= delta / (1 - e^(epsilon - e')).
  EXPECT_LE(gaussian_tail_up(1, 2), gaussian_delta_up(1, 1) / -std::expm1(-1.0));
}
TEST(GaussianTail, PlantedC08TailEquivalenceIsCaught) { EXPECT_FALSE(accepts_the_tight_point(tail_says_private)); }

// The end of the book's proof of corollary 3.10, taken literally: Phi where 1 - Phi is meant.
double printed_delta(double mu, double epsilon) {
  const double phi_a = std::exp(log_ndtr_up(epsilon / mu - mu / 2));
  const double phi_b = std::exp(log_ndtr_up(epsilon / mu + mu / 2));
  return phi_a - std::exp(epsilon) * phi_b;
}
bool gives_o01(double (*delta)(double, double)) { return std::fabs(delta(1, 1) - .12693673750664395) < 1e-9; }

// Spec: C-04
TEST(GaussianDelta, GivesO01) { EXPECT_TRUE(gives_o01(gaussian_delta_up)); }
TEST(GaussianDelta, PlantedC04PhiIsCaught) { EXPECT_FALSE(gives_o01(printed_delta)); }

// Spec
TEST(GaussianDelta, OverlapAndTheConcentratedBound) {
  expect_close(1 - gaussian_delta_up(1, 1), .87306326249336);  // int min{P, e Q}
  EXPECT_GE(zcdp_epsilon_up(0.5, 1e-6), gaussian_epsilon_up(1, 1e-6));
}

}  // namespace
}  // namespace dither::accounting
