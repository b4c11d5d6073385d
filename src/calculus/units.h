// Steps that look at one unit at a time, over one table or several that share their units.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/claims.h"
#include "calculus/makers.h"

namespace dither::calculus {

// Tables about the same units have the unit in their first column, of one type; a unit is added or removed in all of them at
// once (W-04). What a unit's output is made of lies in that unit's own rows, so d units that change move at most d units of
// the output. A step that may leave a unit without rows is a filter: from units-replaced it leads to units-changed.

// One of several tables.
//
// Stability  units-added d; units-replaced and units-changed: units-changed d, as a unit need not have rows in this table.
//            sum and largest of a row metric: that metric, d.
// Refuses    a position that does not exist (bad-count); other metrics (no-theorem).
// Spec       W-04, W-08.
AnyTransformation make_select_table(const TablesDomain& domain, const Metric& from, std::uint64_t position);

// Rows of the first table with the rows of the second that have the same unit: unit, other cells of the first, other
// cells of the second. Rows whose unit is NULL join nothing. Columns of the second get its name in front: "b.cost".
//
// Stability  units-added d; units-replaced and units-changed: units-changed d.
// Refuses    other metrics (no-theorem); units of different types, columns without a name of their own (mixed-domains).
// Spec       W-04.
AnyTransformation make_join_by_unit(const TablesDomain& domain, const Metric& from, std::string_view second);

// The unit becomes unit and window: the first cell is made of the unit and of the cell of `column`, a day or a month. What a
// person's guarantee says of the finer unit: of each unit at most `windows` windows are kept, by the bounding hash.
//
// Stability  units-added: windows * d. units-replaced and units-changed: units-changed windows * d, for a unit has at most so
//            many windows before, and after.
// Refuses    windows = 0 (bad-limit), an unknown column (unknown-key), the unit itself (bad-argument), other metrics (no-theorem).
// Spec       W-04, F-04.
AnyTransformation make_unit_windows(const TableDomain& domain, const Metric& from, std::string_view column,
                                    std::uint64_t windows);

// "select-table", "join-by-unit", "unit-windows".
void add_unit_makers(Makers& makers);
void add_unit_claims(Registry& registry);

}  // namespace dither::calculus
