// Steps from day to day and from moment to moment. What leaves the years 1 to 9999 is NULL.
#include "plan/detail/calendar.h"
#include "plan/detail/rules.h"
#include "plan/detail/spellings.h"

namespace dither::plan::detail {

namespace {

constexpr std::string_view kGroup = "dates";
constexpr std::string_view kOutside = "outside the years 1 to 9999";

// Whether it lies within the years 1 to 9999.
bool day(Int128 days, std::int64_t& result) {
  return result = static_cast<std::int64_t>(days), days >= kFirstDay && days <= kLastDay;
}

template <int sign>
bool days_later(std::int64_t days, std::int64_t step, std::int64_t& result) {
  return day(static_cast<Int128>(days) + sign * static_cast<Int128>(step), result);
}
template <int sign>
void days_later_facts(Known known, Facts& result) {
  null_with_arguments(known, result);
  const auto a = range_of(known[0]), n = range_of(known[1]);
  set_range(result, sign > 0 ? sum(*a, *n) : difference(*a, *n));
}

void days_between_facts(Known known, Facts& result) {
  set_range(result, difference(*range_of(known[0]), *range_of(known[1])));
}

void moments_later_facts(Known known, Facts& result) {
  null_with_arguments(known, result);
  set_range(result, sum(*range_of(known[0]), *range_of(known[1])));
}

bool microseconds_later(std::int64_t moment, std::int64_t step, std::int64_t& result) {
  return !__builtin_add_overflow(moment, step, &result) && result >= kFirstMicrosecond && result <= kLastMicrosecond;
}

bool date_from_parts(std::int64_t year, std::int64_t month, std::int64_t day, std::int64_t& days) {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) return false;
  days = days_of({year, month, day});
  return true;
}
void date_from_parts_facts(Known known, Facts& result) {
  const auto years = overlap(*range_of(known[0]), {1, 9999});
  if (!years) return;
  set_range(result, {days_of({static_cast<std::int64_t>(years->low.ceil()), 1, 1}),
                     days_of({static_cast<std::int64_t>(years->high.floor()), 12, 31})});
}

std::int64_t month_end(std::int64_t days) {
  const Civil civil = civil_of(days);
  return days_of({civil.year, civil.month, days_in_month(civil.year, civil.month)});
}

// Days since 0001-01-01 with a step that is cut far outside the calendar, then an end that becomes NULL; NULLs, which
// GREATEST and LEAST leave out, end there too.
std::string days_form(std::string_view since, char sign) {
  return fmt::format("NULLIF(NULLIF(LEAST(GREATEST({0} {1} LEAST(GREATEST($2, {2}), {3}), -1), 3652059), -1), 3652059)",
                     since, sign, sign == '+' ? "-4000000" : "-4000001", sign == '+' ? "4000001" : "4000000");
}
template <int sign>
Function days_row(std::string_view name, std::string_view sql, std::string_view usage, std::string_view does) {
  const char step = sign > 0 ? '+' : '-';
  return row<days_later<sign>>(
      name, sql, usage, kGroup, {D, I}, D, does, kOutside, days_later_facts<sign>,
      fmt::format("(DATE '0001-01-01' + {}::int)", days_form("($1 - DATE '0001-01-01')", step)),
      fmt::format("date_add(DATE '0001-01-01', CAST({} AS INT))", days_form("datediff($1, DATE '0001-01-01')", step)));
}

constexpr std::string_view kMomentForm =
    "NULLIF(NULLIF(LEAST(GREATEST({0} + $2, -62135596800000001), 253402300800000000), -62135596800000001), "
    "253402300800000000)";

void add_steps(std::vector<Function>& f) {
  f.push_back(days_row<1>("add_days", "+", "d + n", "n days later"));
  f.push_back(days_row<-1>("subtract_days", "-", "d - n", "n days earlier"));
  f.push_back(row(
      "days_between", "-", "d - e", kGroup, {D, D}, I, "how many days from e to d", "",
      [](Cells c) { return Cell{whole(c[0]) - whole(c[1])}; }, days_between_facts,
      spelled("CAST($1 - $2 AS BIGINT)", "($1 - $2)::bigint", "CAST(datediff($1, $2) AS BIGINT)")));
  f.push_back(with_constants(
      row<microseconds_later>(
          "add_microseconds", "add_microseconds", "ADD_MICROSECONDS(m, n)", kGroup, {M, I}, M,
          "n microseconds later; n constant", kOutside, moments_later_facts,
          fmt::format("(SELECT TIMESTAMP '0001-01-01' + make_interval(days => ((m + 62135596800000000) / "
                      "86400000000)::int) + ((m + 62135596800000000) % 86400000000) * interval '1 microsecond' "
                      "FROM (SELECT ({})::bigint AS m) AS v)",
                      fmt::format(kMomentForm, "(extract(epoch FROM $1) * 1000000)::numeric")),
          fmt::format("CAST(timestamp_micros(CAST({} AS BIGINT)) AS TIMESTAMP_NTZ)",
                      fmt::format(kMomentForm, "CAST(unix_micros(CAST($1 AS TIMESTAMP)) AS DECIMAL(38, 0))"))),
      1));
  f.push_back(row(
      "last_day", "last_day", "LAST_DAY(d)", kGroup, {D}, D, "the last day of its month", "",
      [](Cells c) { return Cell{month_end(whole(c[0]))}; },
      [](Known known, Facts& result) {
        const auto a = range_of(known[0]);
        set_range(result, {month_end(static_cast<std::int64_t>(a->low.ceil())),
                           month_end(static_cast<std::int64_t>(a->high.floor()))});
      },
      spelled("last_day($1)", "(date_trunc('month', $1::timestamp) + interval '1 month' - interval '1 day')::date",
              "last_day($1)")));
  constexpr std::string_view parts = "$1 BETWEEN 1 AND 9999 AND $2 BETWEEN 1 AND 12 AND $3 BETWEEN 1 AND 31";
  f.push_back(row<date_from_parts>(
      "make_date", "make_date", "MAKE_DATE(year, month, day)", kGroup, {I, I, I}, D, "the date of these parts",
      "no such day", date_from_parts_facts,
      fmt::format("(CASE WHEN {} THEN CASE WHEN $3 <= extract(day FROM make_date($1::int, $2::int, 1) + "
                  "interval '1 month' - interval '1 day') THEN make_date($1::int, $2::int, $3::int) END END)",
                  parts),
      fmt::format("(CASE WHEN {} THEN try_cast(format_string('%04d-%02d-%02d', $1, $2, $3) AS DATE) END)", parts)));
}

}  // namespace

void add_date_steps(Table& table) { add_steps(table.functions); }

}  // namespace dither::plan::detail
