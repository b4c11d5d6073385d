// Which losses are laws at all, and an order among them.
#pragma once

#include "accounting/loss.h"

namespace dither::accounting::detail {

// Whether every number is finite and in its range and the masses sum to 1 (to 1e-9, far beyond their trust).
bool is_law(const Loss& loss);

// Whether the loss is 0 for sure: nothing is released.
bool is_nothing(const Loss& loss);

// A total order, so that equal losses can be found.
bool comes_before(const Loss& a, const Loss& b);

}  // namespace dither::accounting::detail
