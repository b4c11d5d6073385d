#include "testing/printers.h"

#include <ostream>

namespace rc {

void showValue(dither::Int128 value, std::ostream& os) { os << dither::to_string(value); }
void showValue(dither::UInt128 value, std::ostream& os) { os << dither::to_string(value); }

}  // namespace rc

namespace dither {

void PrintTo(const Rational& value, std::ostream* os) { *os << value.str(); }
void showValue(const Rational& value, std::ostream& os) { os << value.str(); }

}  // namespace dither
