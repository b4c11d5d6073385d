#include "base/int128.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace dither {

namespace {

// The operands are not named: they may be private.
[[noreturn]] void throw_overflow(const char* what) {
  throw Error{Code::out_of_range, fmt::format("{} does not fit in 128 bits", what),
              "use a coarser grid or smaller bounds"};
}

}  // namespace

Int128 add_checked(Int128 a, Int128 b) {
  Int128 result;
  if (__builtin_add_overflow(a, b, &result)) throw_overflow("a sum");
  return result;
}

Int128 sub_checked(Int128 a, Int128 b) {
  Int128 result;
  if (__builtin_sub_overflow(a, b, &result)) throw_overflow("a difference");
  return result;
}

Int128 mul_checked(Int128 a, Int128 b) {
  Int128 result;
  if (__builtin_mul_overflow(a, b, &result)) throw_overflow("a product");
  return result;
}

Int128 add_saturating(Int128 a, Int128 b) {
  Int128 result;
  if (!__builtin_add_overflow(a, b, &result)) return result;
  return a < 0 ? kInt128Min : kInt128Max;
}

Int128 sub_saturating(Int128 a, Int128 b) {
  Int128 result;
  if (!__builtin_sub_overflow(a, b, &result)) return result;
  return a < 0 ? kInt128Min : kInt128Max;
}

Int128 mul_saturating(Int128 a, Int128 b) {
  Int128 result;
  if (!__builtin_mul_overflow(a, b, &result)) return result;
  return (a < 0) != (b < 0) ? kInt128Min : kInt128Max;
}

long to_int64_checked(Int128 value) {
  if (to_int64_saturating(value) != value) {
    throw Error{Code::out_of_range, "a number does not fit in 64 bits", "use the 128-bit form, or a coarser grid"};
  }
  return static_cast<long>(value);
}

std::string to_string(UInt128 value) {
  std::string digits;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::string to_string(Int128 value) { return (value < 0 ? "-" : "") + to_string(magnitude(value)); }

Int128 parse_int128(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative || text.starts_with('+') ? 1 : 0);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) {
    throw Error{Code::bad_number, fmt::format("\"{}\" is not a whole number", text), "write digits only, such as 1000"};
  }
  Int128 value = 0;  // built downwards from zero, since the range reaches one further below than above
  bool overflow = false;
  for (char c : digits) {
    overflow |=
        __builtin_mul_overflow(value, Int128{10}, &value) || __builtin_sub_overflow(value, Int128{c - '0'}, &value);
  }
  if (!negative) overflow |= __builtin_sub_overflow(Int128{0}, value, &value);
  if (overflow)
    throw Error{Code::out_of_range, fmt::format("{} does not fit in 128 bits", text), "write a smaller number"};
  return value;
}

}  // namespace dither
