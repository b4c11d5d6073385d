#include <string>
#include <utility>
#include <vector>

#include "calculus/combinator_makers.h"

namespace dither::calculus {

namespace {

using Names = std::vector<std::string>;

// The rows, the tests that would notice, and planted bugs that they catch.
struct Evidence {
  Names rows;
  Names testers;
  Names mutants;
};

void add(Registry& registry, Subject subject, std::string name, std::string guarantee, std::string conditions,
         Evidence evidence) {
  registry.add_attacked({std::move(name), "calculus", std::move(guarantee), std::move(conditions),
                         std::move(evidence.rows), std::move(evidence.testers), std::move(evidence.mutants), subject});
}

void add_same_release(Registry& registry) {
  add(registry, Subject::combinator, "post-process", "the loss of what is post-processed",
      "the function sees the released value alone; its name is not empty",
      {{"F-23"},
       {"Combinators.PostProcessingCostsNothing"},
       {"Combinators.PlantedPostProcessingThatLooksBackIsCaught"}});
  add(registry, Subject::combinator, "cast-measure",
      "pure and approximate to concentrated by epsilon^2 / 2 of each event or what accounting knows of it, gaussian by "
      "mu^2 / 2, concentrated to renyi by rho * order",
      "refuses every way without a theorem",
      {{"W-14"}, {"Combinators.CastsAreTheProvenOnes"}, {"Combinators.PlantedCastByHalfTheLossIsCaught"}});
  add(registry, Subject::combinator, "fix-delta", "the least epsilon at this delta that accounting proves, rounded up",
      "delta in (0, 1)",
      {{"W-14"}, {"Combinators.FixedDeltasGiveTheLeastEpsilon"}, {"Combinators.PlantedForgottenDeltaIsCaught"}});
  add(registry, Subject::combinator, "group", "distance d costs what k d costs by the measurement's own map",
      "k in 1 ... 10^12",
      {{"F-25", "F-32", "W-14"},
       {"Combinators.GroupsGrowByTheRuleOfTheMeasure"},
       {"Combinators.PlantedGroupByAFactorIsCaught"}});
  add(registry, Subject::combinator, "change-relation",
      "d replaced rows cost what 2 d added or removed ones cost; with a fixed number of rows, d added or removed cost "
      "what d / 2 replaced ones cost",
      "symmetric to change-one, insert-delete to hamming, units-added to units-replaced, and the first one back",
      {{"W-03"},
       {"Combinators.ChangedRelationsCountTwoSteps", "Combinators.OrderedRowsChangeNoRelationBackwards"},
       {"Combinators.PlantedUnchangedRelationIsCaught"}});
}

void add_several(Registry& registry) {
  add(registry, Subject::combinator, "compose", "losses add as their measure says",
      "the same domain, metric and measure; chosen in advance",
      {{"F-26", "W-17"}, {"Combinators.ComposedLossesAdd"}, {"Combinators.PlantedForgottenPartIsCaught"}});
  add(registry, Subject::combinator, "mix", "the worst of the losses, number by number",
      "the coin does not see the data; one positive weight each, summing to 1",
      {{"F-24"}, {"Views.AHiddenMixtureLosesLessThanItsWorstPart"}, {"Views.PlantedMixtureByMeansIsCaught"}});
  add(registry, Subject::combinator, "partition",
      "total distance d costs the worst way to share d steps among the parts: at 1 the largest loss, at 2 the two "
      "largest at 1 or the largest at 2",
      "one measure, one metric between tables, fixed data; above 64 steps by the group rule",
      {{"F-30", "W-22"},
       {"Combinators.PartsCostTheWorstWayToShareSteps", "Combinators.ReplacedRowsCountInBothParts",
        "Combinators.Hole45EveryPartAnswersByItsOwnMap"},
       {"Combinators.PlantedMaximumForReplacedRowsIsCaught"}});
  add(registry, Subject::combinator, "sample",
      "one step costs (ln(1 + rate (e^epsilon - 1)), rate delta), or a Renyi curve of the sampled mechanism",
      "independent coins; rows or units added or removed; one step",
      {{"W-26"}, {"Combinators.SamplingAmplifiesOneStep"}, {"Combinators.PlantedSamplingByTheRateAloneIsCaught"}});
}

void add_interactive(Registry& registry) {
  add(registry, Subject::interactive, "queryable",
      "the whole view keeps the promise of the filter's rule; children are charged through their maps, parts together "
      "the worst way to share the distance, joined views to all parents",
      "fixed data; charged before released; refusals follow from public facts and change nothing",
      {{"W-19", "W-20", "W-22", "W-23"},
       {"Views.NoAdversarySeesMoreThanTheBudgetAndOneSeesAllOfIt",
        "Queryable.AdvancedFilterAdmitsHundredAndBasicFiftySeven", "Queryable.HundredThreadsCannotOverspend",
        "Queryable.PartsAreChargedTheIncreaseOfTheLargest", "Queryable.OpeningANewChildFreezesOlderOnes"},
       {"Views.PlantedChargeAfterTheReleaseIsCaught", "Views.PlantedForgottenStabilityIsCaught",
        "Views.PlantedFreeSecondPartIsCaught", "Views.PlantedRefusalThatSeesTheDataIsCaught"}});
  add(registry, Subject::interactive, "odometer",
      "with probability 1 - delta the loss is at most the reading after every question at once",
      "pure, approximate, concentrated or gaussian charges",
      {{"W-21"},
       {"Queryable.OdometerHoldsAgainstAStoppingAdversary", "Queryable.AnOdometerNeverRefusesAndShowsTheSum"},
       {"Queryable.PlantedOdometerOfMeansIsCaught"}});
  add(registry, Subject::interactive, "adaptive-composition", "the view costs the sum of the losses fixed in advance",
      "each question costs at most its place of the list",
      {{"F-27", "W-18"},
       {"Views.AdaptiveResponsesLoseExactlyTheirSum", "Queryable.FixedLossesAreTakenInOrder"},
       {"Views.PlantedReusedPlaceIsCaught"}});
  add(registry, Subject::interactive, "agents", "each agent keeps its own limit and all together the common budget",
      "limits are of the same kind of rule as the budget",
      {{"W-22", "W-24"},
       {"Agents.TheCommonBudgetRefusesFirst", "Agents.TheLogTellsTheTree"},
       {"Agents.PlantedAgentThatForwardsNothingIsCaught"}});
}

}  // namespace

void add_combinator_claims(Registry& registry) {
  add_same_release(registry);
  add_several(registry);
  add_interactive(registry);
}

}  // namespace dither::calculus
