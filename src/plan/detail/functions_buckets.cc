// Clamping and bucketing.
#include <array>

#include "plan/detail/postgresql.h"
#include "plan/detail/rules.h"
#include "plan/detail/spellings.h"

namespace dither::plan::detail {

namespace {

constexpr std::string_view kGroup = "buckets";

Cell clamped(Cells c) {
  if (order(c[1], c[2]) > 0) return {};
  if (std::holds_alternative<double>(c[0]) && std::isnan(number(c[0]))) return {};
  const Cell& raised = order(c[0], c[1]) < 0 ? c[1] : c[0];
  const Cell& result = order(raised, c[2]) > 0 ? c[2] : raised;
  return std::holds_alternative<double>(result) ? real(number(result)) : result;
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
Cell bucket_of(Cells c) {
  const double x = number(c[0]), low = number(c[1]), high = number(c[2]);
  const std::int64_t n = whole(c[3]);
  if (std::isnan(x) || !(low < high) || std::fabs(low) > 1e300 || std::fabs(high) > 1e300) return {};
  if (n < 1 || n > 1'000'000'000) return {};
  if (x < low) return std::int64_t{0};
  if (x >= high) return n + 1;
  const auto bucket = static_cast<std::int64_t>(std::floor((x - low) / (high - low) * static_cast<double>(n)));
  return std::min(bucket, n - 1) + 1;
}

// Rises with x.
void bucket_facts(Known known, Facts& result) {
  const auto constant = [&](std::size_t i) { return known[i].values ? known[i].values->front() : Cell{}; };
  const auto at = [&](double x) {
    const std::array<Cell, 4> cells = {x, constant(1), constant(2), constant(3)};
    return bucket_of(cells);
  };
  if (is_null(constant(1)) || is_null(constant(2)) || is_null(constant(3)) || is_null(at(0))) return;
  null_unless_finite(known, result);
  const auto x = range_of(known[0]);
  const Cell low = at(x ? x->low.to_double_up() : -HUGE_VAL), high = at(x ? x->high.to_double_down() : HUGE_VAL);
  if (whole(low) <= whole(high)) set_range(result, {whole(low), whole(high)});
}

Cell bin_whole(Cells c) {
  const Int128 x = whole(c[0]), width = whole(c[1]);
  if (width <= 0) return {};
  const Int128 low = x - ((x % width) + width) % width;
  return low < INT64_MIN ? Cell{} : Cell{static_cast<std::int64_t>(low)};
}
Cell bin_real(Cells c) {
  const double x = number(c[0]), width = number(c[1]);
  if (!std::isfinite(x) || !std::isfinite(width) || width <= 0) return {};
  const double quotient = x / width;
  return std::isfinite(quotient) ? real(std::floor(quotient) * width) : Cell{};
}

// Rises with x; the width is a constant.
template <Cell (*bin)(Cells)>
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
    return bin(Cells(cells));
  };
  const auto low = exact(at(x->low, true)), high = exact(at(x->high, false));
  if (!low || !high) result.nullable = true;
  if (low && high && *low <= *high) set_range(result, {*low, *high});
}

void add_clamps(std::vector<Function>& f) {
  for (const Type type : {I, R, D, M}) {
    const std::string form = "(CASE WHEN {} AND $2 <= $3 THEN LEAST(GREATEST($1, $2), $3) END)";
    Spelling spelling = same(kept(fmt::format(fmt::runtime(form), "$1 IS NOT NULL")));
    if (type == R) {
      spelling = spelled(duckdb_finite(fmt::format(fmt::runtime(form), "$1 < 'NaN'::DOUBLE")),
                         put(kPostgresFinite, {fmt::format(fmt::runtime(form), "$1 < 'NaN'::float8")}),
                         spark_finite(fmt::format(fmt::runtime(form), "$1 < double('NaN')")));
    }
    f.push_back(row(typed("clamp", type), "clamp", "CLAMP(x, low, high)", kGroup, {type, type, type}, type,
                    "x, or the bound that it lies beyond; infinities become bounds", "low > high, or NaN", clamped,
                    clamped_facts, spelling));
  }
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
      row("width_bucket", "width_bucket", "WIDTH_BUCKET(x, low, high, n)", kGroup, {R, R, R, I}, I,
          "which of n buckets of the same width from low to high: 1 to n, 0 below, n + 1 from high on; all but x "
          "constants",
          "NaN, low >= high, a bound beyond 1e300, or n not from 1 to 1,000,000,000", bucket_of, bucket_facts,
          spelled(form("(($1 - $2) / ($3 - $2))", "'NaN'::DOUBLE", "BIGINT", "DOUBLE"),
                  form(put(kPostgresDivide, {"($1 - $2)", "($3 - $2)"}), "'NaN'::float8", "bigint", "float8"),
                  form("(($1 - $2) / ($3 - $2))", "double('NaN')", "BIGINT", "DOUBLE"))),
      3));
}

}  // namespace

void add_buckets(Table& table) {
  auto& f = table.functions;
  add_clamps(f);
  add_width_bucket(f);
  f.push_back(with_constants(
      row("bin_integer", "bin", "BIN(x, width)", kGroup, {I, I}, I,
          "the largest multiple of the width not above x; the width a constant", "width <= 0, or beyond 64 bits",
          bin_whole, bin_facts<bin_whole>,
          spelled(duckdb_whole("(CASE WHEN $2 > 0 THEN $1::HUGEINT - (($1::HUGEINT % $2) + $2) % $2 END)"),
                  postgres_whole("(CASE WHEN $2 > 0 THEN $1::numeric - mod(mod($1::numeric, $2) + $2, $2) END)"),
                  "(CASE WHEN $2 > 0 THEN try_subtract($1, pmod($1, $2)) END)")),
      1));
  const std::string quotient = put(kPostgresDivide, {"$1", "$2"});
  f.push_back(with_constants(
      row("bin_real", "bin", "BIN(x, width)", kGroup, {R, R}, R,
          "the largest multiple of the width not above x; the width a constant", "width <= 0, or not finite", bin_real,
          bin_facts<bin_real>,
          spelled(duckdb_finite("(CASE WHEN $2 > 0 THEN floor(" + duckdb_finite("($1 / $2)") + ") * $2 END)"),
                  "(CASE WHEN $2 > 0 THEN " + put(kPostgresMultiply, {"floor(" + quotient + ")", "$2"}) + " END)",
                  spark_finite("(CASE WHEN $2 > 0 THEN CAST(floor(" + spark_finite("($1 / $2)") +
                               ") AS DOUBLE) * $2 END)"))),
      1));
}

}  // namespace dither::plan::detail
