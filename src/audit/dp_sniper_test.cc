#include "audit/dp_sniper.h"

#include "audit/searching_check.h"

namespace dither::audit {
namespace {

// Spec: T-45, W-66
TEST(DpSniper, TellsBrokenFromRight) { check::expect_tells_twins(dp_sniper, {}); }
TEST(DpSniper, FalseAlarmsAreRare) { check::expect_false_alarms_are_rare(dp_sniper); }
TEST(DpSniper, FindsAScaleALittleTooSmall) { check::expect_finds_a_little(dp_sniper); }

// The event's probability c is chosen on training runs: of a Laplace count the loss is largest, 1, on the outputs up to the
// smaller input, so c = e^-1 / 2 = .184 is best, and training finds it within a factor of two or so. What the bounds take
// off is 2 z sqrt((1 - c) / (c N)) or somewhat less, since the likelier side's error is smaller; z = 1.645 with 5% on each
// side.
// Spec: T-45
TEST(DpSniper, ChoosesTheEventOnTrainingRunsAndLosesWhatTheFormulaSays) {
  const Effort effort{
      .search = 200'000, .certify = 1'000'000, .looks = 1, .false_alarm = 0.1, .seed = testing::run_seed()};
  const Report report = dp_sniper(check::laplace_count(Rational(1, 2), 1), effort);
  ASSERT_TRUE(report.witness.has_value());
  const auto runs = static_cast<double>(report.runs);
  const double first = static_cast<double>(report.witness->hits_first) / runs;
  const double c = static_cast<double>(report.witness->hits_second) / runs;
  EXPECT_GT(c, 0.05);
  EXPECT_LT(c, 0.40);
  const double gap = std::log(first / c) - report.lower_bound;
  const double formula = 2 * 1.645 * std::sqrt((1 - c) / (c * runs));
  EXPECT_GT(gap, formula / 3);
  EXPECT_LT(gap, formula * 3);
}

}  // namespace
}  // namespace dither::audit
