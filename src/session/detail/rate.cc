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

// Of one operand, where the other does not read the column.
std::optional<Rational> product(const Expression& a, const Expression& b, std::size_t column,
                                std::span<const Cell> row) {
  const std::optional<Rational> of_a = rate(a, column, row), of_b = rate(b, column, row);
  if (!of_a || !of_b || (*of_a != 0 && *of_b != 0)) return std::nullopt;
  const std::optional<Rational> factor = number(evaluate(*of_a == 0 ? a : b, row));
  if (!factor) return std::nullopt;
  return *factor * (*of_a == 0 ? *of_b : *of_a);
}

std::optional<Rational> quotient(const Expression& a, const Expression& b, std::size_t column,
                                 std::span<const Cell> row) {
  const std::optional<Rational> of_a = rate(a, column, row), of_b = rate(b, column, row);
  const std::optional<Rational> divisor = number(evaluate(b, row));
  if (!of_a || !of_b || *of_b != 0 || !divisor || *divisor == 0) return std::nullopt;
  return *of_a / *divisor;
}

std::optional<Rational> sum(const Expression& a, const Expression& b, const Rational& sign, std::size_t column,
                            std::span<const Cell> row) {
  const std::optional<Rational> of_a = rate(a, column, row), of_b = rate(b, column, row);
  if (!of_a || !of_b) return std::nullopt;
  return *of_a + sign * *of_b;
}

}  // namespace

std::optional<Rational> rate(const Expression& expression, std::size_t column, std::span<const Cell> row) {
  const std::vector<std::size_t>& reads = expression.reads();
  if (std::find(reads.begin(), reads.end(), column) == reads.end()) return Rational(0);
  const auto* call = std::get_if<Expression::Call>(&expression.content());
  if (call == nullptr) return Rational(1);  // the column
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
  return std::nullopt;
}

}  // namespace dither::session::detail
