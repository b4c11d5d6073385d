#include "calculus/aggregates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "calculus/bounding.h"
#include "calculus/bounding_check.h"
#include "calculus/detail/contributions.h"
#include "testing/refusal.h"
#include "testing/seed.h"

namespace dither::calculus {
namespace {

using namespace bounding_check;  // NOLINT

constexpr Metric kAdded{MetricKind::units_added}, kReplaced{MetricKind::units_replaced},
    kChanged{MetricKind::units_changed};

constexpr int kTrials = 1500;
// A few pairs for each of the 2000 steps below; many more at night.
const int kQuick = std::getenv("DITHER_NIGHTLY") != nullptr ? 400 : 15;

std::vector<Cell> first_keys(const TableDomain& table, int count) {
  std::vector<Cell> keys;
  for (int k = 0; k < count; ++k) {
    const bool text = table.columns[1].type == CellType::text;
    keys.push_back(text ? Cell(std::string(1, static_cast<char>('a' + k))) : Cell(std::int64_t{k}));
  }
  return keys;
}

struct Case {
  TableDomain table;
  Metric from;
  bool filtered;
  std::uint64_t keys;
  RowLimits rows;
  Values values;
};

// Every aggregate, behind a filter or not, with the keys of a unit limited.
std::vector<AnyTransformation> aggregates(const Case& one) {
  std::vector<AnyTransformation> all;
  const auto after = [&](const auto& make) {
    if (!one.filtered) return make(one.table, one.from);
    const AnyTransformation before = filter(one.table, one.from);
    return chain(before, make(std::get<TableDomain>(before.output()), before.to()));
  };
  const auto by_key = [&](const auto& make) {
    return after([&](const TableDomain& table, const Metric& from) {
      const AnyTransformation keep = make_keep_keys(table, from, one.keys);
      return chain(keep, make(std::get<TableDomain>(keep.output()), keep.to()));
    });
  };
  for (const Keys& keys : {Keys(first_keys(one.table, 9)), Keys(first_keys(one.table, 2)), Keys()}) {
    all.push_back(by_key([&](auto& table, auto& from) { return make_count_by_key(table, from, keys, one.rows); }));
    all.push_back(by_key([&](auto& table, auto& from) { return make_units_by_key(table, from, keys); }));
    all.push_back(by_key([&](auto& table, auto& from) { return make_cut_units_by_key(table, from, keys, one.rows); }));
    all.push_back(
        by_key([&](auto& table, auto& from) { return make_sum_by_key(table, from, keys, one.values, one.rows); }));
  }
  all.push_back(after([&](auto& table, auto& from) { return make_total_count(table, from, one.rows.rows); }));
  all.push_back(after([&](auto& table, auto& from) {
    return make_total_count(table, from, one.rows.rows, MetricKind::cells, "value");
  }));
  all.push_back(after([&](auto& table, auto& from) { return make_total_units(table, from); }));
  all.push_back(after([&](auto& table, auto& from) { return make_total_cut_units(table, from, one.rows.rows); }));
  all.push_back(after([&](auto& table, auto& from) { return make_total_sum(table, from, one.values, one.rows.rows); }));
  return all;
}

std::vector<Values> ranges() {
  return {{"value", {0, 7}},
          {"value", {-5, 5}},
          {"value", {3, 10}},
          {"value", {-9, -2}},
          {"value", {-3, 8}},
          {"value", {4, 4}},
          {"value", {-3, 8}, 1, true},
          {"value", {0, 1}, 1, true, 0},
          {"value", {-3, 8}, 1, true, 5},
          {"value", {3, 10}, 1, false, 1}};
}

// Spec: W-06, W-08, W-11, D-77
TEST(Aggregates, MoveNoFurtherThanTheirMapsSay) {
  for (const TableDomain& table : {clean(), dirty()}) {
    for (const Metric& from : {kAdded, kReplaced, kChanged}) {
      for (const bool filtered : {false, true}) {
        for (const Values& values : ranges()) {
          for (const RowLimits& rows : {RowLimits(1), RowLimits(2), RowLimits(2, 3), RowLimits(3), RowLimits(3, 4)}) {
            for (const AnyTransformation& step : aggregates({table, from, filtered, rows.rows, rows, values})) {
              EXPECT_FALSE(search(step, kQuick, testing::run_seed()).exceeded)
                  << canonical_json(step.recipe()) << " from " << metric_name(from);
            }
          }
        }
      }
    }
  }
}

TableDomain limited(std::uint64_t keys) {
  TableDomain table = clean();
  table.keys_per_unit = keys;
  return table;
}

CellsDistance at_one(const AnyTransformation& step) { return cells_of(step.map(Rational(1))); }

// In front of an aggregate that the table's facts allow: what enforces them.
AnyTransformation bounded(const AnyTransformation& aggregate, std::uint64_t keys) {
  return chain(make_keep_keys(clean(), aggregate.from(), keys), aggregate);
}

TEST(Aggregates, MapsOfOneUnit) {
  const Keys keys = first_keys(clean(), 9);
  const Values values{"value", {-5, 3}};  // r = 2: [-10, 6], M = 10, w = 16
  EXPECT_EQ(at_one(make_sum_by_key(limited(2), kAdded, keys, values, 2)), (CellsDistance{2, 20, 200, 10}));
  EXPECT_EQ(at_one(make_sum_by_key(limited(2), kReplaced, keys, values, 2)), (CellsDistance{4, 40, 512, 16}));
  EXPECT_EQ(at_one(make_sum_by_key(limited(2), kChanged, keys, values, 2)), (CellsDistance{4, 40, 512, 16}));
  // Counts: 2 C r, and 2 C r^2 = (sqrt(2C) r)^2.
  EXPECT_EQ(at_one(make_count_by_key(limited(3), kReplaced, keys, 4)), (CellsDistance{6, 24, 96, 4}));
  EXPECT_EQ(at_one(make_units_by_key(limited(3), kReplaced, keys)), (CellsDistance{6, 6, 6, 1}));
  EXPECT_EQ(at_one(make_units_by_key(limited(3), kAdded, keys)), (CellsDistance{3, 3, 3, 1}));
  // More keys a unit than there are public ones.
  EXPECT_EQ(at_one(make_units_by_key(limited(30), kAdded, keys)), (CellsDistance{9, 9, 9, 1}));
  EXPECT_EQ(at_one(make_units_by_key(limited(30), kReplaced, keys)), (CellsDistance{9, 9, 9, 1}));
}

// 22 keys, 22 rows a key, 22 rows in all: 22 rows move, not 484.
// Spec: W-08, F-04
TEST(Aggregates, RowsInAllBoundWhatAUnitMoves) {
  const Keys keys = first_keys(clean(), 9);
  EXPECT_EQ(at_one(make_count_by_key(limited(22), kAdded, {}, {22, 22})), (CellsDistance{22, 22, 484, 22}));
  EXPECT_EQ(at_one(make_count_by_key(limited(22), kReplaced, {}, {22, 22})), (CellsDistance{44, 44, 968, 22}));
  EXPECT_EQ(at_one(make_count_by_key(limited(3), kAdded, keys, {4, 9})), (CellsDistance{3, 9, 16 + 16 + 1, 4}));
  EXPECT_EQ(at_one(make_count_by_key(limited(3), kAdded, keys, {4, 12})),
            at_one(make_count_by_key(limited(3), kAdded, keys, 4)));
  EXPECT_EQ(at_one(make_count_by_key(limited(30), kAdded, first_keys(clean(), 2), {4, 9})).l1, Rational(8));
  const Values values{"value", {-5, 3}};  // 3 rows: 2 full cells' worth in L1 is 15 of 20; S = 4 + 1
  EXPECT_EQ(at_one(make_sum_by_key(limited(2), kAdded, keys, values, {2, 3})), (CellsDistance{2, 15, 125, 10}));
  EXPECT_EQ(at_one(make_sum_by_key(limited(2), kReplaced, keys, values, {2, 3})), (CellsDistance{4, 30, 340, 16}));
  const Values centred{"value", {-3, 8}, 1, true, 2};  // w = 11 half steps, 44 finer ones
  EXPECT_EQ(at_one(make_sum_by_key(limited(2), kReplaced, keys, centred, {2, 3})),
            (CellsDistance{4, 2 * 3 * 44, 4 * 5 * 44 * 44, 4 * 44}));
}
// Every number of rows in every cell, before and after, at the worst ends: the four bounds hold, and L1 is attained.
TEST(Aggregates, RowsInAllHoldsOverAllSmallAllocations) {
  const long cells = 3, rows = 3;
  std::vector<std::array<long, 3>> all;
  for (long a = 0; a <= rows; ++a) {
    for (long b = 0; b <= rows; ++b) {
      for (long c = 0; c <= rows; ++c) all.push_back({a, b, c});
    }
  }
  for (long in_all = 1; in_all <= cells * rows; ++in_all) {
    for (const auto& [low, high] : {std::pair{-5L, 3L}, {-2, 7}, {0, 1}, {-4, 4}, {2, 6}}) {
      const Values values{"value", {low, high}};
      const auto step =
          make_sum_by_key(limited(cells), kReplaced, {}, values, {rows, static_cast<std::uint64_t>(in_all)});
      const CellsDistance claimed = at_one(step);
      Rational l1 = 0, l2 = 0;
      const long down = std::max(0L, -low), up = std::max(0L, high);
      for (const auto& x : all) {
        for (const auto& y : all) {
          if (x[0] + x[1] + x[2] > in_all || y[0] + y[1] + y[2] > in_all) continue;
          Rational moved = 0, squares = 0;
          for (std::size_t i = 0; i < 3; ++i) {
            const Rational by(std::max(x[i] * down + y[i] * up, x[i] * up + y[i] * down));
            moved += by;
            squares += by * by;
            EXPECT_LE(by, claimed.largest);
          }
          l1 = std::max(l1, moved);
          l2 = std::max(l2, squares);
        }
      }
      EXPECT_LE(l1, claimed.l1);
      EXPECT_LE(l2, claimed.l2_squared) << in_all << " rows of " << low << " to " << high;
      if (low == -high) {
        EXPECT_EQ(l1, claimed.l1) << in_all << " rows of " << low << " to " << high;
      }
    }
  }
}

// The one definition of how rows are allocated, on small cases.
TEST(Aggregates, RowsOfAUnitAreAllocatedByLargestRemainder) {
  const auto counted = [](const std::vector<std::uint64_t>& rows, std::uint64_t by_cell, std::uint64_t in_all) {
    detail::UnitCells cells;
    for (std::size_t i = 0; i < rows.size(); ++i) cells[{i, "k"}] = {0, rows[i]};
    return detail::rows_that_count(cells, by_cell, in_all);
  };
  using Rows = std::vector<std::uint64_t>;
  EXPECT_EQ(counted({2, 5}, 10, 7), (Rows{2, 5}));           // no more than may count
  EXPECT_EQ(counted({1, 1, 1}, 10, 2), (Rows{1, 1, 0}));     // ties in the order of the hash
  EXPECT_EQ(counted({1, 5}, 10, 3), (Rows{1, 2}));           // 0.5 and 2.5: a tie
  EXPECT_EQ(counted({9, 90}, 10, 10), (Rows{5, 5}));         // at most 10 a cell: 9 and 10 of 19
  EXPECT_EQ(counted({1, 1, 40}, 40, 20), (Rows{1, 0, 19}));  // 0.48, 0.48, 19.05
}

// However many rows a unit has, its mean stays: what is added is as many times its mean as rows count.
TEST(Aggregates, ScaledTotalsKeepTheMeanOfAUnit) {
  Table table;
  for (std::int64_t i = 0; i < 20; ++i) table.push_back({std::int64_t{1}, std::int64_t{0}, std::int64_t{500 + i}});
  const auto total = [&](std::optional<unsigned> finer) {
    const Values values{"value", {0, 10'000}, 1, true, finer};
    const auto step = make_total_sum(clean(), kAdded, values, 3);
    return Rational(std::get<Integers>(testing::apply(step, table))[0]) * std::get<VectorDomain>(step.output()).step;
  };
  const Rational exact = 3 * (Rational(1019, 2) - 5000);
  EXPECT_LE(abs(total(16) - exact), Rational(1, 1 << 17));
  EXPECT_EQ(total({}), Rational(3 * -5000));  // clamped: the mean would be 0
}
// On the declared grid itself units with both values of a column of 0 and 1 would be lost.
TEST(Aggregates, ScaledTotalsNeedAFinerGrid) {
  EXPECT_EQ(finer_grid(1), 16u);
  EXPECT_EQ(finer_grid(Int128{1} << 16), 16u);
  EXPECT_EQ(finer_grid((Int128{1} << 16) + 1), 15u);
  EXPECT_EQ(finer_grid(Int128{1} << 32), 0u);
  EXPECT_EQ(finer_grid(Int128{1} << 62), 0u);
  Table table;
  for (const std::int64_t value : {0, 1, 1}) table.push_back({std::int64_t{1}, std::int64_t{0}, value});
  const auto total = [&](unsigned finer) {
    const auto step = make_total_sum(clean(), kAdded, {"value", {0, 1}, 1, true, finer}, 1);
    return std::get<Integers>(testing::apply(step, table))[0];
  };
  EXPECT_EQ(total(0), 0);  // 1/3, rounded
  EXPECT_EQ(total(4), 5);  // 16/3
  EXPECT_EQ(total(16), 21845);
}
// Half to even, of both signs.
TEST(Aggregates, ScaledTotalsRoundHalfToEven) {
  for (const Int128 sum : {-7, -6, -5, -3, -1, 0, 1, 3, 5, 6, 7}) {
    for (const std::uint64_t rows : {1u, 2u, 3u, 4u}) {
      EXPECT_EQ(detail::scaled({sum, rows}, 1, 0),
                (Rational(sum) / Rational(static_cast<long>(rows))).round_half_even());
    }
  }
}

// The twins: what a careless operator would do with a limit over all cells, and with a finer grid.
TEST(Aggregates, PlantedRowsInAllIgnoredIsCaught) {
  const Keys keys = first_keys(clean(), 9);
  for (const Metric& from : {kAdded, kReplaced}) {
    const auto step = bounded(make_count_by_key(limited(2), from, keys, {2, 3}), 2);
    const auto ignoring = bounded(make_count_by_key(limited(2), from, keys, 2), 2);
    EXPECT_FALSE(search(step, kTrials, 1).exceeded);
    EXPECT_TRUE(
        search(with_function(step, [ignoring](const Data& data) { return testing::apply(ignoring, data); }), kTrials, 1)
            .exceeded);
  }
}
TEST(Aggregates, PlantedTotalsOnAnotherGridAreCaught) {
  const auto sum = [](unsigned finer) {
    return make_total_sum(clean(), kAdded, {"value", {-5, 5}, 1, true, finer}, 2);
  };
  EXPECT_FALSE(search(sum(3), kTrials, 1).exceeded);
  EXPECT_TRUE(search(with_function(sum(3), [finer = sum(4)](const Data& data) { return testing::apply(finer, data); }),
                     kTrials, 1)
                  .exceeded);
}
TEST(Aggregates, PlantedRowsInAllChargedAsAddedIsCaught) {
  const Keys keys = first_keys(clean(), 9);
  const Values values{"value", {-5, 5}, 1, true, 2};
  const auto step = bounded(make_sum_by_key(limited(2), kReplaced, keys, values, {2, 3}), 2);
  const auto added = bounded(make_sum_by_key(limited(2), kAdded, keys, values, {2, 3}), 2);
  EXPECT_FALSE(search(step, 4 * kTrials, 1).exceeded);
  EXPECT_TRUE(search(with_map(step, [added](const Distance& d) { return added.map(d); }), 4 * kTrials, 1).exceeded);
}

// Spec: W-08
TEST(Aggregates, CutUnitsAreThoseWithRowsThatDoNotCount) {
  Table table;
  const auto add = [&](std::int64_t unit, std::int64_t key, int rows) {
    for (int i = 0; i < rows; ++i) table.push_back({unit, key, std::int64_t{1}});
  };
  add(1, 0, 3);
  add(2, 0, 2);
  add(2, 1, 2);
  const Keys keys = first_keys(clean(), 2);
  const auto by_key = [&](const RowLimits& rows) {
    return std::get<Integers>(testing::apply(make_cut_units_by_key(limited(2), kAdded, keys, rows), table));
  };
  EXPECT_EQ(by_key(2), (Integers{1, 0}));
  EXPECT_EQ(by_key(1), (Integers{2, 1}));
  const Integers in_all = by_key({2, 3});  // the second unit has four rows, and one of them does not count
  EXPECT_EQ(in_all[0] + in_all[1], 2);
  EXPECT_EQ(std::get<Integers>(testing::apply(make_total_cut_units(clean(), kAdded, 3), table)), Integers{1});
  EXPECT_EQ(at_one(make_cut_units_by_key(limited(2), kReplaced, {}, {22, 22})), (CellsDistance{4, 4, 4, 1}));
  EXPECT_EQ(at_one(make_total_cut_units(clean(), kReplaced, 3)), (CellsDistance{1, 1, 1, 1}));
}
TEST(Aggregates, PlantedCutUnitsThatCountRowsAreCaught) {
  const auto step = make_total_cut_units(clean(), kAdded, 1);
  EXPECT_TRUE(
      search(with_function(
                 step, [](const Data& data) -> Data { return Integers{static_cast<Int128>(as<Table>(data).size())}; }),
             kTrials, 1)
          .exceeded);
}

TEST(Aggregates, MapsGrowWithTheNumberOfUnits) {
  const auto step = make_sum_by_key(limited(2), kReplaced, {}, {"value", {0, 5}}, 2);
  EXPECT_EQ(cells_of(step.map(Rational(0))), CellsDistance{});
  EXPECT_EQ(cells_of(step.map(Rational(3))), (CellsDistance{12, 120, 3600, 30}));
  EXPECT_EQ(cells_of(step.map(Rational(1'000'000))).l2_squared, Rational(400) * pow(Rational(1'000'000), 2));
}

TEST(Aggregates, TotalsMoveByTheWidthOnlyWhereNobodyCanVanish) {
  const Values values{"value", {3, 10}};  // r = 1: M = 10, w = 7
  EXPECT_EQ(at_one(make_total_sum(clean(), kAdded, values, 1)).l1, Rational(10));
  EXPECT_EQ(at_one(make_total_sum(clean(), kReplaced, values, 1)).l1, Rational(7));
  EXPECT_EQ(at_one(make_total_sum(clean(), kChanged, values, 1)).l1, Rational(10));
  EXPECT_EQ(at_one(make_total_units(clean(), kReplaced)), CellsDistance{});  // how many units there are is public
  EXPECT_EQ(at_one(make_total_units(clean(), kChanged)).l1, Rational(1));
  // A unit or a value that may be missing is a filter too.
  TableDomain nullable = clean();
  nullable.columns[2].nullable = true;
  EXPECT_EQ(at_one(make_total_sum(nullable, kReplaced, values, 1)).l1, Rational(10));
  EXPECT_EQ(at_one(make_total_count(nullable, kReplaced, 3)).l1, Rational(2));  // looks at no value
  EXPECT_EQ(at_one(make_total_units(dirty(), kReplaced)).l1, Rational(1));
  EXPECT_EQ(at_one(make_total_count(nullable, kReplaced, 3, MetricKind::cells, "value")).l1, Rational(3));
}

// Spec: W-06
TEST(Aggregates, MapsAreAttained) {
  const Keys keys = first_keys(clean(), 9);
  for (const Metric& from : {kAdded, kReplaced, kChanged}) {
    for (const Values& values : {Values{"value", {0, 7}}, Values{"value", {-5, 5}}, Values{"value", {-3, 8}}}) {
      EXPECT_TRUE(search(bounded(make_sum_by_key(limited(1), from, keys, values, 1), 1), 4 * kTrials, 1, true).tight())
          << metric_name(from) << " " << values.bounds.low.str();
      EXPECT_TRUE(search(make_total_sum(clean(), from, values, 2), kTrials, 1, true).tight()) << metric_name(from);
    }
    EXPECT_TRUE(search(bounded(make_units_by_key(limited(2), from, keys), 2), kTrials, 1, true).tight());
    EXPECT_TRUE(search(bounded(make_count_by_key(limited(2), from, keys, 3), 2), kTrials, 1, true).tight());
    EXPECT_TRUE(search(make_total_count(clean(), from, 3), kTrials, 1, true).tight()) << metric_name(from);
  }
}

// With L = -U a cell that the unit is in before and after moves by 2M: sqrt(2) M in all is too little.
TEST(Aggregates, PlantedRootTwoMIsCaught) {
  const Values values{"value", {-5, 5}};
  const auto step =
      bounded(make_sum_by_key(limited(1), kReplaced, first_keys(clean(), 9), values, 1, MetricKind::l2), 1);
  EXPECT_FALSE(search(step, 4 * kTrials, 1).exceeded);
  const auto planted = [](const Distance& d) -> Distance { return Rational(2 * 25) * number(d) * number(d); };
  EXPECT_TRUE(search(with_map(step, planted), 4 * kTrials, 1).exceeded);
}

TEST(Aggregates, PlantedWidthBehindAFilterIsCaught) {
  const Values values{"value", {3, 10}};
  const auto step = chain(filter(clean(), kReplaced), make_total_sum(clean(), kChanged, values, 1, MetricKind::l1));
  EXPECT_FALSE(search(step, kTrials, 1).exceeded);
  EXPECT_TRUE(search(with_map(step, [](const Distance& d) -> Distance { return 7 * number(d); }), kTrials, 1).exceeded);
}

// u - l cannot be had behind a filter: its metric is another one.
TEST(Aggregates, AFilteredTableDoesNotFitWhatNeedsEveryUnit) {
  const auto total = make_total_sum(clean(), kReplaced, {"value", {3, 10}}, 1);
  EXPECT_EQ(testing::refusal([&] { chain(filter(clean(), kReplaced), total); }), Code::mixed_metrics);
}

TEST(Aggregates, PlantedOneCellUnderReplaceOneIsCaught) {
  const auto step = bounded(make_units_by_key(limited(1), kReplaced, first_keys(clean(), 9)), 1);
  const auto planted = [](const Distance& d) -> Distance { return CellsDistance{number(d), number(d), number(d), 1}; };
  EXPECT_TRUE(search(with_map(step, planted), kTrials, 1).exceeded);
}

// One unit with a great many rows moves no more than its share, because its total is clamped before units meet.
TEST(Aggregates, Hole44ClampsBeforeUnitsMeet) {
  Table table;
  for (std::int64_t i = 0; i < 10'000; ++i) table.push_back({std::int64_t{1}, std::int64_t{0}, kMax});
  const auto step = make_sum_by_key(limited(1), kAdded, first_keys(clean(), 1), {"value", {0, 10}}, 3);
  EXPECT_EQ(std::get<Integers>(testing::apply(step, table)), Integers{30});
  table.push_back({std::int64_t{2}, std::int64_t{0}, std::int64_t{7}});
  EXPECT_EQ(std::get<Integers>(testing::apply(step, table)), Integers{37});
}
TEST(Aggregates, PlantedClampAfterTheSumIsCaught) {
  const auto step = make_total_sum(clean(), kAdded, {"value", {0, 7}}, 1);
  const auto planted = with_function(step, [](const Data& data) -> Data {
    Int128 sum = 0;
    for (const Row& row : as<Table>(data)) sum += std::get<std::int64_t>(row[2]);
    return Integers{std::clamp<Int128>(sum, 0, 100'000)};
  });
  EXPECT_TRUE(search(planted, kTrials, 1).exceeded);
}

// Values that are no numbers add nothing, infinities count as the bounds, and nothing fails.
bool treats_odd_values(const AnyTransformation& step) {
  const Table table = {{Cell(1.5), Cell("a"), Cell(kNan)},  {Cell(1.5), Cell("a"), Cell()},
                       {Cell(2.5), Cell("a"), Cell(kInf)},  {Cell(3.5), Cell("a"), Cell(-kInf)},
                       {Cell(4.5), Cell("a"), Cell(1e300)}, {Cell(5.5), Cell("a"), Cell(-0.0)},
                       {Cell(), Cell("a"), Cell(4.0)},      {Cell(kNan), Cell("a"), Cell(4.0)}};
  return std::get<Integers>(testing::apply(step, table)) == Integers{4 - 2 + 4};
}
TEST(Aggregates, Hole26NanDoesNotPassTheClamp) {
  EXPECT_TRUE(treats_odd_values(make_total_sum(dirty(), kAdded, {"value", {-2, 4}}, 1)));
}
TEST(Aggregates, PlantedClampThatLetsNanPassIsCaught) {
  const auto step = make_total_sum(dirty(), kAdded, {"value", {-2, 4}}, 1);
  EXPECT_FALSE(treats_odd_values(with_function(step, [](const Data& data) -> Data {
    double sum = 0;
    for (const Row& row : as<Table>(data)) {
      const auto* value = std::get_if<double>(&row[2]);
      if (!detail::is_missing(row[0]) && value != nullptr) sum += std::clamp(*value, -2.0, 4.0);
    }
    return Integers{std::isnan(sum) ? kInt128Min : static_cast<Int128>(sum)};
  })));
}
TEST(Aggregates, PlantedNullUnitCountedIsCaught) {
  const auto step = make_total_sum(dirty(), kAdded, {"value", {-2, 4}}, 1);
  EXPECT_FALSE(treats_odd_values(with_function(step, [step](const Data& data) -> Data {
    Table named = as<Table>(data);
    for (Row& row : named) row[0] = detail::is_missing(row[0]) ? Cell(99.5) : row[0];
    return testing::apply(step, named);
  })));
}

// Products of limits and bounds are exact, or refused by name: they never wrap.
TEST(Aggregates, Hole26ExtremeProductsAreExactOrRefused) {
  const Rational big = Rational::power_of_two(62);
  const auto step = make_sum_by_key(limited(~std::uint64_t{0}), kReplaced, {}, {"value", {-big, big}}, 1);
  const Rational c = Rational::power_of_two(64) - 1;
  EXPECT_EQ(at_one(step), (CellsDistance{2 * c, 2 * c * big, c * 4 * big * big, 2 * big}));
  EXPECT_EQ(testing::refusal([&] { make_total_sum(clean(), kAdded, {"value", {0, big}}, 2); }), Code::bad_bounds);
  EXPECT_EQ(testing::refusal([&] { make_total_sum(clean(), kAdded, {"value", {-big - 1, 0}}, 1); }), Code::bad_bounds);
  EXPECT_EQ(testing::refusal([&] { make_total_count(clean(), kAdded, ~std::uint64_t{0}); }), Code::bad_limit);
}
TEST(Aggregates, PlantedWrappingProductIsCaught) {
  const std::uint64_t c = std::uint64_t{1} << 40, m = std::uint64_t{1} << 30;  // c * m wraps to 64 bits
  const auto step = make_count_by_key(limited(c), kAdded, {}, m);
  EXPECT_NE(at_one(step).l1, Rational(static_cast<Int128>(c * m)));
  EXPECT_EQ(at_one(step).l1, Rational::power_of_two(70));
}

// Sums at the ends: many units at the largest bound, exactly.
TEST(Aggregates, SumsAreExactAtTheEnds) {
  const Rational big = Rational::power_of_two(62);
  const auto step = make_total_sum(clean(), kAdded, {"value", {-big, big}}, 1);
  Table table;
  for (std::int64_t unit = 0; unit < 1000; ++unit)
    table.push_back({unit, std::int64_t{0}, unit % 10 == 0 ? kMin : kMax});
  EXPECT_EQ(std::get<Integers>(testing::apply(step, table)), Integers{800 * (Int128{1} << 62)});
}

// Every public key is answered, in the order given; others are not.
TEST(Aggregates, Hole15AbsentKeysAreAnsweredWithZero) {
  const std::vector<Cell> keys = {std::int64_t{7}, std::int64_t{0}, Cell()};
  const Table table = {{std::int64_t{1}, std::int64_t{0}, std::int64_t{5}},
                       {std::int64_t{1}, std::int64_t{3}, std::int64_t{5}}};
  TableDomain domain = limited(5);
  domain.columns[1].nullable = true;
  const auto step = make_count_by_key(domain, kAdded, keys, 1);
  EXPECT_EQ(std::get<VectorDomain>(step.output()).dimension, 3u);
  EXPECT_EQ(std::get<Integers>(testing::apply(step, table)), (Integers{0, 1, 0}));
  EXPECT_EQ(std::get<Integers>(testing::apply(step, Table{})), (Integers{0, 0, 0}));
}

// Heavy units that share values: each unit counts once a key, and the keys it keeps are its own choice.
TEST(Aggregates, Hole24DistinctUnitsOfSharedKeys) {
  Table table;
  for (std::int64_t unit = 0; unit < 40; ++unit) {
    for (std::int64_t key = 0; key < 8; ++key) {
      for (int twice = 0; twice < 2; ++twice) table.push_back({unit, key, key});
    }
  }
  const auto units = [&](std::uint64_t keep) {
    const auto step = bounded(make_units_by_key(limited(keep), kAdded, first_keys(clean(), 8)), keep);
    return std::get<Integers>(testing::apply(step, table));
  };
  EXPECT_EQ(units(8), Integers(8, 40));
  const Integers three = units(3);
  Int128 all = 0;
  for (const Int128 count : three) {
    all += count;
    EXPECT_GT(count, 0);
    EXPECT_LT(count, 40);
  }
  EXPECT_EQ(all, 3 * 40);
}

// A unit at every bound at once leaves the answer within what is declared.
// Spec: D-77
TEST(Aggregates, InputThatBreaksEveryBoundMovesNoMore) {
  Table worst;
  for (std::int64_t key = 0; key < 50; ++key) {
    for (int i = 0; i < 50; ++i) worst.push_back({std::int64_t{1}, key, i % 2 == 0 ? kMin : kMax});
    for (int i = 0; i < 50; ++i) worst.push_back({std::int64_t{1}, key, kMax});
  }
  for (const Values& values : ranges()) {
    const auto step = bounded(make_sum_by_key(limited(2), kAdded, {}, values, 3), 2);
    const auto moved = distance(step.to(), testing::apply(step, Table{}), testing::apply(step, worst));
    EXPECT_TRUE(at_most(*moved, step.map(Rational(1))));
    EXPECT_EQ(cells_of(*moved).cells, Rational(2));
  }
}

// Declared to have nothing missing, a total moves by w alone; tables that have it all the same move no further.
// Spec: D-77
TEST(Aggregates, Hole10MissingCellsAgainstTheDeclarationMoveNoMore) {
  TableDomain declared = dirty();
  for (Column& column : declared.columns) {
    column.nullable = false;
    column.finite = column.type == CellType::real;
  }
  const auto undeclared = [](const AnyTransformation& step) {
    AnyTransformation::Parts parts = CombinatorAccess::parts(step);
    parts.input = dirty();
    return AnyTransformation(parts);
  };
  const auto dropping = [](const AnyTransformation& step) {  // the twin: as where cells may be missing
    return with_function(step, [drops = make_total_sum(dirty(), kReplaced, {"value", {3, 10}}, 2)](const Data& data) {
      return testing::apply(drops, data);
    });
  };
  const auto sum = undeclared(make_total_sum(declared, kReplaced, {"value", {3, 10}}, 2));
  EXPECT_EQ(at_one(sum).largest, Rational(17));  // [3, 20]
  EXPECT_FALSE(search(sum, 2000, testing::run_seed()).exceeded);
  EXPECT_TRUE(search(dropping(sum), 2000, 1).exceeded);
  EXPECT_FALSE(search(undeclared(make_total_units(declared, kReplaced)), 2000, testing::run_seed()).exceeded);
  EXPECT_FALSE(search(undeclared(make_total_count(declared, kReplaced, 3, MetricKind::cells, "value")), 2000,
                      testing::run_seed())
                   .exceeded);
}

// [0, 7] has no whole middle: values count as 2x - 7 in half steps, of which none is lost.
TEST(Aggregates, Hole21OddRangesAreCentredExactly) {
  const auto step = make_total_sum(clean(), kAdded, {"value", {0, 7}, 1, true}, 1, MetricKind::l1);
  EXPECT_EQ(step.map(Rational(1)), Distance(Rational(7)));
  EXPECT_EQ(std::get<VectorDomain>(step.output()).step, Rational(1, 2));
  const Table table = {{std::int64_t{1}, std::int64_t{0}, std::int64_t{7}},
                       {std::int64_t{2}, std::int64_t{0}, std::int64_t{3}}};
  EXPECT_EQ(std::get<Integers>(testing::apply(step, table)), Integers{7 - 1});
}

TEST(Aggregates, GridRoundsHalfToEvenAfterTheClamp) {
  const auto sum = [](double value) {
    const auto step = make_total_sum(dirty(), kAdded, {"value", {-1, Rational(1, 2)}, Rational(1, 4)}, 1);
    return std::get<Integers>(testing::apply(step, Table{{Cell(1.0), Cell("a"), Cell(value)}}))[0];
  };
  EXPECT_EQ(sum(0.125), 0);
  EXPECT_EQ(sum(0.375), 2);
  EXPECT_EQ(sum(0.49), 2);
  EXPECT_EQ(sum(7.0), 2);
  EXPECT_EQ(sum(-7.0), -4);
}

TEST(Aggregates, GiveOneNumberOfTheFourWhenAsked) {
  const Values values{"value", {-5, 3}};
  const auto in = [&](MetricKind to) {
    return make_sum_by_key(limited(2), kReplaced, first_keys(clean(), 9), values, 2, to).map(Rational(1));
  };
  EXPECT_EQ(in(MetricKind::l1), Distance(Rational(40)));
  EXPECT_EQ(in(MetricKind::l2), Distance(Rational(512)));
  EXPECT_EQ(in(MetricKind::linf), Distance(Rational(16)));
}

TEST(Aggregates, Refuse) {
  const Values values{"value", {0, 1}};
  EXPECT_EQ(testing::refusal([] { make_count_by_key(clean(), kAdded, {}, 1); }), Code::mixed_domains);
  EXPECT_EQ(testing::refusal([] { make_count_by_key(limited(1), kAdded, {}, 0); }), Code::bad_limit);
  EXPECT_EQ(testing::refusal([] { make_count_by_key(limited(1), {MetricKind::symmetric}, {}, 1); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { make_count_by_key(limited(1), kAdded, {}, 1, MetricKind::l1); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] { make_total_count(clean(), kAdded, 1, MetricKind::symmetric); }), Code::no_theorem);
  EXPECT_EQ(testing::refusal([] {
              make_units_by_key(limited(1), kAdded, std::vector<Cell>{Cell(0.0), Cell(-0.0)});
            }),
            Code::duplicate_key);
  EXPECT_EQ(testing::refusal([&] { make_total_sum(clean(), kAdded, {"nothing", {0, 1}}, 1); }), Code::unknown_key);
  EXPECT_EQ(testing::refusal([&] { make_total_sum(dirty(), kAdded, {"key", {0, 1}}, 1); }), Code::wrong_type);
  EXPECT_EQ(testing::refusal([&] { make_total_sum(clean(), kAdded, {"value", {1, 0}}, 1); }), Code::bad_bounds);
  EXPECT_EQ(testing::refusal([&] { make_total_sum(clean(), kAdded, {"value", {0, 1}, 0}, 1); }), Code::bad_grid);
  EXPECT_EQ(testing::refusal([&] { make_total_sum(clean(), kAdded, {"value", {0, 1}, 2}, 1); }), Code::bad_grid);
  EXPECT_EQ(testing::refusal([&] { make_count_by_key(limited(1), kAdded, {}, {1, 0}); }), Code::bad_limit);
  EXPECT_EQ(testing::refusal([&] {
              make_total_sum(clean(), kAdded, {"value", {0, 1}, 1, true, 17}, 1);
            }),
            Code::bad_grid);
  const Rational big = Rational::power_of_two(60);
  EXPECT_EQ(testing::refusal([&] {
              make_total_sum(clean(), kAdded, {"value", {0, big}, 1, true, 3}, 1);
            }),
            Code::bad_bounds);
  EXPECT_EQ(testing::refusal([&] {
              make_total_sum(clean(), {MetricKind::symmetric}, {"value", {0, 1}, 1, true, 3}, 1);
            }),
            Code::no_theorem);  // in rows scaling moves further
}

// Why scaling is refused where distance is in rows: one row moves a clamped total by w at most, a scaled one by more.
TEST(Aggregates, ScalingMovesFurtherThanClampingByRow) {
  Table few, more;
  for (int i = 0; i < 3; ++i) few.push_back({std::int64_t{1}, std::int64_t{0}, std::int64_t{10}});
  more = few;
  more.push_back({std::int64_t{1}, std::int64_t{0}, std::int64_t{-10}});
  const auto moved = [&](std::optional<unsigned> finer) {
    const auto step = make_total_sum(clean(), kAdded, {"value", {-10, 10}, 1, true, finer}, 3);
    const auto total = [&](const Table& table) { return std::get<Integers>(testing::apply(step, table))[0]; };
    return Rational(total(few) - total(more)) * std::get<VectorDomain>(step.output()).step;
  };
  EXPECT_EQ(moved({}), Rational(10));  // w = 20 in half steps
  EXPECT_EQ(moved(4), Rational(15));   // 2 w r / (r + 1) of them
}

TEST(Aggregates, RecipesMakeTheSameStepAgain) {
  Makers makers;
  add_bounding_makers(makers);
  const Keys keys = std::vector<Cell>{Cell(), std::int64_t{-5}, Cell("Z\xc3\xbc\xff"), Cell(-0.0)};
  const Values values{"value", {Rational(-1, 2), Rational(7, 2)}, Rational(1, 4)};
  const Values scaled{"value", {Rational(-1, 2), Rational(7, 2)}, Rational(1, 4), true, 7};
  for (const AnyTransformation& step :
       {make_count_by_key(limited(2), kAdded, keys, 3), make_units_by_key(limited(2), kReplaced, {}),
        make_sum_by_key(limited(4), kChanged, keys, values, 5, MetricKind::l2),
        make_sum_by_key(limited(4), kChanged, keys, scaled, {5, 9}), make_count_by_key(limited(4), kAdded, {}, {5, 9}),
        make_total_sum(clean(), kAdded, scaled, 3),
        make_cut_units_by_key(limited(4), kAdded, keys, {5, 9}, MetricKind::cells, "value"),
        make_total_cut_units(clean(), kReplaced, 2), make_total_count(clean(), kReplaced, 2),
        make_total_count(clean(), kAdded, 2, MetricKind::l1, "value"), make_total_units(clean(), kAdded),
        make_total_sum(clean(), kReplaced, values, 2, MetricKind::linf)}) {
    const Recipe recipe = recipe_from_json(canonical_json(step.recipe()));
    const auto again = make_transformation(recipe, step.input(), step.from(), makers);
    EXPECT_EQ(again.recipe(), step.recipe());
    for (const long d : {0L, 1L, 3L, 1'000'000L}) EXPECT_EQ(again.map(Rational(d)), step.map(Rational(d)));
  }
}

// Under the name of units no rows are counted (hole 24).
TEST(Aggregates, RecipesThatCountUnitsCannotCountRows) {
  Makers makers;
  add_bounding_makers(makers);
  for (const AnyTransformation& step : {make_units_by_key(limited(2), kAdded, {}), make_total_units(clean(), kAdded)}) {
    Recipe rows = step.recipe(), of = step.recipe(), in_all = step.recipe();
    in_all.parameters.emplace_back("rows_in_all", Rational(5));
    for (auto& [key, value] : rows.parameters) {
      if (key == "rows") value = Rational(5);
    }
    of.parameters.emplace_back("of", std::string("value"));
    for (const Recipe& recipe : {rows, of, in_all}) {
      EXPECT_EQ(testing::refusal([&] { make_transformation(recipe, step.input(), kAdded, makers); }), Code::bad_limit);
    }
  }
}

}  // namespace
}  // namespace dither::calculus
