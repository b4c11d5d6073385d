#include "mechanisms/laplace.h"

#include <gtest/gtest.h>

#include <cmath>

#include "accounting/cost.h"
#include "mechanisms/noise_check.h"
#include "testing/refusal.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT

// Spec: F-44, W-12
TEST(LaplaceMechanism, LossIsDistanceOverScale) {
  const auto noise = make_laplace({.dimension = 1}, 4);
  EXPECT_EQ(noise.loss(L1::Distance(0)), pure(0));
  EXPECT_EQ(noise.loss(L1::Distance(1)), pure(Rational(1, 4)));
  EXPECT_EQ(noise.loss(L1::Distance(3)), pure(Rational(3, 4)));
  EXPECT_EQ(noise.loss(L1::Distance(1'000'000)), pure(250'000));
  for (const Rational& d : {Rational(1), Rational(3), Rational(1'000'000)}) {
    const auto events = noise.any().events(d);
    ASSERT_EQ(events.size(), 1u);
    const auto cost = accounting::cost(events.front(), accounting::Neighbours::add_remove);
    EXPECT_EQ(Loss(*cost.approximate), noise.any().loss(d));
  }
}

// The rounded law is post-processed: for one number its whole curve lies under delta(e) = 1 - exp((e - epsilon) / 2).
// Spec: F-44, F-66
TEST(LaplaceMechanism, CurveOfNeighboursIsWithinTheContinuousOne) {
  const auto holds = [](const check::OutputLaw& law, double epsilon) {
    for (const double e : {0.0, epsilon / 4, epsilon / 2, epsilon}) {
      if (check::delta_between(law, 10, 11, e) > -std::expm1((e - epsilon) / 2) + 1e-12) return false;
    }
    return check::worst_log_ratio(law, 10, 11) <= epsilon + 1e-9;
  };
  for (const long scale : {1L, 3L, 10L}) {
    EXPECT_TRUE(holds(check::laplace_family(scale).law, 1.0 / static_cast<double>(scale))) << scale;
    EXPECT_FALSE(holds(check::laplace_family(Rational(scale, 2)).law, 1.0 / static_cast<double>(scale))) << scale;
  }
  EXPECT_NEAR(-std::expm1((0.5 - 1) / 2), 0.221199, 5e-7);
}

// Spec: F-66
TEST(LaplaceMechanism, RoundedLawOracles) {
  const check::OutputLaw law = check::laplace_family(1).law;
  EXPECT_NEAR(law(5, 5), 0.393469, 5e-7);
  EXPECT_NEAR(law(5, 6), 0.191700, 5e-7);
}

// n = 30,000 releases (10^6 nightly). False alarm 1e-9.
bool follows_laplace(const AnyMeasurement& noise, const Rational& scale) {
  const auto released = check::releases(noise, 7, check::nightly() ? 1'000'000 : 30'000, random::Source::this_thread());
  return check::fits(released, check::laplace_family(scale).law, 7, 30, 1e-9);
}

// Spec: F-43, F-66, W-70
TEST(LaplaceMechanism, ReleasesFollowTheRoundedLaw) { EXPECT_TRUE(follows_laplace(make_laplace({}, 8).any(), 8)); }
TEST(LaplaceMechanism, PlantedHalfScaleIsCaught) { EXPECT_FALSE(follows_laplace(make_laplace({}, 4).any(), 8)); }

TEST(LaplaceMechanism, StandardErrorIsThatOfTheRoundedLaw) {
  for (const Rational& scale : {Rational(1, 3), Rational(1), Rational(7)}) {
    const check::Family family = check::laplace_family(scale);
    const double error = *family.noise.error(0)->standard_error;
    EXPECT_NEAR(error * error, check::mean_square(family.law, 0), 1e-6 * error * error);
  }
}

TEST(LaplaceMechanism, RefusesWhatHasNoProof) {
  EXPECT_EQ(testing::refusal([] { make_laplace({}, 0); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { make_laplace({}, 1, MetricKind::l2); }), Code::mixed_metrics);
  EXPECT_EQ(testing::refusal([] { make_laplace({}, 1, MetricKind::linf); }), Code::no_theorem);
}

}  // namespace
}  // namespace dither::mechanisms
