// The reference itself, on units whose numbers are worked out by hand.
#include "testing/plan_reference.h"

#include <gtest/gtest.h>

namespace dither::testing {
namespace {

using plan::Measure;
using plan::MeasureKind;

constexpr std::int64_t kUnit = 0;  // orders the keys so: Amsterdam, Oslo, Berlin (docs/bounding.md, kept keys)

// Columns: the key if there is one, the unit, a whole number.
plan::BoundedAggregate asked(std::size_t keys, std::vector<Measure> measures) {
  plan::Node::Parts parts{plan::Scan{"t"}, {}, {plan::Ownership::Kind::units, keys}, {"t"}, {}};
  if (keys > 0) parts.columns.emplace_back().type = plan::Type::text;
  parts.columns.emplace_back().type = plan::Type::integer;
  parts.columns.emplace_back().type = plan::Type::integer;
  return {std::make_shared<const plan::Node>(std::move(parts)), keys, {}, 3, std::move(measures)};
}

Measure counted(std::uint64_t rows, std::optional<std::size_t> column = {}) {
  return {.kind = MeasureKind::rows, .column = column, .rows = rows, .total_high = static_cast<Int128>(rows)};
}
Measure cut_units(std::uint64_t rows, std::optional<std::size_t> column = {}) {
  return {.kind = MeasureKind::cut_units, .column = column, .rows = rows, .total_high = 1};
}
Measure summed(std::size_t column, Int128 low, Int128 high, std::uint64_t rows) {
  const auto r = static_cast<Int128>(rows);
  return {.kind = MeasureKind::sum,
          .column = column,
          .low = low,
          .high = high,
          .rows = rows,
          .total_low = std::min(low, r * low),
          .total_high = std::max(high, r * high)};
}
Measure scaled(std::size_t column, Int128 low, Int128 high, std::uint64_t rows, unsigned finer) {
  Measure measure = summed(column, low, high, rows);
  measure.cut = plan::Cut::scale;
  measure.finer = finer;
  measure.total_low *= Int128{1} << finer;
  measure.total_high *= Int128{1} << finer;
  return measure;
}

Cell number(std::int64_t value) { return value; }

// One unit without keys, with these values.
Int128 of_values(const Measure& measure, const std::vector<Cell>& values) {
  PlanRows rows;
  for (const Cell& value : values) rows.push_back({number(kUnit), value});
  return reference_exact(rows, asked(0, {measure})).at("")[0];
}

struct InKey {
  std::string key;
  std::vector<std::int64_t> values;
};
// One unit with values by key: what its keys add, in the order given, at so many rows and keys for the unit; 0 of keys that are dropped.
std::vector<Int128> of_keys(const Measure& measure, const std::vector<InKey>& keys,
                            std::optional<std::uint64_t> rows_per_unit, std::uint64_t keys_per_unit = 3) {
  PlanRows rows;
  for (const InKey& key : keys) {
    for (const std::int64_t value : key.values) rows.push_back({key.key, number(kUnit), number(value)});
  }
  plan::BoundedAggregate aggregate = asked(1, {measure});
  aggregate.rows_per_unit = rows_per_unit;
  aggregate.keys_per_unit = keys_per_unit;
  const ExactNumbers numbers = reference_exact(rows, aggregate);
  std::vector<Int128> result;
  for (const InKey& key : keys) {
    const auto found = numbers.find("t" + key.key);
    result.push_back(found == numbers.end() ? 0 : found->second[0]);
  }
  return result;
}
std::vector<std::int64_t> ones(std::size_t n) { return std::vector<std::int64_t>(n, 1); }

TEST(PlanReference, AUnitWithinItsLimitIsExact) {
  EXPECT_EQ(of_values(scaled(1, 0, 10, 3, 0), {number(1), number(2), number(4)}), 7);
  EXPECT_EQ(of_values(scaled(1, 0, 10, 3, 4), {number(1), number(2), number(4)}), 7 * 16);
  EXPECT_EQ(of_values(scaled(1, 0, 10, 3, 4), {number(5)}), 5 * 16);
}

// On the declared grid a mixed unit would be 0 or 1; on the finer one it is its mean.
TEST(PlanReference, ATruthColumnAtLimitOneKeepsItsMean) {
  const std::vector<Cell> mixed{number(0), number(1), number(1)};
  EXPECT_EQ(of_values(scaled(1, 0, 1, 1, 16), mixed), 43691);  // 65536 * 2 / 3 = 43690.7
  EXPECT_EQ(of_values(scaled(1, 0, 1, 1, 0), mixed), 1);
  EXPECT_EQ(of_values(summed(1, 0, 1, 1), mixed), 1);
  EXPECT_EQ(of_values(scaled(1, 0, 1, 1, 16), {number(1), number(1), number(1)}), 65536);
  EXPECT_EQ(of_values(scaled(1, 0, 1, 1, 16), {number(0), number(0)}), 0);
}

TEST(PlanReference, ScaledTotalsAreRoundedHalfToEven) {
  const auto half = [](std::int64_t twice) {  // of two rows one counts
    return of_values(scaled(1, -9, 9, 1, 0), {number(twice / 2), number(twice - twice / 2)});
  };
  EXPECT_EQ(half(1), 0);
  EXPECT_EQ(half(3), 2);
  EXPECT_EQ(half(5), 2);
  EXPECT_EQ(half(-1), 0);
  EXPECT_EQ(half(-3), -2);
  EXPECT_EQ(half(-5), -2);
  // 2 of 3 rows: 2 S / 3.
  EXPECT_EQ(of_values(scaled(1, -9, 9, 2, 0), {number(2), number(2), number(1)}), 3);     // 10/3
  EXPECT_EQ(of_values(scaled(1, -9, 9, 2, 0), {number(-2), number(-2), number(0)}), -3);  // -8/3
  EXPECT_EQ(of_values(scaled(1, -9, 9, 2, 1), {number(-2), number(-2), number(0)}), -5);  // -16/3
}

// The ends are whole numbers, and rounding does not leave them, whatever the number of rows.
TEST(PlanReference, RoundingNeverPassesTheLimit) {
  for (std::int64_t low : {-3, 0, 2}) {
    for (std::int64_t n = 1; n < 12; ++n) {
      for (std::int64_t rest = 0; rest <= n; ++rest) {
        std::vector<Cell> values(static_cast<std::size_t>(n), number(5));
        for (std::int64_t i = 0; i < rest; ++i) values[static_cast<std::size_t>(i)] = number(low);
        const Int128 total = of_values(scaled(1, low, 5, 3, 2), values);
        const Int128 t = std::min<Int128>(n, 3);
        EXPECT_LE(t * low * 4, total);
        EXPECT_LE(total, t * 5 * 4);
      }
    }
  }
}

TEST(PlanReference, RowsWithoutAValueDoNotCount) {
  const std::vector<Cell> values{number(8), Cell{}, Cell{}, Cell{}};
  EXPECT_EQ(of_values(scaled(1, 0, 10, 1, 0), values), 8);
  EXPECT_EQ(of_values(counted(3, 1), values), 1);
  EXPECT_EQ(of_values(cut_units(1, 1), values), 0);
  EXPECT_EQ(of_values(cut_units(1), values), 1);
  EXPECT_EQ(of_values(scaled(1, 2, 10, 1, 0), {Cell{}, Cell{}}), 0);
}

TEST(PlanReference, CutUnitsHaveMoreRowsThanCount) {
  EXPECT_EQ(of_values(cut_units(2), {number(1), number(1)}), 0);
  EXPECT_EQ(of_values(cut_units(2), {number(1), number(1), number(1)}), 1);
}

// In the keys that it keeps, where it has rows with a value.
TEST(PlanReference, CutUnitsHaveKeysThatAreDropped) {
  const std::vector<InKey> keys{{"Amsterdam", ones(1)}, {"Oslo", ones(1)}, {"Berlin", ones(1)}};
  EXPECT_EQ(of_keys(cut_units(9), keys, std::nullopt, 3), (std::vector<Int128>{0, 0, 0}));
  EXPECT_EQ(of_keys(cut_units(9), keys, std::nullopt, 2), (std::vector<Int128>{1, 1, 0}));
  EXPECT_EQ(of_keys(cut_units(9), keys, 1, 1), (std::vector<Int128>{1, 0, 0}));
}

// 5 of min(5, 4), 3 and 1 rows: 2 4/8, 1 7/8 and 5/8.
TEST(PlanReference, LargestRemaindersGetOneMore) {
  const std::vector<InKey> keys{{"Amsterdam", ones(5)}, {"Oslo", ones(3)}, {"Berlin", ones(1)}};
  EXPECT_EQ(of_keys(counted(4), keys, 5), (std::vector<Int128>{2, 2, 1}));
  EXPECT_EQ(of_keys(cut_units(4), keys, 5), (std::vector<Int128>{1, 1, 0}));
  EXPECT_EQ(of_keys(counted(4), keys, 8), (std::vector<Int128>{4, 3, 1}));
  EXPECT_EQ(of_keys(counted(4), keys, std::nullopt), (std::vector<Int128>{4, 3, 1}));
  EXPECT_EQ(of_keys(cut_units(4), keys, std::nullopt), (std::vector<Int128>{1, 0, 0}));
}

TEST(PlanReference, OfEqualRemaindersTheLeastHashWins) {
  const std::vector<InKey> keys{{"Berlin", ones(1)}, {"Oslo", ones(1)}, {"Amsterdam", ones(1)}};
  EXPECT_EQ(of_keys(counted(1), keys, 1), (std::vector<Int128>{0, 0, 1}));
  EXPECT_EQ(of_keys(counted(1), keys, 2), (std::vector<Int128>{0, 1, 1}));
  EXPECT_EQ(of_keys(counted(1), keys, 3), (std::vector<Int128>{1, 1, 1}));
}

// Where no row of a key counts, it adds nothing, also where each row would add something.
TEST(PlanReference, AKeyWithoutARowThatCountsAddsNothing) {
  const std::vector<InKey> keys{{"Amsterdam", {5, 5, 5, 5, 5, 5, 5, 5, 5}}, {"Oslo", {7}}};
  EXPECT_EQ(of_keys(counted(9), keys, 1), (std::vector<Int128>{1, 0}));
  EXPECT_EQ(of_keys(summed(2, 3, 9, 9), keys, 1), (std::vector<Int128>{9, 0}));
  EXPECT_EQ(of_keys(scaled(2, 3, 9, 9, 1), keys, 1), (std::vector<Int128>{10, 0}));
  EXPECT_EQ(of_keys(cut_units(9), keys, 1), (std::vector<Int128>{1, 1}));
}

// Sums beside counts: clamped to what the allocated rows can add, or scaled to them.
TEST(PlanReference, SumsFollowTheAllocation) {
  const std::vector<InKey> keys{{"Amsterdam", {1, 2, 3, 4}}, {"Oslo", {4, 4}}};
  EXPECT_EQ(of_keys(counted(4), keys, 3), (std::vector<Int128>{2, 1}));
  EXPECT_EQ(of_keys(summed(2, 0, 4, 4), keys, 3), (std::vector<Int128>{8, 4}));
  EXPECT_EQ(of_keys(scaled(2, 0, 4, 4, 0), keys, 3), (std::vector<Int128>{5, 4}));
}

// A total that was stated itself is not allocated: it says nothing about rows.
TEST(PlanReference, StatedTotalsAreNotAllocated) {
  Measure stated = summed(2, 0, 100, 1);
  stated.rows = 0;
  stated.total_high = 7;
  const std::vector<InKey> keys{{"Amsterdam", {1, 2, 3, 4}}, {"Oslo", {4, 4}}};
  EXPECT_EQ(of_keys(stated, keys, 1), (std::vector<Int128>{7, 7}));
}

}  // namespace
}  // namespace dither::testing
