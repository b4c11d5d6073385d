// Mechanisms that are binary randomised response with some probability and silent otherwise. Private to the room.
#pragma once

#include <cstdint>
#include <vector>

#include "base/big_interval.h"

namespace dither::accounting::detail {

// The probability of the response, and 1 minus it, both to many digits.
struct ResponseWeight {
  BigInterval active;
  BigInterval idle;
};

// Checks its arguments: see native_atoms.h.
ResponseWeight k_ary_weight(const Rational& epsilon, std::uint64_t categories);
ResponseWeight staircase_weight(const Rational& epsilon, const Rational& gamma);

// As many weights as parts, none negative, summing to 1; bad-weights otherwise.
void require_weights(const std::vector<Rational>& weights, std::size_t parts);
// 0 < scale, 1 <= sensitivity <= 10^15; bad-scale, bad-count.
void require_laplace(const Rational& scale, std::uint64_t sensitivity);
void require_gaussian(const Rational& sigma, std::uint64_t sensitivity);

}  // namespace dither::accounting::detail
