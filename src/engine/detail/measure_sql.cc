#include "engine/detail/measure_sql.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/detail/canonical_sql.h"
#include "engine/detail/row_range.h"
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

// n / p, half to even, of a positive p; exact.
std::string rounded(Dialect dialect, const std::string& n, const std::string& p) {
  const std::string rest = fmt::format("mod(mod({0}, {1}) + {1}, {1})", n, p);
  const std::string below = quotient_sql(dialect, fmt::format("({} - {})", n, rest), p);
  return fmt::format("({0} + CASE WHEN 2 * {1} > {2} OR (2 * {1} = {2} AND mod({0}, 2) <> 0) THEN 1 ELSE 0 END)", below,
                     rest, p);
}

// x q / p, half to even; exact.
std::string whole_steps(Dialect dialect, const std::string& x, const Rational& step) {
  if (step == Rational(1)) return x;
  return rounded(dialect, fmt::format("({} * {})", wide_sql(dialect, x), number(dialect, denominator(step))),
                 number(dialect, numerator(step)));
}

// (x q) / p in binary64, then the nearest whole number, half to even. Far outside every bound it is cut first, so that no engine
// meets a number that it cannot make whole, or a product that is infinite.
std::string real_steps(Dialect dialect, const std::string& x, const Rational& step) {
  const auto q = static_cast<double>(denominator(step));
  const auto p = static_cast<double>(numerator(step));
  const double most = std::ldexp(p / q, 63);
  std::string steps = fmt::format("LEAST(GREATEST({}, {}), {})", x, real_sql(dialect, -most), real_sql(dialect, most));
  if (q != 1) steps = fmt::format("({} * {})", steps, real_sql(dialect, q));
  if (p != 1) steps = fmt::format("({} / {})", steps, real_sql(dialect, p));
  steps = fmt::format("LEAST(GREATEST({}, {}), {})", steps, real_sql(dialect, -0x1p62), real_sql(dialect, 0x1p62));
  if (dialect == Dialect::postgresql) return fmt::format("CAST({} AS bigint)", steps);  // rounds half to even
  return fmt::format("CAST(rint({}) AS BIGINT)", steps);
}

// Whether DuckDB's whole numbers of 64 bits, which are several times as fast as its wider ones, hold all that is formed from a column
// between these ends. The sums of other engines may wrap around.
bool is_narrow(Dialect dialect, Int128 low, Int128 high) {
  constexpr Int128 kMost = Int128{1} << 29;  // then 2 y^2 < 2^61
  return dialect == Dialect::duckdb && std::max(-low, high) <= kMost;
}

std::string centred(Dialect dialect, const std::string& steps, Int128 low, Int128 high, bool narrow) {
  if (narrow) return fmt::format("(2 * CAST({} AS BIGINT) - ({}))", steps, to_string(low + high));
  return fmt::format("(2 * {} - {})", wide_sql(dialect, steps), number(dialect, low + high));
}

std::string between(Dialect dialect, const std::string& total, Int128 low, Int128 high) {
  return fmt::format("LEAST(GREATEST({}, {}), {})", total, number(dialect, low), number(dialect, high));
}

}  // namespace

std::string quotient_sql(Dialect dialect, const std::string& n, const std::string& p) {
  if (dialect == Dialect::duckdb) return fmt::format("({} // {})", n, p);
  if (dialect == Dialect::postgresql) return fmt::format("div({}, {})", n, p);
  return fmt::format("CAST({} / {} AS DECIMAL(38, 0))", n, p);
}

std::string value_sql(const plan::Relation& rows, std::size_t column, Dialect dialect) {
  std::string cell = fmt::format("c{}", column);
  if (rows->columns()[column].type != Type::real) return cell;
  return fmt::format("(CASE WHEN {0} < {1} THEN {0} END)", cell, real_sql(dialect, std::nan("")));
}

std::string steps_sql(const plan::Relation& rows, std::size_t column, const Rational& step, Int128 low, Int128 high,
                      Dialect dialect) {
  const Type type = rows->columns()[column].type;
  const std::string cell = fmt::format("c{}", column);
  if (type == Type::real && dialect == Dialect::duckdb) {
    return fmt::format("dither_steps({}, {}, {}, CAST({} AS BIGINT), CAST({} AS BIGINT))", cell,
                       real_sql(dialect, static_cast<double>(denominator(step))),
                       real_sql(dialect, static_cast<double>(numerator(step))), to_string(low), to_string(high));
  }
  const std::string value = value_sql(rows, column, dialect);
  const std::string steps =
      type == Type::real ? real_steps(dialect, value, step) : whole_steps(dialect, cell_sql(type, dialect, cell), step);
  return fmt::format("(CASE WHEN {} IS NOT NULL THEN LEAST(GREATEST({}, {}), {}) END)", value, steps, to_string(low),
                     to_string(high));
}

std::string added_sql(const plan::Relation& rows, const Measure& measure, Dialect dialect) {
  if (measure.kind == MeasureKind::units || !measure.column) return "1";
  if (measure.kind == MeasureKind::rows || measure.kind == MeasureKind::cut_units) {
    return fmt::format("(CASE WHEN {} IS NOT NULL THEN 1 END)", value_sql(rows, *measure.column, dialect));
  }
  const std::string k = steps_sql(rows, *measure.column, measure.step, measure.low, measure.high, dialect);
  bool narrow = is_narrow(dialect, measure.low, measure.high);
  if (measure.second) narrow = narrow && is_narrow(dialect, measure.second->low, measure.second->high);
  const std::string y = centred(dialect, k, measure.low, measure.high, narrow);
  if (measure.kind == MeasureKind::squares) {
    const Int128 width = measure.high - measure.low;
    return fmt::format("(2 * {0} * {0} - {1})", y, narrow ? to_string(width * width) : number(dialect, width * width));
  }
  if (measure.kind == MeasureKind::products) {
    const Measure::Second& other = *measure.second;
    const std::string z = steps_sql(rows, other.column, other.step, other.low, other.high, dialect);
    return fmt::format("({} * {})", y, centred(dialect, z, other.low, other.high, narrow));
  }
  return measure.centred ? y : k;
}

std::string row_total_sql(const plan::Relation& rows, const Measure& measure, Dialect dialect) {
  if (measure.kind == MeasureKind::cut_units) return "0";  // a row that is a unit is not cut
  const std::string added = added_sql(rows, measure, dialect);
  const Int128 finer = Int128{1} << measure.finer;
  const auto [low, high] = row_range(measure);
  if (measure.total_low <= finer * low && finer * high <= measure.total_high) {
    return finer == 1 ? added : fmt::format("({} * {})", wide_sql(dialect, added), number(dialect, finer));
  }
  return contribution_sql(measure, dialect, added, "1", {});
}

std::string contribution_sql(const Measure& measure, Dialect dialect, const std::string& total, const std::string& n,
                             const std::optional<std::string>& t) {
  const std::string own = fmt::format("LEAST({}, {})", n, measure.rows);
  std::string sql = total;
  if (measure.cut == plan::Cut::scale) {
    const std::string weight =
        fmt::format("({} * {})", number(dialect, Int128{1} << measure.finer), wide_sql(dialect, t.value_or(own)));
    sql = rounded(dialect, fmt::format("({} * {})", wide_sql(dialect, total), weight),
                  wide_sql(dialect, fmt::format("GREATEST({}, 1)", n)));
  } else if (t) {
    const auto [low, high] = row_range(measure);
    sql = fmt::format("LEAST(GREATEST({0}, LEAST({1}, {1} * {3})), GREATEST({2}, {2} * {3}))", total,
                      number(dialect, low), number(dialect, high), wide_sql(dialect, *t));
  }
  sql = between(dialect, sql, measure.total_low, measure.total_high);
  const std::string none = t ? fmt::format("WHEN {} = 0 THEN 0 ", *t) : "";
  return fmt::format("(CASE {}WHEN {} IS NOT NULL THEN {} END)", none, total, sql);
}

std::string cut_unit_sql(const Measure& measure, const std::string& n, const std::optional<std::string>& t,
                         const std::string& drops) {
  if (measure.rows == 0) return "0";
  const std::string counted = t.value_or(fmt::format("LEAST({}, {})", n, measure.rows));
  return fmt::format("(CASE WHEN {0} > 0 AND ({0} > {1} OR {2}) THEN 1 ELSE 0 END)", n, counted, drops);
}

}  // namespace dither::engine::detail
