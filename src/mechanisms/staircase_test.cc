#include "mechanisms/staircase.h"

#include <gtest/gtest.h>

#include "accounting/cost.h"
#include "mechanisms/pmf_check.h"
#include "random/moments.h"
#include "testing/refusal.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT
using namespace check;     // NOLINT

const VectorDomain kNumber{.dimension = 1};

Pmf pmf_of(const StaircaseLaw& law) {
  std::vector<double> p;
  for (Int128 k = 0; k <= 600; ++k) p.push_back(staircase_pmf(law, k, 80).high_double());
  return [p](Int128 k) { return magnitude(k) < p.size() ? p[static_cast<std::size_t>(magnitude(k))] : 0; };
}

std::vector<StaircaseLaw> some_laws() {
  return {{1, 1, 1}, {1, 5, 1}, {1, 5, 2}, {1, 5, 5}, {3, 7, 3}, {Rational(1, 2), 10, 4}, {Rational(2), 20, 6}};
}

// Every ratio of probabilities of numbers at most `d` apart within e^(falls epsilon), by enumeration.
bool is_private(const Pmf& pmf, double epsilon, Int128 d, int falls) {
  for (Int128 k = -100; k <= 100; ++k) {
    for (Int128 e = -d; e <= d; ++e) {
      if (pmf(k) > std::exp(falls * epsilon) * pmf(k + e) * (1 + 1e-12)) return false;
    }
  }
  return true;
}

// Spec: B-31
TEST(StaircaseMechanism, TheLawIsPrivateUpToItsSensitivityAndNoFurther) {
  for (const StaircaseLaw& law : some_laws()) {
    const Pmf pmf = pmf_of(law);
    const double epsilon = law.epsilon.to_double_up();
    const auto width = static_cast<Int128>(law.sensitivity);
    EXPECT_NEAR(mass_within(pmf, 600), 1, 1e-10);
    EXPECT_TRUE(is_private(pmf, epsilon, width, 1));
    EXPECT_FALSE(is_private(pmf, epsilon, width + 1, 1));
    EXPECT_TRUE(is_private(pmf, epsilon, 2 * width + 1, 3));
    for (Int128 d = 1; d <= width; ++d) EXPECT_LT(hockey_stick(pmf, epsilon, d, 500), 1e-12);
  }
}

// Zero on both sides, as a sampler without the rejection would have it.
TEST(StaircaseMechanism, PlantedDoubleZeroIsCaught) {
  const Pmf right = pmf_of({1, 5, 2});
  const Pmf planted = [right](Int128 k) { return right(k) * (k == 0 ? 2 : 1) / (1 + right(0)); };
  EXPECT_FALSE(is_private(planted, 1, 5, 1));
  // A second stair two falls down instead of one.
  const Pmf steep = [right](Int128 k) { return right(k) * (magnitude(k) % 5 >= 2 ? std::exp(-1.0) : 1); };
  EXPECT_FALSE(is_private(steep, 1, 5, 1));
}

TEST(StaircaseMechanism, LossCountsStairs) {
  const auto noise = make_staircase(kNumber, {Rational(1, 2), 10, 4});
  EXPECT_EQ(noise.loss(L1::Distance(0)), pure(0));
  EXPECT_EQ(noise.loss(L1::Distance(1)), pure(Rational(1, 2)));
  EXPECT_EQ(noise.loss(L1::Distance(3)), pure(Rational(1, 2)));
  EXPECT_EQ(noise.loss(L1::Distance(10)), pure(Rational(1, 2)));
  EXPECT_EQ(noise.loss(L1::Distance(11)), pure(1));
  EXPECT_EQ(noise.loss(L1::Distance(1'000'000)), pure(50'000));
  EXPECT_TRUE(noise.any().check(pow(Rational(10), 60), pure(pow(Rational(10), 60))));
}

TEST(StaircaseMechanism, TheAccountantAgrees) {
  const auto noise = make_staircase(kNumber, {Rational(1, 2), 10, 4});
  for (const int d : {1, 11}) {
    const auto events = noise.any().events(Rational(d));
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(Loss(*accounting::cost(events[0], accounting::Neighbours::add_remove).approximate),
              noise.loss(L1::Distance(d)));
  }
}

TEST(StaircaseMechanism, ErrorsAreThoseOfTheLaw) {
  for (const StaircaseLaw& law : some_laws()) {
    const Pmf pmf = pmf_of(law);
    const double variance = mean_of(pmf, 600, [](double k) { return k * k; });
    const double mean_absolute = mean_of(pmf, 600, [](double k) { return std::abs(k); });
    EXPECT_NEAR(staircase_error(law).variance, variance, 1e-6 * (1 + variance));
    EXPECT_NEAR(staircase_error(law).mean_absolute, mean_absolute, 1e-6 * (1 + mean_absolute));
    EXPECT_TRUE(bar_is_tight(make_staircase(kNumber, law).any(), pmf));
  }
}

// Discrete Laplace noise of scale sensitivity / epsilon has the same guarantee.
TEST(StaircaseMechanism, TheBestOneBeatsDiscreteLaplace) {
  for (const Rational& epsilon : {Rational(1, 10), Rational(1), Rational(3), Rational(8)}) {
    for (const std::uint64_t width : {1u, 2u, 10u, 300u}) {
      const double geometric =
          *random::discrete_laplace_moments(Rational(static_cast<Int128>(width)) / epsilon).variance;
      const StaircaseLaw best = best_staircase(epsilon, width, StaircaseGoal::variance);
      const double wanted = epsilon >= 3 && width >= 10 ? 0.95 : 1 + 1e-9;
      EXPECT_LE(staircase_error(best).variance, geometric * wanted) << epsilon.str() << " " << width;
      const StaircaseLaw closest = best_staircase(epsilon, width, StaircaseGoal::mean_absolute);
      EXPECT_LE(staircase_error(closest).mean_absolute, staircase_error(best).mean_absolute);
    }
  }
}

bool noise_fits(const StaircaseLaw& drawn, const StaircaseLaw& claimed) {
  const AnyMeasurement noise = make_staircase(kNumber, drawn).any();
  random::Source& source = random::Source::this_thread();
  return draws_fit([&] { return released_number(noise, {-3}, source) + 3; }, pmf_of(claimed), 20, 50'000);
}
TEST(StaircaseMechanism, NoiseFollowsTheLaw) {
  for (const StaircaseLaw& law : some_laws()) EXPECT_TRUE(noise_fits(law, law));
}
TEST(StaircaseMechanism, PlantedWiderFirstStairIsCaught) { EXPECT_FALSE(noise_fits({1, 5, 3}, {1, 5, 2})); }

TEST(StaircaseMechanism, RefusesWhatIsNoStaircase) {
  EXPECT_EQ(testing::refusal([] { make_staircase(kNumber, {0, 5, 2}); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { make_staircase(kNumber, {1, 0, 1}); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { make_staircase(kNumber, {1, 5, 0}); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { make_staircase(kNumber, {1, 5, 6}); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { make_staircase({}, {1, 5, 2}); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { best_staircase(1, 1 << 21, StaircaseGoal::variance); }), Code::bad_count);
}

}  // namespace
}  // namespace dither::mechanisms
