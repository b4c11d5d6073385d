#include "accounting/key_release.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "accounting/native_atoms.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

double discrete_tail(const std::function<double(double)>& weight, int at) {
  double above = 0;
  double all = 0;
  for (int k = -4000; k <= 4000; ++k) {
    all += weight(k);
    if (k >= at) above += weight(k);
  }
  return above / all;
}

void expect_just_above(double bound, double truth, double slack) {
  EXPECT_GE(bound, truth * (1 - 1e-13));
  EXPECT_LE(bound, truth * (1 + slack) + 1e-300);
}

// Spec: B-31
TEST(KeyRelease, TailsAreThoseOfTheNoise) {
  for (const int threshold : {-3, 0, 1, 2, 5, 30}) {
    const int at = threshold - 1;
    const double laplace = at >= 0 ? .5 * std::exp(-at / 3.5) : 1 - .5 * std::exp(at / 3.5);
    expect_just_above(key_shown_up(KeyNoise::laplace, Rational(7, 2), threshold, 1), laplace, 1e-13);
    expect_just_above(key_shown_up(KeyNoise::gaussian, Rational(7, 2), threshold, 1),
                      .5 * std::erfc(at / 3.5 / M_SQRT2), 1e-12);
    expect_just_above(key_shown_up(KeyNoise::discrete_laplace, Rational(7, 2), threshold, 1),
                      discrete_tail([](double k) { return std::exp(-std::abs(k) / 3.5); }, at), 1e-12);
    if (at > 0) {
      for (const double sigma : {.25, .5, 3.5, 20.}) {
        expect_just_above(key_shown_up(KeyNoise::discrete_gaussian, Rational::from_double(sigma), threshold, 1),
                          discrete_tail([&](double k) { return std::exp(-k * k / (2 * sigma * sigma)); }, at), 1e-11);
      }
    }
  }
  expect_just_above(key_shown_up(KeyNoise::discrete_gaussian, 100, 601, 1),
                    discrete_tail([](double k) { return std::exp(-k * k / 20000); }, 600), 1e-3);
  expect_just_above(key_shown_up(KeyNoise::discrete_gaussian, 100, 41, 1),
                    discrete_tail([](double k) { return std::exp(-k * k / 20000); }, 40), .02);
  // Only whole counts exist: a threshold of 5/2 is a threshold of 3.
  EXPECT_EQ(key_shown_up(KeyNoise::discrete_laplace, 2, Rational(5, 2), 1),
            key_shown_up(KeyNoise::discrete_laplace, 2, 3, 1));
}

TEST(KeyRelease, EveryKeyOfAUnitCanGiveItAway) {
  const double p = key_shown_up(KeyNoise::discrete_laplace, 2, 20, 1);
  const AtomLoss loss = key_release_loss(KeyNoise::discrete_laplace, 2, 20, 1, 10);
  EXPECT_NEAR(loss.infinite_mass, 1 - std::pow(1 - p, 10), 1e-15);
  EXPECT_GE(loss.infinite_mass, -std::expm1(10 * std::log1p(-p)));
  EXPECT_EQ(loss.atoms.size(), 1u);
  EXPECT_EQ(key_release_loss(KeyNoise::discrete_gaussian, 2, 1, 1, 1).infinite_mass, 1);
}

// A count of 1 that one unit holds, with and without it: outcomes are "not shown" and the noisy count. Exhaustive.
TEST(KeyRelease, PairOfAFreshKeyIsDominated) {
  const double scale = 1.5;
  const int threshold = 4;
  const double r = std::exp(-1 / scale);
  double hidden = 0;
  double delta = 0;  // at every epsilon: the neighbour never shows the key
  for (int k = -200; k <= 200; ++k) {
    const double mass = (1 - r) / (1 + r) * std::pow(r, std::abs(k));
    (1 + k >= threshold ? delta : hidden) += mass;
  }
  const double bound = key_release_loss(KeyNoise::discrete_laplace, Rational(3, 2), threshold, 1, 1).infinite_mass;
  expect_just_above(bound, delta, 1e-12);
  EXPECT_NEAR(hidden, 1 - bound, 1e-12);  // the other direction: the loss -ln(1 - delta) is covered by the same mass
}

// A release that calibrates its noise to (epsilon, delta) and its threshold to the same delta has spent delta twice.
TEST(KeyRelease, PlantedSecondDeltaThatIsNotReportedIsCaught) {
  const AtomLoss noise = black_box(1, Rational::parse("1e-6"));
  const AtomLoss keys = key_release_loss(KeyNoise::laplace, 1, Rational::parse("14.122363306"), 1, 1);
  EXPECT_NEAR(keys.infinite_mass, 1e-6, 1e-9);
  const double both = 1 - (1 - noise.infinite_mass) * (1 - keys.infinite_mass);
  EXPECT_NEAR(both, 2e-6, 1e-9);
  const double planted = noise.infinite_mass;
  EXPECT_LT(planted, both / 1.9);
}

TEST(KeyRelease, RefusesWhatHasNoMeaning) {
  EXPECT_EQ(refusal([] { key_shown_up(KeyNoise::laplace, 0, 1, 1); }), Code::bad_scale);
  EXPECT_EQ(refusal([] { key_shown_up(KeyNoise::laplace, 1, 1, -1); }), Code::bad_number);
  EXPECT_EQ(refusal([] { key_release_loss(KeyNoise::laplace, 1, 1, 1, 0); }), Code::bad_count);
}

}  // namespace
}  // namespace dither::accounting
