// Numbers in so many significant digits, on the side that is meant: "2.381596933", "1.2e-30".
#pragma once

#include <string>

#include "base/rational.h"

namespace dither {

// Not below the value, or not above it.
std::string digits_up(const Rational& value, int digits);
std::string digits_down(const Rational& value, int digits);
// The same for doubles; "infinity" and "-infinity" for these.
std::string digits_up(double value, int digits);
std::string digits_down(double value, int digits);

// For a double that may come from a decimal, as 0.1 does, through a few roundings: that decimal, where one of so many
// digits lies within 10^-12 of the value (relatively); else not below the value. For what was typed, not for proofs.
std::string typed_or_up(double value, int digits);

}  // namespace dither
