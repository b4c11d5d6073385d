// Arithmetic of whole numbers (64 bits; NULL beyond) and of reals (rounded to the nearest double; NULL when not
// finite).
#include <array>

#include "plan/detail/postgresql.h"
#include "plan/detail/rules.h"
#include "plan/detail/spellings.h"

namespace dither::plan::detail {

namespace {

constexpr std::string_view kGroup = "arithmetic";
constexpr std::string_view kBeyond = "beyond 64 bits";
constexpr std::string_view kNotFinite = "not finite";

using Ends = Range (*)(const Range&, const Range&);

template <Ends ends>
void exact_ends(Known known, Facts& result) {
  null_unless_finite(known, result);
  const auto a = range_of(known[0]), b = range_of(known[1]);
  if (a && b) {
    set_range(result, ends(*a, *b));
  } else {
    result.nullable = true;
  }
}

template <Ends ends>
void added(Known known, Facts& result) {
  exact_ends<ends>(known, result);
  if (result.type == R) result.grid = shared_grid(known[0], known[1]);
}

void multiplied(Known known, Facts& result) {
  exact_ends<product>(known, result);
  if (result.type == R && known[0].grid && known[1].grid) result.grid = *known[0].grid * *known[1].grid;
}

void negated(Known known, Facts& result) {
  null_unless_finite(known, result);
  if (const auto a = range_of(known[0])) set_range(result, {-a->high, -a->low});
  result.grid = known[0].grid;
}

void without_sign(Known known, Facts& result) {
  null_unless_finite(known, result);
  result.grid = known[0].grid;
  const auto a = range_of(known[0]);
  if (!a) return;
  const Rational low = abs(a->low), high = abs(a->high);
  set_range(result, {holds(*a, 0) ? Rational(0) : std::min(low, high), std::max(low, high)});
}

Rational toward_zero(const Rational& x) { return x < 0 ? ceil_of(x) : floor_of(x); }

// Quotients over the parts of the divisor's range below and above 0, where they are monotone in both; nothing when the
// divisor can be 0 alone or comes arbitrarily close to it.
std::optional<Range> quotients(const Range& a, const Range& b, bool whole_divisor) {
  std::vector<Rational> ends;
  const auto part = [&](const Rational& low, const Rational& high) {
    for (const Rational& x : {a.low, a.high}) {
      for (const Rational& y : {low, high}) ends.push_back(x / y);
    }
  };
  if (!whole_divisor && holds(b, 0)) return std::nullopt;
  if (b.low < 0) part(b.low, whole_divisor ? std::min(b.high, Rational(-1)) : b.high);
  if (b.high > 0) part(whole_divisor ? std::max(b.low, Rational(1)) : b.low, b.high);
  if (ends.empty()) return std::nullopt;
  return around(ends);
}

void divided(Known known, Facts& result) {
  null_unless_finite(known, result);
  const auto a = range_of(known[0]), b = range_of(known[1]);
  const bool whole_numbers = result.type == I;
  const auto range = a && b ? quotients(*a, *b, whole_numbers) : std::nullopt;
  if (!b || holds(*b, 0) || !range) result.nullable = true;
  if (range) set_range(result, whole_numbers ? Range{toward_zero(range->low), toward_zero(range->high)} : *range);
  const bool constant = known[1].values && known[1].values->size() == 1;
  if (!whole_numbers && known[0].grid && constant && known[1].grid) result.grid = *known[0].grid / *known[1].grid;
}

// The remainder has the sign of a, and is smaller than b and no larger than a.
void remainders(Known known, Facts& result) {
  null_unless_finite(known, result);
  const auto a = range_of(known[0]), b = range_of(known[1]);
  if (!b || holds(*b, 0)) result.nullable = true;
  if (result.type == R) result.grid = shared_grid(known[0], known[1]);
  if (!a && !b) return;
  std::optional<Rational> most;
  if (b) most = std::max(abs(b->low), abs(b->high)) - (result.type == I ? Rational(1) : Rational(0));
  if (b && result.type == I && *most < 0) most = Rational(0);
  const Rational low = a ? a->low : -*most, high = a ? a->high : *most;
  if (!most) most = std::max(abs(low), abs(high));
  set_range(result, {low < 0 ? std::max(low, -*most) : Rational(0), high > 0 ? std::min(high, *most) : Rational(0)});
}

void sign_facts(Known known, Facts& result) {
  null_unless_finite(known, result);
  const auto a = range_of(known[0]);
  set_range(result, {a && a->low >= 0 ? (a->low > 0 ? 1 : 0) : -1, a && a->high <= 0 ? (a->high < 0 ? -1 : 0) : 1});
  if (result.type == R) result.grid = Rational(1);
}

bool add_whole(std::int64_t a, std::int64_t b, std::int64_t& sum) { return !__builtin_add_overflow(a, b, &sum); }
bool subtract_whole(std::int64_t a, std::int64_t b, std::int64_t& difference) {
  return !__builtin_sub_overflow(a, b, &difference);
}
bool multiply_whole(std::int64_t a, std::int64_t b, std::int64_t& product) {
  return !__builtin_mul_overflow(a, b, &product);
}
bool divide_whole(std::int64_t a, std::int64_t b, std::int64_t& quotient) {
  if (b == 0 || (b == -1 && a == INT64_MIN)) return false;
  quotient = a / b;
  return true;
}
bool modulo_whole(std::int64_t a, std::int64_t b, std::int64_t& rest) {
  if (b == 0) return false;
  rest = b == -1 ? 0 : a % b;
  return true;
}
bool negate_whole(std::int64_t a, std::int64_t& negated) { return subtract_whole(0, a, negated); }
bool abs_whole(std::int64_t a, std::int64_t& positive) {
  return a < 0 ? negate_whole(a, positive) : (positive = a, true);
}

bool add_real(double a, double b, double& sum) { return sum = a + b, true; }
bool subtract_real(double a, double b, double& difference) { return difference = a - b, true; }
bool multiply_real(double a, double b, double& product) { return product = a * b, true; }
bool divide_real(double a, double b, double& quotient) { return quotient = a / b, std::isfinite(b); }
bool modulo_real(double a, double b, double& rest) { return rest = std::fmod(a, b), std::isfinite(b); }
bool negate_real(double a, double& negated) { return negated = -a, true; }
bool abs_real(double a, double& positive) { return positive = std::fabs(a), true; }
bool sign_real(double a, double& sign) { return sign = (a > 0) - (a < 0), std::isfinite(a); }

std::string wide(char operation) { return postgres_whole(fmt::format("$1::numeric {} $2::numeric", operation)); }
std::string spark_finite(char operation) { return detail::spark_finite(fmt::format("($1 {} $2)", operation)); }

void add_whole_numbers(std::vector<Function>& f) {
  f.push_back(commutes(row<add_whole>("add_integer", "+", "a + b", kGroup, {I, I}, I, "sum", kBeyond, added<sum>,
                                      wide('+'), "try_add($1, $2)")));
  f.push_back(row<subtract_whole>("subtract_integer", "-", "a - b", kGroup, {I, I}, I, "difference", kBeyond,
                                  added<difference>, wide('-'), "try_subtract($1, $2)"));
  f.push_back(commutes(row<multiply_whole>("multiply_integer", "*", "a * b", kGroup, {I, I}, I, "product", kBeyond,
                                           multiplied, wide('*'), "try_multiply($1, $2)")));
  f.push_back(row<divide_whole>(
      "divide_integer", "/", "a / b", kGroup, {I, I}, I, "quotient; of integers without its fraction, as in PostgreSQL",
      "b is 0, or beyond 64 bits", divided, postgres_whole("trunc(div($1::numeric, NULLIF($2, 0)::numeric))"),
      "CAST(NULLIF(CAST($1 AS DECIMAL(20, 0)) div CAST(NULLIF($2, 0) AS DECIMAL(20, 0)), "
      "-(-9223372036854775807 - 1)) AS BIGINT)"));
  f.push_back(row<modulo_whole>("modulo_integer", "%", "a % b", kGroup, {I, I}, I, "remainder, with the sign of a",
                                "b is 0", remainders, "mod($1::numeric, NULLIF($2, 0)::numeric)::bigint",
                                "CAST(CAST($1 AS DECIMAL(20, 0)) % CAST(NULLIF($2, 0) AS DECIMAL(20, 0)) AS BIGINT)"));
  f.push_back(row<negate_whole>("negate_integer", "neg", "-a", kGroup, {I}, I, "the same with the other sign", kBeyond,
                                negated, postgres_whole("-($1::numeric)"), "try_subtract(0L, $1)"));
  f.push_back(row<abs_whole>("abs_integer", "abs", "ABS(a)", kGroup, {I}, I, "without its sign", kBeyond, without_sign,
                             postgres_whole("abs($1::numeric)"), "abs(NULLIF($1, -9223372036854775807L - 1L))"));
  f.push_back(row("sign_integer", "sign", "SIGN(a)", kGroup, {I}, I, "-1, 0 or 1", "",
                  [](Cells c) { return Cell{std::int64_t{(whole(c[0]) > 0) - (whole(c[0]) < 0)}}; }, sign_facts,
                  {"CAST(sign($1) AS BIGINT)", "sign($1::numeric)::bigint", "CAST(sign($1) AS BIGINT)"}));
}

void add_reals(std::vector<Function>& f) {
  f.push_back(commutes(row<add_real>("add_real", "+", "a + b", kGroup, {R, R}, R, "sum", kNotFinite, added<sum>,
                                     std::string(kPostgresAdd), spark_finite('+'))));
  f.push_back(row<subtract_real>("subtract_real", "-", "a - b", kGroup, {R, R}, R, "difference", kNotFinite,
                                 added<difference>, std::string(kPostgresSubtract), spark_finite('-')));
  f.push_back(commutes(row<multiply_real>("multiply_real", "*", "a * b", kGroup, {R, R}, R, "product", kNotFinite,
                                          multiplied, std::string(kPostgresMultiply), spark_finite('*'))));
  const auto spark_divided = [](char operation) {
    return detail::spark_finite(
        fmt::format("($1 {} NULLIF(NULLIF(NULLIF($2, 0), double('Infinity')), -double('Infinity')))", operation));
  };
  f.push_back(row<divide_real>("divide_real", "/", "a / b", kGroup, {R, R}, R, "quotient", "b is 0, or not finite",
                               divided, std::string(kPostgresDivide), spark_divided('/')));
  f.push_back(row<modulo_real>("modulo_real", "%", "a % b", kGroup, {R, R}, R, "remainder, with the sign of a",
                               "b is 0, or not finite", remainders, "", spark_divided('%')));
  const std::string finite(kPostgresFinite), spark = detail::spark_finite("$1");
  f.push_back(row<negate_real>("negate_real", "neg", "-a", kGroup, {R}, R, "the same with the other sign", kNotFinite,
                               negated, "(0 - " + finite + ")", "(0 - " + spark + ")"));
  f.push_back(row<abs_real>("abs_real", "abs", "ABS(a)", kGroup, {R}, R, "without its sign", kNotFinite, without_sign,
                            "abs(" + finite + ")", "abs(" + spark + ")"));
  f.push_back(row<sign_real>("sign_real", "sign", "SIGN(a)", kGroup, {R}, R, "-1, 0 or 1", kNotFinite, sign_facts,
                             "sign(" + finite + ")", "sign(" + spark + ")"));
}

}  // namespace

void add_arithmetic(Table& table) {
  add_whole_numbers(table.functions);
  add_reals(table.functions);
  table.shorthands.push_back({"mod", "MOD(a, b)", kGroup, "a % b", 2, 2, [](auto a) {
                                return resolve("%", {a[0], a[1]});
                              }});
}

}  // namespace dither::plan::detail
