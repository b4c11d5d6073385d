// Parts of dates and timestamps.
#include "plan/detail/calendar.h"
#include "plan/detail/rules.h"
#include "plan/detail/spellings.h"

namespace dither::plan::detail {

namespace {

constexpr std::string_view kGroup = "dates";

using Part = std::int64_t (*)(std::int64_t days);

// Of a date, and of the day that a timestamp lies in.
template <Part part>
Cell of_date(Cells c) {
  return part(whole(c[0]));
}
template <Part part>
Cell of_timestamp(Cells c) {
  return part(day_of_moment(whole(c[0])));
}
template <Part part>
Cell of_moment(Cells c) {
  return part(whole(c[0]));
}

// Of what rises with time: its values at both ends.
template <Cell (*part)(Cells)>
void rising(Known known, Facts& result) {
  const auto a = range_of(known[0]);
  const Cell low = static_cast<std::int64_t>(a->low.ceil()), high = static_cast<std::int64_t>(a->high.floor());
  if (order(low, high) > 0) return;
  set_range(result, {whole(part(Cells(&low, 1))), whole(part(Cells(&high, 1)))});
}

std::int64_t year(std::int64_t days) { return civil_of(days).year; }
std::int64_t iso_year(std::int64_t days) { return iso_week_of(days).year; }
std::int64_t decade(std::int64_t days) { return civil_of(days).year / 10; }
std::int64_t century(std::int64_t days) { return (civil_of(days).year + 99) / 100; }
std::int64_t quarter(std::int64_t days) { return (civil_of(days).month + 2) / 3; }
std::int64_t month(std::int64_t days) { return civil_of(days).month; }
std::int64_t week(std::int64_t days) { return iso_week_of(days).week; }
std::int64_t day_of_month(std::int64_t days) { return civil_of(days).day; }
std::int64_t day_of_week(std::int64_t days) { return weekday_of(days) % 7; }
std::int64_t iso_day_of_week(std::int64_t days) { return weekday_of(days); }
std::int64_t day_of_year(std::int64_t days) { return days - days_of({civil_of(days).year, 1, 1}) + 1; }
std::int64_t seconds_of_days(std::int64_t days) { return days * 86'400; }

std::int64_t time_in_day(std::int64_t moment) { return (moment - kFirstMicrosecond) % kMicrosecondsPerDay; }
std::int64_t hour(std::int64_t moment) { return time_in_day(moment) / 3'600'000'000; }
std::int64_t minute(std::int64_t moment) { return time_in_day(moment) / 60'000'000 % 60; }
std::int64_t second(std::int64_t moment) { return time_in_day(moment) / 1'000'000 % 60; }
bool epoch(std::int64_t moment, std::int64_t& seconds) {
  constexpr std::int64_t kSecondsBefore = kFirstMicrosecond / 1'000'000;
  seconds = (moment - kFirstMicrosecond) / 1'000'000 + kSecondsBefore;
  return true;
}

Spelling extracted(std::string_view part, std::string_view spark) {
  return spelled(fmt::format("CAST(extract({} FROM $1) AS BIGINT)", part),
                 fmt::format("floor(extract({} FROM $1))::bigint", part), fmt::format("CAST({} AS BIGINT)", spark));
}

struct Row {
  std::string_view part, does;
  Cell (*date)(Cells);
  Cell (*timestamp)(Cells);
  void (*date_facts)(Known, Facts&);
  void (*timestamp_facts)(Known, Facts&);
  std::string_view spark;
};

template <Part part>
constexpr Row risen(std::string_view name, std::string_view does, std::string_view spark) {
  return {name, does, of_date<part>, of_timestamp<part>, rising<of_date<part>>, rising<of_timestamp<part>>, spark};
}
template <Part part, long low, long high>
constexpr Row cyclic(std::string_view name, std::string_view does, std::string_view spark) {
  return {name, does, of_date<part>, of_timestamp<part>, between<low, high>, between<low, high>, spark};
}
template <Part part, long low, long high>
constexpr Row clock(std::string_view name, std::string_view does, std::string_view spark) {
  return {name, does, nullptr, of_moment<part>, nullptr, between<low, high>, spark};
}

const Row kRows[] = {
    risen<year>("year", "the year", "extract(YEAR FROM $1)"),
    risen<iso_year>("isoyear", "the year that the ISO week belongs to", "extract(YEAROFWEEK FROM $1)"),
    risen<decade>("decade", "the year divided by ten", "floor(extract(YEAR FROM $1) / 10)"),
    risen<century>("century", "1 for the years 1 to 100", "floor((extract(YEAR FROM $1) + 99) / 100)"),
    cyclic<quarter, 1, 4>("quarter", "1 to 4", "extract(QUARTER FROM $1)"),
    cyclic<month, 1, 12>("month", "1 to 12", "extract(MONTH FROM $1)"),
    cyclic<week, 1, 53>("week", "the ISO week, 1 to 53", "extract(WEEK FROM $1)"),
    cyclic<day_of_month, 1, 31>("day", "the day of the month", "extract(DAY FROM $1)"),
    cyclic<day_of_week, 0, 6>("dow", "0 for Sunday to 6 for Saturday", "extract(DAYOFWEEK FROM $1) - 1"),
    cyclic<iso_day_of_week, 1, 7>("isodow", "1 for Monday to 7 for Sunday", "extract(DAYOFWEEK_ISO FROM $1)"),
    cyclic<day_of_year, 1, 366>("doy", "the day of the year", "extract(DOY FROM $1)"),
    clock<hour, 0, 23>("hour", "0 to 23", "extract(HOUR FROM $1)"),
    clock<minute, 0, 59>("minute", "0 to 59", "extract(MINUTE FROM $1)"),
    clock<second, 0, 59>("second", "0 to 59, without its fraction", "floor(extract(SECOND FROM $1))"),
};

template <TimeUnit unit>
bool cut_date(std::int64_t days, std::int64_t& first) {
  return first = first_day_of(unit, days), true;
}
template <TimeUnit unit>
bool cut_moment(std::int64_t moment, std::int64_t& first) {
  return first = first_moment_of(unit, moment), true;
}

// DuckDB's own is not used: comparing it with a constant gives false for NULL (1.5.6).
template <TimeUnit unit>
void add_unit(std::vector<Function>& f, std::string_view name) {
  const auto sql = kept(fmt::format("date_trunc {}", name)), usage = kept(fmt::format("DATE_TRUNC('{}', d)", name));
  const auto does = kept(fmt::format("the first moment of its {}", name));
  if constexpr (unit <= TimeUnit::day) {
    f.push_back(row<cut_date<unit>>(kept(fmt::format("trunc_{}_date", name)), sql, usage, kGroup, {D}, D, does, "",
                                    rising<Kernel<cut_date<unit>>::for_cells>,
                                    fmt::format("date_trunc('{}', $1::timestamp)::date", name),
                                    unit == TimeUnit::day ? "$1" : fmt::format("trunc($1, '{}')", name)));
  }
  f.push_back(row<cut_moment<unit>>(kept(fmt::format("trunc_{}_timestamp", name)), sql, usage, kGroup, {M}, M, does, "",
                                    rising<Kernel<cut_moment<unit>>::for_cells>,
                                    fmt::format("date_trunc('{}', $1)", name),
                                    fmt::format("CAST(date_trunc('{}', $1) AS TIMESTAMP_NTZ)", name)));
}

}  // namespace

void add_date_parts(Table& table) {
  auto& f = table.functions;
  for (const Row& part : kRows) {
    const auto sql = kept(fmt::format("extract {}", part.part));
    std::string upper(part.part);
    for (char& c : upper) c = static_cast<char>(c - 'a' + 'A');
    const auto usage = kept(fmt::format("EXTRACT({} FROM d)", upper));
    if (part.date != nullptr) {
      f.push_back(row(typed(part.part, D), sql, usage, kGroup, {D}, I, part.does, "", part.date, part.date_facts,
                      extracted(part.part, part.spark)));
    }
    f.push_back(row(typed(part.part, M), sql, usage, kGroup, {M}, I, part.does, "", part.timestamp,
                    part.timestamp_facts, extracted(part.part, part.spark)));
  }
  const std::string_view does = "whole seconds since 1970-01-01 00:00";
  f.push_back(
      row("epoch_date", "extract epoch", "EXTRACT(EPOCH FROM d)", kGroup, {D}, I, does, "", of_date<seconds_of_days>,
          rising<of_date<seconds_of_days>>,
          spelled("(CAST($1 - DATE '1970-01-01' AS BIGINT) * 86400)", "(($1 - DATE '1970-01-01')::bigint * 86400)",
                  "(CAST(datediff($1, DATE '1970-01-01') AS BIGINT) * 86400)")));
  f.push_back(row<epoch>("epoch_timestamp", "extract epoch", "EXTRACT(EPOCH FROM d)", kGroup, {M}, I, does, "",
                         rising<Kernel<epoch>::for_cells>, "floor(extract(epoch FROM $1))::bigint",
                         "unix_seconds(CAST($1 AS TIMESTAMP))"));
  add_unit<TimeUnit::year>(f, "year");
  add_unit<TimeUnit::quarter>(f, "quarter");
  add_unit<TimeUnit::month>(f, "month");
  add_unit<TimeUnit::week>(f, "week");
  add_unit<TimeUnit::day>(f, "day");
  add_unit<TimeUnit::hour>(f, "hour");
  add_unit<TimeUnit::minute>(f, "minute");
  add_unit<TimeUnit::second>(f, "second");
}

}  // namespace dither::plan::detail
