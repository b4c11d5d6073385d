// The refusals that every function of the room shares. Private to the room.
#pragma once

#include <cstdint>
#include <span>

namespace dither::stats::detail {

// 1 <= n <= 10^12, up to which trials are exact in doubles with room to spare; bad-count otherwise.
void require_trials(std::int64_t n);
// 0 <= hits <= n; bad-count otherwise.
void require_hits(std::int64_t hits, std::int64_t n);
// 0 <= value <= 1, or strictly between for the open form; bad-probability otherwise (NaN too).
void require_probability(const char* name, double value);
void require_open_probability(const char* name, double value);
// low <= value <= high, and no NaN; out-of-range otherwise.
void require_between(const char* name, double value, double low, double high);
// At least two cells, as many counts as probabilities, counts >= 0 that sum to 1..10^12 (bad-count), probabilities in
// [0, 1] that sum to 1 within 1e-9 (bad-probability). Returns the sum of the counts.
std::int64_t require_cells(std::span<const std::int64_t> counts, std::span<const double> probabilities);

}  // namespace dither::stats::detail
