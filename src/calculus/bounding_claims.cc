#include "calculus/bounding_claims.h"

#include <string>
#include <utility>
#include <vector>

namespace dither::calculus {

namespace {

using Names = std::vector<std::string>;

struct Evidence {
  Names testers;
  Names mutants;
};

void add(Registry& registry, std::string name, std::string guarantee, std::string conditions, Evidence evidence) {
  registry.add_attacked({std::move(name),
                         "calculus",
                         std::move(guarantee),
                         std::move(conditions),
                         {"W-08", "D-77"},
                         std::move(evidence.testers),
                         std::move(evidence.mutants),
                         Subject::transformation});
}

void add_limits(Registry& registry) {
  add(registry, "keep-keys",
      "each unit keeps exactly min(k, its keys) keys, chosen by a hash of unit and key alone; d units changed stay d",
      "units-added, units-replaced, units-changed; k >= 1; rows without a unit are dropped, which is a filter",
      {{"KeepKeys.MovesNoMoreUnitsThanChanged", "KeepKeys.Hole51KeepsExactlyKKeys",
        "KeepKeys.Hole20UnitsKeepDifferentKeys", "KeepKeys.DropsRowsWithoutAUnit",
        "BoundingHash.Hole20And24EachKeyAndEachPairIsKeptEquallyOften"},
       {"KeepKeys.PlantedRowNumberInTheHashIsCaught", "KeepKeys.PlantedOneKeyLessIsCaught",
        "KeepKeys.PlantedOneKeyMoreIsCaught", "KeepKeys.PlantedSameGroupsForEverybodyIsCaught",
        "KeepKeys.PlantedNullUnitKeptIsCaught", "BoundingHash.PlantedLinearDigestIsCaught"}});
  add(registry, "keep-rows",
      "each unit keeps exactly min(k, its rows) rows, chosen by a hash of row and unit alone; d units changed stay d, "
      "and "
      "are kd rows (2kd where replaced) behind units-to-symmetric",
      "units-added, units-replaced, units-changed; k >= 1",
      {{"KeepRows.MovesNoMoreUnitsThanChanged", "KeepRows.KeepsExactlyKRows", "KeepRows.UnitsBecomeKRows"},
       {"KeepRows.PlantedFirstRowsOfTheTableIsCaught", "KeepRows.PlantedOneRowMoreIsCaught"}});
  add(registry, "truncate",
      "at most tau rows a key; a row added or removed changes 2 rows (keep-by-hash) or tau rows (drop-all)",
      "symmetric, change-one (twice that), units with at most k rows each; distance is in rows afterwards",
      {{"Truncate.OneRowMovesTwoOrTau", "Truncate.MovesNoFurtherThanItsMapSays",
        "Truncate.UnitsBecomeRowsAndAreForgotten"},
       {"Truncate.PlantedOnePerRowIsCaught"}});
}

void add_by_key(Registry& registry) {
  const std::string conditions =
      "at most C keys per unit, enforced by keep-keys; units-added, units-replaced, units-changed; rows without a unit "
      "are "
      "dropped";
  add(registry, "count-by-key",
      "one unit added moves C cells by r; replaced 2C cells, L1 2Cr, L2 sqrt(2C) r, one cell r; d units d times that; "
      "with T rows in all L1 min(T, Cr), and L2 of as many full cells as hold T",
      conditions,
      {{"Aggregates.MoveNoFurtherThanTheirMapsSay", "Aggregates.MapsOfOneUnit", "Aggregates.MapsAreAttained",
        "Aggregates.Hole15AbsentKeysAreAnsweredWithZero", "Aggregates.RowsInAllBoundWhatAUnitMoves",
        "Aggregates.RowsOfAUnitAreAllocatedByLargestRemainder"},
       {"Aggregates.PlantedWrappingProductIsCaught", "Aggregates.PlantedRowsInAllIgnoredIsCaught"}});
  add(registry, "units-by-key", "as count-by-key with r = 1: a unit counts once a key, however many rows it has",
      conditions,
      {{"Aggregates.MoveNoFurtherThanTheirMapsSay", "Aggregates.MapsAreAttained",
        "Aggregates.Hole24DistinctUnitsOfSharedKeys"},
       {"Aggregates.PlantedOneCellUnderReplaceOneIsCaught"}});
  add(registry, "cut-units-by-key",
      "as units-by-key: a unit counts once a key where more of its rows are there than count, else not", conditions,
      {{"Aggregates.MoveNoFurtherThanTheirMapsSay", "Aggregates.CutUnitsAreThoseWithRowsThatDoNotCount"},
       {"Aggregates.PlantedCutUnitsThatCountRowsAreCaught"}});
  add(registry, "sum-by-key",
      "a unit's total in a cell lies in [l, u], M = max(|l|, |u|): one unit added moves C cells by M; replaced 2C "
      "cells, L1 "
      "2CM, L2 sqrt(C) max(u - l, sqrt(2) M), one cell max(M, u - l); d units d times that; clamped, or scaled on a "
      "finer grid; with T rows in all as of counts",
      conditions + "; bounds on the grid; M at most 2^62, so that sums cannot overflow",
      {{"Aggregates.MoveNoFurtherThanTheirMapsSay", "Aggregates.MapsAreAttained",
        "Aggregates.Hole26ExtremeProductsAreExactOrRefused", "Aggregates.InputThatBreaksEveryBoundMovesNoMore",
        "Aggregates.RowsInAllBoundWhatAUnitMoves", "Aggregates.RowsInAllHoldsOverAllSmallAllocations",
        "Aggregates.ScaledTotalsKeepTheMeanOfAUnit", "Aggregates.ScaledTotalsRoundHalfToEven"},
       {"Aggregates.PlantedRootTwoMIsCaught", "Aggregates.PlantedRowsInAllChargedAsAddedIsCaught"}});
  add(registry, "norm-sum-by-key",
      "a unit's vector of totals is brought into a ball of radius B: one unit added moves the sum by B, replaced by 2B "
      "(values "
      "of one sign: L2 sqrt(2) B, Linf B); d units d times that",
      "l1, l2 or linf; public keys; rounding is towards 0, so that no norm grows",
      {{"NormSum.MovesNoFurtherThanItsMapSays", "NormSum.MapsAreAttained", "NormSum.VectorsComeInsideTheBall"},
       {"NormSum.PlantedRoundingToNearestIsCaught", "NormSum.PlantedOneRadiusUnderReplaceOneIsCaught"}});
}

void add_totals(Registry& registry) {
  const std::string conditions =
      "units-added, units-replaced, units-changed; behind a filter, or where a cell may be missing, u - l is not used";
  const Names testers = {"Aggregates.MoveNoFurtherThanTheirMapsSay", "Aggregates.MapsAreAttained",
                         "Aggregates.TotalsMoveByTheWidthOnlyWhereNobodyCanVanish"};
  add(registry, "total-count", "one unit added or vanished moves it by r; replaced, when none can vanish, by r - 1",
      conditions, {testers, {}});
  add(registry, "total-units", "one unit added or vanished moves it by 1; replaced, when none can vanish, by 0",
      conditions, {testers, {}});
  add(registry, "total-cut-units", "one unit added, vanished or replaced moves it by 1, also where none can vanish",
      conditions,
      {{"Aggregates.MoveNoFurtherThanTheirMapsSay", "Aggregates.CutUnitsAreThoseWithRowsThatDoNotCount"}, {}});
  add(registry, "total-sum",
      "one unit added moves it by M; replaced by max(M, u - l), when none can vanish by u - l; NaN and NULL add "
      "nothing",
      conditions,
      {{"Aggregates.MoveNoFurtherThanTheirMapsSay", "Aggregates.MapsAreAttained",
        "Aggregates.TotalsMoveByTheWidthOnlyWhereNobodyCanVanish", "Aggregates.Hole26NanDoesNotPassTheClamp"},
       {"Aggregates.PlantedWidthBehindAFilterIsCaught", "Aggregates.PlantedClampAfterTheSumIsCaught",
        "Aggregates.PlantedClampThatLetsNanPassIsCaught", "Aggregates.PlantedNullUnitCountedIsCaught",
        "Aggregates.PlantedTotalsOnAnotherGridAreCaught"}});
}

}  // namespace

void add_bounding_claims(Registry& registry) {
  add_limits(registry);
  add_by_key(registry);
  add_totals(registry);
}

}  // namespace dither::calculus
