#include "audit/dp_sniper.h"

#include "audit/searching_check.h"

namespace dither::audit {
namespace {

// Spec: T-45, W-66
TEST(DpSniper, TellsBrokenFromRight) { check::expect_tells_twins(dp_sniper, {}); }
TEST(DpSniper, FalseAlarmsAreRare) { check::expect_false_alarms_are_rare(dp_sniper); }
TEST(DpSniper, FindsAScaleALittleTooSmall) { check::expect_finds_a_little(dp_sniper); }

}  // namespace
}  // namespace dither::audit
