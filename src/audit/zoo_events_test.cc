// Testers that search for events, on the zoo.
#include "audit/zoo_check.h"

namespace dither::audit::zoo {
namespace {

class ZooEvents : public ::testing::TestWithParam<std::string_view> {};

// Spec: W-61, W-69
TEST_P(ZooEvents, PlantedBugsAreCaught) { expect_catches(tester(GetParam()), 8); }
TEST_P(ZooEvents, RightOnesPass) { expect_lets_right_ones_pass(tester(GetParam()), 8); }

INSTANTIATE_TEST_SUITE_P(Testers, ZooEvents,
                         ::testing::Values("stat-dp", "dp-finder", "stochastic", "histogram", "likelihood"),
                         [](const auto& each) { return test_name(each.param); });

}  // namespace
}  // namespace dither::audit::zoo
