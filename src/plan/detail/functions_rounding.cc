// Rounding of reals, half to even.
#include "plan/detail/curves.h"
#include "plan/detail/rules.h"
#include "plan/detail/spellings.h"

namespace dither::plan::detail {

namespace {

constexpr std::string_view kRounding = "rounding";
constexpr std::string_view kNotFinite = "not finite";

template <Curve f>
void to_whole(Known known, Facts& result) {
  rising<f>(known, result);
  result.grid = Rational(1);
}

constexpr std::string_view kHalfEven =
    "(CASE WHEN abs($1) >= 4503599627370496 THEN $1 WHEN $1 >= 0 THEN ($1 + 4503599627370496) - 4503599627370496 "
    "ELSE ($1 - 4503599627370496) + 4503599627370496 END)";

// x rounded to n decimals, half to even. From 2^52 on (1e300 for tens) it stays what it is.
double to_places(double x, std::int64_t places) {
  const double power = std::pow(10.0, std::abs(static_cast<double>(places)));  // exact up to 10^22
  if (places >= 0) return std::fabs(x) >= 0x1p52 ? x : std::nearbyint(x * power) / power;
  return std::fabs(x) < 1 ? 0 : std::fabs(x) >= 1e300 ? x : std::nearbyint(x / power) * power;
}
bool round_places(double x, std::int64_t places, double& rounded) {
  if (places < -22 || places > 22 || !std::isfinite(x)) return false;
  rounded = to_places(x, places);
  return true;
}
void round_places_facts(Known known, Facts& result) {
  const auto places = only(known[1]);
  if (!places || abs(*places) > Rational(22)) return;
  null_unless_finite(known, result);
  const auto n = static_cast<std::int64_t>(places->floor());
  result.grid = n >= 0 ? 1 / pow(Rational(10), static_cast<unsigned>(n)) : pow(Rational(10), static_cast<unsigned>(-n));
  const auto a = range_of(known[0]);
  if (!a) return;
  const double low = to_places(a->low.to_double_up(), n), high = to_places(a->high.to_double_down(), n);
  if (!std::isfinite(low) || !std::isfinite(high)) {
    result.nullable = true;
  } else {
    set_range(result, {Rational::from_double(low), Rational::from_double(high)});
  }
}

std::string round_places_form(std::string_view power, std::string_view finite) {
  const std::string scaled = put(kHalfEven, {fmt::format("($1 * {})", power)});
  const std::string tens = put(kHalfEven, {fmt::format("($1 / {})", power)});
  return put(
      fmt::format("(CASE WHEN $2 NOT BETWEEN -22 AND 22 OR $2 IS NULL THEN NULL WHEN $2 >= 0 THEN CASE WHEN abs($1) >= "
                  "4503599627370496 "
                  "THEN $1 ELSE {} / {} END WHEN abs($1) < 1 THEN 0 WHEN abs($1) >= 1e300 THEN $1 ELSE {} * {} END)",
                  scaled, power, tens, power),
      {std::string(finite), "$2"});
}

double floor_curve(double x) { return std::floor(x); }
double ceil_curve(double x) { return std::ceil(x); }
double trunc_curve(double x) { return std::trunc(x); }
double round_curve(double x) { return std::nearbyint(x); }

void add_roundings(std::vector<Function>& f) {
  f.push_back(curve_row<floor_curve>("floor", "FLOOR(x)", kRounding, "the largest whole number not above", kNotFinite,
                                     to_whole<floor_curve>, finite_after("floor($1)", "CAST(floor($1) AS DOUBLE)")));
  f.push_back(curve_row<ceil_curve>("ceil", "CEIL(x)", kRounding, "the smallest whole number not below", kNotFinite,
                                    to_whole<ceil_curve>, finite_after("ceil($1)", "CAST(ceil($1) AS DOUBLE)")));
  f.push_back(curve_row<trunc_curve>(
      "trunc", "TRUNC(x)", kRounding, "without its fraction", kNotFinite, to_whole<trunc_curve>,
      finite_after("(CASE WHEN $1 < 0 THEN ceil($1) ELSE floor($1) END)",
                   "(CASE WHEN $1 < 0 THEN CAST(ceil($1) AS DOUBLE) ELSE CAST(floor($1) AS DOUBLE) END)")));
  f.push_back(curve_row<round_curve>("round", "ROUND(x)", kRounding, "the nearest whole number, half to even",
                                     kNotFinite, to_whole<round_curve>, finite_after(kHalfEven)));
  f.push_back(with_constants(
      row<round_places>("round_places", "round", "ROUND(x, n)", kRounding, {R, I}, R,
                        "the nearest number with n decimals, half to even; n constant, from -22 to 22",
                        "not finite, or n beyond 22", round_places_facts,
                        round_places_form("power(10::float8, abs(LEAST(GREATEST($2, -22), 22)))", kPostgresFinite),
                        round_places_form("power(10.0D, abs(LEAST(GREATEST($2, -22), 22)))", spark_finite("$1"))),
      1));
}

}  // namespace

void add_rounding(Table& table) {
  add_roundings(table.functions);
  table.shorthands.push_back(
      {"ceiling", "CEILING(x)", kRounding, "CEIL(x)", 1, 1, [](auto a) { return resolve("ceil", {a[0]}); }});
}

}  // namespace dither::plan::detail
