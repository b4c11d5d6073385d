#include "engine/detail/row_range.h"

#include <algorithm>

namespace dither::engine::detail {

using plan::MeasureKind;

RowRange row_range(const plan::Measure& measure) {
  const Int128 width = measure.high - measure.low;
  switch (measure.kind) {
    case MeasureKind::sum:
      return measure.centred ? RowRange{-width, width} : RowRange{measure.low, measure.high};
    case MeasureKind::squares:
      return {-width * width, width * width};
    case MeasureKind::products: {
      const Int128 most = width * (measure.second->high - measure.second->low);
      return {-most, most};
    }
    default:
      return {1, 1};
  }
}

bool scaled_fits(const plan::Measure& measure) {
  constexpr Int128 kMost = Int128{1} << 62;
  const auto [low, high] = row_range(measure);
  const Int128 row = std::max({-low, high, Int128{1}});
  return measure.finer <= 62 && row <= kMost >> measure.finer && measure.rows > 0 &&
         static_cast<Int128>(measure.rows) <= (kMost >> measure.finer) / row;
}

}  // namespace dither::engine::detail
