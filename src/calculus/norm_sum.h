// Sums by key where each unit's vector of totals is held inside a ball, instead of limiting its keys and rows.
#pragma once

#include <vector>

#include "calculus/aggregates.h"

namespace dither::calculus {

// For each unit the vector of its totals over the public keys (values clamped and gridded as Values says); a vector
// outside the ball of radius `bound` (in steps) is brought inside, and the vectors are added up. l1 and l2 scale the
// vector and round each number towards 0; linf clamps each number.
//
// Stability  in the norm, with B = bound: units-added B d; units-replaced and units-changed 2 B d. If all values have
//            one sign (L >= 0 or U <= 0) replaced vectors lie in one orthant: l2 sqrt(2) B d, linf B d.
// Proof      scaled numbers are |v_i| B / N, N the norm of v; rounding towards 0 makes none larger, so the norm is at
//            most B. It is exact: for l2 the number is the whole root of v_i^2 B^2 / N^2. A unit adds one vector a of
//            the ball and a replaced one moves the sum by a - b: 2B by the triangle inequality; in one orthant |a_i -
//            b_i| <= max(|a_i|, |b_i|) and (a_i - b_i)^2 <= a_i^2 + b_i^2. d units: d times that.
// Clamps     before units meet, so one unit with a million rows moves no more than any other (hole 44).
// Missing    as in aggregates.h: missing units and values are dropped, keys outside the list too.
// Refuses    a bound that is not in (0, 2^62] (bad-bounds), a norm other than l1, l2, linf or centred values
//            (no-theorem), and as sum-by-key; it needs no limit on keys.
// Spec       W-08, W-11, D-77.
AnyTransformation make_norm_sum_by_key(const TableDomain& table, const Metric& from, const std::vector<Cell>& keys,
                                       const Values& values, MetricKind norm, const Rational& bound);

// "norm-sum-by-key".
void add_norm_sum_makers(Makers& makers);

namespace detail {
// The vector inside the ball, as above. Numbers are below 2^126.
Integers into_ball(const Integers& vector, MetricKind norm, const Rational& bound);
}  // namespace detail

}  // namespace dither::calculus
