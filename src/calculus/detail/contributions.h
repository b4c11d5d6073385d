// What one unit adds to a cell of an aggregate, and how far cells move when units change.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calculus/detail/cells.h"
#include "calculus/domain.h"
#include "calculus/metric.h"
#include "calculus/recipe.h"

namespace dither::calculus::detail {

// no-theorem unless the metric is units-added, units-replaced or units-changed.
void require_units(const Metric& from, std::string_view step);
// mixed-domains when the table has fewer columns.
void require_columns(const TableDomain& table, std::size_t columns, std::string_view step);
// bad-limit for 0 and beyond 2^62.
void require_limit(std::uint64_t limit, std::string_view step, std::string_view what);
// A whole number of a recipe from 0 to 2^64 - 1; bad-limit otherwise.
std::uint64_t limit_of(const Recipe& recipe, std::string_view key);

// Whether a cell of the column may be NULL or NaN.
bool may_be_missing(const Column& column);
// The metric behind a step that drops rows whose unit is missing: where there may be such rows, that is a filter.
Metric without_missing_units(const TableDomain& table, const Metric& from);

// Numbers of a column as whole steps of a grid: clamped into the bounds first, infinities too, then rounded half to
// even. Missing ones are nothing.
class Gridded {
 public:
  // Refuses a step that is not positive and bounds that do not lie on the grid (bad-grid), reversed ones and those
  // beyond 2^62 steps (bad-bounds).
  Gridded(const Bounds& bounds, const Rational& step);
  Int128 low() const { return low_; }
  Int128 high() const { return high_; }
  std::optional<Int128> operator()(const Cell& cell) const;

 private:
  Int128 low_, high_;
  Rational step_;
  bool whole_;  // the step is 1
};

// Where the contribution of a unit lies in a cell that it is in: [low, high]. In others it is 0.
struct Range {
  Int128 low, high;
  Int128 width() const { return high - low; }
  Int128 largest() const;  // |contribution| at most
};
// The totals of up to `rows` numbers in [low, high]: [min(low, rows low), max(high, rows high)]. Refuses what exceeds
// 2^62 (bad-bounds): tables have fewer than 2^64 rows, so sums over units then stay below 2^126 and cannot overflow.
Range range_of_totals(Int128 low, Int128 high, std::uint64_t rows);

// How far the cells move when units change.
//
// Proof   A unit is in at most C = min(keys per unit, number of cells K) cells, and adds c in [l, u] to each, |c| <=
//         M. Let w = u - l <= 2M. units-added: a unit that comes or goes moves C cells by M at most; d of them at most
//         Cd cells, each by Md, in L1 by CMd, and in L2 each by sqrt(C) M. A unit whose rows differ is two units there.
//         One unit replaced: let it be in j of the same cells before and after. Those move by w at most, and at most
//         2(C - j) others by M. L1: jw + 2(C - j)M <= 2CM. L2 squared: j w^2 + 2(C - j) M^2 <= C max(w^2, 2M^2). One
//         cell: b = max(M, w); and, whatever j, K cells move by b at most, so L1 <= Kb and L2 squared <= K b^2.
//         d units: the triangle inequality, so L2 squared grows with d^2. Where every unit is in the one cell there is,
//         before and after (`always`), b = w. All four are attained (aggregates_test.cc).
struct Reach {
  std::uint64_t keys_per_unit = 1;
  std::optional<std::uint64_t> cells = 1;  // nothing: any number
  Range range;
  bool always = false;  // only for one cell, from units-replaced, where no row is dropped
  CellsDistance operator()(const Metric& from, const Rational& d) const;
};

// The number of the four that a norm asks for; all four for `cells`. no-theorem for other metrics.
Distance narrowed(const CellsDistance& four, MetricKind to);
void require_narrowing(MetricKind to, std::string_view step);

}  // namespace dither::calculus::detail
