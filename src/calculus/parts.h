// Tables cut into parts by public keys, and sums over parts. (What is measured of parts: partition.h; one of several
// tables: select-table in units.h.)
#pragma once

#include "calculus/transformation.h"

namespace dither::calculus {

// A part for each public key: the rows whose cell in `column` has its canonical bytes. The other rows form one more part,
// the last, when `other`, and are dropped otherwise.
// Stability  symmetric d -> sum of symmetric d; change-one d -> sum of symmetric 2d (a row leaves one part and enters
//            another: W-75); insert-delete d -> sum of insert-delete d; hamming d -> sum of insert-delete 2d;
//            units-added and units-changed d -> d over all parts; units-replaced d -> d with `other`, else units-changed d.
// Proof      a row lies in one part at most, decided by the row alone. Refuses no key (bad-count), a key twice
//            (duplicate-key).
AnyTransformation make_partition_by_key(const TableDomain& input, const Metric& from, std::string_view column,
                                        const std::vector<Cell>& keys, bool other);

// The number of rows of each part, in `cells`.
// Stability  sum of symmetric or insert-delete d -> (d cells, l1 d, l2 squared d^2, largest d), cells at most the number
//            k of parts; largest of these d -> (k, k d, k d^2, d).
AnyTransformation make_part_counts(const TablesDomain& input, const Metric& from);

// Sums of the coordinates that go to the same place: groups[i] is where coordinate i goes, of `count` places.
// Stability  l1 d -> d; with g coordinates in the largest group: l2 (squared) d -> g d, linf d -> g d; cells to cells,
//            with the least of these. Proof: triangle and Cauchy-Schwarz inequalities. Tight for l1, l2 and linf.
// Refuses    other than as many groups as the dimension, which must be declared (mixed-domains); a place that is none
//            (out-of-range); more than 2^32 places (bad-count).
AnyTransformation make_reduce_by_partition(const VectorDomain& input, const Metric& from,
                                           const std::vector<std::uint64_t>& groups, std::uint64_t count);

}  // namespace dither::calculus
