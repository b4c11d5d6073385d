#include "mechanisms/skellam.h"

#include <gtest/gtest.h>

#include "accounting/cost.h"
#include "mechanisms/pmf_check.h"
#include "random/pmf.h"
#include "testing/refusal.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT
using namespace check;     // NOLINT

const VectorDomain kNumber{.dimension = 1};

// Remembered, as each probability is a long sum.
Pmf law(const Rational& variance) {
  std::vector<double> p;
  for (Int128 k = 0; k <= 400; ++k) {
    p.push_back(random::skellam_pmf(variance / 2, variance / 2, k, 80).high_double());
  }
  return [p](Int128 k) { return magnitude(k) < p.size() ? p[static_cast<std::size_t>(magnitude(k))] : 0; };
}

double delta(const Loss& loss) { return std::get<accounting::ApproximateDp>(loss).delta.to_double_up(); }

bool claim_is_right(const Loss& claimed, const Pmf& pmf, double epsilon, Int128 shift) {
  const double truth = hockey_stick(pmf, epsilon, shift, 300);
  return delta(claimed) >= truth * (1 - 1e-12) && delta(claimed) <= truth * (1 + 1e-9) + 1e-90;
}

// Spec: F-60
TEST(SkellamMechanism, LossIsTheExactDivergence) {
  for (const Rational& variance : {Rational(1, 100), Rational(1), Rational(20), Rational(100)}) {
    const Pmf pmf = law(variance);
    for (const Rational& epsilon : {Rational(0), Rational(1, 10), Rational(1), Rational(3)}) {
      const auto noise = make_skellam(kNumber, variance, epsilon);
      for (const int d : {1, 3, 10}) {
        EXPECT_TRUE(claim_is_right(noise.loss(L1::Distance(d)), pmf, epsilon.to_double_up(), d))
            << "variance " << variance.str() << ", epsilon " << epsilon.str() << ", shift " << d;
      }
    }
  }
}

TEST(SkellamMechanism, PlantedHalfTheVarianceIsCaught) {
  EXPECT_FALSE(claim_is_right(make_skellam(kNumber, 20, 1).loss(L1::Distance(1)), law(10), 1, 1));
}

TEST(SkellamMechanism, MapStartsAtZeroGrowsAndStopsAtOne) {
  const auto noise = make_skellam(kNumber, 20, 1);
  EXPECT_EQ(noise.loss(L1::Distance(0)), approximate(0, 0));
  EXPECT_EQ(noise.loss(L1::Distance(1'000'000)), approximate(1, 1));
  for (int d = 0; d < 400; ++d) {
    EXPECT_LE(delta(noise.loss(L1::Distance(d))), delta(noise.loss(L1::Distance(d + 1))));
  }
  EXPECT_LT(delta(noise.loss(L1::Distance(1))), delta(noise.loss(L1::Distance(3))));
}

TEST(SkellamMechanism, LeastVarianceIsEnoughAndNoLessIs) {
  const Rational target = Rational::parse("1e-6");
  const Rational least = least_skellam_variance(1, target, 1);
  EXPECT_LE(skellam_delta(least, 1, 1), target);
  EXPECT_GT(skellam_delta(least - Rational(1, 64), 1, 1), target);
  EXPECT_EQ(least, Rational(57, 4));  // Gaussian noise of the same guarantee has variance 17.85
}

TEST(SkellamMechanism, LongTablesAreLikeGaussianNoise) {
  const double delta = skellam_delta(250'000, Rational(1, 100), 1).to_double_up();
  const double sigma = 500;
  const auto phi = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  const double gaussian = phi(1 / (2 * sigma) - 0.01 * sigma) - std::exp(0.01) * phi(-1 / (2 * sigma) - 0.01 * sigma);
  EXPECT_NEAR(delta, gaussian, gaussian * 0.01);
}

TEST(SkellamMechanism, TheAccountantAgrees) {
  const auto noise = make_skellam(kNumber, 20, 1);
  const auto events = noise.any().events(Rational(3));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(Loss(*accounting::cost(events[0], accounting::Neighbours::add_remove).approximate),
            noise.loss(L1::Distance(3)));
}

TEST(SkellamMechanism, ErrorBarsCoverByTheLaw) {
  for (const Rational& variance : {Rational(1, 100), Rational(1), Rational(20)}) {
    EXPECT_TRUE(bar_is_tight(make_skellam(kNumber, variance, 1).any(), law(variance))) << variance.str();
  }
}

bool noise_fits(const Rational& drawn, const Rational& claimed) {
  const AnyMeasurement noise = make_skellam(kNumber, drawn, 1).any();
  random::Source& source = random::Source::this_thread();
  return draws_fit([&] { return released_number(noise, {7}, source) - 7; }, law(claimed), 12, 20'000);
}
TEST(SkellamMechanism, NoiseFollowsTheLaw) { EXPECT_TRUE(noise_fits(20, 20)); }
TEST(SkellamMechanism, PlantedNarrowNoiseIsCaught) { EXPECT_FALSE(noise_fits(10, 20)); }

TEST(SkellamMechanism, RefusesWhatHasNoProof) {
  EXPECT_EQ(testing::refusal([] { make_skellam(kNumber, 0, 1); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { make_skellam(kNumber, 200'000'000, 1); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { make_skellam(kNumber, 1, 101); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { make_skellam({}, 1, 1); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { least_skellam_variance(1, 1, 1); }), Code::bad_probability);
}

}  // namespace
}  // namespace dither::mechanisms
