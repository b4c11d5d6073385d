// Types of DuckDB as types of the expression language.
#pragma once

#include <optional>
#include <string>

#include "engine/detail/duckdb.h"
#include "plan/type.h"

namespace dither::engine::detail {

// Which type its values have here, and how a cell is written so that it has it: whole numbers beyond 64 bits, days and moments
// outside the years 1 to 9999 are NULL, moments are those of UTC.
struct Native {
  plan::Type type;
  std::string cell;
  bool is_wide = false;  // whole numbers that may have more than 64 bits
};

// Nothing for lists, structures, times of day, intervals and bytes.
std::optional<Native> native(const ResultColumn& column, const std::string& cell);

}  // namespace dither::engine::detail
