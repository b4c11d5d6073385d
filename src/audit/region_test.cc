#include "audit/region.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "accounting/gaussian.h"
#include "accounting/tradeoff.h"
#include "base/big_interval.h"
#include "base/error.h"
#include "stats/roc.h"
#include "testing/seed.h"

namespace dither::audit {
namespace {

// Lies with probability 1 / (1 + e^epsilon) on either side: both inequalities are equalities.
// Spec: T-32
TEST(Region, RandomisedResponseSitsInTheCorner) {
  for (const double epsilon : {0.01, 0.1, 1.0, 5.0}) {
    const double lie = 1 / (1 + std::exp(epsilon));
    const ErrorRates rates{lie, lie};
    EXPECT_NEAR(rates.false_positive + std::exp(epsilon) * rates.false_negative, 1, 1e-14);
    EXPECT_FALSE(refutes(rates, epsilon * (1 + 1e-12), 0));
    EXPECT_TRUE(refutes(rates, epsilon * (1 - 1e-12), 0));
    EXPECT_NEAR(epsilon_of_rates_down(rates, 0), epsilon, 1e-12);
    const std::vector<AttackPoint> corners = region_corners(epsilon, 0);
    EXPECT_NEAR(corners[1].false_positive_rate, lie, 1e-15);
    EXPECT_NEAR(corners[1].true_positive_rate, 1 - lie, 1e-15);
  }
}

// Laplace noise at 0 and 1 with scale 1 / epsilon, cut at t >= 1: FPR = e^(-epsilon t) / 2 and TPR = e^epsilon FPR, so
// one inequality is an equality for FPR <= e^-epsilon / 2 and a strict one in between 0 and 1.
// Spec: T-32
TEST(Region, LaplaceTouchesAlongItsTail) {
  const double epsilon = 1;
  const auto above = [&](double x) { return x >= 0 ? std::exp(-epsilon * x) / 2 : 1 - std::exp(epsilon * x) / 2; };
  for (const double t : {1.0, 1.5, 3.0, 8.0}) {
    const ErrorRates rates{above(t), 1 - above(t - 1)};
    EXPECT_LE(rates.false_positive, std::exp(-epsilon) / 2 + 1e-16);
    EXPECT_NEAR(std::exp(epsilon) * rates.false_positive + rates.false_negative, 1, 1e-14);
    EXPECT_FALSE(refutes(rates, epsilon + 1e-9, 0));
    EXPECT_TRUE(refutes(rates, epsilon - 1e-9, 0));
  }
  for (const double t : {0.2, 0.5, 0.8}) EXPECT_FALSE(refutes({above(t), 1 - above(t - 1)}, epsilon - 0.01, 0)) << t;
}

// N(0, 1) and N(mu, 1), cut at any t, against every point of mu's own curve: never outside, and on the border where
// the cut is at the point's own likelihood ratio.
// Spec: T-32
TEST(Region, GaussianNeverCrossesItsOwnCurve) {
  const auto above = [](double x) { return std::erfc(x / std::sqrt(2.0)) / 2; };
  for (const double mu : {0.3, 1.0, 2.5}) {
    for (double epsilon = 0; epsilon < 6; epsilon += 0.25) {
      const double delta = accounting::gaussian_delta_up(mu, epsilon);
      for (double t = -4; t <= 6; t += 0.05) {
        EXPECT_FALSE(refutes({above(t), above(mu - t)}, epsilon, delta * (1 + 1e-9) + 1e-15)) << mu << epsilon << t;
      }
      const double own = epsilon / mu + mu / 2;
      EXPECT_NEAR(delta_of_rates_down({above(own), above(mu - own)}, epsilon), delta, 1e-13 + 1e-9 * delta);
      if (delta > 1e-9) {
        EXPECT_TRUE(refutes({above(own), above(mu - own)}, epsilon, delta * 0.999));
      }
    }
  }
}

// Spec: T-32
TEST(Region, TestInversionAndOverlayAgree) {
  std::mt19937_64 choose(testing::run_seed());
  std::uniform_real_distribution<double> unit(0, 1);
  for (int round = 0; round < 2000; ++round) {
    const ErrorRates rates{unit(choose), unit(choose) * unit(choose)};
    const double delta = round % 2 == 0 ? 0 : unit(choose) / 10;
    const double epsilon = epsilon_of_rates_down(rates, delta);
    EXPECT_FALSE(refutes(rates, epsilon + 1e-9, delta));
    if (epsilon > 1e-6) {
      EXPECT_TRUE(refutes(rates, epsilon * (1 - 1e-9), delta));
      // Above the border, as the accountant draws it.
      const double border = accounting::true_positive_rate_up(epsilon * 0.99, delta, rates.false_positive);
      const double swapped = accounting::true_positive_rate_up(epsilon * 0.99, delta, rates.false_negative);
      EXPECT_TRUE(1 - rates.false_negative > border || 1 - rates.false_positive > swapped);
    }
  }
}

// Spec: T-32
TEST(Region, CornersLieOnTheAccountantsBorder) {
  for (const double delta : {0.0, 0.01, 0.3}) {
    for (const AttackPoint& corner : region_corners(1.5, delta)) {
      EXPECT_NEAR(corner.true_positive_rate, accounting::true_positive_rate_up(1.5, delta, corner.false_positive_rate),
                  1e-14);
    }
    EXPECT_EQ(region_corners(1.5, delta).front().true_positive_rate, delta);
  }
}

// No corner lies inside of what is allowed, not by a rounding either.
// Spec: T-32
TEST(Region, CornersAreRoundedOutward) {
  for (const double epsilon : {0.0, 0.1, 1.0, 3.3, 20.0}) {
    for (const double delta : {0.0, 1e-9, 0.1, 0.7}) {
      const BigInterval kept(Rational(1) - Rational::from_double(delta), 192);
      const BigInterval one(Rational(1), 192);
      const BigInterval middle = kept / (one + exp(BigInterval(Rational::from_double(epsilon), 192)));
      const std::vector<AttackPoint> corners = region_corners(epsilon, delta);
      EXPECT_LE(corners[1].false_positive_rate, middle.low_double()) << epsilon << ' ' << delta;
      EXPECT_GE(corners[1].true_positive_rate, (one - middle).high_double()) << epsilon << ' ' << delta;
      EXPECT_LE(corners[2].false_positive_rate, kept.low_double()) << delta;
    }
  }
}

// A random pair of laws on eight outputs: no set of outputs at all beats thresholds of the likelihood ratio, with a
// coin between two of them (Neyman and Pearson). Counts stand for probabilities, so the comparison is exact.
// Spec: A-10
TEST(Region, NoTestBeatsTheLikelihoodRatio) {
  std::mt19937_64 choose(testing::run_seed());
  for (int round = 0; round < 20; ++round) {
    std::vector<int> out(8), in(8);
    std::vector<double> out_scores, in_scores;
    for (std::size_t o = 0; o < 8; ++o) {
      out[o] = 1 + static_cast<int>(choose() % 9);
      in[o] = static_cast<int>(choose() % 10);
      const double ratio = static_cast<double>(in[o]) / out[o];
      out_scores.insert(out_scores.end(), static_cast<std::size_t>(out[o]), ratio);
      in_scores.insert(in_scores.end(), static_cast<std::size_t>(in[o]), ratio);
    }
    if (in_scores.empty()) continue;
    const std::vector<stats::RocStep> hull = stats::Roc(out_scores, in_scores).hull();
    for (int set = 0; set < 256; ++set) {
      std::int64_t alarms = 0, hits = 0;
      for (std::size_t o = 0; o < 8; ++o) {
        alarms += (set >> o & 1) != 0 ? out[o] : 0;
        hits += (set >> o & 1) != 0 ? in[o] : 0;
      }
      for (std::size_t i = 1; i < hull.size(); ++i) {
        EXPECT_LE((hits - hull[i - 1].true_positives) * (hull[i].false_positives - hull[i - 1].false_positives),
                  (hull[i].true_positives - hull[i - 1].true_positives) * (alarms - hull[i - 1].false_positives));
      }
    }
  }
}

TEST(Region, RefusesBadInput) {
  EXPECT_THROW(refutes({1.1, 0}, 1, 0), Error);
  EXPECT_THROW(refutes({0, 0}, -1, 0), Error);
  EXPECT_THROW(refutes({0, 0}, std::nan(""), 0), Error);
  EXPECT_THROW(refutes({0, 0}, 1, 2), Error);
  EXPECT_THROW(region_corners(1, -0.1), Error);
}

}  // namespace
}  // namespace dither::audit
