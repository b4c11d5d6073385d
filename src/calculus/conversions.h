// The same data, its distances said in another metric. The functions do nothing; the maps are the theorems.
#pragma once

#include "calculus/transformation.h"

namespace dither::calculus {

// change-one d -> symmetric 2d: a row replaced is one removed and one added. Spec W-03, W-75.
AnyTransformation make_change_one_to_symmetric(const TableDomain& input);

// symmetric d -> change-one d / 2, between tables of the declared number of rows: as many rows come as go, so d is even. An
// odd d is rounded up: down, one step would cost nothing on the word of a declaration alone (D-77).
// Refuses a table without `rows` (mixed-domains): a size that is not declared is private.
AnyTransformation make_symmetric_to_change_one(const TableDomain& input);

// hamming d -> change-one d and insert-delete d -> symmetric d: who forgets the order sees no more moves. (The other way
// there is no map: chain with sort, which gives insert-delete, hole 7.)
AnyTransformation make_hamming_to_change_one(const TableDomain& input);
AnyTransformation make_insert_delete_to_symmetric(const TableDomain& input);

// units-added d -> symmetric k d, units-replaced and units-changed d -> symmetric 2 k d, with k the limit of rows per unit
// that the domain declares; over several tables `sum of symmetric`, with the sum of their limits. Refuses a domain without
// the limit (mixed-domains): put keep-rows before it (bounding.h).
AnyTransformation make_units_to_symmetric(const Domain& input, const Metric& from);

// units-replaced and units-changed d -> units-added 2d: one goes, one comes.
AnyTransformation make_units_to_units_added(const Domain& input, const Metric& from);

// units-replaced d -> units-changed d: what may also be there on one side only.
AnyTransformation make_units_replaced_to_units_changed(const Domain& input);

// Of the four bounds the best that each norm can have: l1 = min(l1, cells * largest); l2 squared = min(l2 squared,
// l1 * largest, cells * largest^2); linf = min(largest, l1). Refuse private keys (mixed-domains): a norm sees no key that
// comes with the number 0.
AnyTransformation make_cells_to_l1(const Domain& input);
AnyTransformation make_cells_to_l2(const Domain& input);
AnyTransformation make_cells_to_linf(const Domain& input);

// Norms of vectors on a grid or of numbers by key, where every |x_i - y_i| is whole: l1 d -> l2 squared d^2; l1 d ->
// linf d; l2 squared d -> l1 min(d, floor(sqrt(n d))) (whole numbers are at most their squares) and -> linf
// floor(sqrt(d)), both exact; linf d -> l1 n d and -> l2 squared n d^2. n is the declared dimension, without which linf
// is refused (mixed-domains) and l2 -> l1 is d. Tight at d = 1.
AnyTransformation make_l1_to_l2(const Domain& input);
AnyTransformation make_l1_to_linf(const Domain& input);
AnyTransformation make_l2_to_l1(const Domain& input);
AnyTransformation make_l2_to_linf(const Domain& input);
AnyTransformation make_linf_to_l1(const Domain& input);
AnyTransformation make_linf_to_l2(const Domain& input);

}  // namespace dither::calculus
