#include "mechanisms/truncated_geometric.h"

#include <gtest/gtest.h>

#include "accounting/cost.h"
#include "mechanisms/noise_check.h"
#include "testing/calculus_access.h"
#include "testing/refusal.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT

VectorDomain counts_to(long n) { return {.dimension = 1, .bounds = bounds(0, n)}; }

// Spec: F-68, W-12
TEST(TruncatedGeometricMechanism, LossIsDistanceOverScale) {
  const auto noise = make_truncated_geometric(counts_to(100), 4);
  EXPECT_EQ(noise.loss(L1::Distance(0)), pure(0));
  EXPECT_EQ(noise.loss(L1::Distance(1)), pure(Rational(1, 4)));
  EXPECT_EQ(noise.loss(L1::Distance(3)), pure(Rational(3, 4)));
  EXPECT_EQ(noise.loss(L1::Distance(1'000'000)), pure(250'000));
  const auto cost = accounting::cost(noise.any().events(Rational(3)).front(), accounting::Neighbours::add_remove);
  EXPECT_EQ(Loss(*cost.approximate), pure(Rational(3, 4)));
}

// Spec: F-68
TEST(TruncatedGeometricMechanism, LawsOfNeighboursAreWithinTheLossAtTheEndsToo) {
  const auto holds = [](const check::OutputLaw& law, double epsilon) {
    for (int x = 0; x < check::kTop; ++x) {
      if (check::worst_log_ratio(law, x, x + 1) > epsilon + 1e-12) return false;
    }
    return true;
  };
  EXPECT_TRUE(holds(check::truncated_family(1).law, 1));
  EXPECT_FALSE(holds(check::truncated_family(Rational(1, 2)).law, 1));
}

// A thousand values at each of both ends and inside; n = 10^5 each (10^6 nightly), false alarm 1e-9 each.
bool follows_truncated(const AnyMeasurement& noise, const Rational& scale) {
  const check::OutputLaw law = check::truncated_family(scale).law;
  for (const int exact : {0, 3, check::kTop}) {
    const auto released =
        check::releases(noise, exact, check::nightly() ? 1'000'000 : 100'000, random::Source::this_thread());
    if (!check::fits(released, law, exact, check::kTop, 1e-9)) return false;
  }
  return true;
}

// Spec: F-68, D-68
TEST(TruncatedGeometricMechanism, ReleasesFollowTheLaw) {
  EXPECT_TRUE(follows_truncated(check::truncated_family(3).noise, 3));
}
TEST(TruncatedGeometricMechanism, PlantedRejectionAtTheEndsIsCaught) {  // draws again instead of moving to the end
  const AnyMeasurement untruncated = make_discrete_laplace({}, 3).any();
  const AnyMeasurement planted({{"planted"},
                                VectorDomain{},
                                {MetricKind::l1},
                                Measure::pure(),
                                {},
                                {},
                                [untruncated](const Data& data, random::Source& source) -> Data {
                                  Integers out = as<Integers>(data);
                                  for (Int128& x : out) {
                                    Int128 y = -1;
                                    while (y < 0 || y > check::kTop) y = check::releases(untruncated, x, 1, source)[0];
                                    x = y;
                                  }
                                  return out;
                                }});
  EXPECT_FALSE(follows_truncated(planted, 3));
}

// Spec: F-68
TEST(TruncatedGeometricMechanism, BarDependsOnTheReleasedValueAndCoversEverywhere) {
  const check::Family family = check::truncated_family(3);
  for (int x = 0; x <= check::kTop; ++x) EXPECT_GE(check::coverage(family.noise, family.law, x), 0.95) << x;
  const auto bar = [&](Int128 y) { return family.noise.error(y).value(); };
  const Rational radius = bar(15).high - 15;
  EXPECT_EQ(bar(0).low, Rational(0));
  EXPECT_EQ(bar(0).high, radius);
  EXPECT_EQ(bar(check::kTop).high, Rational(check::kTop));
  EXPECT_EQ(bar(15).low, 15 - radius);
}

// A bar that forgets how much lies beyond an end: only the value itself there.
TEST(TruncatedGeometricMechanism, PlantedPointAtTheEndIsCaught) {
  const check::Family family = check::truncated_family(3);
  double covered = 0;
  for (Int128 y = 0; y <= check::kTop; ++y) {
    const ErrorBar bar = y == 0 ? ErrorBar{0, 0, 0} : family.noise.error(y).value();
    if (bar.low <= Rational(2) && Rational(2) <= bar.high) covered += family.law(2, y);
  }
  EXPECT_LT(covered, 0.95);
}

TEST(TruncatedGeometricMechanism, ValuesOutsideCountAsTheEnd) {
  const auto noise = make_truncated_geometric(counts_to(5), 1);
  for (const Int128 exact : {kInt128Min, Int128{-7}, Int128{6}, kInt128Max}) {
    const Data released = testing::run(noise.any(), Integers(100, exact), random::Source::this_thread());
    for (const Int128 y : std::get<Integers>(released)) EXPECT_TRUE(y >= 0 && y <= 5);
  }
}

TEST(TruncatedGeometricMechanism, OneValueHasNoNoise) {
  const auto noise = make_truncated_geometric(counts_to(0), 1);
  EXPECT_EQ(testing::run(noise.any(), Integers(3, 0), random::Source::this_thread()), Data(Integers(3, 0)));
}

TEST(TruncatedGeometricMechanism, RefusesRangesThatAreNone) {
  EXPECT_EQ(testing::refusal([] { make_truncated_geometric({}, 1); }), Code::bad_bounds);
  EXPECT_EQ(testing::refusal([] { make_truncated_geometric({.bounds = bounds(0, Rational(1, 2))}, 1); }),
            Code::bad_bounds);
  EXPECT_EQ(testing::refusal([] { make_truncated_geometric({.bounds = bounds(0, Rational::power_of_two(127))}, 1); }),
            Code::bad_bounds);
  EXPECT_EQ(testing::refusal([] { make_truncated_geometric(counts_to(5), 0); }), Code::bad_scale);
}

}  // namespace
}  // namespace dither::mechanisms
