#include "engine/detail/measure_sql.h"

#include <fmt/format.h>

#include <cmath>

#include "engine/detail/canonical_sql.h"
#include "engine/detail/steps.h"

namespace dither::engine::detail {

using plan::Dialect;
using plan::Measure;
using plan::MeasureKind;
using plan::Type;

namespace {

std::string real_sql(Dialect dialect, double value) {
  return plan::spell(plan::constant({Type::real, value}), dialect, {});
}

std::string number(Dialect dialect, Int128 value) { return wide_sql(dialect, fmt::format("'{}'", to_string(value))); }

// x q / p, half to even; exact.
std::string whole_steps(Dialect dialect, const std::string& x, const Rational& step) {
  if (step == Rational(1)) return x;
  const std::string p = number(dialect, numerator(step));
  const std::string n = fmt::format("({} * {})", wide_sql(dialect, x), number(dialect, denominator(step)));
  const std::string rest = fmt::format("mod(mod({0}, {1}) + {1}, {1})", n, p);
  const std::string_view divide = dialect == Dialect::duckdb       ? "(({} - {}) // {})"
                                  : dialect == Dialect::postgresql ? "div({} - {}, {})"
                                                                   : "CAST(({} - {}) / {} AS DECIMAL(38, 0))";
  const std::string below = fmt::format(fmt::runtime(divide), n, rest, p);
  return fmt::format("({0} + CASE WHEN 2 * {1} > {2} OR (2 * {1} = {2} AND mod({0}, 2) <> 0) THEN 1 ELSE 0 END)", below,
                     rest, p);
}

// (x q) / p in binary64, then the nearest whole number, half to even. Far outside every bound it is cut first, so that no engine
// meets a number that it cannot make whole.
std::string real_steps(Dialect dialect, const std::string& x, const Rational& step) {
  const auto q = static_cast<double>(denominator(step));
  const auto p = static_cast<double>(numerator(step));
  std::string steps = x;
  if (dialect != Dialect::duckdb) {  // others refuse products that are infinite
    const double most = std::ldexp(p / q, 63);
    steps = fmt::format("LEAST(GREATEST({}, {}), {})", x, real_sql(dialect, -most), real_sql(dialect, most));
  }
  if (q != 1) steps = fmt::format("({} * {})", steps, real_sql(dialect, q));
  if (p != 1) steps = fmt::format("({} / {})", steps, real_sql(dialect, p));
  steps = fmt::format("LEAST(GREATEST({}, {}), {})", steps, real_sql(dialect, -0x1p62), real_sql(dialect, 0x1p62));
  if (dialect == Dialect::duckdb) return fmt::format("CAST(round_even({}, 0) AS BIGINT)", steps);
  if (dialect == Dialect::postgresql) return fmt::format("CAST({} AS bigint)", steps);  // rounds half to even
  return fmt::format("CAST(rint({}) AS BIGINT)", steps);
}

std::string centred(Dialect dialect, const std::string& steps, Int128 low, Int128 high) {
  return fmt::format("(2 * {} - {})", wide_sql(dialect, steps), number(dialect, low + high));
}

}  // namespace

std::string value_sql(const plan::Relation& rows, std::size_t column, Dialect dialect) {
  std::string cell = fmt::format("c{}", column);
  if (rows->columns()[column].type != Type::real) return cell;
  return fmt::format("(CASE WHEN {0} < {1} THEN {0} END)", cell, real_sql(dialect, std::nan("")));
}

std::string steps_sql(const plan::Relation& rows, std::size_t column, const Rational& step, Int128 low, Int128 high,
                      Dialect dialect) {
  const Type type = rows->columns()[column].type;
  const std::string cell = fmt::format("c{}", column);
  const std::string value = value_sql(rows, column, dialect);
  const std::string steps =
      type == Type::real ? real_steps(dialect, value, step) : whole_steps(dialect, cell_sql(type, dialect, cell), step);
  return fmt::format("(CASE WHEN {} IS NOT NULL THEN LEAST(GREATEST({}, {}), {}) END)", value, steps, to_string(low),
                     to_string(high));
}

std::string added_sql(const plan::Relation& rows, const Measure& measure, Dialect dialect) {
  if (measure.kind == MeasureKind::units || !measure.column) return "1";
  if (measure.kind == MeasureKind::rows) {
    return fmt::format("(CASE WHEN {} IS NOT NULL THEN 1 END)", value_sql(rows, *measure.column, dialect));
  }
  const std::string k = steps_sql(rows, *measure.column, measure.step, measure.low, measure.high, dialect);
  const std::string y = centred(dialect, k, measure.low, measure.high);
  if (measure.kind == MeasureKind::squares) {
    const Int128 width = measure.high - measure.low;
    return fmt::format("(2 * {0} * {0} - {1})", y, number(dialect, width * width));
  }
  if (measure.kind == MeasureKind::products) {
    const Measure::Second& other = *measure.second;
    const std::string z = steps_sql(rows, other.column, other.step, other.low, other.high, dialect);
    return fmt::format("({} * {})", y, centred(dialect, z, other.low, other.high));
  }
  return measure.centred ? y : k;
}

std::string clamped_sql(const Measure& measure, Dialect dialect, const std::string& total) {
  return fmt::format("(CASE WHEN {0} IS NOT NULL THEN LEAST(GREATEST({0}, {1}), {2}) END)", total,
                     number(dialect, measure.total_low), number(dialect, measure.total_high));
}

}  // namespace dither::engine::detail
