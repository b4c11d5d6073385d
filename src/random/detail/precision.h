// How many bits a sampler reads before it falls back to arbitrary precision. Any setting gives the same exact law.
#pragma once

#include <cstdint>

namespace dither::random::detail {

// The defaults are what ships. Tests use small numbers, so that the exact fallbacks run often.
struct Precision {
  int table_bits;            // scale of a table's integer weights
  int accept_bits = 47;      // bits of the uniform that decides acceptance, at least
  std::uint64_t slack = 24;  // certified bound on the error of that decision, in units of 2^-64
  int step = 64;             // bits by which an undecided uniform grows
};

// A small table reads one 64-bit word: 63 bits and a sign. A table of cells reads seven bytes: 55 bits and a sign.
inline constexpr Precision kSmallTable{.table_bits = 63};
inline constexpr Precision kCellTable{.table_bits = 55};

}  // namespace dither::random::detail
