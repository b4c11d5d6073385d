// The refusals that the claims from attacks share. Private to the room.
#pragma once

#include <cstdint>

namespace dither::audit::detail {

// 0 <= value <= 1, or strictly between for the open form; bad-probability otherwise (NaN too).
void require_probability(const char* name, double value);
void require_open_probability(const char* name, double value);
// A finite number >= 0: bad-number for NaN and infinities, out-of-range for what is negative.
void require_not_negative(const char* name, double value);
// low <= count <= high; bad-count otherwise.
void require_count(const char* name, std::int64_t count, std::int64_t low, std::int64_t high);

}  // namespace dither::audit::detail
