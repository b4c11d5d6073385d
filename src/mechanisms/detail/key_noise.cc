#include "mechanisms/detail/key_noise.h"

#include <algorithm>

namespace dither::mechanisms::detail {

Int128 least_where(const std::function<bool(Int128)>& holds, Int128 fails) {
  Int128 step = 1;
  while (!holds(fails + step)) {
    fails += step;
    step *= 2;
  }
  Int128 found = fails + step;
  while (found - fails > 1) {
    const Int128 middle = fails + (found - fails) / 2;
    (holds(middle) ? found : fails) = middle;
  }
  return found;
}

Int128 noise_radius(accounting::KeyNoise noise, const Rational& scale, const Rational& failure) {
  return least_where(
      [&](Int128 radius) {
        const double one_side = accounting::key_shown_up(noise, scale, Rational(radius + 1), 0);
        return Rational::from_double(2 * one_side) <= failure;
      },
      -1);
}

calculus::CellsDistance of_integers(const calculus::CellsDistance& d) {
  const auto whole = [](const Rational& value) { return value >= Rational::power_of_two(120) ? value : value.floor(); };
  const Rational l1 = whole(d.l1), squared = whole(d.l2_squared);
  const Rational cells = std::min({whole(d.cells), l1, squared}), largest = std::min(whole(d.largest), l1);
  if (cells < 1 || largest < 1) return {};
  return {cells, std::min(l1, cells * largest), std::min(squared, cells * largest * largest), largest};
}

Rational l1_of(const calculus::Distance& d) {
  const auto* four = std::get_if<calculus::CellsDistance>(&d);
  return four != nullptr ? of_integers(*four).l1 : calculus::number(d);
}
Rational l2_squared_of(const calculus::Distance& d) {
  const auto* four = std::get_if<calculus::CellsDistance>(&d);
  return four != nullptr ? of_integers(*four).l2_squared : calculus::number(d);
}

}  // namespace dither::mechanisms::detail
