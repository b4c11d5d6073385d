#include "mechanisms/real_gaussian.h"

#include <gtest/gtest.h>

#include <cmath>

#include "accounting/cost.h"
#include "accounting/gaussian.h"
#include "mechanisms/detail/reach.h"
#include "mechanisms/noise_check.h"
#include "testing/refusal.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT

// Spec: W-12, F-52
TEST(RealGaussianMechanism, LossInBothMeasures) {
  const auto rho = make_real_gaussian({}, 10);
  const auto mu = make_real_gaussian_gdp({}, 10);
  for (const long d : {0L, 1L, 3L, 1'000'000L}) {
    EXPECT_EQ(rho.loss(L2::Distance::of(d)), concentrated(Rational(d) * d / 200));
    EXPECT_EQ(mu.loss(L2::Distance::of(d)), Loss(accounting::GaussianDp{Rational(d) * d / 100}));
  }
}

// Spec: W-12
TEST(RealGaussianMechanism, EventsCostTheLossOrTheNextRationalAbove) {
  const auto noise = make_real_gaussian_gdp({}, 10);
  const auto squared_mu = [&](const Rational& d) {
    const auto events = noise.any().events(d);
    return *accounting::cost(events.front(), accounting::Neighbours::add_remove).squared_mu;
  };
  EXPECT_EQ(squared_mu(9), Rational(9, 100));
  EXPECT_EQ(squared_mu(Rational(1, 4)), Rational(1, 400));
  EXPECT_GT(squared_mu(2), Rational(2, 100));
  EXPECT_LT(squared_mu(2), Rational(2, 100) * (1 + Rational::power_of_two(-90)));
  EXPECT_TRUE(noise.any().events(Rational(0)).empty());
}

TEST(RealGaussianMechanism, RootsAreExactOrJustAbove) {
  EXPECT_EQ(detail::root_up(0), Rational(0));
  EXPECT_EQ(detail::root_up(Rational(49, 64)), Rational(7, 8));
  for (const Rational& x : {Rational(2), Rational(1, 3), Rational::power_of_two(401), Rational::power_of_two(-401)}) {
    const Rational root = detail::root_up(x);
    EXPECT_GT(root * root, x);
    EXPECT_LT(root * root, x * (1 + Rational::power_of_two(-100)));
  }
}

// The rounded law is post-processed: its delta lies under the profile of the continuous one, at every epsilon.
// Spec: F-54, F-55
TEST(RealGaussianMechanism, CurveOfNeighboursIsWithinTheContinuousOne) {
  const auto holds = [](const check::OutputLaw& law, double mu) {
    for (const double epsilon : {0.0, 0.1, 0.5, 1.0, 2.0}) {
      if (check::delta_between(law, 10, 11, epsilon) > accounting::gaussian_delta_up(mu, epsilon) + 1e-13) return false;
    }
    return true;
  };
  for (const long sigma : {1L, 3L}) {
    EXPECT_TRUE(holds(check::real_gaussian_family(sigma).law, 1.0 / static_cast<double>(sigma)));
    EXPECT_FALSE(
        holds(check::real_gaussian_family(Rational(sigma) * Rational(4, 5)).law, 1.0 / static_cast<double>(sigma)));
  }
}

// n = 20,000 releases (10^6 nightly). False alarm 1e-9.
bool follows_rounded_gaussian(const AnyMeasurement& noise, const Rational& sigma) {
  const auto released = check::releases(noise, 7, check::nightly() ? 1'000'000 : 20'000, random::Source::this_thread());
  return check::fits(released, check::real_gaussian_family(sigma).law, 7, 20, 1e-9);
}

// Spec: F-52, W-70
TEST(RealGaussianMechanism, ReleasesFollowTheRoundedLaw) {
  EXPECT_TRUE(follows_rounded_gaussian(make_real_gaussian({}, 4).any(), 4));
}
TEST(RealGaussianMechanism, PlantedNarrowNoiseIsCaught) {
  EXPECT_FALSE(follows_rounded_gaussian(make_real_gaussian({}, Rational(7, 2)).any(), 4));
}

TEST(RealGaussianMechanism, StandardErrorIsThatOfTheRoundedLaw) {
  for (const Rational& sigma : {Rational(1, 5), Rational(1), Rational(3)}) {
    const check::Family family = check::real_gaussian_family(sigma);
    const double error = *family.noise.error(0)->standard_error;
    EXPECT_NEAR(error * error, check::mean_square(family.law, 0), 1e-9 * error * error);
  }
}

TEST(RealGaussianMechanism, RefusesWhatHasNoProof) {
  EXPECT_EQ(testing::refusal([] { make_real_gaussian({}, 0); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { make_real_gaussian({}, 1, MetricKind::linf, Measure::gaussian()); }),
            Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { make_real_gaussian({}, 1, MetricKind::l2, Measure::pure()); }), Code::mixed_metrics);
}

}  // namespace
}  // namespace dither::mechanisms
