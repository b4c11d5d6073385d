// The arithmetic of the bounding hash (base/bounding_hash.h) where it is done for every row: inline, without division.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/bounding_hash.h"
#include "base/int128.h"

namespace dither::engine::detail {

// x mod 2^61 - 1 for x below 2^122: the high and the low 61 bits count alike.
inline std::uint64_t reduced(UInt128 x) {
  const auto low = static_cast<std::uint64_t>(x);
  const auto high = static_cast<std::uint64_t>(x >> 64);
  const std::uint64_t folded = (low & kHashPrime) + (high * 8 + (low >> 61));
  return std::min(folded, folded - kHashPrime);  // the second wraps round where it must not be taken
}

// The same number as bounding_hash.
inline std::uint64_t quick_hash(std::uint64_t unit, std::uint64_t key) { return reduced(UInt128{unit} * key); }

// The same number as integer_digest.
inline std::uint64_t quick_integer_digest(std::int64_t unit) {
  constexpr auto prime = static_cast<std::int64_t>(kHashPrime);
  const std::int64_t rest = (unit & prime) + (unit >> 61);  // congruent to it, and above -5
  const auto x = static_cast<std::uint64_t>(rest < 0 ? rest + prime : rest);
  const std::uint64_t m = reduced(UInt128{x} * 0x243F6A8885A308D + 0xB7E151628AED2A6);
  return std::max<std::uint64_t>(reduced(UInt128{m} * m), 1);
}

// Where a unit's records go: the high bits choose the partition, lower ones a place in its table. Two rounds of an odd factor that
// nobody knows, so that no way to number units fills one partition. Injective.
inline std::uint64_t scattered(std::uint64_t unit, std::uint64_t odd_factor) {
  unit *= odd_factor;
  unit ^= unit >> 32;
  return unit * odd_factor;
}

}  // namespace dither::engine::detail
