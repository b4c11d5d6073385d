// Exact numbers in canonical JSON.
#pragma once

#include <fmt/format.h>

#include <string>

#include "base/rational.h"

namespace dither::accounting::detail {

// A whole number as digits, another one as a text of two: the ways in which the reader takes exact numbers.
inline std::string exact_json(const Rational& value) {
  return value.is_integer() ? value.str() : fmt::format("\"{}\"", value.str());
}

}  // namespace dither::accounting::detail
