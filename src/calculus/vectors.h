// Steps on vectors. Results that would leave 128 bits are exact first and then cut, which brings no two closer to being
// further apart: every map below is of the exact result (W-71).
//
// Distances are in steps of the grid. l2 distances are squares. Metrics not named are refused (no-theorem).
#pragma once

#include "calculus/transformation.h"

namespace dither::calculus {

// Moves each coordinate into the bounds, in steps.
// Stability  l1, l2, linf, cells d -> d: a clamp moves no two numbers apart. Refuses bounds without a whole number
//            between them (bad-bounds).
AnyTransformation make_clamp_vector(const VectorDomain& input, const Metric& from, const Bounds& bounds);

// Multiplies by a matrix, given by rows. With q the common denominator of its entries the result is in steps of step / q.
// Stability  for q A: l1 d -> l1: largest column sum of |a| times d; l1 d -> l2: largest column sum of a^2 times d^2;
//            l1 d -> linf: largest |a| times d; linf d -> linf: largest row sum of |a| times d; l2 (squared) d -> l2: the
//            smaller of the sum of all a^2 and (largest column sum of |a|) (largest row sum of |a|), times d.
// Proof      A(x - y) is a combination of columns with the weights x - y; the l2 norm of A is at most both bounds. Tight,
//            but for l2 to l2. Refuses rows of unequal length or none, or not the declared dimension (mixed-domains).
AnyTransformation make_linear_map(const VectorDomain& input, const Metric& from,
                                  const std::vector<std::vector<Rational>>& matrix, MetricKind to);

// x_1, x_1 + x_2, ..., the sum of all n.
// Stability  l1 d -> l1 n d; l1 d -> l2 (squared) n d^2; l1 d -> linf d. Tight: the first coordinate is in every sum.
// Refuses    a dimension that is not declared (mixed-domains).
AnyTransformation make_prefix_sums(const VectorDomain& input, const Metric& from, MetricKind to);

// The sums of the nodes of a tree over n leaves, root first, level by level, leaves last; each node has up to `branching`
// children, and h levels lead from leaf to root.
// Stability  l1 d -> l1 h d; l1 d -> l2 (squared) h d^2; l2 (squared) d -> l2: d times the sum over the levels of
//            min(n, branching^level), where leaves are level 0 (Cauchy-Schwarz in each node; h is not enough: hole 6);
//            cells to cells. Tight all. Refuses branching < 2 (bad-count), a dimension of 0 or none (mixed-domains).
AnyTransformation make_tree_sums(const VectorDomain& input, const Metric& from, std::uint64_t branching, MetricKind to);

// Each coordinate times a whole number.
// Stability  l1 and linf d -> |factor| d; l2 (squared) d -> factor^2 d; cells by each. Refuses a factor that is not a
//            whole number of 64 bits (bad-number).
AnyTransformation make_scale(const VectorDomain& input, const Metric& from, const Rational& factor);

// The coordinates with these numbers, from 0, in this order; each once (duplicate-key), of a declared dimension
// (mixed-domains), that exist (out-of-range). Stability: l1, l2, linf, cells d -> d.
AnyTransformation make_select_coordinates(const VectorDomain& input, const Metric& from,
                                          const std::vector<std::uint64_t>& coordinates);

// Public constants behind the vector, in whole steps. Stability: l1, l2, linf, cells d -> d.
AnyTransformation make_pad(const VectorDomain& input, const Metric& from, const Integers& constants);

// The sum of the n coordinates.
// Stability  l1 d -> l1 d; l2 (squared) d -> l2 n d; linf d -> linf n d. Tight. The last two need the declared dimension.
AnyTransformation make_total(const VectorDomain& input, const Metric& from);

// Moves reals into the bounds, infinities too; NaN becomes the number within them that is nearest 0.
// Stability  l1, l2, linf d -> d. Between NaN and a number there is no distance. Refuses bounds without a double between
//            them (bad-bounds).
AnyTransformation make_clamp_reals(const RealsDomain& input, const Metric& from, const Bounds& bounds);

// Each real to the nearest whole number of steps, half to even; NaN to 0.
// Stability  linf d -> floor(d / step) + 1; l1 d -> floor(d / step) + n in n coordinates; l2 (squared) d ->
//            floor((sqrt(d) / step + sqrt(n))^2). (Not ceil(d / step): 0.5 goes to 0 and 1.5 to 2.)
// Proof      |round(x) - round(y)| is whole and at most |x - y| + 1; in l2 by the triangle inequality with the vector of
//            ones. Tight for l1 and linf. Refuses a step <= 0 (bad-grid), l1 and l2 without a declared dimension
//            (mixed-domains).
AnyTransformation make_reals_to_grid(const RealsDomain& input, const Metric& from, const Rational& step);

// The numbers of public keys (canonical bytes), in this order; 0 for a key that is not there. Stability: l1, l2, linf,
// cells d -> d, for absent keys count as 0 in these metrics. Refuses a key twice (duplicate-key).
AnyTransformation make_keyed_to_vector(const KeyedDomain& input, const Metric& from,
                                       const std::vector<std::string>& keys);

}  // namespace dither::calculus
