// Dates as SQL writes them with words: units, intervals and time zones, all constants.
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "plan/detail/interval.h"
#include "plan/detail/rules.h"

namespace dither::plan::detail {

namespace {

constexpr std::string_view kGroup = "dates";

std::string lower(std::string_view typed) {
  std::string result(typed);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

// A word that the statement itself must say.
std::string word(const Expression& expression, std::string_view what) {
  const auto* constant = std::get_if<Constant>(&expression.content());
  const auto* typed = constant == nullptr ? nullptr : std::get_if<std::string>(&constant->value);
  if (typed == nullptr) {
    throw Error{Code::wrong_type, fmt::format("the {} must be a constant text", what),
                "write it as such: 'month', '3 hours', 'UTC'"};
  }
  return lower(*typed);
}

// "date_trunc" and "month" are "date_trunc month"; the unit must be on the list.
Expression with_unit(std::string_view function, const Expression& unit, const Expression& argument) {
  const std::string wanted = word(unit, "unit");
  std::vector<std::string> known;
  for (const Function& row : all_functions()) {
    if (row.sql.substr(0, function.size()) != function || row.sql.size() <= function.size() ||
        row.sql[function.size()] != ' ')
      continue;
    const std::string name(row.sql.substr(function.size() + 1));
    if (name == wanted) return resolve(row.sql, {argument});
    if (known.empty() || known.back() != name) known.push_back(name);
  }
  throw Error{Code::not_supported, fmt::format("there is no unit \"{}\" of dates", echo(wanted)),
              fmt::format("did you mean {}? There are {}", nearest(wanted, known), fmt::join(known, ", "))};
}

Expression whole_constant(std::int64_t value) { return constant({I, value}); }

Expression shifted(const Expression& moment, Int128 microseconds) {
  constexpr Int128 kFar = kLastMicrosecond - kFirstMicrosecond + Int128{1};
  const Int128 step = std::clamp<Int128>(microseconds, -kFar, kFar);
  return call(function_named("add_microseconds"),
              {widened(moment, M, "a moment"), whole_constant(static_cast<std::int64_t>(step))});
}

Expression in_zone(std::span<const Expression> a) {
  return shifted(a[0], Int128{zone_minutes(word(a[1], "time zone"))} * 60'000'000);
}

// How many borders of the unit lie between a and b.
Expression borders(std::span<const Expression> args) {
  const std::string unit = word(args[0], "unit");
  const Expression &a = args[1], &b = args[2];
  const auto part = [](std::string_view name, const Expression& x) { return resolve(name, {x}); };
  const auto count = [&](const Expression& x) -> Expression {
    if (unit == "year") return part("extract year", x);
    if (unit == "quarter" || unit == "month") {
      const Expression months = resolve("*", {part("extract year", x), whole_constant(unit == "month" ? 12 : 4)});
      return resolve("+", {months, part(unit == "month" ? "extract month" : "extract quarter", x)});
    }
    const std::int64_t seconds = unit == "week"     ? 604800
                                 : unit == "day"    ? 86400
                                 : unit == "hour"   ? 3600
                                 : unit == "minute" ? 60
                                                    : 1;
    const Expression first = with_unit("date_trunc", args[0], x);
    return seconds == 1
               ? part("extract epoch", first)
               : resolve("/",
                         {resolve("-", {part("extract epoch", first), whole_constant(unit == "week" ? -259200 : 0)}),
                          whole_constant(seconds)});
  };
  return resolve("-", {count(b), count(a)});
}

}  // namespace

void add_time_zones(Table& table) {
  auto& s = table.shorthands;
  s.push_back({"date_trunc", "DATE_TRUNC(unit, d)", kGroup, "one of the functions above, by the constant unit", 2, 2,
               [](auto a) { return with_unit("date_trunc", a[0], a[1]); }});
  s.push_back({"date_part", "DATE_PART(part, d)", kGroup, "EXTRACT(part FROM d)", 2, 2,
               [](auto a) { return with_unit("extract", a[0], a[1]); }});
  s.push_back({"date_diff", "DATE_DIFF(unit, d, e)", kGroup,
               "how many beginnings of years ... seconds lie between d and e", 3, 3, borders});
  s.push_back({"+ interval", "m + INTERVAL '3 hours'", kGroup,
               "later by a constant number of seconds, minutes, hours, days or weeks", 2, 2,
               [](auto a) { return shifted(a[0], interval_microseconds(word(a[1], "interval"))); }});
  s.push_back({"- interval", "m - INTERVAL '3 hours'", kGroup, "earlier by it", 2, 2,
               [](auto a) { return shifted(a[0], -interval_microseconds(word(a[1], "interval"))); }});
  s.push_back({"at time zone", "m AT TIME ZONE '+02:00'", kGroup,
               "what clocks show there: 'UTC', or hours and minutes east of it; named zones are refused, as their "
               "tables change",
               2, 2, in_zone});
}

}  // namespace dither::plan::detail
