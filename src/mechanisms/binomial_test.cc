#include "mechanisms/binomial.h"

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

Pmf law(std::uint64_t trials) {
  return [trials](Int128 k) {
    return random::binomial_pmf(trials, Rational(1, 2), k + static_cast<Int128>(trials / 2), 80).high_double();
  };
}

double delta(const Loss& loss) { return std::get<accounting::ApproximateDp>(loss).delta.to_double_up(); }

// Whether the delta that is claimed is the one of the law whose noise is added: not less, and not 1e-9 of it more.
bool claim_is_right(const Loss& claimed, std::uint64_t trials, double epsilon, Int128 shift) {
  const double truth = hockey_stick(law(trials), epsilon, shift, static_cast<Int128>(trials));
  return delta(claimed) >= truth * (1 - 1e-12) && delta(claimed) <= truth * (1 + 1e-9) + 1e-90;
}

// Spec: F-69
TEST(BinomialMechanism, ReachesTheOracles) {
  EXPECT_NEAR(binomial_delta(80, 1, 1).to_double_up(), 9.834e-7, 5e-11);
  EXPECT_NEAR(binomial_delta(64, 1, 1).to_double_up(), 8.338e-6, 5e-10);
  EXPECT_NEAR(binomial_delta(100, Rational(1, 2), 1).to_double_up(), 5.699e-4, 5e-8);
  EXPECT_NEAR(*make_binomial(kNumber, 80, 1).any().error(0)->standard_error, 4.472, 5e-4);
}

// 64 ln(2/delta) / epsilon^2 would be 928.6.
// Spec: F-69
TEST(BinomialMechanism, LeastTrialsAreEnoughAndNoFewerAre) {
  const std::uint64_t least = least_trials(1, Rational::parse("1e-6"), 1);
  EXPECT_EQ(least, 80u);
  EXPECT_GT(binomial_delta(least - 2, 1, 1), Rational::parse("1e-6"));
  EXPECT_LE(least_trials(Rational(1, 10), Rational::parse("1e-6"), 3), 100'000u);
  EXPECT_EQ(least_trials(1, Rational(9, 10), 1), 2u);
}

TEST(BinomialMechanism, LossIsTheExactDivergence) {
  for (const std::uint64_t trials : {2u, 6u, 80u, 300u}) {
    for (const Rational& epsilon : {Rational(0), Rational(1, 10), Rational(1), Rational(3)}) {
      const auto noise = make_binomial(kNumber, trials, epsilon);
      for (const int d : {1, 2, 3, 7, 80}) {
        EXPECT_TRUE(claim_is_right(noise.loss(L1::Distance(d)), trials, epsilon.to_double_up(), d))
            << trials << " trials, epsilon " << epsilon.str() << ", shift " << d;
      }
    }
  }
}

TEST(BinomialMechanism, PlantedHalfTheTrialsIsCaught) {
  EXPECT_FALSE(claim_is_right(make_binomial(kNumber, 80, 1).loss(L1::Distance(1)), 40, 1, 1));
}

TEST(BinomialMechanism, MapStartsAtZeroGrowsAndStopsAtOne) {
  const auto noise = make_binomial(kNumber, 80, 1);
  EXPECT_EQ(noise.loss(L1::Distance(0)), approximate(0, 0));
  EXPECT_EQ(noise.loss(L1::Distance(Rational(1, 2))), approximate(1, 0));  // no integers are that far apart
  EXPECT_EQ(noise.loss(L1::Distance(1'000'000)), approximate(1, 1));
  EXPECT_EQ(noise.loss(L1::Distance(pow(Rational(10), 60))), approximate(1, 1));
  for (int d = 0; d < 200; ++d) {
    EXPECT_LE(delta(noise.loss(L1::Distance(d))), delta(noise.loss(L1::Distance(d + 1))));
  }
}

TEST(BinomialMechanism, MoreTrialsCostNoMore) {
  for (std::uint64_t trials = 2; trials < 100; trials += 2) {
    EXPECT_GE(binomial_delta(trials, 1, 2), binomial_delta(trials + 2, 1, 2));
  }
}

TEST(BinomialMechanism, TheAccountantAgrees) {
  const auto noise = make_binomial(kNumber, 80, 1);
  for (const int d : {1, 3, 1'000'000}) {
    const auto events = noise.any().events(Rational(d));
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(Loss(*accounting::cost(events[0], accounting::Neighbours::add_remove).approximate),
              noise.loss(L1::Distance(d)));
  }
}

// A million trials: the claims of F-69 hold where tables are long too. By the analytic Gaussian of the same variance
// delta(1) at epsilon 0.01 is about 1.47e-7, and binomial noise is that close to it.
TEST(BinomialMechanism, AMillionTrialsAreLikeGaussianNoise) {
  const double delta = binomial_delta(1'000'000, Rational(1, 100), 1).to_double_up();
  const double sigma = 500;
  const auto phi = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  const double gaussian = phi(1 / (2 * sigma) - 0.01 * sigma) - std::exp(0.01) * phi(-1 / (2 * sigma) - 0.01 * sigma);
  EXPECT_NEAR(delta, gaussian, gaussian * 0.01);
}

TEST(BinomialMechanism, ErrorBarsCoverByTheLaw) {
  for (const std::uint64_t trials : {2u, 80u, 1000u}) {
    EXPECT_TRUE(bar_is_tight(make_binomial(kNumber, trials, 1).any(), law(trials))) << trials;
  }
}

bool noise_fits(std::uint64_t drawn, std::uint64_t claimed) {
  const AnyMeasurement noise = make_binomial(kNumber, drawn, 1).any();
  random::Source& source = random::Source::this_thread();
  return draws_fit([&] { return released_number(noise, {7}, source) - 7; }, law(claimed), 12, 20'000);
}
TEST(BinomialMechanism, NoiseFollowsTheLaw) { EXPECT_TRUE(noise_fits(80, 80)); }
TEST(BinomialMechanism, PlantedNarrowNoiseIsCaught) { EXPECT_FALSE(noise_fits(40, 80)); }

TEST(BinomialMechanism, RefusesWhatHasNoProof) {
  EXPECT_EQ(testing::refusal([] { make_binomial(kNumber, 0, 1); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { make_binomial(kNumber, 81, 1); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { make_binomial(kNumber, kMostTrials + 2, 1); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { make_binomial(kNumber, 80, -1); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { make_binomial({}, 80, 1); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { make_binomial({.dimension = 2}, 80, 1); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { least_trials(1, 0, 1); }), Code::bad_probability);
  EXPECT_EQ(testing::refusal([] { least_trials(1, Rational(1, 2), 0); }), Code::bad_distance);
}

}  // namespace
}  // namespace dither::mechanisms
