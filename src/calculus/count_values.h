// Histograms of long columns as they lie in memory: what make_histogram gives for a table of one column, without one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rational.h"
#include "calculus/data.h"

namespace dither::calculus {

// How often each category occurs, and last, when `other`, how often none does.
//
// Promise    make_histogram of the same values, number for number.
// Refuses    no category (bad-count), one listed twice (duplicate-key).
// Cost       1 ns a value where the categories lie close together (within 2^22, or 8 times their number), else a search
//            in a hash table, 5 to 20 ns.
Integers count_values(std::span<const std::int64_t> values, std::span<const std::int64_t> categories, bool other);

// The same for the number of edges not above a value, as make_bucket says; NaN is other.
//
// Promise    make_histogram behind make_bucket: a value is compared with the exact edge, as with the least double that
//            is not below it.
// Refuses    as above, edges that do not ascend, or none (bad-bounds).
// Cost       3 to 5 ns a value where edges are about as far apart as each other, else a binary search.
Integers count_values(std::span<const double> values, std::span<const Rational> edges,
                      std::span<const std::int64_t> categories, bool other);

}  // namespace dither::calculus
