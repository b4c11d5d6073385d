#include "mechanisms/discrete_laplace.h"

#include <gtest/gtest.h>

#include "accounting/cost.h"
#include "mechanisms/noise_check.h"
#include "testing/refusal.h"
#include "testing/seeded_source.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT
using accounting::Neighbours;

// Spec: W-12, F-44
TEST(DiscreteLaplaceMechanism, LossIsDistanceOverScale) {
  const auto noise = make_discrete_laplace({}, Rational(5, 2));
  EXPECT_EQ(noise.loss(L1::Distance(0)), pure(0));
  EXPECT_EQ(noise.loss(L1::Distance(1)), pure(Rational(2, 5)));
  EXPECT_EQ(noise.loss(L1::Distance(3)), pure(Rational(6, 5)));
  EXPECT_EQ(noise.loss(L1::Distance(1'000'000)), pure(400'000));
}

TEST(DiscreteLaplaceMechanism, OtherDistancesBoundTheL1Norm) {
  const auto linf = make_discrete_laplace({.dimension = 7}, 2, MetricKind::linf);
  EXPECT_EQ(linf.loss(Rational(3)), pure(Rational(21, 2)));
  const auto cells = make_discrete_laplace({}, 2, MetricKind::cells);
  EXPECT_EQ(cells.loss(CellsDistance{4, 5, 25, 3}), pure(Rational(5, 2)));  // l1 says it
  EXPECT_EQ(cells.loss(CellsDistance{2, 50, 2500, 3}), pure(3));            // two cells by three
  EXPECT_EQ(cells.loss(CellsDistance{2, 50, 2500, 100}), pure(25));         // none further than the sum of all
}

// Spec: W-12
TEST(DiscreteLaplaceMechanism, EventsCostWhatTheLossSays) {
  const auto cost = [](const AnyMeasurement& noise, const Distance& d) {
    Rational epsilon = 0;
    for (const accounting::Event& event : noise.events(d)) {
      epsilon += Rational(static_cast<Int128>(event.times)) *
                 accounting::cost(event, Neighbours::add_remove).approximate->epsilon;
    }
    return pure(epsilon);
  };
  const auto one = make_discrete_laplace({.dimension = 1}, 10, MetricKind::l1);
  const auto many = make_discrete_laplace({}, 10, MetricKind::l1);
  const auto linf = make_discrete_laplace({.dimension = 5}, 10, MetricKind::linf);
  for (const Rational& d : {Rational(1), Rational(3), Rational(1'000'000)}) {
    EXPECT_EQ(cost(one, d), one.loss(d));
    EXPECT_EQ(cost(many, d), many.loss(d));
    EXPECT_EQ(cost(linf, d), linf.loss(d));
  }
  const auto cells = make_discrete_laplace({}, 10, MetricKind::cells);
  for (const CellsDistance& d : {CellsDistance{4, 5, 25, 3}, CellsDistance{2, 6, 18, 3}, CellsDistance{1, 9, 81, 9}}) {
    EXPECT_EQ(cost(cells, d), cells.loss(d));
  }
  // Known one by one, the numbers keep the exact law of their loss.
  EXPECT_EQ(cells.events(CellsDistance{2, 6, 18, 3}),
            (std::vector<accounting::Event>{{{}, accounting::DiscreteLaplace{10, 3}, 2}}));
  EXPECT_TRUE(one.events(Rational(1, 2)).empty());  // whole numbers do not move by half a step
  EXPECT_TRUE(one.events(Rational(0)).empty());
  EXPECT_TRUE(Measure::pure().at_most(cost(one, Rational(7, 2)), one.loss(Rational(7, 2))));
}

// Spec: F-67
TEST(DiscreteLaplaceMechanism, LawsOfNeighboursAreWithinTheLoss) {
  const auto holds = [](const check::OutputLaw& law, const Rational& scale) {
    for (const int d : {1, 2, 7}) {
      if (check::worst_log_ratio(law, 10, 10 + d) > (Rational(d) / scale).to_double_up() + 1e-12) return false;
    }
    return true;
  };
  for (const Rational& scale : {Rational(1, 2), Rational(1), Rational(5, 2)}) {
    EXPECT_TRUE(holds(check::discrete_laplace_family(scale).law, scale));
    EXPECT_FALSE(holds(check::discrete_laplace_family(scale / 2).law, scale));  // half the noise
  }
}

// n = 10^5 releases (10^6 nightly) of one number, cell by cell. False alarm 1e-9.
bool follows_the_law(const AnyMeasurement& noise, const Rational& scale) {
  const check::Family right = check::discrete_laplace_family(scale);
  const auto released =
      check::releases(noise, 7, check::nightly() ? 1'000'000 : 100'000, random::Source::this_thread());
  return check::fits(released, right.law, 7, 40, 1e-9);
}

// Spec: F-67, D-68, W-70
TEST(DiscreteLaplaceMechanism, ReleasesFollowTheLaw) {
  for (const Rational& scale : {Rational(1), Rational(10)}) {
    EXPECT_TRUE(follows_the_law(make_discrete_laplace({}, scale).any(), scale));
  }
}
TEST(DiscreteLaplaceMechanism, PlantedHalfScaleIsCaught) {
  EXPECT_FALSE(follows_the_law(make_discrete_laplace({}, 5).any(), 10));
}

// Spec: F-67
TEST(DiscreteLaplaceMechanism, StandardErrorIsTheClosedForm) {
  const ErrorBar bar = make_discrete_laplace({}, 1).any().error(100).value();
  EXPECT_NEAR(*bar.standard_error * *bar.standard_error, 1.841347, 5e-7);
  EXPECT_EQ(bar.low, Rational(97));  // P(|Z| >= 4) = 0.0268, P(|Z| >= 3) = 0.072795
  EXPECT_EQ(bar.high, Rational(103));
}

TEST(DiscreteLaplaceMechanism, WideNoiseHasABarToo) {
  const auto noise = make_discrete_laplace({}, Rational::power_of_two(60));
  const ErrorBar bar = noise.any().error(0).value();
  EXPECT_GE(bar.high, Rational::from_double(2.995732 * 0x1p60));
  EXPECT_LE(bar.high, Rational::from_double(2.995733 * 0x1p60));
  EXPECT_EQ(bar.low, -bar.high);
}

TEST(DiscreteLaplaceMechanism, RefusesWhatHasNoProof) {
  EXPECT_EQ(testing::refusal([] { make_discrete_laplace({}, 0); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { make_discrete_laplace({}, -1); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { make_discrete_laplace({}, 1, MetricKind::l2); }), Code::mixed_metrics);
  EXPECT_EQ(testing::refusal([] { make_discrete_laplace({}, 1, MetricKind::symmetric); }), Code::mixed_metrics);
  EXPECT_EQ(testing::refusal([] { make_discrete_laplace({}, 1, MetricKind::linf); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { make_discrete_laplace({}, 1).loss(L1::Distance(-1)); }), Code::bad_distance);
}

TEST(DiscreteLaplaceMechanism, SumsStopAtTheEndsOf128Bits) {
  random::Source source = testing::seeded_source(1);
  const auto noise = make_discrete_laplace({}, Rational::power_of_two(60));
  for (const Int128 end : {kInt128Min, kInt128Max}) {
    for (const Int128 y : check::releases(noise.any(), end, 100, source)) EXPECT_GT(magnitude(y), UInt128{1} << 126);
  }
  EXPECT_TRUE(check::releases(noise.any(), 0, 0, source).empty());  // no coordinates, no noise
}

}  // namespace
}  // namespace dither::mechanisms
