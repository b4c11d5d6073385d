// Values of a table for programs and spreadsheets.
#pragma once

#include <string>

#include "plan/type.h"
#include "show/json.h"

namespace dither::cli {

// NULL is null; days and times are text; whole numbers beyond 2^53 are text of their digits.
show::Json cell_json(plan::Type type, const Cell& cell);

// NULL is the empty text; reals are the shortest digits that read back.
std::string cell_text(plan::Type type, const Cell& cell);

}  // namespace dither::cli
