// How fast an expression follows a column that it reads.
#pragma once

#include <optional>
#include <span>

#include "base/rational.h"
#include "plan/expression.h"

namespace dither::session::detail {

// The slope r: the expression is r * (that column) + a constant for every value of the column, the other columns being those of
// this row. Nothing where it is not made of + - * / in that form.
std::optional<Rational> rate(const plan::Expression& expression, std::size_t column, std::span<const Cell> row);

}  // namespace dither::session::detail
