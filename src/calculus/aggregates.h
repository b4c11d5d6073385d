// Counts and sums over units, in all and by key: exact whole numbers, with what one unit can move.
//
// The first column says whose row it is; by key, the second says which cell it falls in, and keep-keys (bounding.h) has
// limited the keys of a unit to C. What a unit adds to a cell is formed from all its n rows there with a value, of which
// t = min(n, r) count, or fewer where a limit T over all its cells leaves fewer (RowLimits): counts add t; sums of values
// in [L, U] (in steps) add their total S, clamped into [min(L, tL), max(U, tU)], or scaled to S t / n on a finer grid. What
// a unit adds lies in [l, u] = [min(L, rL), max(U, rU)] or is 0. M = max(|l|, |u|), w = u - l.
//
// Stability  (cells, L1, L2 squared, largest); C is at most the number K of public keys.
//            units-added     (C d,  C M d,   C (M d)^2,                 M d)
//            units-replaced  (2C d, 2 C M d, C max(w^2, 2 M^2) d^2,     max(M, w) d)   and units-changed alike;
//                            at most K cells move, by max(M, w) each, which is less where K < 2C.
//            With T < C r, T = q r + s: a unit moves T / r times M in L1, and (q + (s / r)^2) M^2 in L2 squared; replaced 2 T / r
//            times M, and 2 (q + (s / r)^2) (M^2 + min(|l|, u)^2) where l < 0 < u, 2 (q + (s / r)^2) M^2 otherwise.
//            One total over all units, K = C = 1: max(M, w). From units-replaced, when no row can be dropped, every
//            unit counts before and after, and a total moves by w alone. Behind a filter the metric is units-changed,
//            so that w cannot be used there by mistake: only the number of units before any filter is public.
//            The proof stands in detail/contributions.h; all numbers are attained.
// Keys       public: one number for each, in their order, 0 for keys that no row has; rows with other keys are dropped.
//            private: numbers by key for the keys that have a contribution.
// Missing    rows whose unit is NULL or NaN are dropped; a value that is NULL or NaN adds nothing, infinities count as
//            the bounds. A key that is NULL, or NaN, is a key. Where a total moves by w because nothing is declared to be
//            missing, no row is dropped, whatever it holds: a table that breaks its declaration moves no more.
// Overflow   M is at most 2^62 (bad-bounds), tables have fewer than 2^64 rows: sums stay below 2^126, and are exact.
// Scaling    is for units alone. Where distance is in rows it would not do: one row more moves a scaled total by up to 2 w r
//            / (r + 1), a clamped one by w.
// Output     in the metric `to`: cells, or the number of it that l1, l2 or linf need (cells alone for private keys:
//            norms do not see a key that comes with the number 0).
// Refuses    other metrics (no-theorem); no limit on keys per unit, fewer columns (mixed-domains); a limit of 0
//            (bad-limit); keys given twice (duplicate-key); columns that are not numbers (wrong-type).
// Spec       W-08, W-11, D-77; holes 15, 20, 24, 26, 44, 51.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "calculus/makers.h"
#include "calculus/transformation.h"

namespace dither::calculus {

// A column of numbers, clamped into the bounds and put on the grid before two rows meet; bounds are multiples of the
// step.
struct Values {
  std::string column;
  Bounds bounds;
  Rational step = 1;
  // Distances from the middle of the bounds instead, which are half as large: 2x - (L + U) in half steps. Exact for odd
  // ranges too (hole 21).
  bool centred = false;
  // Scaled totals, on a grid of step / 2^finer; nothing: clamped ones. A unit's mean then stays what it is, however many rows
  // it has: what numbers need that describe the same rows.
  std::optional<unsigned> finer = {};
};

// The grid for scaled totals of up to `largest` steps: `finer` is the largest k up to 16 for which largest * 2^k is at most
// 2^32, and 0 if there is none. On the declared grid itself a column of 0 and 1 would lose every unit that has both.
unsigned finer_grid(Int128 largest);

// How many rows of a unit count: at most `rows` in each cell, and at most `in_all` over all its cells. A unit with more, c_j =
// min(n_j, rows) in cell j and c in sum, gets floor(in_all c_j / c) of them in each, and one more in the order of larger
// remainder and then of the bounding hash, until in_all are given. Each aggregate counts the rows that it adds up.
struct RowLimits {
  RowLimits(std::uint64_t by_cell, std::optional<std::uint64_t> over_all = {}) : rows(by_cell), in_all(over_all) {}
  std::uint64_t rows;
  std::optional<std::uint64_t> in_all;
};

using Keys = std::optional<std::vector<Cell>>;  // nothing: private

// Rows by key: of each unit at most `rows` a key; with a column `of`, rows whose cell there is not missing.
AnyTransformation make_count_by_key(const TableDomain& table, const Metric& from, const Keys& keys,
                                    const RowLimits& rows, MetricKind to = MetricKind::cells,
                                    const std::optional<std::string>& of = {});
// Different units by key: a unit counts once, however many rows it has.
AnyTransformation make_units_by_key(const TableDomain& table, const Metric& from, const Keys& keys,
                                    MetricKind to = MetricKind::cells);
// Units by key of which not all rows count there: one each. A unit with rows in a cell moves that cell by 1 at most, for its rows
// may count before and be cut after; so one total moves by 1 also where every unit counts.
AnyTransformation make_cut_units_by_key(const TableDomain& table, const Metric& from, const Keys& keys,
                                        const RowLimits& rows, MetricKind to = MetricKind::cells,
                                        const std::optional<std::string>& of = {});
// Sums by key: of each unit as much as `rows` rows a key can add.
AnyTransformation make_sum_by_key(const TableDomain& table, const Metric& from, const Keys& keys, const Values& values,
                                  const RowLimits& rows, MetricKind to = MetricKind::cells);

// The same over all rows: one number.
AnyTransformation make_total_count(const TableDomain& table, const Metric& from, std::uint64_t rows,
                                   MetricKind to = MetricKind::cells, const std::optional<std::string>& of = {});
AnyTransformation make_total_units(const TableDomain& table, const Metric& from, MetricKind to = MetricKind::cells);
AnyTransformation make_total_cut_units(const TableDomain& table, const Metric& from, std::uint64_t rows,
                                       MetricKind to = MetricKind::cells, const std::optional<std::string>& of = {});
AnyTransformation make_total_sum(const TableDomain& table, const Metric& from, const Values& values, std::uint64_t rows,
                                 MetricKind to = MetricKind::cells);

// "count-by-key", "units-by-key", "cut-units-by-key", "sum-by-key", "total-count", "total-units", "total-cut-units",
// "total-sum".
void add_aggregate_makers(Makers& makers);

}  // namespace dither::calculus
