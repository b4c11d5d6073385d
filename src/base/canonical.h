// One spelling for every value: what decides whether two units or two keys are the same.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

namespace dither {

// A value of a table: nothing (NULL), a truth value, a whole number, a real number or text (UTF-8 bytes).
using Cell = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

// A type tag and the value's bytes, in a form that SQL can write too: "n", "b0" and "b1", "i" and the decimal digits
// ("i-5"), "r" and the 16 hexadecimal digits of the IEEE 754 bits, "t" and the UTF-8 bytes.
//
// Promise    two cells have the same bytes exactly if they are the same value of the same type. -0.0 is 0.0; all NaNs
//            are one value.
std::string canonical(const Cell& cell);

// The same for several cells that form one key: each with its length in front, so that no two lists share their bytes.
// A list of one cell is that cell: canonical({x}) == canonical(x).
std::string canonical(std::span<const Cell> cells);

}  // namespace dither
