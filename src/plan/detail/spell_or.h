// ORs are spelled with lists: x = 1 OR x = 2 OR x = 3 is x IN (1, 2, 3).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/functions.h"

namespace dither::plan::detail {

// What stands between the ORs.
std::vector<std::string> spell_or(const Expression::Call& call, Dialect dialect, std::span<const std::string> columns);

// The other side of an equality with a constant for which lists are spelled; nothing for other conditions.
const Expression* listed_subject(const Expression& expression);

// Bytes as DuckDB writes them: '\x00abc'::BLOB.
std::string spell_blob(std::string_view bytes);

}  // namespace dither::plan::detail
