// Two numbers that hold an unknown one between them.
#pragma once

#include <limits>

namespace dither::accounting {

// lower <= the exact value <= upper. The ends may be infinite: nothing is known of an epsilon in [0, infinity], and an
// epsilon in [infinity, infinity] is known to be infinite.
struct Bounds {
  double lower = 0;
  double upper = std::numeric_limits<double>::infinity();

  double width() const { return upper == lower ? 0 : upper - lower; }
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

}  // namespace dither::accounting
