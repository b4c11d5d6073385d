// The union of what units hold, when some hold very many keys: each unit has one vote.
#pragma once

#include <cstdint>

#include "calculus/measurement.h"

namespace dither::mechanisms {

// Counts votes by key. Units come in the order of their digest (base/bounding_hash.h), and each gives its one vote to
// the first of its keys, in the order of the hash of unit and key, that does not have `cutoff` votes yet; none when all
// have. Votes so gather on keys that are not decided, and a unit may hold any number of keys.
//
// Stability  d units added or removed move d cells by d in l1, d^2 in l2 squared, none by more than d. d units replaced
//            or changed move 2d cells by 2d in l1, 2 d^2 in l2 squared, none by more than d. Attained.
// Proof      A unit's vote b, offered to a key with x votes, is water poured into a glass: x becomes min(x + b,
//            cutoff), and what does not fit goes on to the unit's next key. Both are monotone in x + b and have that
//            sum, so |x - x'| + |b - b'| does not grow. All b are equal when a unit begins, and dropping what is left
//            at its end cannot add to the distance: no unit that both data sets have moves their votes further
//            apart in l1, nor makes the smaller ones the larger in any cell. The unit that only one has casts one vote.
//            So the votes differ by one, in one cell. The order of the units in common is the same in both, since
//            digests depend on a unit alone; which key is first depends on that unit's own keys.
//            Orders that look at the votes (most votes first) break this: see the tests.
// Takes      tables whose first column is the unit and the second the key, in units-added, units-replaced or, behind
//            a filter, units-changed. Rows whose unit is NULL or NaN are dropped; equal rows count once.
// Refuses    fewer than two columns (missing-key), another metric (mixed-neighbours), a cutoff outside 1..2^40
//            (bad-limit).
// Spec       D-23, D-77.
calculus::AnyTransformation make_greedy_votes(const calculus::TableDomain& domain, const calculus::Metric& from,
                                              std::uint64_t cutoff);

// The keys of the table, shown by the votes with the optimal rule of partition_selection.h.
//
// Guarantee  (epsilon, delta) for one unit added or removed, however many keys it holds: one vote moves one cell.
//            The cutoff is the number of votes that shows a key for sure.
// Refuses    as make_greedy_votes and selection_probabilities.
calculus::AnyMeasurement make_set_union(const calculus::TableDomain& domain, const calculus::Metric& from,
                                        const Rational& epsilon, const Rational& delta);

}  // namespace dither::mechanisms
