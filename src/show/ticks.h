// Where the marks of an axis stand.
#pragma once

#include <string>
#include <vector>

namespace dither::show {

enum class Scale { linear, logarithmic };

// Whether an axis has a place for the value: at most 1e300 in size; from 1e-250 to 1e250 on a logarithmic axis,
// whose outer marks may lie 50 decades further out and must still be doubles.
bool can_draw(double value, Scale scale);

struct Tick {
  double value;
  std::string label;
};

// A stretch of numbers with its marks, in ascending order: the ends are the first and the last mark.
struct Ticks {
  double low, high;
  std::vector<Tick> marks;

  // Where a value within lies, from 0 at `low` to 1 at `high`.
  double fraction(double value, Scale scale) const;
};

// Round numbers that enclose low <= high, at most about a dozen: multiples of 1, 2 or 5 times a power of ten, or, on a
// logarithmic axis, powers of ten (with 2 and 5 between where there is room). A stretch too short to tell its ends
// apart is widened. Both ends can be drawn.
Ticks nice_ticks(double low, double high, Scale scale);

}  // namespace dither::show
