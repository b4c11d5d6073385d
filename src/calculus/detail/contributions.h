// What one unit adds to a cell of an aggregate, and how far cells move when units change.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
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

// The same on a grid 2^finer times finer, at most 2^kFinest times; bad-bounds beyond 2^62.
inline constexpr unsigned kFinest = 16;
Range on_finer_grid(const Range& range, unsigned finer);

// Cells of a unit are in the order of the bounding hash.
struct Rank {
  std::uint64_t hash = 0;
  std::string bytes = {};  // of the key
  bool operator<(const Rank& other) const { return std::tie(hash, bytes) < std::tie(other.hash, other.bytes); }
};
Rank ranked(const Cell& unit, const Cell& key);

// All rows of a unit in one cell that have a value.
struct Gathered {
  Int128 sum = 0;
  std::uint64_t rows = 0;
};
using UnitCells = std::map<Rank, Gathered>;

// How many of these rows count in each cell: RowLimits (aggregates.h) says how.
//
// Promise    at most `rows` in a cell and what is in it; at most `in_all` together, and just as many where there are more.
// Proof      c_j = min(n_j, rows), c > in_all in sum. The floors of in_all c_j / c add up to in_all less the number of cells
//            with a remainder at most, so what is left goes to cells with a remainder, one each: floor + 1 <= c_j there, for
//            in_all c_j / c < c_j.
std::vector<std::uint64_t> rows_that_count(const UnitCells& cells, std::uint64_t rows,
                                           const std::optional<std::uint64_t>& in_all);

// sum * 2^finer * counted / rows, half to even.
//
// Proof      each of the rows lies in [L, U], so the quotient lies in counted * 2^finer * [L, U]. Its ends are whole numbers, and
//            rounding to whole numbers passes neither: what is rounded lies between them too. It is exact: on_finer_grid and
//            range_of_totals leave counted * 2^finer * |L| at most 2^62, so that the product stays below 2^126.
Int128 scaled(const Gathered& cell, std::uint64_t counted, unsigned finer);

// How far the cells move when units change.
//
// Proof   A unit is in at most C = min(keys per unit, number of cells K) cells, and adds c in [l, u] to each, or 0, |c| <=
//         M. Let w = u - l <= 2M. units-added: a unit that comes or goes moves C cells by M at most; d of them at most
//         Cd cells, each by Md, in L1 by CMd, and in L2 each by sqrt(C) M. A unit whose rows differ is two units there.
//         One unit replaced: let it be in j of the same cells before and after. Those move by max(M, w) at most, and at
//         most 2(C - j) others by M. L1: 2CM, for every cell that the unit adds to moves by M at most. L2 squared: j w^2 +
//         2(C - j) M^2 <= C max(w^2, 2M^2), where w < M is a cell left for 0: M^2 <= 2M^2. One
//         cell: b = max(M, w); and, whatever j, K cells move by b at most, so L1 <= Kb and L2 squared <= K b^2.
//         d units: the triangle inequality, so L2 squared grows with d^2. Where every unit is in the one cell there is,
//         before and after (`always`), b = w. All four are attained (aggregates_test.cc).
//
//         Rows in all. Of a unit t_j <= r rows count in cell j, sum t_j <= T, and it adds c_j in [-a t_j, b t_j] with a =
//         max(0, -l) / r and b = max(0, u) / r: so clamped totals lie, and scaled ones. m = max(a, b) = M / r, n = min(a, b). L1:
//         m sum t_j <= m min(T, C r). L2 squared: m^2 sum t_j^2. A sum of squares is convex, so it is largest in a corner of
//         {0 <= t_j <= r, sum t_j <= T}: q = floor(T / r) cells full and s = T - q r in one more, S = q r^2 + s^2.
//         Replaced, t_j and t'_j rows: L1 twice that. One cell moves by m p + n o at most, p the larger and o the smaller of both
//         numbers, and (m p + n o)^2 <= (m^2 + n^2) (p^2 + o^2) by Cauchy's inequality; over all cells p^2 + o^2 add up to 2S at
//         most. That is attained where n = 0 (no cell in common) and where n = m (all in common, opposite ends).
struct Reach {
  std::uint64_t keys_per_unit = 1;
  std::optional<std::uint64_t> cells = 1;  // nothing: any number
  Range range;
  std::uint64_t rows = 1;                         // of which `range` is what they add at most
  std::optional<std::uint64_t> rows_in_all = {};  // over all cells
  bool always = false;                            // only for one cell, from units-replaced, where no row is dropped
  CellsDistance operator()(const Metric& from, const Rational& d) const;
};

// The number of the four that a norm asks for; all four for `cells`. no-theorem for other metrics.
Distance narrowed(const CellsDistance& four, MetricKind to);
void require_narrowing(MetricKind to, std::string_view step);

}  // namespace dither::calculus::detail
