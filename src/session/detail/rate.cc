#include "session/detail/rate.h"

#include <algorithm>
#include <cmath>

#include "plan/functions.h"

namespace dither::session::detail {
namespace {

using plan::Expression;

std::optional<Rational> number(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return Rational(Int128{*whole});
  const double* real = std::get_if<double>(&cell);
  if (real == nullptr || !std::isfinite(*real)) return std::nullopt;
  return Rational::from_double(*real);
}

Rational size(const Rational& number) { return number.sign() < 0 ? -number : number; }

// Of one operand, where the other does not move with the column.
std::optional<Rate> product(const Expression& a, const Expression& b, std::size_t column, std::span<const Cell> row) {
  const std::optional<Rate> of_a = rate(a, column, row), of_b = rate(b, column, row);
  if (!of_a || !of_b || (of_a->most != 0 && of_b->most != 0)) return std::nullopt;
  const Rate& moving = of_a->most == 0 ? *of_b : *of_a;
  const std::optional<Rational> factor = number(evaluate(of_a->most == 0 ? a : b, row));
  if (!factor) return std::nullopt;
  return Rate{*factor * moving.most, moving.straight};
}

std::optional<Rate> quotient(const Expression& a, const Expression& b, std::size_t column, std::span<const Cell> row) {
  const std::optional<Rate> of_a = rate(a, column, row), of_b = rate(b, column, row);
  const std::optional<Rational> divisor = number(evaluate(b, row));
  if (!of_a || !of_b || of_b->most != 0 || !divisor || *divisor == 0) return std::nullopt;
  return Rate{of_a->most / *divisor, of_a->straight};
}

std::optional<Rate> sum(const Expression& a, const Expression& b, const Rational& sign, std::size_t column,
                        std::span<const Cell> row) {
  const std::optional<Rate> of_a = rate(a, column, row), of_b = rate(b, column, row);
  if (!of_a || !of_b) return std::nullopt;
  if (of_a->straight && of_b->straight) return Rate{of_a->most + sign * of_b->most, true};
  return Rate{size(of_a->most) + size(of_b->most), false};
}

std::optional<Rate> fastest(const std::vector<Expression>& arguments, std::size_t column, std::span<const Cell> row) {
  Rate result{0, false};
  for (const Expression& argument : arguments) {
    const std::optional<Rate> of = rate(argument, column, row);
    if (!of) return std::nullopt;
    result.most = std::max(result.most, size(of->most));
  }
  return result;
}

// Ends that move may pass each other, and give NULL.
std::optional<Rate> between(const std::vector<Expression>& arguments, std::size_t column, std::span<const Cell> row) {
  const std::optional<Rate> low = rate(arguments[1], column, row), high = rate(arguments[2], column, row);
  if (!low || !high || low->most != 0 || high->most != 0) return std::nullopt;
  return fastest({arguments[0]}, column, row);
}

}  // namespace

std::optional<Rate> rate(const Expression& expression, std::size_t column, std::span<const Cell> row) {
  const std::vector<std::size_t>& reads = expression.reads();
  if (std::find(reads.begin(), reads.end(), column) == reads.end()) return Rate{0};
  const auto* call = std::get_if<Expression::Call>(&expression.content());
  if (call == nullptr) return Rate{1};  // the column
  const std::vector<Expression>& arguments = call->arguments;
  const std::string_view name = call->function->sql;
  const bool is_real = call->function->gives == plan::Type::real;
  if (!plan::is_number(expression.type())) return std::nullopt;
  if (name == "+") return sum(arguments[0], arguments[1], 1, column, row);
  if (name == "-") return sum(arguments[0], arguments[1], -1, column, row);
  if (name == "*") return product(arguments[0], arguments[1], column, row);
  if (name == "/" && is_real) return quotient(arguments[0], arguments[1], column, row);  // integers drop the fraction
  if (name == "neg") return product(plan::constant({plan::Type::integer, std::int64_t{-1}}), arguments[0], column, row);
  if (name == "cast real" && arguments[0].type() == plan::Type::integer) return rate(arguments[0], column, row);
  if (name == "abs" || name == "least" || name == "greatest") return fastest(arguments, column, row);
  if (name == "clamp") return between(arguments, column, row);
  return std::nullopt;
}

}  // namespace dither::session::detail
