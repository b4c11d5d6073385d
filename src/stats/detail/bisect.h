// Exact bisection over the doubles. Private to the room.
#pragma once

#include <bit>
#include <cstdint>

namespace dither::stats::detail {

// The smallest double in (low, high] where the predicate holds, for 0 <= low < high, a predicate that once true stays
// true, and one that holds at high. At most 64 calls: the bits of non-negative doubles are ordered like the doubles.
template <typename Predicate>
double first_where(double low, double high, const Predicate& holds) {
  auto below = std::bit_cast<std::uint64_t>(low + 0.0);  // + 0.0 turns -0 into 0
  auto above = std::bit_cast<std::uint64_t>(high);
  while (above - below > 1) {
    const std::uint64_t middle = below + (above - below) / 2;
    (holds(std::bit_cast<double>(middle)) ? above : below) = middle;
  }
  return std::bit_cast<double>(above);
}

}  // namespace dither::stats::detail
