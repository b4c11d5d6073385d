// The tester with a small network.
#include "audit/dp_sniper.h"
#include "audit/searching_check.h"

namespace dither::audit {
namespace {

// Spec: T-45
TEST(DpSniperMlp, TellsBrokenFromRight) { check::expect_tells_twins(dp_sniper_mlp, {}); }
TEST(DpSniperMlp, FalseAlarmsAreRare) { check::expect_false_alarms_are_rare(dp_sniper_mlp); }
TEST(DpSniperMlp, FindsAScaleALittleTooSmall) { check::expect_finds_a_little(dp_sniper_mlp); }

}  // namespace
}  // namespace dither::audit
