#include "mechanisms/more_noise_claims.h"

#include <string>
#include <vector>

namespace dither::mechanisms {

void add_more_noise_claims(Registry& registry) {
  registry.add_attacked(
      {.name = "binomial",
       .room = "mechanisms",
       .guarantee = "distance d costs (epsilon, delta(d)), delta(d) the hockey-stick divergence of the law and its "
                    "shift by d, summed and rounded up",
       .conditions = "one integer; an even number of trials up to 10^8; epsilon in [0, 100]",
       .rows = {"F-69"},
       .testers = {"BinomialMechanism.ReachesTheOracles", "BinomialMechanism.LossIsTheExactDivergence",
                   "BinomialMechanism.NoiseFollowsTheLaw"},
       .mutants = {"BinomialMechanism.PlantedHalfTheTrialsIsCaught", "BinomialMechanism.PlantedNarrowNoiseIsCaught"},
       .subject = Subject::measurement});
  registry.add_attacked(
      {.name = "skellam",
       .room = "mechanisms",
       .guarantee = "distance d costs (epsilon, delta(d)), delta(d) the hockey-stick divergence of the law and its "
                    "shift by d, summed and rounded up",
       .conditions = "one integer; variance in [10^-6, 10^8]; epsilon in [0, 100]",
       .rows = {"F-60"},
       .testers = {"SkellamMechanism.LossIsTheExactDivergence", "SkellamMechanism.NoiseFollowsTheLaw"},
       .mutants = {"SkellamMechanism.PlantedHalfTheVarianceIsCaught", "SkellamMechanism.PlantedNarrowNoiseIsCaught"},
       .subject = Subject::measurement});
  registry.add_attacked(
      {.name = "staircase",
       .room = "mechanisms",
       .guarantee = "distance d costs epsilon ceil(d / sensitivity)",
       .conditions = "one integer; epsilon in [2^-20, 100]; sensitivity in 1 .. 2^40; first stair in 1 .. "
                     "sensitivity",
       .rows = {"B-31"},
       .testers = {"StaircaseMechanism.TheLawIsPrivateUpToItsSensitivityAndNoFurther",
                   "StaircaseMechanism.NoiseFollowsTheLaw", "StaircaseMechanism.LossCountsStairs"},
       .mutants = {"StaircaseMechanism.PlantedDoubleZeroIsCaught", "StaircaseMechanism.PlantedWiderFirstStairIsCaught"},
       .subject = Subject::measurement});
  registry.add_attacked(
      {.name = "k-norm",
       .room = "mechanisms",
       .guarantee = "L1 distance d of the histogram costs d epsilon",
       .conditions = "an integer matrix of 1 to 12 independent rows and up to 4096 columns, entries up to 2^20; "
                     "epsilon in [10^-4, 50]; at most 1000 rounds of rejection on average, from public facts",
       .rows = {"R-09"},
       .testers = {"KNorm.OneRowMovesTheNormByAtMostOne", "KNorm.NoiseFollowsTheLaw",
                   "KNorm.TheNormIsTheLeastOverAllBases", "KNorm.BeatsLaplaceOnRandomSigns"},
       .mutants = {"KNorm.PlantedForgottenColumnIsCaught", "KNorm.PlantedWrongRadiusLawIsCaught"},
       .subject = Subject::measurement});
  const auto distributed = [&](const char* name, const char* guarantee, const char* conditions,
                               const std::vector<std::string>& mutants) {
    registry.add_attacked(
        {.name = name,
         .room = "mechanisms",
         .guarantee = guarantee,
         .conditions = conditions,
         .rows = {"F-60"},
         .testers = {"DistributedNoise.SharesAddUpToTheNoiseOfTheTotal", "DistributedNoise.LossIsThatOfTheHonestShares",
                     "DistributedNoise.TheSumHasTheNoiseOfAllShares"},
         .mutants = mutants,
         .subject = Subject::measurement});
  };
  distributed(
      "distributed-binomial", "L1 distance d costs what binomial noise of the honest parties' trials does",
      "one integer a party, up to 2^20; an even number of trials each; only the sum is seen",
      {"DistributedNoise.PlantedMissingShareIsCaught", "DistributedNoise.PlantedSharesWithoutCollusionAreCaught"});
  distributed("distributed-skellam", "L1 distance d costs what Skellam noise of the honest parties' variance does",
              "one integer a party, up to 2^20; only the sum is seen", {});
  distributed("distributed-laplace", "L1 distance d costs epsilon = d / scale, also towards the colluding parties",
              "one integer a party, up to 2^20; scale in [1/1000, 10^5]; only the sum is seen",
              {"DistributedNoise.PlantedSmallerLaplaceSharesAreCaught"});
  registry.add_attacked(
      {.name = "sampled",
       .room = "mechanisms",
       .guarantee = "one step costs (ln(1 + rate (e^epsilon - 1)), rate delta), or a Renyi curve",
       .conditions = "rows or units added or removed, each kept by its own exact coin; refuses rates outside "
                     "[0, 1] and distances of more than one step",
       .rows = {"W-26"},
       .testers = {"PoissonRows.CoinsAreIndependentAndFollowTheRate", "PoissonRows.SampledMeasurementsCostLess"},
       .mutants = {"PoissonRows.PlantedOtherRateIsCaught", "PoissonRows.PlantedCoinForEachRowOfAUnitIsCaught"},
       .subject = Subject::combinator});
}

}  // namespace dither::mechanisms
