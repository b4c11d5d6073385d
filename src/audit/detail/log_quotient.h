// The epsilon of a quotient of probabilities. Private to the room.
#pragma once

#include <algorithm>
#include <limits>

#include "base/directed.h"

namespace dither::audit::detail {

// log(above / below), rounded down; what is below 0 says nothing.
inline double log_quotient_down(double above, double below) {
  if (above <= 0) return 0;
  if (below <= 0) return std::numeric_limits<double>::infinity();
  return std::max(0.0, log_down(div_down(above, below)));
}

}  // namespace dither::audit::detail
