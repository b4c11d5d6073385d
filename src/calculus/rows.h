// Steps that look at one row at a time.
//
// Each takes the metrics symmetric, change-one, insert-delete, hamming, discrete, units-added, units-replaced and
// units-changed (in the last three the first column, whose row it is, may not be changed: no-theorem). Steps that give
// one row for each keep metric and distance: d -> d. Steps that drop rows keep symmetric, insert-delete, discrete,
// units-added and units-changed; of tables of one size they make tables of any size, so change-one d -> symmetric 2d,
// hamming d -> insert-delete 2d, units-replaced d -> units-changed d.
//
// Proof      f(A + b) = f(A) + f(b) for all tables A and rows b, so only what is added or removed moves (detail/steps.h).
// NULL, NaN  are both "missing" and treated alike; no cell makes a step fail. Spec W-06, W-08; holes 10 to 12, 14, 26.
// Refuses    a column that does not exist (unknown-key) or has another type than the step needs (wrong-type).
#pragma once

#include "calculus/transformation.h"

namespace dither::calculus {

enum class Comparison { equal, not_equal, less, at_most, greater, at_least };
std::string_view comparison_name(Comparison comparison);  // "equal", "at-least"
Comparison comparison_from(std::string_view name);        // unknown-key

// Keeps the rows whose cell compares so with a constant. Missing cells compare with nothing: such rows are dropped.
// Numbers compare exactly, whole with real ones too; text by its bytes. Refuses a missing constant (bad-number).
AnyTransformation make_filter(const TableDomain& input, const Metric& from, std::string_view column,
                              Comparison comparison, const Cell& constant);

// Keeps these columns, in this order; each once (duplicate-key). Where units are counted the first stays first.
AnyTransformation make_select_columns(const TableDomain& input, const Metric& from,
                                      const std::vector<std::string>& columns);

// What becomes of NaN when a column is clamped. It never passes.
enum class NanPolicy { null, low, high };
std::string_view nan_policy_name(NanPolicy policy);
NanPolicy nan_policy_from(std::string_view name);  // unknown-key

// Moves numbers into the bounds, infinities too; NULL stays. Afterwards the column is finite and bounded. Refuses bounds
// between which the column's type has no value (bad-bounds).
AnyTransformation make_clamp(const TableDomain& input, const Metric& from, std::string_view column,
                             const Bounds& bounds, NanPolicy nan);

// Puts a constant for missing cells. Refuses a constant that is missing or infinite (bad-number), of another type
// (wrong-type) or outside the column's bounds (bad-bounds): for every table, not only when a cell is missing.
AnyTransformation make_impute(const TableDomain& input, const Metric& from, std::string_view column,
                              const Cell& constant);

// Another type; NULL where that fails: text that is no number, reals that are not finite or do not fit. Reals become
// whole numbers half to even; whole numbers become the nearest real. Bounds are forgotten: clamp again.
AnyTransformation make_cast(const TableDomain& input, const Metric& from, std::string_view column, CellType type);

// The number of edges not above the cell: 0 below all, edges.size() from the last one on; missing cells are NULL.
// Refuses edges that do not ascend, or none (bad-bounds).
AnyTransformation make_bucket(const TableDomain& input, const Metric& from, std::string_view column,
                              const std::vector<Rational>& edges);

// factor * x + shift. Whole numbers exactly, NULL where they leave 64 bits; reals in binary64, the product rounded first.
// Refuses a factor or shift that the column's type cannot hold exactly (bad-number).
AnyTransformation make_scale_shift(const TableDomain& input, const Metric& from, std::string_view column,
                                   const Rational& factor, const Rational& shift);

// The place of the cell in a public list; everything else, missing cells too, is `other`: categories.size(). Cells are
// equal when their canonical bytes are. Refuses an empty list (bad-count) and a category given twice (duplicate-key).
AnyTransformation make_category_codes(const TableDomain& input, const Metric& from, std::string_view column,
                                      const std::vector<Cell>& categories);

// Drops the rows in which one of these columns is missing.
AnyTransformation make_drop_missing(const TableDomain& input, const Metric& from,
                                    const std::vector<std::string>& columns);

}  // namespace dither::calculus
