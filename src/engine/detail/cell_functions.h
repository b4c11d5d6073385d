// Functions that DuckDB calls to read cells of text as other types: more than CAST takes, and as fast.
#pragma once

#include <span>

#include "plan/functions.h"

namespace dither::engine::detail {

// Known to DuckDB as "dither_" and the name. Spaces and tabs around a number are no part of it, as libraries have it that
// read numbers. What cannot be read is NULL.
//
// cell_integer       also 5.0 and 5e0, as libraries write whole numbers of which one is missing; below 2^53, where no two have the
//                    same double
// cell_near_integer  also other numbers: the nearest whole one, half to even, and of those beyond 64 bits the end of these
// cell_real          as CAST
// cell_date          also of a moment, as one of a column of moments may be midnight
std::span<const plan::Function> cell_functions();

}  // namespace dither::engine::detail
