#include "calculus/catalogue.h"

namespace dither::calculus {

namespace {

struct Entry {
  const char* name;
  const char* guarantee;
  const char* conditions;
  const char* tester;
  const char* mutant = nullptr;  // besides the map of half the distance that is planted in every step
};

constexpr const char* kOneForOne =
    "one row for each: d -> d in symmetric, change-one, insert-delete, hamming, discrete and the units' metrics";
constexpr const char* kDropping =
    "at most one row for each: symmetric, insert-delete, discrete, units-added and units-changed d -> d; change-one d "
    "-> "
    "symmetric 2d; hamming d -> insert-delete 2d; units-replaced d -> units-changed d";
constexpr const char* kColumn =
    "the column exists and has a type the step takes; where units are counted it is not the unit";
constexpr const char* kRowTester = "RowSteps.OneForOneKeepMetricAndDistance";
constexpr const char* kVectorTester = "VectorSteps.CoordinatesThatStayOrGo";
constexpr const char* kSame = "l1, l2, linf and cells d -> d";

const Entry kRows[] = {
    {"filter", kDropping, "a constant of the column's type; missing cells compare with nothing",
     "RowSteps.DroppingRowsLosesThePublicSize", "RowSteps.PlantedFilterKeepingChangeOneIsCaught"},
    {"select-columns", kOneForOne, "columns that exist, each once; where units are counted the unit stays first",
     kRowTester},
    {"clamp", kOneForOne, "a column of numbers, bounds with a value between them; NaN never passes",
     "Hole26.ClampLetsNoNanThrough", "Hole26.PlantedClampThatLetsNanThroughIsCaught"},
    {"impute", kOneForOne, "a finite constant of the column's type, within its bounds",
     "Hole14.ImputeRefusesWhatItCouldNotPutIn"},
    {"cast", kOneForOne, kColumn, "Hole10.WhatMayBecomeNullSaysSo"},
    {"bucket", kOneForOne, "a column of numbers, edges that ascend", "Hole10.WhatMayBecomeNullSaysSo"},
    {"scale-shift", kOneForOne, "a column of numbers; factor and shift that its type holds exactly", kRowTester},
    {"category-codes", kOneForOne, "public categories, each once; all else is the code of `other`",
     "Hole11.CategoryCodesLookAtOneRowAlone", "Hole11.PlantedCodesByFirstAppearanceIsCaught"},
    {"drop-missing", kDropping, "columns that exist", "RowSteps.DroppingRowsLosesThePublicSize"},
};

const Entry kMultisets[] = {
    {"distinct", "symmetric d -> symmetric d; change-one d -> symmetric 2d; units d -> d", "any table",
     "Distinct.IsOneStableAndForgetsThePublicSize", "Distinct.PlantedChangeOneKeptIsCaught"},
    {"explode", "symmetric d -> most d; change-one d -> symmetric 2 most d; units d -> d",
     "a text column that is not the unit, a separator, a limit of 1 or more", "Explode.IsAsStableAsItsLimit",
     "Explode.PlantedForgottenLimitIsCaught"},
    {"group-by", "records: symmetric d -> symmetric 2d; change-one d -> symmetric 4d; by the unit d -> d",
     "where units are counted the key is the unit", "GroupBy.RecordsAreTwoStable", "GroupBy.PlantedOneStableIsCaught"},
    {"sort", "symmetric d -> insert-delete d; change-one d -> insert-delete 2d; units d -> d", "a column that exists",
     "Sort.TurnsSymmetricIntoInsertDelete", "Hole07.PlantedOrderKeptAsInsertDeleteIsCaught"},
    {"resize", "symmetric, insert-delete, change-one and hamming d -> change-one d",
     "n of 1 or more, padding that is a row of the table; not where units are counted",
     "Hole07.ResizeMovesOneRowForOne", "Hole07.PlantedResizeByPositionIsCaught"},
    {"concat", "sum of M d -> M d; largest of M d -> M k d for k tables; units d -> d", "tables with equal columns",
     "TwoTables.AreOneStablePerInput", "TwoTables.PlantedLargestClaimedOnceIsCaught"},
    {"intersect", "sum of symmetric d -> symmetric d; sum of change-one d -> symmetric 2d; units-added d -> d",
     "two tables with equal columns, as multisets", "TwoTables.AreOneStablePerInput"},
    {"except", "sum of symmetric d -> symmetric d; sum of change-one d -> symmetric 2d; units-added d -> d",
     "two tables with equal columns, as multisets", "TwoTables.AreOneStablePerInput",
     "TwoTables.PlantedSetDifferenceIsCaught"},
    {"join-unique", "sum of symmetric d -> symmetric 2d; sum of change-one d -> symmetric 4d; on the unit d -> d",
     "two tables with a key of one type; where units are counted the key is the unit", "JoinUnique.IsTwoStablePerInput",
     "JoinUnique.PlantedOneStableIsCaught"},
};

const Entry kCounts[] = {
    {"partition-by-key", "symmetric d -> sum of symmetric d; change-one d -> sum of symmetric 2d; units d -> d",
     "public keys, each once; the other rows are the last part or dropped",
     "Parts.PartitionIsOneStableButTwoUnderReplaceOne", "Parts.PlantedPartitionOneStableUnderReplaceOneIsCaught"},
    {"part-counts", "sum of symmetric d -> (d cells, l1 d, l2 squared d^2, largest d)",
     "sum or largest of symmetric or insert-delete", "Parts.CountsMoveInFewCells",
     "Parts.PlantedCountsThatForgetSquaresIsCaught"},
    {"reduce-by-partition", "l1 d -> d; with g in the largest group l2 squared d -> g d, linf d -> g d; cells by each",
     "a declared dimension; a place for each coordinate", "Parts.ReduceByPartition",
     "Parts.PlantedReduceOneStableInL2IsCaught"},
    {"count", "symmetric and insert-delete d -> l1 d; change-one and hamming d -> 0", "rows, not units",
     "Count.IsOneStable"},
    {"sum", "with l and u the bounds in steps: symmetric d -> l1 max(|l|, |u|) d; change-one d -> l1 (u - l) d",
     "a column with bounds below 2^62 steps; NULL and NaN count 0", "Sum.PrivateSizeMovesByTheLargerBound",
     "Sum.PlantedForgottenClampIsCaught"},
    {"mean", "change-one and hamming d -> l1 (u - l) d in steps of step / n",
     "a declared number of rows n, bounds, no missing cells", "Mean.MovesByTheRangeOverN",
     "Hole21.PlantedHalvedMeanIsCaught"},
    {"histogram", "symmetric d -> (d cells, l1 d, l2 squared d^2, largest d); change-one d -> (2d, 2d, 2d^2, d)",
     "public categories, each once", "Histogram.RowsMoveBetweenCells",
     "Histogram.PlantedOneStableUnderReplaceOneIsCaught"},
    {"count-by", "symmetric d -> (d cells, l1 d, l2 squared d^2, largest d); change-one d -> (2d, 2d, 2d^2, d)",
     "keys are private: choose them with budget", "CountBy.KeysArePrivateAndMoveAsCells",
     "CountBy.PlantedSameZeroApartIsCaught"},
};

const Entry kVectors[] = {
    {"clamp-vector", kSame, "bounds with a whole number between them", kVectorTester},
    {"linear-map", "l1 -> l1 by the largest column sum; l1 -> l2, linf; linf -> linf; l2 -> l2 by a bound of the norm",
     "a matrix of the declared dimension", "LinearMap.MovesByTheLargestColumn",
     "LinearMap.PlantedLargestColumnInL2IsCaught"},
    {"prefix-sums", "l1 d -> l1 n d, l2 squared n d^2, linf d", "a declared dimension n",
     "PrefixSums.TheFirstCoordinateIsInAll", "PrefixSums.PlantedLogarithmIsCaught"},
    {"tree-sums",
     "with h levels l1 d -> l1 h d, l2 squared h d^2; l2 squared d -> d times the leaves under a node, by level",
     "a declared dimension, 2 branches or more", "Hole06.TreeL2StabilityHolds", "Hole06.PlantedLevelsInL2IsCaught"},
    {"scale", "l1 and linf d -> |factor| d; l2 squared d -> factor^2 d", "a whole factor of 64 bits", kVectorTester},
    {"select-coordinates", kSame, "coordinates that exist, each once", kVectorTester},
    {"pad", kSame, "public constants", kVectorTester},
    {"total", "l1 d -> d; in n coordinates l2 squared d -> n d, linf d -> n d", "a declared dimension but for l1",
     "Total.OfAllCoordinates", "Total.PlantedWrappingTotalIsCaught"},
    {"clamp-reals", "l1, l2 and linf d -> d", "bounds with a double between them; NaN becomes the number nearest 0",
     "Hole26.ClampedRealsHaveNoNan", "Hole26.PlantedClampOfRealsThatLetsNanThroughIsCaught"},
    {"reals-to-grid", "linf d -> floor(d / step) + 1; l1 d -> floor(d / step) + n; l2 d -> d / step + sqrt(n)",
     "a positive step; for l1 and l2 a dimension n", "RealsToGrid.EachCoordinateMaySitAtAnEdge",
     "RealsToGrid.PlantedCeilingIsCaught"},
    {"keyed-to-vector", kSame, "public keys, each once; absent ones are 0", kVectorTester},
};

constexpr const char* kNormTester = "Conversions.NormsOfWholeNumbers";
constexpr const char* kNormMutant = "Conversions.PlantedWrongNormIsCaught";
constexpr const char* kOnGrid = "whole numbers on a grid";

const Entry kRelations[] = {
    {"change-one-to-symmetric", "change-one d -> symmetric 2d", "any table", "Conversions.ChangeOneIsTwoStepsAndBack",
     "Conversions.PlantedChangeOneAsOneStepIsCaught"},
    {"symmetric-to-change-one", "symmetric d -> change-one d / 2, rounded up", "a declared number of rows",
     "Conversions.ChangeOneIsTwoStepsAndBack"},
    {"hamming-to-change-one", "hamming d -> change-one d", "any table", "Hole07.WhoForgetsTheOrderSeesNoMore"},
    {"insert-delete-to-symmetric", "insert-delete d -> symmetric d", "any table", "Hole07.WhoForgetsTheOrderSeesNoMore",
     "Hole07.PlantedBoundedCastOfOrderedDataIsCaught"},
    {"units-to-symmetric", "units-added d -> symmetric k d; units-replaced and units-changed d -> symmetric 2 k d",
     "a limit of k rows per unit in the domain", "Conversions.UnitsBringTheirRows",
     "Conversions.PlantedReplacedUnitAsOneIsCaught"},
    {"units-to-units-added", "units-replaced and units-changed d -> units-added 2d", "tables with units",
     "Conversions.UnitsBringTheirRows"},
    {"units-replaced-to-units-changed", "units-replaced d -> units-changed d", "tables with units",
     "Conversions.UnitsBringTheirRows"},
};

const Entry kNorms[] = {
    {"cells-to-l1", "l1 = min(l1, cells * largest)", "a vector, or public keys", "Conversions.CellsGiveTheBestOfFour",
     kNormMutant},
    {"cells-to-l2", "l2 squared = min(l2 squared, l1 * largest, cells * largest^2)", "a vector, or public keys",
     "Conversions.CellsGiveTheBestOfFour"},
    {"cells-to-linf", "linf = min(largest, l1)", "a vector, or public keys", "Conversions.CellsGiveTheBestOfFour"},
    {"l1-to-l2", "l1 d -> l2 squared d^2", kOnGrid, kNormTester, kNormMutant},
    {"l1-to-linf", "l1 d -> linf d", kOnGrid, kNormTester},
    {"l2-to-l1", "l2 squared d -> l1 min(d, floor(sqrt(n d)))", kOnGrid, kNormTester},
    {"l2-to-linf", "l2 squared d -> linf floor(sqrt(d))", kOnGrid, kNormTester},
    {"linf-to-l1", "linf d -> l1 n d", "whole numbers on a grid, a declared dimension n", kNormTester, kNormMutant},
    {"linf-to-l2", "linf d -> l2 squared n d^2", "whole numbers on a grid, a declared dimension n", kNormTester},
};

void add(Registry& registry, std::span<const Entry> entries, const std::vector<std::string>& rows) {
  for (const Entry& entry : entries) {
    std::vector<std::string> testers{entry.tester};
    // What is special about a step has a test of its own; that it moves no further, one for all.
    if (entry.guarantee == kOneForOne && entry.tester != kRowTester) testers.emplace_back(kRowTester);
    std::vector<std::string> mutants;
    if (entry.mutant != nullptr) mutants.emplace_back(entry.mutant);
    registry.add_attacked({.name = entry.name,
                           .room = "calculus",
                           .guarantee = entry.guarantee,
                           .conditions = entry.conditions,
                           .rows = rows,
                           .testers = testers,
                           .mutants = mutants,
                           .subject = Subject::transformation});
  }
}

}  // namespace

void add_catalogue_claims(Registry& registry) {
  add(registry, kRows, {"W-06", "W-08"});
  add(registry, kMultisets, {"W-06", "W-08"});
  add(registry, kCounts, {"W-06", "W-08"});
  add(registry, kVectors, {"W-06", "W-08"});
  add(registry, kRelations, {"W-03"});
  add(registry, kNorms, {"W-11"});
}

}  // namespace dither::calculus
