#include "testing/printers.h"

#include <ostream>

template <>
void rc::show(const dither::Int128& value, std::ostream& os) {
  os << dither::to_string(value);
}

template <>
void rc::show(const dither::UInt128& value, std::ostream& os) {
  os << dither::to_string(value);
}

namespace dither {

void PrintTo(const Rational& value, std::ostream* os) { *os << value.str(); }
void showValue(const Rational& value, std::ostream& os) { os << value.str(); }

}  // namespace dither
