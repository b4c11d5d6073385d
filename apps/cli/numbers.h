// Numbers as people type and read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/digits.h"  // IWYU pragma: export
#include "base/rational.h"

namespace dither::cli {

// The value of an option, exactly as typed. bad-number for text that is no number, out-of-range for numbers with more
// digits, as an exact fraction, than `most_digits`, which bounds the work. Both name the option and its value.
Rational exact_number(const std::string& name, const std::string& text, std::size_t most_digits = 100);

// A whole number in a range; bad-count otherwise.
Int128 whole_number(const std::string& name, const std::string& text, Int128 smallest, Int128 largest);

}  // namespace dither::cli
