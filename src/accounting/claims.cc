#include "accounting/claims.h"

#include <string>
#include <utility>
#include <vector>

namespace dither::accounting {

namespace {

using Names = std::vector<std::string>;

void add(Registry& registry, std::string name, std::string guarantee, std::string conditions, Names rows, Names testers,
         Names mutants = {}) {
  registry.add_attacked({std::move(name), "accounting", std::move(guarantee), std::move(conditions), std::move(rows),
                         std::move(testers), std::move(mutants), Subject::combinator});
}

void add_filters(Registry& registry) {
  const std::string adaptive = "questions, prices and the end may follow the answers; charged before released";
  add(registry, "filter-pure", "whoever stays within it has a view that is epsilon-DP: the epsilons add", adaptive,
      {"F-33", "F-27"}, {"Filter.PureSumsExactlyAndSaysWhatIsLeft", "Adversary.PureFilterNeverExceedsEpsilon"});
  add(registry, "filter-basic", "the view is (epsilon, delta)-DP: epsilons and deltas add", adaptive, {"F-26"},
      {"Filter.BasicSumsBoth", "Adversary.BasicFilterKeepsItsPromise"});
  add(registry, "filter-advanced",
      "the view is (epsilon, slack + delta)-DP while sqrt(2 ln(1/slack) S) + S/2 <= epsilon for the sum S of squared "
      "epsilons",
      adaptive, {"B-20", "W-20"},
      {"Filter.AdvancedAndBasicAdmitWhatTheSpecSays", "Adversary.AdvancedFilterKeepsItsPromise"},
      {"Adversary.PlantedMinimumOverBoundsIsCaught"});
  add(registry, "filter-zcdp", "the view is delta-approximate rho-zCDP: rhos and deltas add", adaptive, {"B-30"},
      {"Filter.ApproximateZcdpSumsRhoAndDelta", "Adversary.ZcdpFilterKeepsItsPromise"});
  add(registry, "filter-renyi-all", "the view is Renyi-DP at every order of the rule, with its limit", adaptive,
      {"A-25"},
      {"Filter.RenyiAllNeedsEveryOrderAndRenyiAnyOne", "Filter.PromisesAsEpsilonAndDelta",
       "Adversary.RenyiFiltersKeepTheirPromises"});
  add(registry, "filter-renyi-any",
      "the view is (epsilon, delta)-DP while one order is within its limit; delta is split among the orders", adaptive,
      {"B-20"}, {"Filter.RenyiAnySplitsDelta", "Adversary.RenyiFiltersKeepTheirPromises"},
      {"Adversary.PlantedAnyOrderWithoutSplittingDeltaIsCaught"});
  add(registry, "filter-gdp", "the view is mu-GDP: squares of mu add", adaptive + "; no charge with a delta", {"A-18"},
      {"Filter.GdpSumsSquares", "Filter.PromisesAsEpsilonAndDelta", "Adversary.GdpFilterKeepsItsPromise"});
  add(registry, "individual-filter",
      "each record drops out when its own losses would exceed the limit, and the whole interaction keeps that limit, "
      "though single releases may cost others more",
      "the loss given for a record is what its removal changes at most, given the answers so far; add-remove, in zCDP, "
      "GDP or at one Renyi order; who dropped out is not shown",
      {"B-22"},
      {"Individual.DropsOutWhenItsOwnSumWouldExceedTheLimit", "Individual.DecisionsDependOnTheRecordAlone",
       "Individual.ASumGetsNothingOfWhoDropsOut"});
}

// Random batches: what each sampler is worth, and for whom.
void add_samplers(Registry& registry) {
  add(registry, "sampled-composition",
      "releases of independent Poisson samples cost what accounting finds for the sampled law",
      "each unit is kept by its own coin, in each release anew; which were kept is not shown", {"A-36", "O-22"},
      {"Cost.PoissonSamplingOfPureMechanisms", "Accountant.SubsampledGaussiansLieInTheInterval"});
  add(registry, "cut-batches",
      "Poisson batches that are cut cost what uncut ones do, and delta grows by (1 + e^epsilon) times the chance of a "
      "cut",
      "the number of records is known, and the batch is cut above its mean", {"B-18"},
      {"Batches.CutPoissonBatchesPayForTheCut"}, {"Batches.PlantedSingleShareIsCaught"});
  add(registry, "without-replacement",
      "a release on `batch` of `population` records has the release's own curve, drawn towards loss 0 by their "
      "quotient",
      "replace-one; every set equally likely, in each release anew; which records it holds is not shown",
      {"A-37", "B-15"}, {"Batches.OnlyProvenCombinationsAmplify", "Cells.FixedSizeFollowsTheProfile"},
      {"Batches.PlantedAmplificationOfAllOrNothingIsCaught"});
  add(registry, "with-replacement",
      "a release on draws with repetition costs what groups of as many copies as are drawn do, by their chances",
      "replace-one; every draw uniform, in each release anew", {"B-14"},
      {"Batches.WithReplacementCountsCopies", "Batches.WithReplacementBoundsASmallInstance"});
  add(registry, "shuffled-batches", "an epoch over shuffled batches costs one release without sampling",
      "replace-one; every record is in one batch, and batches have fixed sizes", {"B-16"},
      {"Batches.AnEpochOfShuffledBatchesIsChargedWhole", "Batches.ShuffledBatchesAreNotPoissonBatches"});
  add(registry, "random-allocation",
      "an epoch of normal noise, each record in one step of T, costs what its Renyi divergences say, in both "
      "directions",
      "add-remove; each record's step is uniform and its own", {"B-17"},
      {"Allocation.BoundsTheExactDivergences", "Allocation.DeltasOfTheRowLieBelow"},
      {"Allocation.PlantedPoissonIsCaught"});
}

// One step among others, one unit among few.
void add_amplified(Registry& registry) {
  add(registry, "shuffle", "n people's answers of local epsilon, shuffled, cost what hiding among clones does",
      "replace-one; all randomise alike, or in a sequence that they were shuffled for; who sent what is not shown",
      {"B-19", "O-27"},
      {"Shuffle.ClosedFormAndNumericalPair", "Shuffle.BoundsWhatBinaryResponseReallyCosts",
       "Shuffle.BoundsARandomiserThatIsOftenSilent"});
  add(registry, "tuning",
      "the best of a random number of runs of an epsilon-DP base costs (2 + shape) epsilon, and a Renyi curve its own",
      "the number is truncated negative binomial and not shown; a fixed number is charged run by run", {"B-27"},
      {"Tuning.PureGuarantees", "Tuning.BoundsTheBestOfRandomlyManyResponses"}, {"Tuning.PlantedFreeSearchIsCaught"});
  add(registry, "hidden-state",
      "the last iterate of noisy descent costs records used k steps before the end rho = 2 lipschitz^2 / (sigma^2 k)",
      "replace-one; convex and smooth losses, step_size <= 2 / smoothness, one pass; no earlier iterate is shown",
      {"B-25"},
      {"HiddenState.EarlyRecordsAreHiddenByLaterNoise", "HiddenState.LinearLossesAttainTheBoundAtTheFirstPosition"});
  add(registry, "matrix",
      "normal noise on C x costs mu = sensitivity / sigma, for all patterns in which a record may take part",
      "at most `participations` times, `separation` steps apart; tree counters are such a C", {"B-24"},
      {"Matrix.TreeAndSquareRootSensitivities", "Matrix.EarliestPatternIsTheWorst", "Matrix.BoundsRandomMatrices"},
      {"Matrix.PlantedForgottenOverlapIsCaught"});
  add(registry, "unit-groups", "what releases cost k units together, each measure by its own rule",
      "epsilon and mu grow k times, rho k^2 times; under Poisson sampling normal noise under add-remove alone",
      {"A-50", "F-32"}, {"Group.EachMeasureByItsOwnRule", "Cost.GroupsUnderPoissonSamplingAreMixtures"},
      {"Triangle.PlantedC03PrintedOrderIsCaught"});
}

// Mechanisms that no room ships, but others do.
void add_others(Registry& registry) {
  add(registry, "selection",
      "exponential mechanism and Gumbel maxima: losses of range epsilon; permute-and-flip, noisy maxima and sparse "
      "vector: epsilon and no more",
      "the relation for which the scores move by their sensitivity", {"B-11", "B-31"},
      {"Selection.ExponentialMechanismKeepsItsBoundedRangeClaims", "Selection.PureSelectorsKeepTheirEpsilon",
       "Selection.NoisyMaximaAreTheSelectorsTheyAreSaidToBe"},
      {"Selection.PlantedBoundedRangeForPermuteAndFlipIsCaught"});
  add(registry, "randomised-response", "an answer of several categories has three losses: epsilon, 0 and -epsilon",
      "one person's answer; a person of several answers makes several releases", {"B-31"},
      {"NativeAtoms.KAryResponseHasThreeLosses"});
}

}  // namespace

void add_claims(Registry& registry) {
  add_filters(registry);
  add(registry, "parallel-composition",
      "releases about the cells of a partition cost the largest charge under add-remove, the two largest under "
      "replace-one",
      "a function of the unit alone says which cell it belongs to; charges hold for add-remove; fixed data, or pure "
      "charges",
      {"F-30", "W-22"}, {"Parallel.LargestCellUnderAddRemoveAndTwoLargestUnderReplace"},
      {"Parallel.PlantedMaximumUnderReplaceIsCaught"});
  add(registry, "composition", "a list of releases costs no more than the upper end that the best accountant proves",
      "parameters fixed in advance; refuses what no theorem covers", {"A-67", "A-02"},
      {"Accountant.AMixedListLiesInTheInterval", "Accountant.WithoutDeltaTheLossesAdd"});
  add_samplers(registry);
  add_amplified(registry);
  add_others(registry);
}

}  // namespace dither::accounting
