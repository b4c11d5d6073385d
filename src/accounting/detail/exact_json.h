// Exact numbers in canonical JSON.
#pragma once

#include <fmt/format.h>

#include <string>

#include "base/rational.h"

namespace dither::accounting::detail {

// A whole number that every reader of JSON keeps exactly (up to 2^53) as digits, another number as a text of two whole
// numbers, such as "1/3" or "10000000000000000000/1": the ways in which the reader takes exact numbers.
inline std::string exact_json(const Rational& value) {
  const Rational most(Int128{1} << 53);
  if (!value.is_integer()) return fmt::format("\"{}\"", value.str());
  return -most <= value && value <= most ? value.str() : fmt::format("\"{}/1\"", value.str());
}

}  // namespace dither::accounting::detail
