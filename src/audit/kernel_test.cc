#include "audit/testers_check.h"

namespace dither::audit {
namespace {

// Spec: T-47, W-69
TEST(KernelTester, PlantedBugsAreCaughtAndTwinsPass) { EXPECT_GE(caught(kernel), 8); }

// Spec: T-35, T-47
TEST(KernelTester, RarelyRejectsWhatIsTight) { EXPECT_TRUE(rarely_rejects(kernel)); }

// A mean whose noise is scaled by the true count: far apart where the count changes much. One row against two is seen in
// most runs only: that is for the other testers of T-47.
// Spec: T-47
TEST(KernelTester, PlantedDataDependentScaleIsCaught) {
  EXPECT_EQ(kernel(data_dependent_scale(64 / 16), check_effort()).verdict, Verdict::violated);
  EXPECT_EQ(kernel(data_dependent_scale(64), check_effort()).verdict, Verdict::none_found);
}

// Spec: T-47
TEST(KernelTester, MeansOfFixedSizePass) { EXPECT_TRUE(passes_means(kernel)); }
// Epsilon 4 and mu 4: the event "above the middle" has probability .93 or more on one side, .07 or less on the other.
// Spec: T-47
TEST(KernelTester, PlantedMeansWithAQuarterOfTheNoiseAreCaught) { EXPECT_FALSE(passes_means(kernel, {1, 4})); }

}  // namespace
}  // namespace dither::audit
