// Numbers as people type and read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/rational.h"

namespace dither::cli {

// The value of an option, exactly as typed. bad-number for text that is no number, out-of-range for numbers with more
// digits, as an exact fraction, than `most_digits`, which bounds the work. Both name the option and its value.
Rational exact_number(const std::string& name, const std::string& text, std::size_t most_digits = 100);

// A whole number in a range; bad-count otherwise.
Int128 whole_number(const std::string& name, const std::string& text, Int128 smallest, Int128 largest);

// A non-negative number in so many significant digits, not below it or not above: "2.381596933", "1.2e-30".
std::string digits_up(const Rational& value, int digits);
std::string digits_down(const Rational& value, int digits);
// The same for doubles; "infinity" for that.
std::string digits_up(double value, int digits);
std::string digits_down(double value, int digits);

}  // namespace dither::cli
