#include "audit/renyi.h"

#include "audit/testers_check.h"
#include "random/discrete_gaussian.h"

namespace dither::audit {
namespace {

// N(0, 1) and N(1, 1), on a grid of 1/1000.
Target gaussians(const Promise& promise) {
  const random::DiscreteGaussian law(1000);
  const auto draw = [law](double mean) -> Draw {
    return [law, mean](Outputs& out, std::int64_t runs, random::Source& source) {
      for (double& cell : out.add(runs)) cell = mean + static_cast<double>(law.draw(source)) / 1000;
    };
  };
  return {"gaussians", promise, {Reading::number}, {{"0", "1", draw(0), draw(1)}}};
}

// The divergence of order 2 is 1. Bins and the cut lose a little, the bound a little more; it never exceeds the truth
// but with probability 1e-6.
// Spec: T-47
TEST(Renyi, FindsOneForGaussiansOneApart) {
  const Effort effort{.search = 50'000, .certify = 400'000, .false_alarm = 1e-6, .seed = testing::run_seed()};
  const RenyiBound bound = renyi_at_least(gaussians(Promise::from_text("rho=1/2")), 0, 2, effort);
  EXPECT_LE(bound.at_least, 1);
  EXPECT_GT(bound.at_least, 0.85);
  EXPECT_GT(bound.about, 0.93);
}

// Spec: T-47
TEST(Renyi, GaussiansKeepRhoOneHalfAndNotOneThird) {
  const Effort effort{.search = 30'000, .certify = 200'000, .false_alarm = 1e-6, .seed = testing::run_seed()};
  EXPECT_EQ(renyi(gaussians(Promise::from_text("rho=1/2")), effort).verdict, Verdict::none_found);
  const Report report = renyi(gaussians(Promise::from_text("rho=1/3")), effort);
  EXPECT_EQ(report.verdict, Verdict::violated);
  EXPECT_GT(report.lower_bound, report.promised);
  EXPECT_EQ(renyi(gaussians(Promise::from_text("mu=1")), effort).verdict, Verdict::none_found);
  EXPECT_EQ(renyi(gaussians(Promise::from_text("mu=0.8")), effort).verdict, Verdict::violated);
}

// Spec: T-47, W-69
TEST(Renyi, PlantedBugsAreCaughtAndTwinsPass) { EXPECT_GE(caught(renyi), 10); }

// (epsilon, delta) bounds no divergence: the function is tested instead.
TEST(Renyi, PlantedBugsAreCaughtUnderADeltaToo) { EXPECT_GE(caught(renyi, Promise::approximate(1, {1, 1000})), 8); }

// Spec: T-35, T-47
TEST(Renyi, RarelyRejectsWhatIsTight) { EXPECT_TRUE(rarely_rejects(renyi)); }

// Noise scaled by the true count, one row against two. The event |x| > 1.7 has probabilities .18 and .034: at epsilon 1 the
// excess is .09, and the slack of 400,000 runs below .03. False alarm 1e-6.
// Spec: T-47
TEST(Renyi, PlantedDataDependentScaleIsCaught) {
  Effort effort = check_effort();
  effort.certify = 400'000;
  EXPECT_EQ(renyi(data_dependent_scale(64 / 2), effort).verdict, Verdict::violated);
  EXPECT_EQ(renyi(data_dependent_scale(64), effort).verdict, Verdict::none_found);
}

}  // namespace
}  // namespace dither::audit
