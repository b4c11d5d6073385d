// Testers that estimate distances, on the zoo.
#include "audit/zoo_check.h"

namespace dither::audit::zoo {
namespace {

class ZooDistances : public ::testing::TestWithParam<std::string_view> {};

// Spec: W-69
TEST_P(ZooDistances, PlantedBugsAreCaught) { expect_catches(tester(GetParam()), GetParam() == "kernel" ? 2 : 8); }
TEST_P(ZooDistances, RightOnesPass) { expect_lets_right_ones_pass(tester(GetParam()), GetParam() == "kernel" ? 1 : 8); }

INSTANTIATE_TEST_SUITE_P(Testers, ZooDistances, ::testing::Values("hockey-stick", "renyi", "kernel"),
                         [](const auto& each) { return test_name(each.param); });

}  // namespace
}  // namespace dither::audit::zoo
