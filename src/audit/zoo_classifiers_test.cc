// Testers that train classifiers, on the zoo.
#include "audit/zoo_check.h"

namespace dither::audit::zoo {
namespace {

class ZooClassifiers : public ::testing::TestWithParam<std::string_view> {};

// Spec: W-66, W-69
TEST_P(ZooClassifiers, PlantedBugsAreCaught) { expect_catches(tester(GetParam()), 3); }
TEST_P(ZooClassifiers, RightOnesPass) { expect_lets_right_ones_pass(tester(GetParam()), 2); }

INSTANTIATE_TEST_SUITE_P(Testers, ZooClassifiers,
                         ::testing::Values("dp-sniper", "dp-sniper-mlp", "dp-sniper-bits", "delta-siege"),
                         [](const auto& each) { return test_name(each.param); });

}  // namespace
}  // namespace dither::audit::zoo
