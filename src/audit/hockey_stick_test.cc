#include "audit/testers_check.h"
#include "testing/refusal.h"

namespace dither::audit {
namespace {

// Spec: T-47, W-69
TEST(HockeyStick, PlantedBugsAreCaughtAndTwinsPass) { EXPECT_GE(caught(hockey_stick), 11); }

// Spec: T-35, T-47
TEST(HockeyStick, RarelyRejectsWhatIsTight) { EXPECT_TRUE(rarely_rejects(hockey_stick)); }

// A promise with delta: 1 of 20 outputs shows the input. False alarm 1e-6;
// .05 against .02 lies 6 deviations beyond the slack.
// Spec: T-47
TEST(HockeyStick, FindsWhatDeltaDoesNotAllow) {
  const random::Bernoulli shown = random::Bernoulli::with_probability({1, 20});
  const auto draw = [shown](double x) -> Draw {
    return [shown, x](Outputs& out, std::int64_t runs, random::Source& source) {
      for (double& cell : out.add(runs)) cell = shown.draw(source) ? 1 + x : 0;
    };
  };
  const auto report = [&](const Rational& delta) {
    const Target target{"shown", Promise::approximate(1, delta), {Reading::word}, {{"0", "1", draw(0), draw(1)}}};
    Effort effort = check_effort();
    effort.certify = 400'000;
    return hockey_stick(target, effort);
  };
  EXPECT_EQ(report({6, 100}).verdict, Verdict::none_found);
  EXPECT_EQ(report({2, 100}).verdict, Verdict::violated);
}

// 1 of 100 outputs shows the input: too few to be guessed right noticeably more often, enough for the rates of the
// event. Of 10,000 runs of the likelier input 100 show it, and fewer than 50 do with probability below 1e-7; 50 are
// enough.
// Spec: T-47
TEST(HockeyStick, PlantedRareMarkIsCaughtByItsRates) {
  const random::Bernoulli shown = random::Bernoulli::with_probability({1, 100});
  const auto draw = [shown](double x) -> Draw {
    return [shown, x](Outputs& out, std::int64_t runs, random::Source& source) {
      for (double& cell : out.add(runs)) cell = shown.draw(source) ? 1 + x : 0;
    };
  };
  const Target target{"mark", Promise::pure(1), {Reading::word}, {{"0", "1", draw(0), draw(1)}}};
  const Report report = hockey_stick(target, check_effort());
  EXPECT_EQ(report.verdict, Verdict::violated) << report.lower_bound;
  EXPECT_EQ(check::contradiction(report), "");
  ASSERT_TRUE(report.witness.has_value());
  EXPECT_EQ(report.witness->runs_first + report.witness->runs_second, check_effort().certify);
  EXPECT_EQ(report.runs, std::min(report.witness->runs_first, report.witness->runs_second));
}

// A coin of probability e^-30 shows no head in 40,000 rounds: false alarm 1e-8.
TEST(HockeyStick, WithoutRunsOfOneInputSaysSo) {
  const Report report = hockey_stick(target_of(specimens()[0], true, Promise::pure(30)), check_effort());
  EXPECT_EQ(report.verdict, Verdict::none_found);
  EXPECT_EQ(report.runs, 0);
  ASSERT_EQ(report.notes.size(), 1U);
}

// A curve: all of its epsilons are looked at, and the one that promises most is tested.
TEST(HockeyStick, LooksAtTheWholeCurve) {
  const Promise claim = Promise::from_text("rho=1/8");  // allows (1/2)-DP, and little more
  const Specimen& count = specimens()[0];
  EXPECT_EQ(hockey_stick(target_of(count, true, claim), check_effort()).verdict, Verdict::violated);
}

TEST(HockeyStick, WithoutPairsOrTimeSaysSo) {
  const Report none = hockey_stick({"nothing", Promise::pure(1), {Reading::number}, {}}, check_effort());
  EXPECT_EQ(none.verdict, Verdict::none_found);
  EXPECT_EQ(none.runs, 0);
  ASSERT_EQ(none.notes.size(), 1U);
  Effort late = check_effort();
  late.deadline = std::chrono::steady_clock::now();
  EXPECT_EQ(hockey_stick(target_of(specimens()[0], true, Promise::pure(1)), late).runs, 0);
}

TEST(Testers, AreElevenAndFoundByName) {
  EXPECT_EQ(all_testers().size(), 11U);
  EXPECT_EQ(tester("hockey-stick").test, &hockey_stick);
  for (const Tester& one : all_testers()) EXPECT_EQ(tester(one.name).test, one.test);
  EXPECT_EQ(testing::refusal([] { tester("magic"); }), Code::bad_argument);
}

// Noise scaled by the true count, one row against two. The event |x| > 1.7 has probabilities .18 and .034: at epsilon 1 the
// excess is .09, and the slack of 400,000 runs below .03. False alarm 1e-6.
// Spec: T-47
TEST(HockeyStick, PlantedDataDependentScaleIsCaught) {
  Effort effort = check_effort();
  effort.certify = 400'000;
  EXPECT_EQ(hockey_stick(data_dependent_scale(64 / 2), effort).verdict, Verdict::violated);
  EXPECT_EQ(hockey_stick(data_dependent_scale(64), effort).verdict, Verdict::none_found);
}

// Spec: T-47
TEST(HockeyStick, MeansOfFixedSizePass) { EXPECT_TRUE(passes_means(hockey_stick)); }
// Epsilon 4 and mu 4: the event "above the middle" has probability .93 or more on one side, .07 or less on the other.
// Spec: T-47
TEST(HockeyStick, PlantedMeansWithAQuarterOfTheNoiseAreCaught) { EXPECT_FALSE(passes_means(hockey_stick, {1, 4})); }

}  // namespace
}  // namespace dither::audit
