// Limits on what one unit, or one key, puts into a table. Every bound that a proof uses is enforced here (D-77).
#pragma once

#include <cstdint>
#include <string_view>

#include "calculus/makers.h"
#include "calculus/transformation.h"

namespace dither::calculus {

// Of each unit (first column) at most `keys` different keys (second column): those with the least bounding hash
// (base/bounding_hash.h, docs/bounding.md). Rows with a kept key all stay. Rows whose unit is NULL or NaN are dropped.
//
// Stability  d -> d in units-added, units-replaced and units-changed. Where the unit may be NULL or NaN, dropping such
//            rows is a filter: units-replaced becomes units-changed.
// Proof      which rows of a unit stay is a function of that unit's rows alone, and rows stay the rows of their unit.
//            So a unit whose rows do not change has the same rows in the output, for every hash. A unit keeps a row if
//            it had one (keys >= 1), so no unit vanishes but NULL and NaN.
// Enforces   keys_per_unit. A unit with k or fewer keys keeps all of them.
// Refuses    keys = 0 (bad-limit); fewer than two columns (mixed-domains); other metrics (no-theorem).
// Spec       W-08, D-77; holes 20, 24, 51.
AnyTransformation make_keep_keys(const TableDomain& table, const Metric& from, std::uint64_t keys);

// Of each unit at most `rows` rows: those with the least bounding hash of (row, unit). Which of several equal rows stay is
// all the same. Rows whose unit is NULL are one unit's, and so are those whose unit is NaN: that is how metrics count.
//
// Stability  d -> d in units-added, units-replaced and units-changed. With units-to-symmetric behind it: k rows for a unit
//            added or removed, 2k for one replaced.
// Proof      as keep-keys: which rows of a unit stay is a function of that unit's rows alone, and no unit vanishes.
// Enforces   rows_per_unit. A unit with k or fewer rows keeps all of them.
// Refuses    rows = 0 (bad-limit); no column (mixed-domains); other metrics (no-theorem).
// Spec       W-08, D-77.
AnyTransformation make_keep_rows(const TableDomain& table, const Metric& from, std::uint64_t rows);

// What becomes of a key with more rows than allowed.
enum class Excess {
  keep_by_hash,  // the rows with the least bounding hash of (row, key) stay
  drop_all,      // none stays
};
std::string_view excess_name(Excess excess);  // "keep-by-hash", "drop-all"
Excess excess_from(std::string_view name);    // unknown-key

// At most `rows` rows for each value of a column that need not determine the unit: whose rows stay depends on others,
// so from here on distance is in rows, and what was known of units is forgotten.
//
// Stability  rows changed (symmetric) per row added or removed: 2 for keep-by-hash, `rows` for drop-all; a replaced
//            row is one removed and one added. change-one d -> 2d of these. With at most k rows per unit: units-added
//            d -> kd, units-replaced and units-changed d -> 2kd of these.
// Proof      let one row be added to a key with m rows. keep-by-hash: the kept rows are the least min(m, rows) of an
//            order on rows that does not depend on the table; the new row is among them or not, and then pushes out at
//            most one. drop-all: if m < rows one row comes; if m = rows the m rows that were there go; if m > rows
//            none was there. Other keys do not change. Removing is adding seen from the other side, and d steps are d
//            times one.
// Tight      one row added to a key that is full (tested).
// Refuses    rows = 0 (bad-limit); an unknown column (unknown-key); units-* without rows_per_unit (bad-limit); other
//            metrics (no-theorem).
// Spec       W-08.
AnyTransformation make_truncate(const TableDomain& table, const Metric& from, std::string_view column,
                                std::uint64_t rows, Excess excess);

// "keep-keys", "keep-rows", "truncate", and the aggregates of aggregates.h and norm_sum.h.
void add_bounding_makers(Makers& makers);

}  // namespace dither::calculus
