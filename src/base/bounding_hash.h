// Which keys a unit keeps: decided by the unit and the key alone, and the same on every engine.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/canonical.h"

namespace dither {

// Digests and hashes are whole numbers below this prime, 2^61 - 1, so that no product of two exceeds 122 bits:
// HUGEINT, NUMERIC and DECIMAL(38) hold it.
inline constexpr std::uint64_t kHashPrime = (std::uint64_t{1} << 61) - 1;

// The digest of a unit that is a whole number x: m^2 mod p with m = ((x mod p) A + B) mod p, or 1 where that is 0. No
// text is made, so engines do it at the speed of arithmetic. A and B are the first 15 hexadecimal digits after the
// point of pi and e. Without the square, hashes of units numbered one after the other would lie on a line, and pairs
// of keys would be kept unfairly, by several percent (PlantedLinearDigestIsCaught).
std::uint64_t integer_digest(std::int64_t unit);

// The digest of any other unit, and of a key of any type: the first 15 hexadecimal digits of SHA-256 over the canonical
// bytes, plus 1.
std::uint64_t bytes_digest(std::string_view canonical_bytes);

// One of the two, by the type of the cell.
std::uint64_t unit_digest(const Cell& unit);
inline std::uint64_t key_digest(const Cell& key) { return bytes_digest(canonical(key)); }

// unit * key mod p. For one unit it is injective in the digest of the key: p is prime and no digest is 0.
std::uint64_t bounding_hash(std::uint64_t unit, std::uint64_t key);

// A unit that may keep C keys keeps those with the least (bounding_hash, canonical bytes of the key).
//
// Promise    the choice depends on the unit and on its own keys, never on position, order or other units, so that the
//            proof of bounding holds for every hash, also one whose constants are known. There is no salt: nothing in
//            the proof needs one, and the same unit keeps the same keys in every statement.
// Fairness   over units numbered in any common way, or text, each of a unit's keys is kept equally often within 1%, and
//            each pair too (tested). Units that share a digest keep the same of their common keys, nothing more.
// Cost       4 ns for a whole number, about 95 ns for text and for a key, 2.5 ns to mix. docs/bounding.md has the
//            definition in SQL, and test vectors.
// Spec       D-77.

}  // namespace dither
