// How declarations are enforced by an engine, cell by cell.
#include <fmt/format.h>

#include "base/error.h"
#include "plan/detail/project_read.h"
#include "plan/detail/ranges.h"
#include "plan/relation_sql.h"

namespace dither::plan {
namespace {

std::string spelled(const Expression& expression, Dialect dialect, const std::string& cell) {
  return spell(expression, dialect, std::span(&cell, 1));
}

// A list and not the OR of equalities that it means: there may be a hundred thousand keys.
std::string among_keys(const ColumnDeclaration& column, Dialect dialect, const std::string& cell) {
  const Cell instead = column.outside == Outside::other ? *column.other : Cell{};
  return fmt::format("(CASE WHEN {0} THEN {1} ELSE {2} END)", spell_among(cell, column.type, *column.keys, dialect),
                     cell, spell(constant({column.type, instead}), dialect, {}));
}

Cell end_of(Type type, const Rational& end) {
  if (type == Type::real) return end.to_double_down();  // a double already
  return static_cast<std::int64_t>(to_int64_checked(end.floor()));
}

// NaN and infinities are in no file a number that could be written: they cannot be read, and are NULL.
Expression where_finite(const Expression& cell, const Expression& then) {
  return resolve("case", {resolve("isfinite", {cell}), then, constant({Type::real, {}})});
}

Expression within_bounds(const ColumnDeclaration& column) {
  const Range range = *detail::declared_range(column);
  const Expression cell = plan::column(0, column.type);
  const Expression low = constant({column.type, end_of(column.type, range.low)});
  const Expression high = constant({column.type, end_of(column.type, range.high)});
  if (column.outside == Outside::clamp) {
    const Expression clamped = resolve("clamp", {cell, low, high});
    return column.type == Type::real ? where_finite(cell, clamped) : clamped;
  }
  return resolve("case", {resolve("between", {cell, low, high}), cell, constant({column.type, {}})});
}

// Longer than declared; where nothing is, longer than any text is read.
Expression within_length(const ColumnDeclaration& column) {
  const Expression cell = plan::column(0, Type::text);
  const auto number = [](std::uint64_t value) { return constant({Type::integer, static_cast<std::int64_t>(value)}); };
  if (column.max_length && column.outside == Outside::clamp) {
    return resolve("substring", {cell, number(1), number(*column.max_length)});
  }
  const Expression is_longer = column.max_length
                                   ? resolve("<", {number(*column.max_length), resolve("length", {cell})})
                                   : resolve("<", {number(kLongestText), resolve("octet_length", {cell})});
  return resolve("case", {is_longer, constant({Type::text, column.other.value_or(Cell{})}), cell});
}

Expression with_null_as(const ColumnDeclaration& column) {
  return resolve("coalesce", {plan::column(0, column.type), constant({column.type, *column.null_as})});
}

Expression finite_alone() {
  const Expression cell = plan::column(0, Type::real);
  return where_finite(cell, cell);
}

}  // namespace

std::string enforced_sql(const ColumnDeclaration& column, Dialect dialect, const std::string& cell) {
  std::string sql = cell;
  const bool any_real = column.type == Type::real && !column.keys && !column.bounds;
  if (any_real) sql = spelled(finite_alone(), dialect, sql);
  if (column.keys) sql = among_keys(column, dialect, sql);
  if (column.bounds) sql = spelled(within_bounds(column), dialect, sql);
  if (column.type == Type::text && !column.keys) sql = spelled(within_length(column), dialect, sql);
  if (column.null_as) sql = spelled(with_null_as(column), dialect, sql);
  return sql;
}

std::optional<Expression> read_as(Type given, Type declared) {
  try {
    return resolve(fmt::format("cast {}", type_name(declared)), {column(0, given)});
  } catch (const Error& error) {
    if (error.code() == Code::wrong_type) return std::nullopt;
    throw;
  }
}

}  // namespace dither::plan
