// Counts and sums over units, in all and by key: exact whole numbers, with what one unit can move.
//
// The first column says whose row it is; by key, the second says which cell it falls in, and keep-keys (bounding.h) has
// limited the keys of a unit to C. What a unit adds to a cell is formed from all its rows there, then clamped: into
// [1, r] for counts, into [l, u] = [min(L, rL), max(U, rU)] for sums of values in [L, U] (in steps). M = max(|l|,
// |u|), w = u - l.
//
// Stability  (cells, L1, L2 squared, largest); C is at most the number K of public keys.
//            units-added     (C d,  C M d,   C (M d)^2,                 M d)
//            units-replaced  (2C d, 2 C M d, C max(w^2, 2 M^2) d^2,     max(M, w) d)   and units-changed alike;
//                            at most K cells move, by max(M, w) each, which is less where K < 2C.
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
};

using Keys = std::optional<std::vector<Cell>>;  // nothing: private

// Rows by key: of each unit at most `rows` a key; with a column `of`, rows whose cell there is not missing.
AnyTransformation make_count_by_key(const TableDomain& table, const Metric& from, const Keys& keys, std::uint64_t rows,
                                    MetricKind to = MetricKind::cells, const std::optional<std::string>& of = {});
// Different units by key: a unit counts once, however many rows it has.
AnyTransformation make_units_by_key(const TableDomain& table, const Metric& from, const Keys& keys,
                                    MetricKind to = MetricKind::cells);
// Sums by key: of each unit as much as `rows` rows a key can add.
AnyTransformation make_sum_by_key(const TableDomain& table, const Metric& from, const Keys& keys, const Values& values,
                                  std::uint64_t rows, MetricKind to = MetricKind::cells);

// The same over all rows: one number.
AnyTransformation make_total_count(const TableDomain& table, const Metric& from, std::uint64_t rows,
                                   MetricKind to = MetricKind::cells, const std::optional<std::string>& of = {});
AnyTransformation make_total_units(const TableDomain& table, const Metric& from, MetricKind to = MetricKind::cells);
AnyTransformation make_total_sum(const TableDomain& table, const Metric& from, const Values& values, std::uint64_t rows,
                                 MetricKind to = MetricKind::cells);

// "count-by-key", "units-by-key", "sum-by-key", "total-count", "total-units", "total-sum".
void add_aggregate_makers(Makers& makers);

}  // namespace dither::calculus
