// Functions of one real: how they are evaluated, what is known of them, how they are spelled.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "plan/detail/rules.h"
#include "plan/detail/spellings.h"

namespace dither::plan::detail {

using Curve = double (*)(double);

// Of a curve that never falls: its values at the first and last double of the range. What is computed from + - * / sqrt
// and rounding is the same on every engine, so these ends are exact.
template <Curve f>
void rising(Known known, Facts& result) {
  null_unless_finite(known, result);
  const auto a = range_of(known[0]);
  if (!a) return;
  const double low = f(a->low.to_double_up()), high = f(a->high.to_double_down());
  if (!std::isfinite(low) || !std::isfinite(high)) {
    result.nullable = true;
  } else if (low <= high) {
    result.range = Range{Rational::from_double(low + 0.0), Rational::from_double(high + 0.0)};
  }
}
template <Curve f>
Cell apply(Cells c) {
  return std::isfinite(number(c[0])) ? real(f(number(c[0]))) : Cell{};
}

// The function of what is finite of its argument; other names in Spark.
inline Spelling finite_after(std::string_view duckdb, std::string_view spark = "") {
  const auto with = [&](std::string_view form, std::string_view finite) { return put(form, {std::string(finite)}); };
  const std::string_view other = spark.empty() ? duckdb : spark;
  return spelled(with(duckdb, duckdb_finite("$1")), with(duckdb, kPostgresFinite), with(other, spark_finite("$1")));
}

}  // namespace dither::plan::detail
