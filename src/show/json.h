// Answers for programs. Keys keep the order in which they were added; numbers survive the way there and back.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/int128.h"
#include "base/rational.h"

namespace dither::show {

using Json = nlohmann::ordered_json;

// A number when |value| <= 2^53, which every reader holds exactly; otherwise its digits as a string.
Json json_integer(Int128 value);

// The shortest digits that read back as this double, 0 for -0.0; JSON has no other numbers, so the strings "nan", "inf" and "-inf"
// stand for those.
Json json_real(double value);

// Always a string: "1/3", "7".
Json json_rational(const Rational& value);

// The text, on one line or indented by two spaces; without a final newline. Bytes that are not UTF-8 become U+FFFD.
// Reals must have gone through json_real: a NaN put in directly would be written as null.
std::string json_line(const Json& value);
std::string json_pretty(const Json& value);

}  // namespace dither::show
