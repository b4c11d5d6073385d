// Durbin's matrix for the two-sided Kolmogorov distance. Private to the room.
#pragma once

#include <cstdint>

namespace dither::stats::detail {

// P(sup |F_n - F| < distance) for 0 < distance < 1: an entry of the n-th power of a matrix of side 2 ceil(n d) - 1,
// scaled so that nothing overflows.
double durbin_cdf(std::int64_t n, double distance);

}  // namespace dither::stats::detail
