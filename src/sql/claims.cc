#include "sql/claims.h"

#include <string>
#include <utility>
#include <vector>

namespace dither::sql {

namespace {

using Names = std::vector<std::string>;

void add_claim(Registry& registry, std::string name, std::string guarantee, std::string conditions, Names rows,
               Names testers, Names mutants) {
  registry.add({std::move(name), "sql", std::move(guarantee), std::move(conditions), std::move(rows),
                std::move(testers), std::move(mutants), Subject::statement});
}

// Most statements are tried by the same tests: what one unit really moves, and what noise shows of it.
void add(Registry& registry, std::string name, std::string guarantee, std::string conditions, Names rows,
         Names testers = {}, Names mutants = {}) {
  testers.insert(testers.end(),
                 {"Stability.NoPairOfNeighboursMovesFurtherThanThePlanSays", "SqlAttacks.NoneFindsAViolation"});
  mutants.insert(mutants.end(),
                 {"Stability.PlantedCarelessBoundingIsCaught", "SqlAttacks.PlantedBugsOfPathsAreCaught"});
  add_claim(registry, std::move(name), std::move(guarantee), std::move(conditions), std::move(rows), std::move(testers),
            std::move(mutants));
}

// Aggregates of one table besides on all small databases.
void add_aggregate(Registry& registry, std::string name, std::string guarantee, std::string conditions, Names rows,
                   Names testers = {}, Names mutants = {}) {
  testers.emplace_back("Plans.EveryAggregateReachesItsClaimAmongAllSmallDatabases");
  add(registry, std::move(name), std::move(guarantee), std::move(conditions), std::move(rows), std::move(testers),
      std::move(mutants));
}

void add_aggregates(Registry& registry) {
  const std::string costs = " with noise for what one unit moves; the whole statement costs what was typed";
  const std::string limits = "add-remove and replace-one; limits on rows and keys of a unit are declared and enforced";
  add_aggregate(registry, "sql-count", "COUNT(*): rows, at most the declared number of each unit," + costs, limits,
                {"W-08"});
  add_aggregate(registry, "sql-count-values", "COUNT(x): rows with a value," + costs, limits, {"W-08"});
  add_aggregate(registry, "sql-count-units", "COUNT(DISTINCT unit): each unit once," + costs, "the unit's own column",
                {"W-08"}, {}, {"Plans.PlantedNullUnitIsCaught"});
  add(registry, "sql-cut-units",
      "the number of units with more rows than count, or with keys that are dropped: each unit once a key," + costs,
      limits, {"W-08"}, {"QueryMeans.CutUnitsMoveByOne", "QueryMeans.CutUnitsAreAColumnMore"});
  add_aggregate(registry, "sql-sum", "SUM(x): values clamped row by row, added exactly," + costs,
                limits + "; bounds and, for reals, a grid", {"R-56", "R-60"}, {},
                {"Plans.PlantedClampAfterTheSumIsCaught"});
  add_aggregate(
      registry, "sql-avg",
      "AVG(x): a noisy centred sum over a noisy count; both are paid for, the quotient is free; the mean of a "
      "unit stays, however many rows it has",
      limits + "; bounds and, for reals, a grid", {"W-08", "F-23"},
      {"QueryExact.EveryAggregateByPublicKey", "QueryMeans.HeavyUnitsKeepTheMean",
       "QueryMeans.AGroupThatMayBeEmptyHasNoMean"},
      {"QueryMeans.PlantedGroupByItsSumIsCaught", "Stability.PlantedReplacedUnitsChargedAsAddedAreCaught"});
  add_aggregate(
      registry, "sql-variance",
      "VARIANCE, STDDEV and their forms: a noisy count, centred sum and centred squares; what is made of them is free",
      limits + "; bounds and, for reals, a grid", {"W-08", "F-23"}, {"QueryExact.EveryAggregateByPublicKey"});
}

void add_keys(Registry& registry) {
  add(registry, "sql-public-keys",
      "GROUP BY declared keys: every key is answered, present or not, with noise of its own",
      "the keys are declared; a row outside them goes where the declaration says", {"W-76"},
      {"QueryNoise.KeysThatNobodyHasGetNoiseLikeAllOthers"}, {"QueryNoise.PlantedNoiseOnlyWhereThereAreRowsIsCaught"});
  add(registry, "sql-unknown-keys",
      "GROUP BY keys that nobody listed: a key is shown for its number of units, and one unit's own key with "
      "probability at "
      "most delta",
      "a delta is paid for", {"D-23", "W-76"},
      {"Keys.UnknownOnesAreChosenByTheExactTailOfTheNoise", "QueryExact.PrivateKeysShowWhatEnoughPeopleHave"},
      {"Plans.PlantedKeyBoundOffByOneIsCaught"});
  add_claim(registry, "sql-above",
            "HAVING, ORDER BY, LIMIT and expressions over aggregates see released numbers alone, and are free",
            "they stand above the aggregate", {"F-23"},
            {"Query.WhatIsDoneWithReleasedNumbersIsFree", "SqlAttacks.NoneFindsAViolationInWholeAnswers"},
            {"SqlAttacks.PlantedChoiceByTrueNumbersIsCaught"});
}

void add_sources(Registry& registry) {
  const std::string limits = "limits on rows and keys of a unit are enforced on what comes out";
  add(registry, "sql-join", "joins of a unit's own rows, and with public tables: one unit moves its own rows alone",
      limits, {"R-53", "W-04"});
  add(registry, "sql-union", "UNION ALL: rows of both sides, limited together for each unit", limits, {"W-04"});
  add(registry, "sql-distinct", "SELECT DISTINCT with the unit: different rows of a unit, limited afterwards", limits,
      {"W-04"});
  add(registry, "sql-foreign-key", "rows that belong to a unit through another table: whose order it is, is looked up",
      limits, {"W-04"});
  add(registry, "sql-row-unit", "where a row is the unit: one row added, removed or replaced",
      "the guarantee is labelled as weaker where the project's unit is another", {"W-04", "W-75"},
      {"Holes.AWeakerUnitIsCalledByItsName", "Holes.RowsThatAreUnitsAreNeverCutByTheirPlace"},
      {"Plans.PlantedRowidInTheHashIsCaught"});
  add(registry, "sql-rows-unit", "where any K rows are the unit: K rows added, removed or replaced",
      "the guarantee is labelled as such everywhere", {"W-04", "W-75"}, {"Holes.AWeakerUnitIsCalledByItsName"});
}

}  // namespace

void add_claims(Registry& registry) {
  add_aggregates(registry);
  add_keys(registry);
  add_sources(registry);
}

}  // namespace dither::sql
