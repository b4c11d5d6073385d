// What reports say of their power is about how often leaks are found.
#include <cmath>

#include "audit/detail/power.h"
#include "audit/testers_check.h"
#include "stats/binomial.h"

namespace dither::audit {
namespace {

using Test = std::function<Report(const Target&, const Effort&)>;

// Words that are 0 or 1; epsilon 1 is promised.
Target coins(double first, double second) {
  const auto draw = [](double rate) -> Draw {
    return [law = random::Bernoulli::with_probability(Rational::from_double(rate))](Outputs& out, std::int64_t runs,
                                                                                    random::Source& source) {
      for (double& cell : out.add(runs)) cell = law.draw(source) ? 1 : 0;
    };
  };
  return {"coins", Promise::pure(1), {Reading::word}, {{"0", "1", draw(first), draw(second)}}};
}

// A coin that tells the truth as often as epsilon 1 allows, with `times` the loss: as power is meant, one probability
// stays and the other falls; divergences are of coins that are true to both sides alike.
Target leaky(double times, bool alike) {
  const auto truth = [](double epsilon) { return 1 / (1 + std::exp(-epsilon)); };
  return alike ? coins(truth(times), 1 - truth(times)) : coins(truth(1), truth(1) * std::exp(-times));
}

// How far what is said of the right coin lies above what is found of the leaky one, and below.
struct Gap {
  double boast = 0, modesty = 0;
};
Gap gap_of(const Test& test, bool alike) {
  constexpr int kAudits = 150;
  double said[] = {0, 0}, found[] = {0, 0};
  for (int i = 0; i < kAudits; ++i) {
    const Effort effort{.search = 300,
                        .certify = 300,
                        .false_alarm = 0.01,
                        .seed = testing::run_seed() + static_cast<std::uint64_t>(i)};
    const Report right = test(leaky(1, alike), effort);
    EXPECT_EQ(check::contradiction(right), "") << right.tester;
    said[0] += right.power_1_5 / kAudits;
    said[1] += right.power_2 / kAudits;
    for (const int j : {0, 1})
      found[j] += test(leaky(j == 0 ? 1.5 : 2, alike), effort).verdict == Verdict::violated ? 1.0 / kAudits : 0;
  }
  return {std::max(said[0] - found[0], said[1] - found[1]), std::max(found[0] - said[0], found[1] - said[1])};
}

// Of 300 audits no tester was seen to say more than .11 above what it found here, or less than .16 below; those two that
// choose their event before they count say up to .86 less: the best event of a right coin is one of many that tell little.
// By Hoeffding's inequality each of the comparisons fails by chance with probability 2e-8 (150 audits, .24 further).
// Spec: T-53
TEST(Power, IsAboutHowOftenLeaksAreFound) {
  for (const Tester& tester : all_testers()) {
    const Gap gap = gap_of(tester.test, tester.name == "renyi");
    EXPECT_LT(gap.boast, 0.35) << tester.name;
    if (tester.name != "stat-dp" && tester.name != "dp-finder") {
      EXPECT_LT(gap.modesty, 0.4) << tester.name;
    }
  }
}

TEST(Power, PlantedBoastsAreCaught) {
  const auto boasting = [](double said) {
    return [said](const Target& target, const Effort& effort) {
      Report report = kernel(target, effort);
      report.power_1_5 = said;
      return report;
    };
  };
  EXPECT_GT(gap_of(boasting(1), false).boast, 0.5);
  const auto silent = [](const Target& target, const Effort& effort) {
    Report report = dp_sniper(target, effort);
    report.power_1_5 = report.power_2 = 0;
    return report;
  };
  EXPECT_GT(gap_of(silent, false).modesty, 0.5);
}

// Hits of a tenth of e^(-2 log 5): 300 runs, at most 20 of which refute.
TEST(Power, OfAnEventIsABinomialTail) {
  const auto refutes = [](std::int64_t hits) { return hits <= 20; };
  const detail::SeenEvent seen{0.5, 0.1, 300};
  EXPECT_NEAR(detail::power_of_event(2, seen, 0, refutes), stats::binomial_lower(20, 300, 0.02), 1e-12);
  EXPECT_NEAR(detail::power_of_event(2, {0.6, 0.1, 300}, 0.1, refutes), stats::binomial_lower(20, 300, 0.02), 1e-12);
  EXPECT_EQ(detail::power_of_event(2, {0.1, 0.1, 300}, 0, refutes), 0);  // tells nothing
  EXPECT_EQ(detail::power_of_event(2, seen, 0.5, refutes), 0);           // delta allows all of it
  EXPECT_EQ(detail::power_of_event(2, {0.5, 0.1, 0}, 0, refutes), 0);
  EXPECT_EQ(detail::power_of_event(2, seen, 0, [](std::int64_t) { return false; }), 0);
  EXPECT_EQ(detail::power_of_event(2, seen, 0, [](std::int64_t) { return true; }), 1);
}

}  // namespace
}  // namespace dither::audit
