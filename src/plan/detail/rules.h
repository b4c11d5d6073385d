// What rows of the function table are made of: reading and making cells, fact rules, spellings.
#pragma once

#include <algorithm>
#include <cmath>
#include <compare>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plan/detail/kernel.h"
#include "plan/detail/ranges.h"
#include "plan/functions.h"

namespace dither::plan::detail {

using Known = std::span<const Facts>;

inline constexpr Type B = Type::boolean, I = Type::integer, R = Type::real, T = Type::text, D = Type::date,
                      M = Type::timestamp;
inline constexpr Type kTypes[] = {B, I, R, T, D, M};

// The table under construction. Names made up on the way live as long as the program.
struct Table {
  std::vector<Function> functions;
  std::vector<Shorthand> shorthands;
};
std::string_view kept(std::string text);
std::string_view typed(std::string_view name, Type type);                 // "less", real -> "less_real"
std::string_view own_call(std::string_view name, std::size_t arguments);  // "dither_add_integer($1, $2)"

// The groups, in the order of the document.
void add_logic(Table& table);
void add_comparisons(Table& table);
void add_conditionals(Table& table);
void add_arithmetic(Table& table);
void add_rounding(Table& table);
void add_mathematics(Table& table);
void add_buckets(Table& table);
void add_text(Table& table);
void add_text_building(Table& table);
void add_patterns(Table& table);
void add_casts(Table& table);
void add_date_parts(Table& table);
void add_date_steps(Table& table);
void add_time_zones(Table& table);

// A row, in the order in which people read it; what is rare is added by the functions below.
inline Function row(std::string_view name, std::string_view sql, std::string_view usage, std::string_view group,
                    std::vector<Type> takes, Type gives, std::string_view does, std::string_view when_null,
                    Cell (*evaluate)(Cells), void (*narrow)(Known, Facts&), Spelling spelling) {
  return {name, sql, usage, group, std::move(takes), gives, does, when_null, evaluate, narrow, spelling};
}
// A row whose meaning is written once, over plain values: bool kernel(arguments..., result&), false where it is NULL.
// Reals that are not finite become NULL here. It is what is evaluated, and what DuckDB calls for every row.
template <auto kernel>
Function row(std::string_view name, std::string_view sql, std::string_view usage, std::string_view group,
             std::vector<Type> takes, Type gives, std::string_view does, std::string_view when_null,
             void (*narrow)(Known, Facts&), std::string postgresql, std::string spark) {
  const Spelling spelling{own_call(name, takes.size()), kept(std::move(postgresql)), kept(std::move(spark))};
  Function function = row(name, sql, usage, group, std::move(takes), gives, does, when_null, Kernel<kernel>::for_cells,
                          narrow, spelling);
  function.for_rows = Kernel<kernel>::for_rows;
  return function;
}
inline Function own(Function function) { return function.nulls = NullRule::own, function; }
inline Function variadic(Function function) { return function.variadic = true, function; }
inline Function commutes(Function function) { return function.commutes = true, function; }
inline Function with_constants(Function function, std::size_t count) { return function.constants = count, function; }

// Of functions that give text: its bytes at most.
using Bytes = std::uint64_t (*)(Known arguments);
inline Function gives_bytes(Bytes longest, Function function) { return function.longest = longest, function; }
inline Function touches_bytes(Bytes touches, Function function) { return function.touches = touches, function; }
inline std::uint64_t as_first(Known known) { return known[0].longest; }
inline std::uint64_t of_longest(Known known) {  // of what is text among them
  std::uint64_t most = 0;
  for (const Facts& facts : known) most = facts.type == Type::text ? std::max(most, facts.longest) : most;
  return most;
}
// Those of all arguments, where the function makes NULL of what is longer than kLongestText.
inline std::uint64_t as_all(Known known) {
  std::uint64_t sum = 0;
  for (const Facts& facts : known) sum += std::min(facts.longest, kLongestText);
  return std::min(sum, kLongestText);
}
// A search costs so many times its bytes: find_part() takes up to 17 ns a byte where reading takes one or two.
inline constexpr std::uint64_t kSearchFactor = 8;
inline std::uint64_t of_search(Known known) {
  std::uint64_t sum = 0;
  for (const Facts& facts : known) sum += facts.type == Type::text ? facts.longest : 0;
  return kSearchFactor * sum;
}
// So many characters, whose number is the argument at `place`; of no more bytes than `most`.
std::uint64_t bytes_of_characters(const Facts& count, std::uint64_t most);
// The text that an argument is, if it can be one alone.
const std::string* only_text(const Facts& facts);

constexpr Spelling same(std::string_view text) { return {text, text, text}; }

// Cells.
inline bool is_null(const Cell& cell) { return std::holds_alternative<std::monostate>(cell); }
// A real that was worked out: NULL unless finite, and never -0.0.
inline Cell real(double value) { return std::isfinite(value) ? Cell{value + 0.0} : Cell{}; }
// A day or a moment within the years 1 to 9999, else NULL.
inline Cell day(Int128 days) {
  return days >= kFirstDay && days <= kLastDay ? Cell{static_cast<std::int64_t>(days)} : Cell{};
}
inline Cell moment(Int128 microseconds) {
  return microseconds >= kFirstMicrosecond && microseconds <= kLastMicrosecond
             ? Cell{static_cast<std::int64_t>(microseconds)}
             : Cell{};
}

// The order of values of one type: NaN equals NaN and is greater than every number; texts by their bytes.
std::weak_ordering order(const Cell& a, const Cell& b);

// Fact rules.
inline bool any_nullable(Known known) {
  for (const Facts& facts : known) {
    if (facts.nullable) return true;
  }
  return false;
}
bool all_finite(Known known);
// Never NULL, or only where an argument is.
inline void not_null(Known, Facts& result) { result.nullable = false; }
inline void null_with_arguments(Known known, Facts& result) { result.nullable = any_nullable(known); }
// NULL where an argument is, and for reals that are NaN or infinite.
inline void null_unless_finite(Known known, Facts& result) {
  result.nullable = any_nullable(known) || !all_finite(known);
}
// Whole numbers from low to high, whatever the arguments.
template <long low, long high>
void between(Known, Facts& result) {
  set_range(result, {low, high});
}

}  // namespace dither::plan::detail
