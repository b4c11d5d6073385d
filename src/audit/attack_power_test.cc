#include "audit/attack_power.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "accounting/tradeoff.h"
#include "audit/one_run.h"
#include "stats/binomial.h"
#include "testing/seed.h"
#include "testing/statistical.h"

namespace dither::audit {
namespace {

constexpr double kAlarm = 0.05;

// 0 of 10 and 0 of 10 show log(0.6915 / 0.3085) = 0.807, one error more only log((1 - 0.4450) / 0.3085) = 0.587: the
// claim 0.8 is refuted when there is no error at all.
// Spec: T-53
TEST(AttackPower, TenRunsWithoutAnError) {
  const double chance = chance_to_refute({10, 10}, {0.1, 0.05}, {0.8, 0}, exact_ends(kAlarm));
  EXPECT_NEAR(chance, std::pow(0.9, 10) * std::pow(0.95, 10), 1e-12);
  EXPECT_EQ(chance_to_refute({10, 10}, {0.1, 0.05}, {0.81, 0}, exact_ends(kAlarm)), 0);  // above the ceiling
}

// Seen 0/10 and 8/10, claimed 0.3, against 3: kept are 0.5/11 and 8.5/11. Beside the first the other rate is at least
// max(1 - 0.5/11 e^3, 10.5/11 e^-3) = 0.0870210; beside the second a refutation has probability below 1e-3. Refuted by
// none and 0, 1, 2 errors (0.807, 0.587, 0.364), and by 1 or 2 and none; not by 1 and 1 (0.221), or 0 and 3 (0.119).
// Spec: T-53
TEST(AttackPower, KeepsOneRateAndLosesNothingOnTheOther) {
  const auto exactly = [](int errors, double p) {
    const double ways[] = {1, 10, 45};
    return ways[errors] * std::pow(p, errors) * std::pow(1 - p, 10 - errors);
  };
  const double a = 0.5 / 11, b = 0.0870210;
  const double wanted =
      exactly(0, a) * (exactly(0, b) + exactly(1, b) + exactly(2, b)) + (exactly(1, a) + exactly(2, a)) * exactly(0, b);
  EXPECT_NEAR(power_of_errors({0, 10, 8, 10}, {0.3, 0}, 10, exact_ends(kAlarm)), wanted, 1e-6);
}

// Every pair of counts weighed, with the bound itself.
double chance_reference(const AttackRuns& runs, const ErrorRates& truth, double epsilon, double delta) {
  double chance = 0;
  for (std::int64_t a = 0; a <= runs.negative; ++a) {
    for (std::int64_t b = 0; b <= runs.positive; ++b) {
      if (epsilon_lower_bound({a, runs.negative, b, runs.positive}, delta, kAlarm) <= epsilon) continue;
      chance += std::exp(stats::binomial_log_pmf(a, runs.negative, truth.false_positive) +
                         stats::binomial_log_pmf(b, runs.positive, truth.false_negative));
    }
  }
  return chance;
}

// Spec: T-53
TEST(AttackPower, IsTheSumOverAllCountsButForALump) {
  for (const AttackRuns runs : {AttackRuns{40, 70}, AttackRuns{90, 30}}) {
    for (const ErrorRates truth : {ErrorRates{0.05, 0.4}, ErrorRates{0.3, 0.1}, ErrorRates{0.2, 0.25}}) {
      for (const double delta : {0.0, 0.02}) {
        const double wanted = chance_reference(runs, truth, 0.7, delta);
        const double found = chance_to_refute(runs, truth, {0.7, delta}, exact_ends(kAlarm));
        EXPECT_LE(found, wanted + 1e-9);
        EXPECT_GE(found, wanted - 1.0 / 64 - 1e-6);
      }
    }
  }
}

// 4000 audits of 2000 + 2000 runs of randomised response of twice the claim, by an attack that keeps its 10%: as often
// refuted as foretold. False alarm: 1e-9 on each side of what a lump leaves open. What 1.5 times the claim shows is told
// apart with probability 1 - 1e-9.
// Spec: T-53
TEST(AttackPower, IsWhatRepeatedAuditsShow) {
  const ErrorCounts seen{200, 2000, 1500, 2000};
  const AttackedClaim claim{0.26, 0};
  const auto kept = power_of_errors(seen, claim, 2, exact_ends(kAlarm));
  const double false_positive = 200.5 / 2001;
  const auto audits_that_refute = [&](double epsilon) {
    std::mt19937_64 draw(testing::run_seed());
    std::binomial_distribution<std::int64_t> positives(2000, false_positive);
    std::binomial_distribution<std::int64_t> negatives(2000, accounting::tradeoff_down(epsilon, 0, false_positive));
    int refuted = 0;
    for (int i = 0; i < 4000; ++i) {
      refuted += epsilon_lower_bound({positives(draw), 2000, negatives(draw), 2000}, 0, kAlarm) > claim.epsilon ? 1 : 0;
    }
    return refuted;
  };
  const double power = chance_to_refute(
      {2000, 2000}, {false_positive, accounting::tradeoff_down(0.52, 0, false_positive)}, claim, exact_ends(kAlarm));
  EXPECT_GT(power, 0.1);
  EXPECT_LT(power, 0.9);
  EXPECT_GE(kept, power);  // the other way may be better
  const int refuted = audits_that_refute(0.52);
  EXPECT_GT(stats::binomial_upper(refuted, 4000, power), 1e-9);
  EXPECT_GT(stats::binomial_lower(refuted, 4000, power + 1.0 / 64), 1e-9);
  EXPECT_LT(stats::binomial_lower(audits_that_refute(0.39), 4000, power), 1e-9);
}

// Spec: T-53
TEST(AttackPower, GrowsWithTheLeakAndWithRuns) {
  const auto power = [](std::int64_t scale, double times, std::optional<double> mu = {}) {
    return power_of_errors({5 * scale, 100 * scale, 70 * scale, 100 * scale}, {1, 1e-5, mu}, times, exact_ends(0.001));
  };
  EXPECT_LT(power(10, 1.5), power(10, 2));
  EXPECT_LT(power(10, 1.5), power(100, 1.5));
  EXPECT_NEAR(power(100'000'000, 1.5), 1, 0.02);
  EXPECT_LT(power(10, 1), 0.001);  // who keeps the claim
  EXPECT_GT(power(10, 2, 0.4), power(10, 1.5, 0.4));
  EXPECT_LT(power(10, 1, 0.4), 0.001);
}

// Ends of a band are wider than exact ones at one threshold, so they show less.
// Spec: T-53
TEST(AttackPower, ABandCostsPower) {
  const AttackRuns runs{1000, 1000};
  const ErrorRates truth{0.1, 0.55};
  const double exact = chance_to_refute(runs, truth, {1, 0}, exact_ends(kAlarm));
  const double band = chance_to_refute(runs, truth, {1, 0}, band_ends(kAlarm));
  EXPECT_LT(band, exact);
  // sqrt(log(40) / 2000) = 0.0429: seen rates below 0.1429 and 0.5929 give log((1 - 0.1429) / 0.5929) and
  // log((1 - 0.5929) / 0.1429) = 1.0469 > 1, so refuting is about as likely as not.
  EXPECT_GT(band, 0.4);
  EXPECT_LT(band, 0.75);
}

// Ten guesses at epsilon 0: nine right have probability 11/1024, eight 56/1024.
// Spec: T-53, T-38
TEST(AttackPower, OfTenGuessesNineMustBeRight) {
  const auto refutes = [](std::int64_t right) { return one_run_p_value_up({10, 10, right}, 0, 0) < kAlarm; };
  const double q = 0.75;
  EXPECT_NEAR(power_of_guesses(10, q, refutes), 10 * std::pow(q, 9) * (1 - q) + std::pow(q, 10), 1e-12);
  EXPECT_EQ(power_of_guesses(10, q, [](std::int64_t) { return false; }), 0);
  EXPECT_EQ(power_of_guesses(10, q, [](std::int64_t) { return true; }), 1);
}

// 3000 runs of 400 canaries with independent answers of epsilon 1.5 against the claim 1: as often refuted as foretold.
// False alarm 1e-9; the power against 1.4 is told apart.
// Spec: T-53, T-38
TEST(AttackPower, OfGuessesIsWhatRepeatedRunsShow) {
  const auto rate = [](double epsilon) { return 1 / (1 + std::exp(-epsilon)); };
  const auto refutes = [](std::int64_t right) { return epsilon_lower_bound_one_run({400, 400, right}, 0, kAlarm) > 1; };
  std::mt19937_64 draw(testing::run_seed());
  std::binomial_distribution<std::int64_t> rights(400, rate(1.5));
  int refuted = 0;
  for (int i = 0; i < 3000; ++i) refuted += refutes(rights(draw)) ? 1 : 0;
  EXPECT_TRUE(testing::binomial_accepts(refuted, 3000, power_of_guesses(400, rate(1.5), refutes), 1e-9));
  EXPECT_FALSE(testing::binomial_accepts(refuted, 3000, power_of_guesses(400, rate(1.4), refutes), 1e-9));
}

}  // namespace
}  // namespace dither::audit
