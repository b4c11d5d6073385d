// How fast an expression follows a column that it reads.
#pragma once

#include <optional>
#include <span>

#include "base/rational.h"
#include "plan/expression.h"

namespace dither::session::detail {

// How an expression moves with a column, the others being those of this row: on a straight line, by `most` times what the column
// moves; else by no more than |most| times that.
struct Rate {
  Rational most;
  bool straight = true;
  bool operator==(const Rate&) const = default;
};

// Nothing where it is not made of + - * / in that form, ABS, LEAST, GREATEST and CLAMP.
//
// Proof      a function f with |f(x) - f(y)| <= L |x - y| has E (f(X) - f(t))^2 <= L^2 E (X - t)^2: what is said of the noise of the
//            column, times |most|, bounds that of the expression. ABS, and LEAST, GREATEST and CLAMP between numbers that do not
//            move, move by no more than the one of their arguments that moves most; sums add up what their terms move by.
std::optional<Rate> rate(const plan::Expression& expression, std::size_t column, std::span<const Cell> row);

}  // namespace dither::session::detail
