#include "mechanisms/key_claims.h"

namespace dither::mechanisms {

namespace {

void add_histogram_claims(Registry& registry) {
  registry.add_attacked({
      .name = "laplace-histogram",
      .room = "mechanisms",
      .guarantee =
          "numbers by public key at l1 distance d cost epsilon = d / scale for the whole histogram; every key is "
          "answered, present or not, with noise of its own",
      .conditions = "the keys are public; scale in [1/1000, 2^60]; refuses a domain without keys",
      .rows = {"F-30", "F-31", "F-47", "F-50", "W-12", "W-76"},
      .testers = {"KeyHistogram.PartsOfAPartitionCostTheLargestUnderAddRemove",
                  "KeyHistogram.GenderByHairCostsEpsilonForTheWholeTable",
                  "KeyHistogram.EveryKeyIsAnsweredWithNoiseOfItsOwn", "KeyHistogram.ReleasePipelineAtOneHalf",
                  "KeyHistogram.FirstNamesAreOffByTwelveAtMost", "KeyHistogram.IntervalsCover",
                  "Hole15.AbsentAndEmptyKeysHaveTheSameLaw", "KeyMakers.EveryReleaseOfKeysGoesBehindACountOfUnits"},
      .mutants = {"KeyHistogram.PlantedParallelPriceUnderReplaceOneIsCaught",
                  "KeyHistogram.PlantedPriceForEveryCellIsCaught",
                  "KeyHistogram.PlantedSharedNoiseOfMissingKeysIsCaught", "KeyHistogram.PlantedNarrowIntervalIsCaught"},
      .subject = Subject::measurement,
  });
  registry.add_attacked({
      .name = "gaussian-histogram",
      .room = "mechanisms",
      .guarantee =
          "numbers by public key at l2 distance d cost rho = d^2 / (2 sigma^2) for the whole histogram; every key "
          "is answered, present or not, with noise of its own",
      .conditions = "the keys are public; sigma in [1/1000, 2^60]; refuses a domain without keys",
      .rows = {"W-12", "W-76"},
      .testers = {"KeyHistogram.GaussianNoiseFollowsTheLaw", "KeyHistogram.LossAtManyDistances",
                  "KeyHistogram.EventsCostWhatTheLossSays", "KeyHistogram.KeysThatAreNotPublicChangeNothing",
                  "KeyHistogram.IntervalsCover"},
      .mutants = {"KeyHistogram.PlantedGaussianNoiseOfAnotherScaleIsCaught"},
      .subject = Subject::measurement,
  });
  registry.add_attacked({
      .name = "sparse-histogram",
      .room = "mechanisms",
      .guarantee =
          "counts at l1 distance d cost epsilon = d ln(1 / ratio), pure; the law of noise on every key of a domain "
          "of up to 2^40 keys, of which those at or above the threshold are shown",
      .conditions =
          "the domain is declared; ratio in (0, 1), threshold in 1..2^16; refuses thresholds that show more than "
          "10^6 keys without data",
      .rows = {"D-23", "W-12"},
      .testers = {"SparseHistogram.HasTheLawOfNoiseOnEveryKey", "SparseHistogram.AsManyExtraKeysAsTheTailSays",
                  "SparseHistogram.HugeDomainsAreNotTouched", "SparseHistogram.RatiosAtTheEndsOfTheirRange",
                  "SparseHistogram.LossIsDistanceTimesTheLogOfTheRatio",
                  "SparseHistogram.IntervalsCoverGivenThatAKeyIsShown"},
      .mutants = {"SparseHistogram.PlantedOneSidedTailIsCaught", "SparseHistogram.PlantedSilenceOnAbsentKeysIsCaught"},
      .subject = Subject::measurement,
  });
}

void add_threshold_claims(Registry& registry) {
  registry.add_attacked({
      .name = "laplace-threshold",
      .room = "mechanisms",
      .guarantee =
          "counts at most c cells apart, none by more than m, cost epsilon = l1 / scale and delta = 1 - (1 - p)^c "
          "with p = P(m + noise >= threshold); shows keys with their noisy counts",
      .conditions =
          "counts of distinct units, or rows with their limit as contribution; scale in [1/1000, 2^60], threshold "
          "in 1..2^100; refuses delta 0",
      .rows = {"D-23", "W-12", "W-76"},
      .testers = {"KeyThreshold.IsTheLeastWhoseExactTailFits", "KeyThreshold.ExactDivergenceStaysWithinTheLoss",
                  "KeyThreshold.SingletonsShowAsOftenAsTheTailSays", "KeyThreshold.IntervalsCoverGivenThatAKeyIsShown",
                  "KeyThreshold.EventsCostWhatTheLossSays", "KeyThreshold.ShowsKeysInTheirOrderAndNoneWithoutUnits",
                  "Hole02.TheAtomAtTheThresholdIsPaidFor", "Hole25.DeltaIsForTheUnitWithAllItsKeys",
                  "Hole34.TheEventHoldsTheNoiseAndTheKeys", "Hole39.ThresholdEventAndKeysAreRight"},
      .mutants = {"KeyThreshold.PlantedStrictThresholdIsCaught", "KeyThreshold.PlantedDeltaWithoutTheKeysIsCaught",
                  "KeyThreshold.PlantedTooLowAThresholdIsCaught", "KeyThreshold.PlantedReleaseAboveInsteadOfAtIsCaught",
                  "KeyThreshold.PlantedPlainIntervalIsCaught", "Hole24.PlantedCountOfRowsIsCaught",
                  "Hole34.PlantedPriceOfOnePartIsCaught"},
      .subject = Subject::measurement,
  });
  registry.add_attacked({
      .name = "gaussian-threshold",
      .room = "mechanisms",
      .guarantee = "counts at most c cells apart, none by more than m, cost rho = l2 squared / (2 sigma^2), "
                   "delta-approximately with delta = 1 - (1 - p)^c, p = P(m + noise >= threshold)",
      .conditions =
          "counts of distinct units, or rows with their limit as contribution; sigma in [1/1000, 2^60], threshold "
          "in 1..2^100; refuses delta 0",
      .rows = {"D-23", "W-12", "W-76"},
      .testers = {"KeyThreshold.IsTheLeastWhoseExactTailFits", "KeyThreshold.GaussianLossHasADeltaOfItsOwn",
                  "KeyThreshold.SingletonsShowAsOftenAsTheTailSays", "KeyThreshold.IntervalsCoverGivenThatAKeyIsShown",
                  "KeyThreshold.EventsCostWhatTheLossSays", "KeyHoles.AUniqueCategoryChangesNothingButTheAnswer"},
      .mutants = {},
      .subject = Subject::measurement,
  });
  registry.add_attacked({
      .name = "partition-selection",
      .room = "mechanisms",
      .guarantee =
          "one unit in at most `keys` keys costs (epsilon, delta); no rule for keys one unit apart shows more, but "
          "for a rounding of 2^-120",
      .conditions =
          "counts of distinct units; epsilon for a key in (0, 1000], delta for a key in [2^-100, 1); refuses budgets "
          "that need more than 2^17 units for certainty",
      .rows = {"D-23", "W-12", "W-76"},
      .testers = {"PartitionSelection.AllFourInequalitiesHoldExactly", "PartitionSelection.NothingLargerFits",
                  "PartitionSelection.ShowsMoreThanAnyThreshold", "PartitionSelection.GroupsStayWithinTheLoss",
                  "PartitionSelection.KeysAreShownAsOftenAsTheRuleSays", "PartitionSelection.OneUnitCostsTheBudget",
                  "PartitionSelection.GivesKeysInOrderAndNothingElse",
                  "PartitionSelection.SingletonsAreShownWithDeltaAtMost"},
      .mutants = {"PartitionSelection.PlantedRoundingUpIsCaught", "PartitionSelection.PlantedJumpToOneIsCaught",
                  "PartitionSelection.PlantedBudgetNotSharedByTheKeysIsCaught"},
      .subject = Subject::measurement,
  });
}

void add_union_claims(Registry& registry) {
  registry.add_attacked({
      .name = "greedy-votes",
      .room = "mechanisms",
      .guarantee =
          "d units added or removed move d votes: d cells, l1 d, l2 squared d^2, none by more than d; d units "
          "replaced or changed 2d cells, l1 2d, l2 squared 2 d^2, none by more than d; however many keys a unit holds",
      .conditions = "the unit is the first column and the key the second; cutoff in 1..2^40; refuses other metrics",
      .rows = {"D-23"},
      .testers = {"SetUnion.OneUnitMovesOneVoteAndNoMore", "SetUnion.AReplacedUnitMovesTwoVotes",
                  "SetUnion.OnlyWhoHoldsWhatCounts", "SetUnion.MapAtManyDistances"},
      .mutants = {"SetUnion.PlantedMostVotesFirstIsCaught", "SetUnion.PlantedOrderByPositionIsCaught",
                  "SetUnion.PlantedSpillBeyondTheCutoffIsCaught"},
      .subject = Subject::transformation,
  });
  registry.add_attacked({
      .name = "set-union",
      .room = "mechanisms",
      .guarantee = "one unit added or removed costs (epsilon, delta), however many keys it holds: greedy-votes, then "
                   "partition-selection for one key",
      .conditions = "as those two; the cutoff is the number of votes that shows a key for sure",
      .rows = {"D-23"},
      .testers = {"SetUnion.HeavyUnitsCostNoMoreThanOthers", "SetUnion.OneUnitMovesOneVoteAndNoMore",
                  "PartitionSelection.AllFourInequalitiesHoldExactly"},
      .mutants = {"SetUnion.PlantedMostVotesFirstIsCaught", "PartitionSelection.PlantedRoundingUpIsCaught"},
      .subject = Subject::measurement,
  });
}

}  // namespace

void add_key_claims(Registry& registry) {
  add_histogram_claims(registry);
  add_threshold_claims(registry);
  add_union_claims(registry);
}

}  // namespace dither::mechanisms
