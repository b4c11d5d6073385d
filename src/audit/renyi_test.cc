#include "audit/renyi.h"

#include "audit/testers_check.h"
#include "random/discrete_gaussian.h"

namespace dither::audit {
namespace {

// N(0, 1) and N(distance, 1), on a grid of 1/1000.
Target gaussians(const Promise& promise, double distance = 1) {
  const random::DiscreteGaussian law(1000);
  const auto draw = [law](double mean) -> Draw {
    return [law, mean](Outputs& out, std::int64_t runs, random::Source& source) {
      for (double& cell : out.add(runs)) cell = mean + static_cast<double>(law.draw(source)) / 1000;
    };
  };
  return {"gaussians", promise, {Reading::number}, {{"0", "1", draw(0), draw(distance)}}};
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

// What is said of leaks of 1.5 times the claim by audits of what just keeps it, and how many of such leaks are found.
// Means of 40 audits at 5%: at 500 runs both were below 0.02 in simulations, at 12,000 above 0.98, and between them within
// 0.3 of each other. A leak found with probability 0.02 is found in more than 10 of 40 with probability below 1e-9.
// Spec: T-53
TEST(Renyi, PowerIsAboutHowOftenALeakIsFound) {
  struct Claim {
    const char* text;
    double leak;  // the distance of Gaussians that leak 1.5 times the claim
  };
  for (const auto& [text, leak] : {Claim{"rho=1/2", 1.2247}, Claim{"mu=1", 1.5}}) {
    const Promise claim = Promise::from_text(text);
    for (const std::int64_t runs : {500, 12'000}) {
      double said = 0, found = 0;
      for (std::uint64_t i = 0; i < 40; ++i) {
        const Effort effort{.search = runs, .certify = runs, .seed = testing::run_seed() + i};
        const Report tight = renyi(gaussians(claim), effort);
        EXPECT_GE(tight.power_2, tight.power_1_5);
        said += tight.power_1_5 / 40;
        found += renyi(gaussians(claim, leak), effort).verdict == Verdict::violated ? 1.0 / 40 : 0;
      }
      EXPECT_EQ(said > 0.75, runs > 500) << text << ": " << said;
      EXPECT_EQ(said < 0.25, runs <= 500) << text << ": " << said;
      EXPECT_EQ(found > 0.75, runs > 500) << text << ": " << found;
      EXPECT_EQ(found < 0.25, runs <= 500) << text << ": " << found;
    }
  }
}

// Noise alone tells nothing about the inputs, so that leaks of its shape would not be found.
TEST(Renyi, WhatTellsNothingHasNoPower) {
  const Effort effort{.search = 2000, .certify = 2000, .seed = testing::run_seed()};
  EXPECT_LT(renyi(gaussians(Promise::from_text("rho=1/2"), 0), effort).power_2, 0.01);
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

// Spec: T-47
TEST(Renyi, MeansOfFixedSizePass) { EXPECT_TRUE(passes_means(renyi)); }
// Epsilon 4 and mu 4: the event "above the middle" has probability .93 or more on one side, .07 or less on the other.
// Spec: T-47
TEST(Renyi, PlantedMeansWithAQuarterOfTheNoiseAreCaught) { EXPECT_FALSE(passes_means(renyi, {1, 4})); }

}  // namespace
}  // namespace dither::audit
