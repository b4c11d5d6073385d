#include "audit/dp_sniper.h"

#include "audit/lower_bound.h"
#include "audit/searching_check.h"
#include "audit/zoo/zoo.h"
#include "stats/clopper_pearson.h"

namespace dither::audit {
namespace {

// Spec: T-45, W-66
TEST(DpSniper, TellsBrokenFromRight) { check::expect_tells_twins(dp_sniper, {}); }
TEST(DpSniper, FalseAlarmsAreRare) { check::expect_false_alarms_are_rare(dp_sniper); }
TEST(DpSniper, FindsAScaleALittleTooSmall) { check::expect_finds_a_little(dp_sniper); }

// The event's probability c is chosen on training runs: of a Laplace count the loss is largest, 1, on the outputs up to the
// smaller input, so c = e^-1 / 2 = .184 is best, and training finds it within a factor of two in 99 of 100 searches. A
// smaller event must look better by luck: at c = .01, by five deviations and more. What the bounds take off is
// 2 z sqrt((1 - c) / (c N)) or somewhat less, since the likelier side's error is smaller; z = 1.645 with 5% a side.
// Spec: T-45
TEST(DpSniper, ChoosesTheEventOnTrainingRunsAndLosesWhatTheFormulaSays) {
  const Effort effort{
      .search = 200'000, .certify = 1'000'000, .looks = 1, .false_alarm = 0.1, .seed = testing::run_seed()};
  const Report report = dp_sniper(check::laplace_count(Rational(1, 2), 1), effort);
  ASSERT_TRUE(report.witness.has_value());
  const auto runs = static_cast<double>(report.runs);
  const double first = static_cast<double>(report.witness->hits_first) / runs;
  const double c = static_cast<double>(report.witness->hits_second) / runs;
  EXPECT_GT(c, 0.01);
  EXPECT_LT(c, 0.40);
  const double gap = std::log(first / c) - report.lower_bound;
  const double formula = 2 * 1.645 * std::sqrt((1 - c) / (c * runs));
  EXPECT_GT(gap, formula / 3);
  EXPECT_LT(gap, formula * 3);
}

// Laplace noise at epsilon 0.1, in the night with 10^7 fresh runs of each input: at c = .45 the bounds of 1.25% each
// take off .0015, with a standard error of .0005, and .095 is seven of these away. By day, with a tenth of the runs,
// they take off .0047, with .0015, and .084 is as far away.
// Spec: T-45
TEST(DpSniper, LaplaceNoiseIsBoundedClosely) {
  const std::int64_t certify = check::nightly() ? 10'000'000 : 1'000'000;
  const Effort effort{.search = certify / 5, .certify = certify, .seed = testing::run_seed()};
  const Report report = dp_sniper(check::laplace_count(Rational(1, 10), 10), effort);
  EXPECT_GE(report.lower_bound, check::nightly() ? 0.095 : 0.084);
}

// The partition that circulates for DAWA, with half of its noise, and the one with all of it: see zoo.dawa.
// False alarm 1e-6; six bounds
// of the broken one lay between 2.7 and 3.1, with a standard deviation of .14.
// Spec: W-66
TEST(DpSniper, PlantedNoiseOfDawaIsCaught) {
  const Effort effort{.search = 100'000, .certify = 1'000'000, .false_alarm = 1e-6, .seed = testing::run_seed()};
  const Report broken = dp_sniper(zoo::entry("zoo.dawa").make(), effort);
  EXPECT_EQ(broken.verdict, Verdict::violated) << broken.lower_bound;
  EXPECT_EQ(dp_sniper(zoo::entry("zoo.dawa.right").make(), effort).verdict, Verdict::none_found);
}

// The published size: an event of probability .01 among 2 x 10^8 runs, with 5% a side. What two bounds take off its
// logarithm is the formula's .0023, but for the asymmetry of the exact ones.
// Spec: T-45
TEST(DpSniper, ExactBoundsLoseWhatTheFormulaSays) {
  constexpr std::int64_t kRuns = 200'000'000, kHits = kRuns / 100;
  const double low = stats::probability_lower_bound(kHits, kRuns, 0.05);
  const double high = stats::probability_upper_bound(kHits, kRuns, 0.05);
  EXPECT_NEAR(std::log(high / low), 2 * 1.6449 * std::sqrt(0.99 / kHits), 1e-6);
  EXPECT_NEAR(std::log(high / low), 0.0023, 5e-5);
}

}  // namespace
}  // namespace dither::audit
