// Single cells: what counts as missing, how they compare, how recipes spell them.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "base/rational.h"
#include "calculus/domain.h"

namespace dither::calculus::detail {

// NULL or NaN: everywhere in the catalogue the two are treated alike.
bool is_missing(const Cell& cell);

// The exact value of a finite number; nothing for everything else.
std::optional<Rational> exact_number(const Cell& cell);

// Numbers by exact value (whole and real ones too, infinities at the ends), text by bytes, false before true. Nothing
// when one is missing or the two are of different kinds.
std::optional<std::strong_ordering> compare(const Cell& a, const Cell& b);

// The type of a cell that is not NULL.
std::optional<CellType> type_of(const Cell& cell);
bool is_number(CellType type);

// As canonical bytes, with text in hexadecimal ("t6162"), and back; bad-syntax.
std::string spelled(const Cell& cell);
std::vector<std::string> spelled(const std::vector<Cell>& cells);
Cell cell_from(std::string_view spelling);
std::vector<Cell> cells_from(const std::vector<std::string>& spellings);

}  // namespace dither::calculus::detail
