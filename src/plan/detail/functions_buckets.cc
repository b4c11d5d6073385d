// Clamping and bucketing.
#include <array>

#include "plan/detail/postgresql.h"
#include "plan/detail/rules.h"
#include "plan/detail/spellings.h"

namespace dither::plan::detail {

namespace {

constexpr std::string_view kGroup = "buckets";

bool clamp_whole(std::int64_t x, std::int64_t low, std::int64_t high, std::int64_t& result) {
  return result = std::min(std::max(x, low), high), low <= high;
}
// Bounds may be infinite, and then so may be the result, which is NULL. A bound that is NaN is above all others.
bool clamp_real(double x, double low, double high, double& result) {
  const bool open = std::isnan(high);
  if (std::isnan(x) || std::isnan(low) || (!open && low > high)) return false;
  const double raised = std::max(x, low);
  result = open ? raised : std::min(raised, high);
  return true;
}

// min(max(x, low), high) rises with all three, so ends meet ends. NULL when the bounds may be reversed, and for NaN.
void clamped_facts(Known known, Facts& result) {
  null_unless_finite(known, result);
  const auto low = range_of(known[1]), high = range_of(known[2]);
  if (!low || !high || low->high > high->low) result.nullable = true;
  result.grid = shared_grid(known[1], known[2]);
  if (result.grid && known[0].grid) result.grid = common_grid(*result.grid, *known[0].grid);
  if (!known[0].grid) result.grid.reset();
  if (!low || !high) return;
  const auto x = known[0].range ? known[0].range : range_of(known[0]);
  const Rational first = x ? std::max(x->low, low->low) : low->low;
  const Rational last = x ? std::max(x->high, low->high) : high->high;
  const Range ends{std::min(first, high->low), std::min(last, high->high)};
  if (ends.low <= ends.high) result.range = ends;
}

// Which of n buckets of the same width between low and high: 0 below, n + 1 from high on.
bool bucket_of(double x, double low, double high, std::int64_t n, std::int64_t& bucket) {
  if (std::isnan(x) || !(low < high) || std::fabs(low) > 1e300 || std::fabs(high) > 1e300) return false;
  if (n < 1 || n > 1'000'000'000) return false;
  bucket = x < low ? 0 : n + 1;
  if (x < low || x >= high) return true;
  const auto below = static_cast<std::int64_t>(std::floor((x - low) / (high - low) * static_cast<double>(n)));
  bucket = std::min(below, n - 1) + 1;
  return true;
}

// Rises with x.
void bucket_facts(Known known, Facts& result) {
  const auto constant = [&](std::size_t i) { return known[i].values ? known[i].values->front() : Cell{}; };
  const auto at = [&](double x) {
    const std::array<Cell, 4> cells = {x, constant(1), constant(2), constant(3)};
    return Kernel<bucket_of>::for_cells(cells);
  };
  if (is_null(constant(1)) || is_null(constant(2)) || is_null(constant(3)) || is_null(at(0))) return;
  null_unless_finite(known, result);
  const auto x = range_of(known[0]);
  const Cell low = at(x ? x->low.to_double_up() : -HUGE_VAL), high = at(x ? x->high.to_double_down() : HUGE_VAL);
  if (whole(low) <= whole(high)) set_range(result, {whole(low), whole(high)});
}

bool bin_whole(std::int64_t x, std::int64_t width, std::int64_t& bin) {
  if (width <= 0) return false;
  const std::int64_t rest = x % width;
  return !__builtin_sub_overflow(x, rest < 0 ? rest + width : rest, &bin);
}
bool bin_real(double x, double width, double& bin) {
  const double quotient = x / width;
  bin = std::floor(quotient) * width;
  return width > 0 && std::isfinite(width) && std::isfinite(quotient);
}

// Rises with x; the width is a constant.
template <auto bin>
void bin_facts(Known known, Facts& result) {
  const auto width = only(known[1]);
  const auto x = range_of(known[0]);
  if (!width || *width <= 0) return;
  result.grid = result.type == R ? known[1].grid : std::nullopt;
  null_unless_finite(known, result);
  if (!x) {
    result.nullable = true;
    return;
  }
  const auto at = [&](const Rational& end, bool up) -> Cell {
    const Cell number = result.type == R
                            ? Cell{up ? end.to_double_up() : end.to_double_down()}
                            : Cell{static_cast<std::int64_t>(to_int64_saturating(up ? end.ceil() : end.floor()))};
    const std::array<Cell, 2> cells = {number, known[1].values->front()};
    return Kernel<bin>::for_cells(cells);
  };
  const auto low = exact(at(x->low, true)), high = exact(at(x->high, false));
  if (!low || !high) result.nullable = true;
  if (low && high && *low <= *high) set_range(result, {*low, *high});
}

std::string clamp_form(std::string_view kept) {
  return fmt::format("(CASE WHEN {} AND $2 <= $3 THEN LEAST(GREATEST($1, $2), $3) END)", kept);
}

template <auto kernel>
Function clamp_row(Type type, std::string postgresql, std::string spark) {
  return row<kernel>(typed("clamp", type), "clamp", "CLAMP(x, low, high)", kGroup, {type, type, type}, type,
                     "x, or the bound that it lies beyond; infinities become bounds", "low > high, or NaN",
                     clamped_facts, std::move(postgresql), std::move(spark));
}

void add_clamps(std::vector<Function>& f) {
  const std::string whole = clamp_form("$1 IS NOT NULL");
  f.push_back(clamp_row<clamp_whole>(I, whole, whole));
  f.push_back(clamp_row<clamp_real>(R, put(kPostgresFinite, {clamp_form("$1 < 'NaN'::float8")}),
                                    spark_finite(clamp_form("$1 < double('NaN')"))));
  f.push_back(clamp_row<clamp_whole>(D, whole, whole));
  f.push_back(clamp_row<clamp_whole>(M, whole, whole));
}

void add_width_bucket(std::vector<Function>& f) {
  const auto form = [](std::string_view quotient, std::string_view nan, std::string_view whole, std::string_view real) {
    return fmt::format(
        "(CASE WHEN $1 < {1} AND $2 < $3 AND abs($2) <= 1e300 AND abs($3) <= 1e300 AND $4 BETWEEN 1 AND 1000000000 "
        "THEN "
        "CASE WHEN $1 < $2 THEN 0 WHEN $1 >= $3 THEN $4 + 1 "
        "ELSE LEAST(CAST(floor({0} * CAST($4 AS {3})) AS {2}), $4 - 1) + 1 END END)",
        quotient, nan, whole, real);
  };
  f.push_back(with_constants(
      row<bucket_of>("width_bucket", "width_bucket", "WIDTH_BUCKET(x, low, high, n)", kGroup, {R, R, R, I}, I,
                     "which of n buckets of the same width from low to high: 1 to n, 0 below, n + 1 from high on; all "
                     "but x constants",
                     "NaN, low >= high, a bound beyond 1e300, or n not from 1 to 1,000,000,000", bucket_facts,
                     form(put(kPostgresDivide, {"($1 - $2)", "($3 - $2)"}), "'NaN'::float8", "bigint", "float8"),
                     form("(($1 - $2) / ($3 - $2))", "double('NaN')", "BIGINT", "DOUBLE")),
      3));
}

}  // namespace

void add_buckets(Table& table) {
  auto& f = table.functions;
  add_clamps(f);
  add_width_bucket(f);
  f.push_back(with_constants(
      row<bin_whole>("bin_integer", "bin", "BIN(x, width)", kGroup, {I, I}, I,
                     "the largest multiple of the width not above x; the width a constant",
                     "width <= 0, or beyond 64 bits", bin_facts<bin_whole>,
                     postgres_whole("(CASE WHEN $2 > 0 THEN $1::numeric - mod(mod($1::numeric, $2) + $2, $2) END)"),
                     "(CASE WHEN $2 > 0 THEN try_subtract($1, pmod($1, $2)) END)"),
      1));
  const std::string quotient = put(kPostgresDivide, {"$1", "$2"});
  f.push_back(with_constants(
      row<bin_real>(
          "bin_real", "bin", "BIN(x, width)", kGroup, {R, R}, R,
          "the largest multiple of the width not above x; the width a constant", "width <= 0, or not finite",
          bin_facts<bin_real>,
          "(CASE WHEN $2 > 0 THEN " + put(kPostgresMultiply, {"floor(" + quotient + ")", "$2"}) + " END)",
          spark_finite("(CASE WHEN $2 > 0 THEN CAST(floor(" + spark_finite("($1 / $2)") + ") AS DOUBLE) * $2 END)")),
      1));
}

}  // namespace dither::plan::detail
