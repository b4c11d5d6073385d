// Casts. What cannot be read as the other type is NULL.
#include <array>
#include <charconv>
#include <cstdlib>

#include "plan/detail/rules.h"
#include "plan/detail/spellings.h"

namespace dither::plan::detail {

namespace {

constexpr std::string_view kGroup = "casts";
constexpr std::size_t kLongestNumber = 40;  // characters of a text that is read as a number

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return text;
}

std::size_t digits(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  return n;
}

// [+-]digits
bool whole_from(std::string_view typed, std::int64_t& value) {
  const std::string_view plain = without_sign(typed);
  if (plain.empty() || plain.size() > kLongestNumber || digits(plain) != plain.size()) return false;
  constexpr std::size_t kSurelyFit = 18;
  std::int64_t first = 0;
  for (const char c : plain.substr(0, kSurelyFit)) first = first * 10 + (c - '0');
  Int128 sum = first;
  for (std::size_t i = kSurelyFit; i < plain.size(); ++i) {
    sum = sum * 10 + (plain[i] - '0');
    if (sum > Int128{1} << 64) return false;
  }
  if (typed[0] == '-') sum = -sum;
  value = static_cast<std::int64_t>(sum);
  return value == sum;
}

// [+-]digits[.digits][e[+-]digits], with at least a digit before or behind the point and at most four in the exponent.
bool is_real(std::string_view typed) {
  if (typed.size() > kLongestNumber) return false;
  std::string_view rest = without_sign(typed);
  std::size_t before = digits(rest), behind = 0;
  rest.remove_prefix(before);
  if (!rest.empty() && rest[0] == '.') {
    behind = digits(rest.substr(1));
    rest.remove_prefix(1 + behind);
  }
  if (before + behind == 0) return false;
  if (rest.empty()) return true;
  if (rest[0] != 'e' && rest[0] != 'E') return false;
  rest = without_sign(rest.substr(1));
  return !rest.empty() && rest.size() <= 4 && digits(rest) == rest.size();
}
// The nearest double. from_chars says nothing of what is too small or too large.
bool real_from(std::string_view typed, double& value) {
  if (!is_real(typed)) return false;
  const std::string_view unsigned_text = typed[0] == '+' ? typed.substr(1) : typed;
  const char* end = unsigned_text.data() + unsigned_text.size();
  if (std::from_chars(unsigned_text.data(), end, value).ec == std::errc()) return true;
  value = std::strtod(std::string(unsigned_text).c_str(), nullptr);
  return true;
}

bool truth_from(std::string_view typed, bool& value) {
  if (typed.empty() || typed.size() > 5) return false;
  std::array<char, 5> lower{};
  for (std::size_t i = 0; i < typed.size(); ++i) {
    const char c = typed[i];
    lower.at(i) = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  const std::string_view word(lower.data(), typed.size());
  value = word == "true" || word == "t" || word == "1";
  return value || word == "false" || word == "f" || word == "0";
}

// Half to even: the rounding mode of the process is to nearest.
bool rounded(double value, std::int64_t& whole) {
  const double near = std::nearbyint(value);
  if (!(near >= -0x1p63 && near < 0x1p63)) return false;
  whole = static_cast<std::int64_t>(near);
  return true;
}

void rounded_facts(Known known, Facts& result) {
  null_unless_finite(known, result);
  const auto a = range_of(known[0]);
  if (!a) return;
  set_range(result, {floor_of(a->low), ceil_of(a->high)});
}

// Doubles near a whole number: its own ends, outward.
void as_real(Known known, Facts& result) {
  null_with_arguments(known, result);
  set_range(result, *range_of(known[0]));
  result.grid = Rational(1);
}

void day_of_moment(Known known, Facts& result) {
  null_with_arguments(known, result);
  const auto a = range_of(known[0]);
  set_range(result, {floor_of(a->low / kMicrosecondsPerDay), floor_of(a->high / kMicrosecondsPerDay)});
}

void moment_of_day(Known known, Facts& result) {
  null_with_arguments(known, result);
  const auto a = range_of(known[0]);
  set_range(result, {a->low * kMicrosecondsPerDay, a->high * kMicrosecondsPerDay});
}

Int128 days_of(std::int64_t moment) {
  return (static_cast<Int128>(moment) - kFirstMicrosecond) / kMicrosecondsPerDay + kFirstDay;
}

void add_to_boolean(std::vector<Function>& f) {
  f.push_back(row(
      "boolean_of_integer", "cast boolean", "CAST(x AS boolean)", kGroup, {I}, B, "false for 0, true otherwise", "",
      [](Cells c) { return Cell{whole(c[0]) != 0}; }, nullptr, same("($1 <> 0)")));
  f.push_back(
      row<truth_from>("boolean_of_text", "cast boolean", "CAST(x AS boolean)", kGroup, {T}, B,
                      "true, t, 1, false, f, 0, in capitals too", "any other text", nullptr,
                      "(CASE WHEN $1 ~* '^(true|t|1)$' THEN true WHEN $1 ~* '^(false|f|0)$' THEN false END)",
                      "(CASE WHEN $1 RLIKE '^(?i)(true|t|1)\\\\z' THEN true WHEN $1 RLIKE '^(?i)(false|f|0)\\\\z' "
                      "THEN false END)"));
}

void add_to_integer(std::vector<Function>& f) {
  f.push_back({"integer_of_boolean",
               "cast integer",
               "CAST(x AS integer)",
               kGroup,
               {B},
               I,
               "1 for true, 0 for false",
               "",
               [](Cells c) { return Cell{std::int64_t{truth(c[0])}}; },
               between<0, 1>,
               {"CAST($1 AS BIGINT)", "CAST(CAST($1 AS int) AS bigint)", "CAST($1 AS BIGINT)"}});
  f.push_back(row<rounded>(
      "integer_of_real", "cast integer", "CAST(x AS integer)", kGroup, {R}, I, "the nearest whole number, half to even",
      "beyond 64 bits, or not finite", rounded_facts,
      "(SELECT CASE WHEN x >= -9223372036854775808::float8 AND x < 9223372036854775808::float8 THEN x::bigint "
      "END FROM (SELECT $1::float8 AS x) AS v)",
      "(CASE WHEN rint($1) >= -9.223372036854775808E18D AND rint($1) < 9.223372036854775808E18D "
      "THEN CAST(rint($1) AS BIGINT) END)"));
  f.push_back(row<whole_from>("integer_of_text", "cast integer", "CAST(x AS integer)", kGroup, {T}, I,
                              "decimal digits with an optional sign and nothing else",
                              "any other text, or beyond 64 bits", nullptr,
                              "(CASE WHEN $1 ~ '^[+-]?[0-9]{1,40}$' THEN " + postgres_whole("$1::numeric") + " END)",
                              "(CASE WHEN $1 RLIKE '^[+-]?[0-9]{1,40}\\\\z' THEN try_cast($1 AS BIGINT) END)"));
}

void add_to_real(std::vector<Function>& f) {
  f.push_back(row("real_of_integer", "cast real", "CAST(x AS real)", kGroup, {I}, R, "the nearest real", "",
                  [](Cells c) { return real(static_cast<double>(whole(c[0]))); }, as_real,
                  {"CAST($1 AS DOUBLE)", "CAST($1 AS float8)", "CAST($1 AS DOUBLE)"}));
  f.push_back(row<real_from>(
      "real_of_text", "cast real", "CAST(x AS real)", kGroup, {T}, R,
      "a decimal number such as -1.5e3, of at most 40 characters",
      "any other text (NaN and Infinity too), or not finite", nullptr,
      "(SELECT CASE WHEN length(t) <= 40 AND t ~ '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,4})?$' THEN "
      "CASE WHEN abs(t::numeric) >= '1.797693134862315807937e308'::numeric THEN NULL "
      "WHEN abs(t::numeric) <= '2.470328229206232720883e-324'::numeric THEN 0 "
      "ELSE t::float8 END END FROM (SELECT $1 AS t) AS v)",
      "(CASE WHEN length($1) <= 40 AND $1 RLIKE "
      "'^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,4})?\\\\z' THEN " +
          spark_finite("try_cast($1 AS DOUBLE)") + " END)"));
}

void add_to_text(std::vector<Function>& f) {
  f.push_back(gives_bytes([](Known) { return std::uint64_t{5}; },
                          row("text_of_boolean", "cast text", "CAST(x AS text)", kGroup, {B}, T, "true or false", "",
                              [](Cells c) { return Cell{std::string(truth(c[0]) ? "true" : "false")}; }, nullptr,
                              {"CAST($1 AS VARCHAR)", "CAST($1 AS text)", "CAST($1 AS STRING)"})));
  f.push_back(gives_bytes([](Known) { return std::uint64_t{20}; },
                          row("text_of_integer", "cast text", "CAST(x AS text)", kGroup, {I}, T, "its decimal digits",
                              "", [](Cells c) { return Cell{std::to_string(whole(c[0]))}; }, nullptr,
                              {"CAST($1 AS VARCHAR)", "CAST($1 AS text)", "CAST($1 AS STRING)"})));
  f.push_back(gives_bytes([](Known) { return std::uint64_t{10}; },
                          row("text_of_date", "cast text", "CAST(x AS text)", kGroup, {D}, T, "such as 2024-02-29", "",
                              [](Cells c) { return Cell{date_text(whole(c[0]))}; }, nullptr,
                              {"CAST($1 AS VARCHAR)", "to_char($1, 'YYYY-MM-DD')", "date_format($1, 'yyyy-MM-dd')"})));
}

void add_to_dates(std::vector<Function>& f) {
  f.push_back(row<date_from>(
      "date_of_text", "cast date", "CAST(x AS date)", kGroup, {T}, D, "such as 2024-02-29", "any other text", nullptr,
      "(SELECT CASE WHEN t ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' AND left(t, 4) <> '0000' THEN "
      "CASE WHEN right(t, 2)::int <= extract(day FROM make_date(left(t, 4)::int, substr(t, 6, 2)::int, 1) + "
      "interval '1 month' - interval '1 day') THEN t::date END END FROM (SELECT $1 AS t) AS v)",
      "(CASE WHEN $1 RLIKE '^[0-9]{4}-[0-9]{2}-[0-9]{2}\\\\z' AND $1 >= '0001' THEN try_cast($1 AS DATE) END)"));
  f.push_back(row(
      "date_of_timestamp", "cast date", "CAST(x AS date)", kGroup, {M}, D, "the day it lies in", "",
      [](Cells c) { return day(days_of(whole(c[0]))); }, day_of_moment, same("CAST($1 AS DATE)")));
  f.push_back(row<timestamp_from>(
      "timestamp_of_text", "cast timestamp", "CAST(x AS timestamp)", kGroup, {T}, M,
      "such as 2024-02-29 12:00:00.25, or with T between day and time; a day alone is its midnight", "any other text",
      nullptr,
      "(SELECT CASE WHEN t ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
      "([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?Z?)?$' AND left(t, 4) <> '0000' THEN "
      "CASE WHEN substr(t, 9, 2)::int <= extract(day FROM make_date(left(t, 4)::int, substr(t, 6, 2)::int, 1) "
      "+ interval '1 month' - interval '1 day') THEN t::timestamp END END FROM (SELECT $1 AS t) AS v)",
      "(CASE WHEN $1 RLIKE '^[0-9]{4}-[0-9]{2}-[0-9]{2}([T "
      "]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?Z?)?"
      "\\\\z' AND $1 >= '0001' THEN try_cast(regexp_replace($1, 'Z', '') AS TIMESTAMP_NTZ) END)"));
  f.push_back(row("timestamp_of_date", "cast timestamp", "CAST(x AS timestamp)", kGroup, {D}, M, "its midnight", "",
                  [](Cells c) { return moment(static_cast<Int128>(whole(c[0])) * kMicrosecondsPerDay); }, moment_of_day,
                  {"CAST($1 AS TIMESTAMP)", "CAST($1 AS TIMESTAMP)", "CAST($1 AS TIMESTAMP_NTZ)"}));
}

}  // namespace

void add_casts(Table& table) {
  auto& f = table.functions;
  add_to_boolean(f);
  add_to_integer(f);
  add_to_real(f);
  add_to_text(f);
  add_to_dates(f);
  for (const Type type : kTypes) {
    f.push_back(gives_bytes(as_first, row(
                                          typed("same_type", type), kept(fmt::format("cast {}", type_name(type))),
                                          kept(fmt::format("CAST(x AS {})", type_name(type))), kGroup, {type}, type,
                                          "itself", "", [](Cells c) { return c[0]; },
                                          [](Known known, Facts& result) { result = known[0]; }, same("$1"))));
  }
}

}  // namespace dither::plan::detail
