// What the steps of the catalogue have in common: how distances between tables pass through them.
#pragma once

#include <functional>
#include <string_view>

#include "calculus/transformation.h"

namespace dither::calculus::detail {

// Output metric, and the factor by which distances grow at most.
struct Carried {
  Metric to;
  Rational factor;
};

// How many rows of the output one row of the input becomes, whatever the other rows are.
struct Yield {
  std::uint64_t least, most;
};

// Of a step that looks at each row alone, keeps their order, and does not touch whose row it is.
//
// Proof   An added row adds at most `most` rows, next to each other. A replaced row is one removed and one added, unless
//         every row gives exactly one: then it is again one replaced. Rows of a unit give rows of that unit alone; a
//         unit that may lose all its rows vanishes, so a replaced one may be there on one side only: units-changed.
// Refuses metrics that are not between single tables (no-theorem).
Carried row_by_row(const Metric& from, Yield yield, std::string_view step);

// Of a step whose output is a function of the multiset of rows, and for which adding one row changes `per_row` rows of
// the output at most. A replaced row is one removed and one added. The units' metrics are refused (no-theorem).
Carried by_multiset(const Metric& from, const Rational& per_row, std::string_view step);

bool counts_units(const Metric& metric);  // units_added, units_replaced or units_changed

// no-theorem when a step would change the cell that says whose row it is while units are counted.
void require_other_than_unit(const Metric& from, std::size_t column, std::string_view step);
[[noreturn]] void no_theorem(const Metric& from, std::string_view step, std::string_view hint);

// d -> factor * d.
AnyTransformation::Map times(const Rational& factor);

// The input with one column changed cell by cell. Facts about units die with the first column (D-77).
AnyTransformation map_column(Recipe recipe, const TableDomain& input, const Metric& from, std::size_t at, Column column,
                             std::function<Cell(const Cell&)> change);

// The rows that pass. `output` is the input's domain with what the test enforces.
AnyTransformation keep_rows(Recipe recipe, const TableDomain& input, const Metric& from, TableDomain output,
                            std::function<bool(const Row&)> passes);

// The parameter as the alternative that a step takes; mixed-domains.
const TableDomain& table_domain(const Domain& domain);
const TablesDomain& tables_domain(const Domain& domain);
const VectorDomain& vector_domain(const Domain& domain);
const RealsDomain& reals_domain(const Domain& domain);
const KeyedDomain& keyed_domain(const Domain& domain);

}  // namespace dither::calculus::detail
