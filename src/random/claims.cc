#include "random/claims.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace dither::random {

namespace {

using Names = std::vector<std::string>;

// What tests judge a sampler by: those of its law, and planted bugs that they catch.
struct Evidence {
  Names rows;
  Names testers;
  Names mutants;
};

void add(Registry& registry, std::string name, std::string guarantee, std::string conditions, Evidence evidence) {
  registry.add_attacked({std::move(name), "random", std::move(guarantee), std::move(conditions),
                         std::move(evidence.rows), std::move(evidence.testers), std::move(evidence.mutants),
                         Subject::sampler});
}

void add_source(Registry& registry) {
  add(registry, "random-source",
      "bytes are those of ChaCha20 under a key from the kernel, handed out once, never shared with a forked child, and "
      "neither they nor their key remain",
      "the kernel gives entropy: without it the process aborts",
      {{"D-69", "W-74"},
       {"Source.ForkedChildrenDrawOtherBytes", "Source.ForkedChildrenCannotFollowTheirParent",
        "Source.NoBlockIsHandedOutTwice", "Source.BytesAreWipedOnceRead", "Source.BitsAreFair",
        "SourceDeathTest.AbortsWithoutEntropy"},
       {"Source.PlantedStreamThatSurvivesForkIsCaught", "Source.PlantedReusedBlockIsCaught"}});
}

void add_coins_and_counts(Registry& registry) {
  add(registry, "draw-bernoulli", "true with probability p, exactly; 8 bytes whatever the outcome",
      "refuses p outside [0, 1]",
      {{"D-68", "W-72"},
       {"Bernoulli.EveryTapeGivesP", "Bernoulli.BatchFollowsTheLaw", "Bernoulli.EightBytesATossWhateverTheOutcome",
        "DiscreteWork.CoinsTellNothing"},
       {"Bernoulli.PlantedOrEqualIsCaught", "Bernoulli.PlantedFloatRoundingIsCaught"}});
  add(registry, "draw-bernoulli-exp", "true with probability exp(-x), exactly; 8 bytes whatever the outcome",
      "refuses x < 0",
      {{"D-68", "W-72"},
       {"Bernoulli.EveryTapeGivesExpOfMinusX", "Bernoulli.EveryTapeOfAFreshCoinGivesExpOfMinusX",
        "Bernoulli.FixedPointBoundsHold", "DiscreteWork.CoinsTellNothing"},
       {}});
  add(registry, "draw-uniform", "each of 0 .. n-1 with probability 1/n, exactly", "refuses n = 0",
      {{"D-68"},
       {"UniformBelow.EveryTapeOfTwoBytesGivesTheLaw", "UniformBelow.EveryTapeOf16BitsGivesTheLaw",
        "UniformBelow.WideFormFollowsTheLawOnTapes", "UniformBelow.BatchFollowsTheLaw"},
       {"UniformBelow.PlantedModuloBiasIsCaught", "UniformBelow.PlantedMissingZeroIsCaught",
        "UniformBelow.PlantedReusedBlockIsCaught"}});
  add(registry, "draw-binomial", "successes in n independent trials of probability p, exactly: no tail is cut",
      "refuses p outside [0, 1] and n > 2^40",
      {{"D-68", "W-72"},
       {"Binomial.EveryTapeGivesTheLaw", "Binomial.EveryTapeOfASumGivesTheLaw", "Binomial.BatchFollowsTheLaw",
        "Binomial.BytesAreFixedByTheParameters"},
       {"Binomial.PlantedMissingTrialIsCaught"}});
  add(registry, "draw-poisson", "P(k) = exp(-rate) rate^k / k!, exactly: no tail is cut",
      "refuses rates outside [0, 2^40]",
      {{"D-68"},
       {"Poisson.EveryTapeGivesTheLaw", "Poisson.BatchFollowsTheLaw", "DiscreteWork.CountsTellNothing"},
       {"Poisson.PlantedTruncatedTailIsCaught", "DiscreteWork.PlantedCountingPoissonIsCaught"}});
  add(registry, "draw-skellam", "the difference of two independent Poisson numbers, exactly",
      "refuses rates outside [0, 2^40]",
      {{"D-68"},
       {"Skellam.EveryTapeGivesTheLaw", "Skellam.SignsAreRight", "SkellamPmf.AgreesWithTheBesselSeries"},
       {"Skellam.PlantedSignBiasIsCaught", "Skellam.PlantedDoubleCountedZeroIsCaught"}});
}

void add_integer_noise(Registry& registry) {
  add(registry, "draw-discrete-laplace",
      "P(k) is proportional to exp(-|k| / scale), exactly; work and bytes do not follow the value",
      "scale in [1/1000, 2^60], otherwise refused; an exact fallback of probability below 2^-45 takes longer",
      {{"D-68", "F-67", "W-70", "W-72"},
       {"DiscreteLaplace.AllFormsFollowTheLaw", "DiscreteLaplace.BatchEqualsScalar", "Pmf.DiscreteLaplaceOracles",
        "Work.CyclesSayNothingOfTheValue"},
       {"DiscreteLaplace.PlantedNarrowNoiseIsCaught", "DiscreteLaplace.PlantedFloatRoundingIsCaught",
        "Work.PlantedValueDependentWorkIsCaught"}});
  add(registry, "draw-discrete-gaussian",
      "P(k) is proportional to exp(-k^2 / (2 sigma^2)), exactly; work and bytes do not follow the value",
      "sigma in [1/1000, 2^60], otherwise refused; an exact fallback of probability below 2^-45 takes longer",
      {{"D-68", "F-70", "W-70", "W-72"},
       {"DiscreteGaussian.AllFormsFollowTheLaw", "DiscreteGaussian.TailFollowsTheLaw", "Pmf.DiscreteGaussianOracles",
        "Work.CyclesSayNothingOfTheValue"},
       {"DiscreteGaussian.PlantedNarrowNoiseIsCaught"}});
  add(registry, "draw-geometric", "k >= 0 with probability p (1 - p)^k, exactly", "2^-60 <= p < 1, otherwise refused",
      {{"D-68", "F-67", "W-72"},
       {"Geometric.FollowsTheLaw", "Geometric.ReachesCloseToOne", "Work.CyclesSayNothingOfTheValue"},
       {"Geometric.PlantedCountFromOneIsCaught"}});
  add(registry, "draw-truncated-geometric",
      "clamp(x + K, 0, n) for discrete Laplace K, exactly: the ends hold the mass beyond them",
      "an x outside 0 .. n counts as the nearest end; refuses n < 0 and scales outside [1/1000, 2^60]",
      {{"D-68", "F-68"},
       {"TruncatedGeometric.EveryTapeGivesTheLaw", "TruncatedGeometric.DrawsFollowTheLaw",
        "TruncatedGeometricPmf.OracleValues", "DiscreteWork.TruncatedGeometricTellsNothing"},
       {"TruncatedGeometric.PlantedReflectionIsCaught"}});
}

void add_choices(Registry& registry) {
  add(registry, "draw-categorical", "index i with probability weight i over the sum of weights, exactly",
      "refuses no weights, a negative one, all zero, and more than 2^24",
      {{"D-68", "W-72"},
       {"Categorical.EveryTapeGivesTheLaw", "Categorical.EveryTapeGivesTheLawOfRationalWeights",
        "Categorical.BatchFollowsTheLaw", "DiscreteWork.CategoricalTellsNothing"},
       {"Categorical.PlantedFloatRoundingInWeightsIsCaught"}});
  add(registry, "draw-weighted-choice",
      "index i with probability proportional to weight i times exp(rate score i), exactly; work follows neither the "
      "scores nor the index",
      "refuses no candidates, all weights zero, lists of different lengths, more than 2^24 candidates, and rate < 0",
      {{"D-68", "F-84", "W-72"},
       {"WeightedChoice.EveryTapeGivesTheLaw", "WeightedChoice.ScoresOfAMillionDoNotOverflow",
        "WeightedChoice.BatchFollowsTheLaw", "DiscreteWork.WeightedChoiceTellsNothing"},
       {"WeightedChoice.PlantedHalfRateIsCaught", "WeightedChoice.PlantedOverflowIsCaught",
        "DiscreteWork.PlantedEarlyExitIsCaught"}});
  add(registry, "draw-permutation", "every order of the items with the same probability, exactly",
      "at most 2^32 items, otherwise refused",
      {{"D-68"},
       {"Shuffle.EveryTapeGivesEveryOrderItsShare", "Subsets.ShippedFormsFollowTheLaw"},
       {"Shuffle.PlantedNaiveSwapIsCaught"}});
  add(registry, "draw-subset", "every subset of k of n with the same probability, exactly",
      "refuses k > n, k > 2^32, and n > 2^32 when k^2 > n",
      {{"D-68"},
       {"Choose.EveryTapeGivesEverySubsetItsShare", "FixedSort.SortsEveryListOfZerosAndOnes",
        "Subsets.ShippedFormsFollowTheLaw", "DiscreteWork.SubsetsTellNothing"},
       {"Choose.PlantedMissingLastElementIsCaught"}});
  add(registry, "draw-poisson-subsample", "each of 0 .. n-1 is kept independently with probability q, exactly",
      "refuses q outside [0, 1] and n > 2^32",
      {{"D-68"},
       {"PoissonSubsample.EveryTapeKeepsEachIndependently", "Subsets.PoissonSubsampleHasBinomialSizeAndIncreases"},
       {"PoissonSubsample.PlantedSharedTossIsCaught"}});
}

// The laws of RealNoise. `tape` is the test that drives the law with every string of bits, where there is one.
void add_real_law(Registry& registry, const std::string& law, const std::string& conditions, const Names& rows,
                  const Names& tape) {
  Evidence evidence{{"D-68", "W-70"},
                    {"RealNoise.CellsFollowEveryLaw", "RealNoise.FirstStageAgreesWithArbitraryPrecision",
                     "RealWork.CyclesDoNotFollowTheValue"},
                    {"RealNoise.PlantedHalfScaleIsCaught"}};
  if (law == "laplace") evidence.mutants.emplace_back("RealWork.PlantedWorkThatFollowsTheValueIsCaught");
  evidence.rows.insert(evidence.rows.end(), rows.begin(), rows.end());
  evidence.testers.insert(evidence.testers.begin(), tape.begin(), tape.end());
  add(registry, "draw-" + law, fmt::format("value + scale Z, Z {}, rounded to the nearest grid point, exactly", law),
      conditions + "; scale / grid in [1/1000, 2^60], otherwise refused", std::move(evidence));
}

void add_real_noise(Registry& registry) {
  const Names one{"RealNoise.OneUniformLawsOnEveryTape"}, two{"RealNoise.TwoUniformLawsOnEveryTape"};
  const std::string plain = "a grid above 0";
  add_real_law(registry, "exponential", plain, {}, one);
  add_real_law(registry, "laplace", plain, {"F-43"}, one);
  add_real_law(registry, "normal", plain, {"F-52"}, two);
  add_real_law(registry, "cauchy", plain, {}, one);
  add_real_law(registry, "student-t", plain + "; degrees of freedom in [1/1000, 2^20]", {}, two);
  add_real_law(registry, "log-normal", plain + "; |mu| <= 1024, sigma in [1/1000, 1024]", {}, two);
  add_real_law(registry, "gamma", plain + "; shape in [1/1000, 2^20]", {}, {});
  add_real_law(registry, "beta", plain + "; alpha and beta in [1/1000, 2^20]", {}, {});
}

}  // namespace

void add_claims(Registry& registry) {
  add_source(registry);
  add_integer_noise(registry);
  add_coins_and_counts(registry);
  add_choices(registry);
  add_real_noise(registry);
}

}  // namespace dither::random
