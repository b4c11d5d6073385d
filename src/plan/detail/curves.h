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
// As a kernel: of what is not finite, NULL.
template <Curve f>
bool apply(double x, double& result) {
  return result = f(x), std::isfinite(x);
}

// The function of what is finite of its argument; other names in Spark.
struct FiniteAfter {
  std::string postgresql, spark;
};
inline FiniteAfter finite_after(std::string_view form, std::string_view spark = "") {
  return {put(form, {std::string(kPostgresFinite)}), put(spark.empty() ? form : spark, {spark_finite("$1")})};
}

// A row of one curve.
template <Curve f>
Function curve_row(std::string_view name, std::string_view usage, std::string_view group, std::string_view does,
                   std::string_view when_null, void (*narrow)(Known, Facts&), FiniteAfter spelling) {
  return row<apply<f>>(name, name, usage, group, {R}, R, does, when_null, narrow, std::move(spelling.postgresql),
                       std::move(spelling.spark));
}

}  // namespace dither::plan::detail
