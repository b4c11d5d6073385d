#include "mechanisms/gaussian.h"

#include <gtest/gtest.h>

#include <cmath>

#include "accounting/cost.h"
#include "mechanisms/noise_check.h"
#include "testing/refusal.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT

// Spec: F-70, W-12
TEST(GaussianMechanism, LossIsSquaredDistanceOverTwoSigmaSquared) {
  const auto noise = make_gaussian({}, 10);
  EXPECT_EQ(noise.loss(L2::Distance::of(0)), concentrated(0));
  EXPECT_EQ(noise.loss(L2::Distance::of(1)), concentrated(Rational(1, 200)));
  EXPECT_EQ(noise.loss(L2::Distance::of(3)), concentrated(Rational(9, 200)));
  EXPECT_EQ(noise.loss(L2::Distance::of_square(2)), concentrated(Rational(1, 100)));
  EXPECT_EQ(noise.loss(L2::Distance::of(1'000'000)), concentrated(5'000'000'000L));
}

TEST(GaussianMechanism, OtherDistancesBoundTheEuclideanNorm) {
  const auto loss = [](MetricKind from, const Distance& d) { return make_gaussian({.dimension = 7}, 1, from).loss(d); };
  EXPECT_EQ(loss(MetricKind::l1, Rational(3)), concentrated(Rational(9, 2)));
  EXPECT_EQ(loss(MetricKind::linf, Rational(3)), concentrated(Rational(63, 2)));
  EXPECT_EQ(loss(MetricKind::cells, CellsDistance{2, 100, 100, 3}), concentrated(9));              // two cells by three
  EXPECT_EQ(loss(MetricKind::cells, CellsDistance{9, 5, 100, 3}), concentrated(Rational(15, 2)));  // l1 * largest
}

// Spec: F-70, W-12
TEST(GaussianMechanism, EventsCostNoMoreThanTheLoss) {
  const auto cost = [](const AnyMeasurement& noise, const Distance& d) {
    Rational rho = 0;
    for (const accounting::Event& event : noise.events(d)) {
      rho += Rational(static_cast<Int128>(event.times)) *
             accounting::cost(event, accounting::Neighbours::add_remove).concentrated->rho;
    }
    return concentrated(rho);
  };
  const auto one = make_gaussian({.dimension = 1}, 10, MetricKind::l2);
  const auto many = make_gaussian({}, 10, MetricKind::l2);
  const auto linf = make_gaussian({.dimension = 5}, 10, MetricKind::linf);
  const auto cells = make_gaussian({}, 10, MetricKind::cells);
  for (const Rational& d : {Rational(1), Rational(9), Rational(10'000)}) {
    EXPECT_EQ(cost(one, d), one.loss(d));
    EXPECT_EQ(cost(many, d), many.loss(d));
    EXPECT_EQ(cost(linf, d), linf.loss(d));
  }
  EXPECT_EQ(cost(one, Rational(2)), concentrated(Rational(1, 200)));  // a whole number whose square is at most 2
  EXPECT_TRUE(one.events(Rational(1, 2)).empty());
  EXPECT_EQ(cells.events(CellsDistance{2, 6, 18, 3}),
            (std::vector<accounting::Event>{{{}, accounting::DiscreteGaussian{10, 3}, 2}}));
  EXPECT_EQ(cost(cells, CellsDistance{4, 5, 25, 3}), cells.loss(CellsDistance{4, 5, 25, 3}));
}

// Renyi divergences of the laws themselves.
// Spec: F-70
TEST(GaussianMechanism, LawsOfNeighboursAreWithinTheLoss) {
  const auto holds = [](const check::OutputLaw& law, const Rational& sigma, int d) {
    const double rho = (Rational(d * d) / (2 * sigma * sigma)).to_double_up();
    for (const double order : {1.5, 2.0, 5.0}) {
      if (check::renyi(law, 10, 10 + d, order) > order * rho * (1 + 1e-6)) return false;
    }
    return true;
  };
  for (const Rational& sigma : {Rational(1, 2), Rational(1), Rational(3)}) {
    for (const int d : {1, 2}) {
      EXPECT_TRUE(holds(check::gaussian_family(sigma).law, sigma, d)) << sigma.str() << " " << d;
      EXPECT_FALSE(holds(check::gaussian_family(sigma * Rational(9, 10)).law, sigma, d)) << sigma.str() << " " << d;
    }
  }
}

// Spec: F-70
TEST(GaussianMechanism, LawOracles) {
  const check::OutputLaw one = check::gaussian_family(1).law;
  EXPECT_NEAR(one(0, 0), 0.398942, 5e-7);
  EXPECT_NEAR(check::mean_square(one, 0), 0.99999979, 5e-9);
  EXPECT_NEAR(check::delta_between(one, 0, 1, 1), 0.141351, 5e-7);
  const check::OutputLaw half = check::gaussian_family(Rational(1, 2)).law;
  EXPECT_NEAR(check::mean_square(half, 0), 0.215013, 5e-7);
  EXPECT_NEAR(check::delta_between(half, 0, 1, 1), 0.603205, 5e-7);
}

// n = 10^5 releases (10^6 nightly). False alarm 1e-9.
bool follows_gaussian(const AnyMeasurement& noise, const Rational& sigma) {
  const auto released =
      check::releases(noise, 7, check::nightly() ? 1'000'000 : 100'000, random::Source::this_thread());
  return check::fits(released, check::gaussian_family(sigma).law, 7, 30, 1e-9);
}

// Spec: F-70, D-68, W-70
TEST(GaussianMechanism, ReleasesFollowTheLaw) {
  EXPECT_TRUE(follows_gaussian(make_gaussian({}, 1).any(), 1));
  EXPECT_TRUE(follows_gaussian(make_gaussian({}, 10).any(), 10));
}
TEST(GaussianMechanism, PlantedNarrowNoiseIsCaught) {
  EXPECT_FALSE(follows_gaussian(make_gaussian({}, Rational(19, 2)).any(), 10));
}

TEST(GaussianMechanism, StandardErrorIsThatOfTheLaw) {
  for (const Rational& sigma : {Rational(1, 5), Rational(1), Rational(7)}) {
    const check::Family family = check::gaussian_family(sigma);
    const double error = *family.noise.error(0)->standard_error;
    EXPECT_NEAR(error * error, check::mean_square(family.law, 0), 1e-9 * error * error);
  }
  EXPECT_EQ(*make_gaussian({}, 1000).any().error(5)->standard_error, 1000);
  EXPECT_EQ(make_gaussian({}, 1000).any().error(5)->high, Rational(1965));  // 1.959964 * 1000, rounded up
}

TEST(GaussianMechanism, RefusesWhatHasNoProof) {
  EXPECT_EQ(testing::refusal([] { make_gaussian({}, 0); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { make_gaussian({}, -3); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { make_gaussian({}, 1, MetricKind::linf); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { make_gaussian({}, 1, MetricKind::discrete); }), Code::mixed_metrics);
}

}  // namespace
}  // namespace dither::mechanisms
