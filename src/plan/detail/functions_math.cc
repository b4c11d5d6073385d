// The functions of mathematics, on reals.

#include "plan/detail/curves.h"
#include "plan/detail/rules.h"
#include "plan/detail/spellings.h"

namespace dither::plan::detail {

namespace {

constexpr std::string_view kGroup = "mathematics";
constexpr std::string_view kNotFinite = "not finite";

// Engines differ in the last digits of the other functions: ends are moved outward by 1e-12 of their size.
Range loosened(double low, double high) {
  const Rational slack(1, 1'000'000'000'000);
  const Rational a = Rational::from_double(low), b = Rational::from_double(high);
  return {a - abs(a) * slack - slack, b + abs(b) * slack + slack};
}
template <Curve f>
void about_rising(Known known, Facts& result) {
  rising<f>(known, result);
  if (!result.range) return;
  set_range(result, loosened(result.range->low.to_double_down(), result.range->high.to_double_up()));
}
// From a domain with these ends, outside of which it is NULL.
template <Curve f, int low, int high>
void on_domain(Known known, Facts& result) {
  result.nullable = true;
  const auto a = range_of(known[0]);
  const auto inside = a ? overlap(*a, {low, high}) : std::nullopt;
  if (a && inside == *a) result.nullable = any_nullable(known) || !all_finite(known);
  const Range all = inside.value_or(Range{low, high});
  const double x = f(all.low.to_double_up()), y = f(all.high.to_double_down());
  set_range(result, loosened(std::min(x, y), std::max(x, y)));
}
// Above 0: sqrt from 0 on, logarithms without it.
template <Curve f, bool with_zero>
void on_positive(Known known, Facts& result) {
  null_unless_finite(known, result);
  const auto a = range_of(known[0]);
  const bool inside = a && (with_zero ? a->low >= 0 : a->low > 0);
  if (!inside) result.nullable = true;
  if (!a || a->high < 0 || (!inside && !with_zero)) return;
  const double low = f(std::max(a->low, Rational(0)).to_double_up()), high = f(a->high.to_double_down());
  if (std::isfinite(low) && std::isfinite(high) && low <= high) set_range(result, loosened(low, high));
  if (with_zero && result.range) result.range->low = std::max(result.range->low, Rational(0));
}
void within_one(Known known, Facts& result) {
  null_unless_finite(known, result);
  set_range(result, loosened(-1, 1));
}
template <int most>
void within(Known known, Facts& result) {
  null_unless_finite(known, result);
  set_range(result, loosened(-most, most));
}

FiniteAfter guarded(std::string_view condition, std::string_view function) {
  const std::string form = fmt::format("(CASE WHEN {} THEN {}($1) END)", condition, function);
  return {put(form, {std::string(kPostgresFinite)}), spark_finite(put(form, {spark_finite("$1")}))};
}

double log10_curve(double x) { return std::log10(x); }
double log2_curve(double x) { return std::log2(x); }
double ln_curve(double x) { return std::log(x); }
double sqrt_curve(double x) { return std::sqrt(x); }
double cbrt_curve(double x) { return std::cbrt(x); }
double exp_curve(double x) { return std::exp(x); }
double sin_curve(double x) { return std::sin(x); }
double cos_curve(double x) { return std::cos(x); }
double tan_curve(double x) { return std::tan(x); }
double asin_curve(double x) { return std::asin(x); }
double acos_curve(double x) { return std::acos(x); }
double atan_curve(double x) { return std::atan(x); }

bool power(double x, double y, double& result) { return result = std::pow(x, y), std::isfinite(x) && std::isfinite(y); }
bool angle_of(double y, double x, double& angle) {
  return angle = std::atan2(y + 0.0, x + 0.0), std::isfinite(x) && std::isfinite(y);
}

void exp_facts(Known known, Facts& result) {
  about_rising<exp_curve>(known, result);
  if (result.range) result.range->low = std::max(result.range->low, Rational(0));
}

void add_powers(std::vector<Function>& f) {
  f.push_back(curve_row<sqrt_curve>("sqrt", "SQRT(x)", kGroup, "square root", "x < 0, or not finite",
                                    on_positive<sqrt_curve, true>, guarded("$1 >= 0", "sqrt")));
  f.push_back(curve_row<cbrt_curve>("cbrt", "CBRT(x)", kGroup, "cube root", kNotFinite, about_rising<cbrt_curve>,
                                    finite_after("cbrt($1)")));
  f.push_back(curve_row<exp_curve>(
      "exp", "EXP(x)", kGroup, "e to the power x", kNotFinite, exp_facts,
      {put("(CASE WHEN $1 < -745 THEN 0 WHEN $1 <= 709.782712893384 THEN exp($1) END)", {std::string(kPostgresFinite)}),
       spark_finite(put("exp($1)", {spark_finite("$1")}))}));
  f.push_back(curve_row<ln_curve>("ln", "LN(x)", kGroup, "natural logarithm", "x <= 0, or not finite",
                                  on_positive<ln_curve, false>, guarded("$1 > 0", "ln")));
  f.push_back(curve_row<log10_curve>("log10", "LOG10(x)", kGroup, "logarithm to base 10", "x <= 0, or not finite",
                                     on_positive<log10_curve, false>, guarded("$1 > 0", "log10")));
  f.push_back(curve_row<log2_curve>(
      "log2", "LOG2(x)", kGroup, "logarithm to base 2", "x <= 0, or not finite", on_positive<log2_curve, false>,
      {put("(CASE WHEN $1 > 0 THEN ln($1) / 0.6931471805599453 END)", {std::string(kPostgresFinite)}),
       spark_finite(put("(CASE WHEN $1 > 0 THEN log2($1) END)", {spark_finite("$1")}))}));
  f.push_back(row<power>("power", "power", "POWER(x, y)", kGroup, {R, R}, R, "x to the power y",
                         "not finite; a negative x with a y that is not whole; 0 to a negative power", nullptr, "",
                         spark_finite("power(" + spark_finite("$1") + ", " + spark_finite("$2") + ")")));
}

void add_angles(std::vector<Function>& f) {
  f.push_back(curve_row<sin_curve>("sin", "SIN(x)", kGroup, "sine, of radians", kNotFinite, within_one,
                                   finite_after("sin($1)")));
  f.push_back(curve_row<cos_curve>("cos", "COS(x)", kGroup, "cosine, of radians", kNotFinite, within_one,
                                   finite_after("cos($1)")));
  f.push_back(curve_row<tan_curve>("tan", "TAN(x)", kGroup, "tangent, of radians", kNotFinite, nullptr,
                                   finite_after("tan($1)")));
  f.push_back(curve_row<asin_curve>("asin", "ASIN(x)", kGroup, "arc sine", "|x| > 1, or not finite",
                                    on_domain<asin_curve, -1, 1>, guarded("$1 BETWEEN -1 AND 1", "asin")));
  f.push_back(curve_row<acos_curve>("acos", "ACOS(x)", kGroup, "arc cosine", "|x| > 1, or not finite",
                                    on_domain<acos_curve, -1, 1>, guarded("$1 BETWEEN -1 AND 1", "acos")));
  f.push_back(
      curve_row<atan_curve>("atan", "ATAN(x)", kGroup, "arc tangent", kNotFinite, within<2>, finite_after("atan($1)")));
  f.push_back(row<angle_of>("atan2", "atan2", "ATAN2(y, x)", kGroup, {R, R}, R, "the angle of the point (x, y)",
                            kNotFinite, within<4>,
                            "atan2(0 + " + std::string(kPostgresFinite) + ", 0 + " + put(kPostgresFinite, {"$2"}) + ")",
                            "atan2(0 + " + spark_finite("$1") + ", 0 + " + spark_finite("$2") + ")"));
}

void add_tests(std::vector<Function>& f) {
  f.push_back(row("isnan", "isnan", "ISNAN(x)", kGroup, {R}, B, "whether it is NaN", "",
                  [](Cells c) { return Cell{std::isnan(number(c[0]))}; }, nullptr,
                  {"isnan($1)", "($1 = 'NaN'::float8)", "($1 = double('NaN'))"}));
  f.push_back(row("isfinite", "isfinite", "ISFINITE(x)", kGroup, {R}, B, "whether it is neither NaN nor infinite", "",
                  [](Cells c) { return Cell{std::isfinite(number(c[0]))}; }, nullptr,
                  {"isfinite($1)", "($1 > '-Infinity'::float8 AND $1 < 'Infinity'::float8)",
                   "($1 > -double('Infinity') AND $1 < double('Infinity'))"}));
}

Expression times(const Expression& x, double factor) { return resolve("*", {x, constant({R, factor})}); }

}  // namespace

void add_mathematics(Table& table) {
  add_powers(table.functions);
  add_angles(table.functions);
  add_tests(table.functions);
  auto& s = table.shorthands;
  s.push_back({"log", "LOG(x)", kGroup, "LOG10(x)", 1, 1, [](auto a) { return resolve("log10", {a[0]}); }});
  s.push_back({"pow", "POW(x, y)", kGroup, "POWER(x, y)", 2, 2, [](auto a) { return resolve("power", {a[0], a[1]}); }});
  s.push_back({"pi", "PI()", kGroup, "3.141592653589793", 0, 0, [](auto) { return constant({R, 3.141592653589793}); }});
  s.push_back({"degrees", "DEGREES(x)", kGroup, "x * 57.29577951308232", 1, 1,
               [](auto a) { return times(a[0], 57.29577951308232); }});
  s.push_back({"radians", "RADIANS(x)", kGroup, "x * 0.017453292519943295", 1, 1,
               [](auto a) { return times(a[0], 0.017453292519943295); }});
}

}  // namespace dither::plan::detail
