#include "accounting/batches.h"

#include <gtest/gtest.h>

#include <cmath>

#include "accounting/native_atoms.h"
#include "base/roots.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

double phi_above(double x) { return .5 * std::erfc(x / M_SQRT2); }

double gaussian_delta(double mu, double e) {
  return phi_above(e / mu - mu / 2) - std::exp(e) * phi_above(e / mu + mu / 2);
}

void expect_just_above(double bound, double truth) {
  EXPECT_GE(bound, truth * (1 - 1e-13));
  EXPECT_LE(bound, truth * (1 + 1e-12));
}

// Spec: A-36
TEST(Batches, AmplifiedEpsilon) {
  expect_just_above(amplified_epsilon_up(1, .01), .017036863236177);
  EXPECT_NEAR(amplified_epsilon_up(8, .001), 1.381271263221, 1e-12);
  EXPECT_NEAR(amplified_epsilon_up(20, 1e-6), 6.1865484723385, 1e-12);
  EXPECT_NEAR(amplified_epsilon_up(699.9, .01) - amplified_epsilon_up(700.1, .01), -.2, 1e-11);
  EXPECT_NEAR(amplified_epsilon_up(5000, 1e-3), 5000 - std::log(1000), 1e-9);
  EXPECT_EQ(amplified_epsilon_up(3, 0), 0);
  EXPECT_EQ(amplified_epsilon_up(3, 1), 3);
  for (double e = .01; e <= 1; e += .01) EXPECT_LE(amplified_epsilon_up(e, .1), .2 * e);  // the small-epsilon aid
}

// Spec: A-38, C-01
// Randomised response on "is there a record" attains the formula; with the printed denominator e^epsilon - 1 the law is
// no probability, and its ratio is not the amplified one.
TEST(Batches, ResponseOnASampledRecordAttainsTheFormulaAndThePrintedOneIsCaught) {
  const auto log_ratio = [](double e, double p, double denominator) {
    const double without = 1 / denominator;
    const double with = (1 - p) * (1 / denominator) + p * (std::exp(e) / denominator);
    return std::log(with / without);
  };
  const auto total = [](double e, double denominator) { return (std::exp(e) + 1) / denominator; };
  EXPECT_NEAR(log_ratio(1, .01, std::exp(1) + 1), amplified_epsilon_up(1, .01), 1e-15);
  EXPECT_NEAR(total(1, std::exp(1) + 1), 1, 1e-15);
  EXPECT_GT(total(1, std::exp(1) - 1), 2);
}

// Spec: A-40, C-10
TEST(Batches, DirectionsDifferAndOneAloneIsCaught) {
  EXPECT_NEAR(amplified_epsilon_up(1, .01), .0170368632, 1e-10);
  EXPECT_NEAR(amplified_add_epsilon_up(1, .01), .0063412690, 1e-10);
  EXPECT_NEAR(amplified_add_delta_up(1, 1e-6, .01), std::exp(.0063412690 - 1) * 1e-8, 1e-17);
  EXPECT_EQ(amplified_add_epsilon_up(2, 1), 2);
  // The loss of a sampled response in the remove direction lies above the add direction's number.
  const double with = .99 / (M_E + 1) + .01 * M_E / (M_E + 1);
  const double loss = std::log(with * (M_E + 1));
  EXPECT_GT(loss, amplified_add_epsilon_up(1, .01));
  EXPECT_LE(loss, amplified_epsilon_up(1, .01));
}

// Spec, B-15
TEST(Batches, OnlyProvenCombinationsAmplify) {
  const auto refused = [](const Sampler& sampler, Neighbours neighbours) {
    return refusal([&] { require_amplification(sampler, neighbours); }) == Code::no_theorem;
  };
  EXPECT_FALSE(refused(Poisson{Rational(1, 100), {}}, Neighbours::add_remove));
  EXPECT_FALSE(refused(Poisson{Rational(1, 100), {}}, Neighbours::both));
  EXPECT_TRUE(refused(Poisson{Rational(1, 100), {}}, Neighbours::replace_one));
  EXPECT_FALSE(refused(WithoutReplacement{10, 100}, Neighbours::replace_one));
  EXPECT_TRUE(refused(WithoutReplacement{10, 100}, Neighbours::add_remove));
  EXPECT_FALSE(refused(WithReplacement{10, 100}, Neighbours::replace_one));
  EXPECT_TRUE(refused(WithReplacement{10, 100}, Neighbours::add_remove));
  for (const Neighbours relation : {Neighbours::add_remove, Neighbours::replace_one, Neighbours::both}) {
    EXPECT_TRUE(refused(AllOrNothing{Rational(1, 100)}, relation));
    EXPECT_TRUE(refused(ShuffledBatches{10}, relation));
    EXPECT_TRUE(refused(RandomAllocation{10}, relation));
  }
}

// Twin of the refusal: all or nothing keeps the loss of the mechanism inside, so charging it as sampled is too little.
TEST(Batches, PlantedAmplificationOfAllOrNothingIsCaught) {
  // All records with probability p, else none. The response is on "is record 1 there", and another record shows which.
  const double p = .1;
  const double with = p * M_E / (M_E + 1);
  const double without = p / (M_E + 1);
  EXPECT_GT(std::log(with / without), 5 * amplified_epsilon_up(1, p));
}

// Spec: A-41
TEST(Batches, ThroughEpsilonDeltaIsTheLongWay) {
  const double rate = 256.0 / 60000;
  const double steps = 14062;
  double best = 1e9;
  for (int share = 1; share < 100; ++share) {
    const double per_step = (1 - share / 100.0) * 1e-5 / steps / rate;
    const double epsilon = find_root([](double e) { return -gaussian_delta(1 / 1.1, e); }, -per_step, 0, 50).holds;
    const double sampled = amplified_epsilon_up(epsilon, rate);
    const double log_term = std::log(1 / (share / 100.0 * 1e-5));
    best = std::min(best, steps * sampled * sampled / 2 + std::sqrt(2 * log_term * steps) * sampled);
  }
  EXPECT_NEAR(best, 1316.6, .05);  // where Renyi accounting says 2.5965
}

// Spec: B-13
TEST(Batches, ProfileOfPoissonSampledGaussianNoise) {
  const auto profile = [](double e) { return gaussian_delta(1, e); };
  EXPECT_NEAR(sampled_delta_up(.01, .5, profile) / 2.21451901315e-7, 1, 1e-9);
  EXPECT_EQ(sampled_delta_up(0, .5, profile), 0);
  EXPECT_NEAR(sampled_delta_up(1, .5, profile), gaussian_delta(1, .5), 1e-15);
}

// Spec: B-14
TEST(Batches, WithReplacementCountsCopies) {
  EXPECT_NEAR(with_replacement_rate_up(100, 1000), .095207852886291, 1e-14);
  const auto profile = [](std::uint64_t copies, double e) {
    return gaussian_delta(static_cast<double>(copies) / 2, e);
  };
  const double epsilon = .3;
  double truth = 0;
  const double inner = std::log1p(std::expm1(epsilon) / with_replacement_rate_up(100, 1000));
  for (std::uint64_t j = 1; j <= 30; ++j) {
    const double k = static_cast<double>(j);
    const double log_mass = std::lgamma(101) - std::lgamma(k + 1) - std::lgamma(101 - k) - k * std::log(1000) +
                            (100 - k) * std::log1p(-.001);
    truth += std::exp(log_mass) * profile(j, inner);
  }
  EXPECT_NEAR(with_replacement_delta_up(100, 1000, epsilon, profile) / truth, 1, 1e-9);
  // A single draw has no copies: fixed-size sampling at 1 / population.
  const auto one = [](double e) { return gaussian_delta(.5, e); };
  EXPECT_NEAR(with_replacement_delta_up(1, 50, epsilon, profile) / sampled_delta_up(.02, epsilon, one), 1, 1e-9);
  EXPECT_LE(with_replacement_delta_up(1'000'000, 10, 0, profile), 1);
}

// All draws with replacement of m records from n, response on the majority: exhaustive over who is drawn.
TEST(Batches, WithReplacementBoundsASmallInstance) {
  const int n = 4;
  const int m = 3;
  const auto law = [&](int changed) {  // P(output 1) when record 0 has value `changed`, the others 0
    double one = 0;
    for (int code = 0; code < 64; ++code) {
      const int ones =
          (code % 4 == 0 ? changed : 0) + (code / 4 % 4 == 0 ? changed : 0) + (code / 16 == 0 ? changed : 0);
      one += (1.0 / (1 + std::exp(-.5 * (2 * ones - m)))) / 64;  // each record moves the logit by 1
    }
    return one;
  };
  const auto group = [](std::uint64_t copies, double e) { return group_profile_up(1, 0, copies, e); };
  for (double e = 0; e < 2; e += .05) {
    const double a = law(1);
    const double b = law(0);
    const double delta = std::max({0.0, a - std::exp(e) * b, (1 - b) - std::exp(e) * (1 - a), b - std::exp(e) * a});
    EXPECT_LE(delta, with_replacement_delta_up(m, n, e, group));
  }
}

TEST(Batches, GroupsOfApproximateMechanisms) {
  EXPECT_NEAR(group_profile_up(.5, 1e-6, 3, 1.5) / 5.3670030991592e-6, 1, 1e-12);
  EXPECT_EQ(group_profile_up(1, 0, 1, 1), 0);
  EXPECT_NEAR(group_profile_up(1, 0, 2, 1), (std::exp(2) - std::exp(1)) / (1 + std::exp(2)), 1e-14);
  EXPECT_EQ(group_profile_up(1, 1e-6, 1000, 1), 1);
}

double binomial_tail(int n, double q, int above) {
  double sum = 0;
  for (int k = above + 1; k <= n; ++k) {
    sum += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(q) +
                    (n - k) * std::log1p(-q));
  }
  return sum;
}

// Spec: B-18
TEST(Batches, CutPoissonBatchesPayForTheCut) {
  for (const int cap : {30, 45, 80, 199}) {
    EXPECT_NEAR(overflow_up(200, Rational(1, 10), static_cast<std::uint64_t>(cap)) / binomial_tail(200, .1, cap), 1,
                1e-10);
  }
  EXPECT_EQ(overflow_up(200, Rational(1, 10), 200), 0);
  EXPECT_EQ(cut_delta_up(0, 10'000, 3), 0);  // a cap that never binds is Poisson sampling exactly
  EXPECT_EQ(refusal([] { overflow_up(200, Rational(1, 10), 20); }), Code::no_theorem);
  EXPECT_EQ(refusal([] { overflow_up(200, Rational(1, 10), 3); }), Code::no_theorem);
  const double overflow = overflow_up(60'000, Rational(256, 60'000), 400);
  EXPECT_NEAR(overflow / binomial_tail(60'000, 256.0 / 60'000, 400), 1, 1e-7);
  EXPECT_NEAR(cut_delta_up(overflow, 14'062, 2) / ((1 + std::exp(2)) * 14'062 * overflow), 1, 1e-12);
  EXPECT_LT(overflow_up(1'000'000'000'000, Rational(1, 1'000'000), 1'010'000), 1e-20);
}

// Twin: one overflow probability without the other dataset's share misses the total variation on both sides. Two laws
// that are equal before the cut: P' and Q' each move mass t, to opposite outcomes.
TEST(Batches, PlantedSingleShareIsCaught) {
  const double t = .01;
  const double worst = (.5 + t) - std::exp(.5) * (.5 - t) - (.5 - std::exp(.5) * .5);  // H grows by t (1 + e^epsilon)
  EXPECT_NEAR(worst, cut_delta_up(t, 1, .5), 1e-15);
  EXPECT_GT(worst, t);
}

// Spec: B-16
TEST(Batches, ShuffledBatchesAreNotPoissonBatches) {
  const double lower = shuffled_delta_down(.4, 10'000, 4);
  EXPECT_GE(lower, .2260499492);             // the row's number, at a C of a coarser search
  EXPECT_NEAR(lower, .226055636664, 1e-11);  // the supremum, to 30 digits elsewhere
  EXPECT_NEAR(gaussian_delta(2.5, 4), .2438199, 1e-7);
  EXPECT_LT(lower, gaussian_delta(2.5, 4));
  const double poisson = 1.16832e-5;  // O-24, what reporting the wrong sampler would say
  EXPECT_GT(lower, 10'000 * poisson);
  EXPECT_NEAR(shuffled_delta_down(1, 1, 1), gaussian_delta(1, 1), 1e-9);  // one batch: plain Gaussian noise
}

// Spec: B-16
TEST(Batches, AnEpochOfShuffledBatchesIsChargedWhole) {
  const Step step = shuffled_epoch(1.5, Neighbours::replace_one);
  EXPECT_EQ(std::get<GaussianLoss>(step.above).mu, 1.5);
  EXPECT_EQ(std::get<AtomLoss>(*step.below), no_loss());
  EXPECT_EQ(refusal([] { shuffled_epoch(1.5, Neighbours::add_remove); }), Code::no_theorem);
  EXPECT_EQ(refusal([] { shuffled_epoch(1.5, Neighbours::both); }), Code::no_theorem);
}

TEST(Batches, RefusesWhatHasNoMeaning) {
  EXPECT_EQ(refusal([] { amplified_epsilon_up(-1, .5); }), Code::out_of_range);
  EXPECT_EQ(refusal([] { amplified_epsilon_up(NAN, .5); }), Code::bad_number);
  EXPECT_EQ(refusal([] { amplified_epsilon_up(1, 1.5); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { with_replacement_rate_up(0, 5); }), Code::bad_count);
  EXPECT_EQ(refusal([] { overflow_up(10, 2, 5); }), Code::bad_probability);
  EXPECT_EQ(refusal([] { shuffled_delta_down(0, 5, 1); }), Code::out_of_range);
}

}  // namespace
}  // namespace dither::accounting
