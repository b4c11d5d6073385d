#include "engine/detail/bounding_units.h"

#include <bit>

#include "engine/detail/bounding_mix.h"

namespace dither::engine::detail {

std::uint64_t digest_of(const Unit<1>& unit, UnitKind kind) {
  switch (kind) {
    case UnitKind::whole:
      return quick_integer_digest(static_cast<std::int64_t>(unit.words[0]));
    case UnitKind::boolean:
      return unit_digest(Cell(unit.words[0] != 0));
    default:
      return unit_digest(Cell(std::bit_cast<double>(unit.words[0])));
  }
}

std::uint64_t digest_of(const Unit<2>& unit, UnitKind) { return (unit.words[0] >> 4) + 1; }

}  // namespace dither::engine::detail
