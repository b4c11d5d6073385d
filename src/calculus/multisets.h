// Steps on whole tables, and on two tables. Rows are the same when their canonical bytes are; nothing depends on order.
#pragma once

#include "calculus/transformation.h"

namespace dither::calculus {

// Each row once.
// Stability  symmetric and insert-delete d -> symmetric d; change-one and hamming d -> symmetric 2d (the size does not
//            stay); units and discrete d -> d.
// Proof      a row added makes its kind appear, or does nothing. Whose row it is, is in the row: units stay apart.
AnyTransformation make_distinct(const TableDomain& input, const Metric& from);

// A row for each of the first `most` pieces of a text column, cut at the separator; a missing or empty text gives one.
// Stability  symmetric and insert-delete d -> most d; change-one d -> symmetric 2 most d, hamming d -> insert-delete 2
//            most d; units and discrete d -> d. Proof: every row gives 1 to `most` rows, of the same unit.
// Refuses    most = 0 (bad-limit); an empty separator (bad-syntax); a column that is not text (wrong-type).
AnyTransformation make_explode(const TableDomain& input, const Metric& from, std::string_view column,
                               std::string_view separator, std::uint64_t most);

// One record for each key: the key, the number of its rows, the least and the greatest of a value column (missing cells
// apart; NULL when all are). Keys are cells with the same canonical bytes; NULL is a key.
// Stability  symmetric and insert-delete d -> symmetric 2d; change-one and hamming d -> symmetric 4d; where units are
//            counted the key must be the unit (no-theorem), then d -> d.
// Proof      one row more or less changes one record: the old one leaves, the new one comes. That is 2, not 1.
AnyTransformation make_group_by(const TableDomain& input, const Metric& from, std::string_view key,
                                std::string_view value);

// In the order of a column (missing first), rows of equal cells by canonical bytes.
// Stability  symmetric and insert-delete d -> insert-delete d; change-one and hamming d -> insert-delete 2d; units and
//            discrete, which know no order, d -> d.
// Proof      the order is total on rows, so one row more is one insertion into the sorted list.
AnyTransformation make_sort(const TableDomain& input, const Metric& from, std::string_view column);

// Exactly n rows: the first n by canonical bytes, never by position (hole 7); where there are fewer, `padding` fills up.
// Which rows are kept is thus not a fair sample.
// Stability  symmetric, insert-delete, change-one, hamming d -> change-one d (which is symmetric 2d); discrete d -> d.
// Proof      a row added takes the place of one padding row, or of the last row kept, or of none. Replacing r by s: if
//            both are kept s takes r's place; if one is, it takes that of the row at the edge; else nothing moves.
// Refuses    n = 0 or beyond 2^32 (bad-count), padding that is not a row of the table (mixed-domains).
AnyTransformation make_resize(const TableDomain& input, const Metric& from, std::uint64_t n, const Row& padding);

// The following take several tables with equal columns (mixed-domains), in the metrics `sum of M` and `largest of M` with
// M symmetric, change-one, insert-delete or hamming, or units-added, units-replaced and units-changed over all tables. `largest of M`
// costs as many times more as there are tables: each can have moved so far.

// All rows of all tables, one table after the other.
// Stability  sum of M d -> M d; units d -> d. Proof: what was added to a table is added to the whole.
AnyTransformation make_concat(const TablesDomain& input, const Metric& from);

// Of two tables, each row as often as in both (the smaller count), or as often as it is more in the first.
// Stability  sum of symmetric or insert-delete d -> symmetric d; of change-one or hamming d -> symmetric 2d; units-added
//            d -> d, units-changed d -> d, units-replaced d -> units-changed d (a unit can vanish).
// Proof      |min(a, b) - min(a', b')| <= |a - a'| + |b - b'| for the counts of a row, and so for max(a - b, 0).
AnyTransformation make_intersect(const TablesDomain& input, const Metric& from);
AnyTransformation make_except(const TablesDomain& input, const Metric& from);

// Of two tables, for each key that both have: the first row (by canonical bytes) of the one beside that of the other. A
// missing key joins nothing. The columns of the second follow those of the first, less the key.
// Stability  sum of symmetric or insert-delete d -> symmetric 2d; of change-one or hamming d -> symmetric 4d; where units
//            are counted the key must be the unit in both: units-added and units-changed d -> d,
//            units-replaced d -> units-changed d.
// Proof      a row added changes at most its key's first row, and with it one joined row: the old leaves, the new comes.
AnyTransformation make_join_unique(const TablesDomain& input, const Metric& from, std::string_view key);

}  // namespace dither::calculus
