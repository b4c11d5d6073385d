// From tables to exact numbers on a grid. Where units are counted these refuse (no-theorem): bound what a unit
// contributes, convert to symmetric, and count rows.
#pragma once

#include "calculus/transformation.h"

namespace dither::calculus {

// The number of rows.
// Stability  symmetric and insert-delete d -> l1 d; change-one and hamming d -> l1 0, for there the size is no secret.
AnyTransformation make_count(const TableDomain& input, const Metric& from);

// The sum of a column in whole steps: each cell is clamped to the column's bounds, goes on the grid half to even, and is
// added exactly. Missing cells count 0; where the column is declared to have none, the bound that is nearest 0. The clamp
// is done here again: a table that breaks its declaration moves no more.
// Stability  with l and u the bounds on the grid: symmetric and insert-delete d -> l1 max(|l|, |u|) d (private size);
//            change-one and hamming d -> l1 (u - l) d, the range taken with 0 where a cell may be missing (public size).
// Proof      rounding is monotone, so each cell lies in [l, u]; |l|, |u| < 2^62 and fewer than 2^60 rows fit in memory,
//            so 128 bits hold every sum and partial sum, and their order means nothing (W-71; holes 8, 9, 17, 27).
// Refuses    a column without bounds, or bounds of 2^62 steps (bad-bounds); a step <= 0 (bad-grid); no numbers
//            (wrong-type).
AnyTransformation make_sum(const TableDomain& input, const Metric& from, std::string_view column, const Rational& step);

// The mean of a column over the declared number of rows n, which is public and never read from the data: the same sum in
// steps of step / n. Nothing is halved or divided on the way (holes 17, 21).
// Stability  change-one and hamming d -> l1 (u - l) d, in steps of step / n: (u - l) d / n as a value.
// Refuses    other metrics, for there the size is private (no-theorem); a table without `rows` (mixed-domains) or with 0
//            (bad-count); a column in which cells may be missing, which would make the size private (mixed-domains).
AnyTransformation make_mean(const TableDomain& input, const Metric& from, std::string_view column,
                            const Rational& step);

// How many rows have each public category, and when `other` how many have none of them, last; else those are dropped.
// Stability  with k cells: symmetric and insert-delete d -> (min(d, k) cells, l1 d, l2 squared d^2, largest d);
//            change-one and hamming d -> (min(2d, k), 2d, 2d^2, d): a row leaves one cell and enters another (W-75).
// Refuses    no category (bad-count), one listed twice (duplicate-key).
AnyTransformation make_histogram(const TableDomain& input, const Metric& from, std::string_view column,
                                 const std::vector<Cell>& categories, bool other);

// How many rows have each cell that occurs in the column, NULL too: numbers by private keys. Stability as histogram.
AnyTransformation make_count_by(const TableDomain& input, const Metric& from, std::string_view column);

}  // namespace dither::calculus
