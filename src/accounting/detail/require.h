// The refusals that the closed forms share. Private to the room.
#pragma once

#include <cstdint>

namespace dither::accounting::detail {

// A finite number >= 0, or > 0: bad-number for NaN and infinities, out-of-range for the rest.
void require_not_negative(const char* name, double value);
void require_positive(const char* name, double value);
// 0 <= value <= 1; bad-probability otherwise (NaN too).
void require_probability(const char* name, double value);
// A finite order > 1; bad-number for NaN and infinities, out-of-range otherwise.
void require_order(double order);
// 1 <= count <= 10^12; bad-count otherwise.
void require_count(const char* name, std::uint64_t count);

}  // namespace dither::accounting::detail
