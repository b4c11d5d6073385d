// How much longer than its cells a row may become by the texts that expressions make of them.
#pragma once

#include <map>
#include <span>

#include "plan/expression.h"

namespace dither::engine::detail {

// The value of an expression takes at most `fixed` bytes and, for each column, `times` the bytes of its cell.
struct Growth {
  double fixed = 0;
  std::map<std::size_t, double> times;  // by position; columns that are left out count for nothing
};

// From what functions state of lengths (Function::longest): the result for empty texts, and for each text that varies the
// steepest way up from there, which bounds every rule of the table that is linear, bends down or replaces up to 8 bytes at
// a time. A rule that goes beyond at some length, since lengths multiply or more bytes are replaced at a time, counts with
// its largest result for every row.
Growth growth_of(const plan::Expression& expression, std::span<const plan::Facts> columns);

// The same of a whole row of these expressions: `fixed` for all, and the most that any cell is repeated by.
struct RowGrowth {
  double fixed = 0, times = 1;
};
RowGrowth growth_of_row(std::span<const plan::Expression> expressions, std::span<const plan::Facts> columns);

}  // namespace dither::engine::detail
