// Generators of neighbouring inputs for property tests, and the distances they promise.
//
//   RC_GTEST_PROP(TotalLimit, MovesNoFurtherThanItsMapSays, ()) {
//     const auto [x, y] = *testing::tables_one_unit_apart();
#pragma once

#include <rapidcheck.h>

#include <compare>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <utility>
#include <vector>

namespace dither::testing {

// A row says whom it is about, which group it falls in, and an amount.
struct Row {
  std::int64_t unit;
  std::int64_t key;
  std::int64_t value;

  friend auto operator<=>(const Row&, const Row&) = default;
};

using Table = std::vector<Row>;  // the order of rows means nothing
using TablePair = std::pair<Table, Table>;
using Vector = std::vector<std::int64_t>;
using VectorPair = std::pair<Vector, Vector>;

// How many units must be added or removed to turn x into y: one for a unit that only one of them has, two for a unit
// whose rows differ.
std::int64_t units_added_or_removed(const Table& x, const Table& y);

// How many units must have their rows replaced; nothing when the two do not have the same units.
std::optional<std::int64_t> units_replaced(const Table& x, const Table& y);

// The sum of |x_i - y_i|; the vectors have the same length.
std::int64_t l1_distance(const Vector& x, const Vector& y);

// Tables at units_added_or_removed distance exactly 1: one of the two, in either position, has one more unit, with one
// row or many. Few units and keys so that they meet; values small, and now and then at the ends of int64. Rows stand in
// an order of their own in each table, so that nothing may depend on it. Empty tables occur.
rc::Gen<TablePair> tables_one_unit_apart();

// Tables at units_replaced distance exactly 1: the same units, one of which has other rows (at least one before and
// after). Two apart in the other sense.
rc::Gen<TablePair> tables_one_unit_replaced();

// Vectors of 1 to about 20 integers that differ by exactly 1 in one coordinate.
rc::Gen<VectorPair> vectors_one_apart();

// Histograms (no negative count) in which one unit was added or removed, at l1 distance 1, and in which one moved from
// a cell to another, at l1 distance 2 with the same total.
rc::Gen<VectorPair> histograms_one_apart();
rc::Gen<VectorPair> histograms_one_moved();

// How a row appears in the message of a failed property.
void showValue(const Row& row, std::ostream& os);

}  // namespace dither::testing
