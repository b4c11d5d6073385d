// What is known of a column or an expression. Facts come from the operator that enforces them, never from belief (rule
// 5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/rational.h"
#include "plan/type.h"

namespace dither::plan {

// No column and no function gives a text of more bytes: a longer cell cannot be read, a longer result is NULL.
inline constexpr std::uint64_t kLongestText = 65536;

// A closed interval, low <= high.
struct Range {
  Rational low, high;
  bool operator==(const Range&) const = default;
};

// Facts are upper bounds of what may occur: a value outside them is a bug, a value inside that never occurs is not.
struct Facts {
  Type type = Type::text;
  bool nullable = true;
  bool finite = false;                   // of reals: neither NaN nor infinite. All other types are finite
  std::optional<Range> range;            // of numbers, dates, timestamps: whatever is neither NULL nor NaN lies within
  std::optional<Rational> grid;          // of reals: the multiples it is meant to lie on; a hint for sums, no promise
  std::uint64_t longest = kLongestText;  // of texts: bytes. Constants and lists of values may be longer
  std::optional<std::vector<Cell>> values;  // all it can be, NULL too; ascending by canonical bytes, each once
  bool of_unit = false;                     // all rows of a unit have the same value
  bool operator==(const Facts&) const = default;
};

// More values than this are not enumerated.
inline constexpr std::size_t kMostValues = 10'000;

// Facts of a constant.
Facts facts_of(const Constant& constant);

// Whether a cell keeps the facts (of_unit apart): what tests and the fuzzer of engines ask.
bool keeps(const Facts& facts, const Cell& cell);

// Facts of something that is one of the two: both types are the same.
Facts either(const Facts& a, const Facts& b);

// The same facts with `values` worked out where they follow: a boolean, an integer or date with a short range. Adds
// NULL when nullable. Leaves `values` alone where they are known.
Facts with_values(Facts facts);

// "integer, not NULL, 0 to 5000, on steps of 0.01, one of 4 values".
std::string describe(const Facts& facts);

}  // namespace dither::plan
