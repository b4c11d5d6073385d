#include "audit/testers_check.h"

namespace dither::audit {
namespace {

// Spec: T-47, W-69
TEST(KernelTester, PlantedBugsAreCaughtAndTwinsPass) { EXPECT_GE(caught(kernel), 8); }

// Spec: T-35, T-47
TEST(KernelTester, RarelyRejectsWhatIsTight) { EXPECT_TRUE(rarely_rejects(kernel)); }

// A mean whose noise is scaled by the true count: far apart where the count changes much.
// Spec: T-47
TEST(KernelTester, PlantedDataDependentScaleIsCaught) {
  const auto draw = [](const Rational& scale) -> Draw {
    return [law = random::DiscreteLaplace(scale)](Outputs& out, std::int64_t runs, random::Source& source) {
      for (double& cell : out.add(runs)) cell = noise(law, source);
    };
  };
  const auto target = [&](const Rational& other) {
    return Target{"mean", Promise::pure(1), {Reading::number}, {{"one row", "two rows", draw(64), draw(other)}}};
  };
  EXPECT_EQ(kernel(target(64 / 16), check_effort()).verdict, Verdict::violated);
  EXPECT_EQ(kernel(target(64), check_effort()).verdict, Verdict::none_found);
}

}  // namespace
}  // namespace dither::audit
