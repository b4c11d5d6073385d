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
  add(registry, "sampled-composition",
      "releases of independent Poisson samples cost what accounting finds for the sampled law",
      "each unit is kept by its own coin, in each release anew; which were kept is not shown", {"A-36", "O-22"},
      {"Cost.PoissonSamplingOfPureMechanisms", "Accountant.SubsampledGaussiansLieInTheInterval"});
}

}  // namespace dither::accounting
