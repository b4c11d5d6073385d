// What one row with a value can add to a measure.
#pragma once

#include "plan/bounded_aggregate.h"

namespace dither::engine::detail {

struct RowRange {
  Int128 low, high;
};
// Of a number that rows add up to; [1, 1] of those that count rows.
RowRange row_range(const plan::Measure& measure);

// Whether all that is formed of a scaled measure is exact. With m = max(|low|, |high|, 1) of a row, rows * m * 2^finer <= 2^62 is
// asked; then of n rows with the total S, of which t count, |S * 2^finer * t| <= n * m * 2^finer * rows <= n * 2^62 < 2^125.
bool scaled_fits(const plan::Measure& measure);

}  // namespace dither::engine::detail
