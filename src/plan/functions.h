// The function table: everything an expression may call, with its rules and its spelling in each dialect.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/expression.h"

namespace dither::plan {

enum class Dialect { duckdb, postgresql, spark };
std::string_view dialect_name(Dialect dialect);

// What NULL among the arguments does.
enum class NullRule {
  strict,  // NULL in, NULL out
  own,     // the function says: CASE, COALESCE, AND, IS NULL ...
};

// How a call is written for an engine: $1, $2 ... are arguments, $* all of them with commas, $[ AND ] all of them with
// that between. "" where the dialect has none.
struct Spelling {
  std::string_view duckdb, postgresql, spark;
};

// A value that is not NULL, without the cost of a cell. Dates and timestamps are whole numbers.
union Plain {
  Plain() : whole(0) {}
  bool truth;
  std::int64_t whole;
  double number;
  std::string_view text;
};

// One overload. Every function is total: what has no value (a division by zero, an overflow, a text that is no number)
// is NULL, and each says so in `when_null`. Reals: what is worked out and would be NaN or infinite is NULL, so NaN
// comes from data alone.
struct Function {
  std::string_view name;    // unique: "add_integer"
  std::string_view sql;     // the name that resolve() takes: "+", "lower", "extract year"
  std::string_view usage;   // how people write it: "a + b", "LOWER(t)", "EXTRACT(YEAR FROM d)"
  std::string_view group;   // "arithmetic", "text", ... : a section of docs/sql.md
  std::vector<Type> takes;  // types of the arguments; of a variadic one the last repeats
  Type gives;
  std::string_view does;                              // one line for people
  std::string_view when_null;                         // when the result is NULL although no argument is; "" never
  Cell (*evaluate)(std::span<const Cell> arguments);  // strict ones see no NULL
  // Narrows what is known of the result. Before it, `result` has the type and says: nullable when an argument is, when
  // `when_null` is not empty, and of functions with a NULL rule of their own; of computed reals, finite. Not values,
  // not of_unit.
  void (*narrow)(std::span<const Facts> arguments, Facts& result);
  Spelling spelling;
  NullRule nulls = NullRule::strict;
  bool variadic = false;
  bool commutes = false;      // in all its arguments
  std::size_t constants = 0;  // so many of the last arguments must be constants
  // `evaluate` for engines in this process, which call it for every row: false where the result is NULL. A text is made
  // in `room`. Nothing where the engine's own spelling is as good; else DuckDB knows it as "dither_" and the name.
  bool (*for_rows)(const Plain* arguments, Plain& result, std::string& room) = nullptr;
  // Of all functions that give text: its bytes at most, from what is known of the arguments.
  std::uint64_t (*longest)(std::span<const Facts> arguments) = nullptr;
  // Bytes that one call touches at most, where they are more than those of its arguments and its result together.
  std::uint64_t (*touches)(std::span<const Facts> arguments) = nullptr;
};

// All of them, in the order of docs/sql.md. Each depends on its own row alone.
std::span<const Function> all_functions();

// By its unique name; it must exist.
const Function& function_named(std::string_view name);

// What is written as other functions, and gives their facts, spelling and canonical form: a <> b, BETWEEN, NULLIF ...
struct Shorthand {
  std::string_view sql, usage, group, does;
  std::size_t fewest, most;  // arguments
  Expression (*build)(std::span<const Expression> arguments);
};
std::span<const Shorthand> all_shorthands();

// A call as SQL writes it: `name` is a function name in lower case ("round"), an operator ("+", "||", "<>", "is null",
// "not", "and", "in", "not in", "between", "like", "is distinct from"), "case" (condition, then, else; deeper ones
// nested in else), "cast integer" and the like, "extract year", "date_trunc" (unit first), "+ interval" and
// "- interval" (the interval as text), "at time zone", "neg" (unary minus). Picks the overload that the arguments fit,
// widening integers to reals, dates to timestamps, constant texts to dates and timestamps, and NULL to anything, and
// gives the canonical call.
// Refuses    a name that is not on the list (unknown-function, with the nearest one); arguments that no overload
//            takes, or that must be constants (wrong-type, with those that exist); what a constant says that is not on
//            the list: a unit, a time zone, an interval (not-supported).
Expression resolve(std::string_view name, std::vector<Expression> arguments);

// The same value as another type, where every value of it is one: integer as real, date as timestamp, NULL as anything.
// Two types that meet (CASE, UNION) give the wider. wrong-type otherwise; `where` begins the message.
Expression widened(const Expression& expression, Type type, std::string_view where);
Type wider(Type a, Type b, std::string_view where);

// Whether it is the constant NULL, which fits every type.
bool is_null_constant(const Expression& expression);

// The facts of one call from those of its arguments, by its own rule: what facts() applies at every call.
Facts facts_of_call(const Function& function, std::span<const Facts> arguments);

// The value of one call: NULL for a strict function with a NULL among its arguments.
Cell value_of_call(const Function& function, std::span<const Cell> arguments);

// The expression in a dialect, columns spelled as given.
// Refuses    what the dialect has no spelling for (not-supported, by name); text beyond a mebibyte (too-deep).
std::string spell(const Expression& expression, Dialect dialect, std::span<const std::string> columns);

// Whether a cell, given as SQL, is one of these, of which none is NULL: NULL where it is NULL. Quick for long lists.
std::string spell_among(const std::string& subject, Type type, std::span<const Cell> cells, Dialect dialect);
// How the functions "dither_among_..." of DuckDB are given them: canonical bytes with their lengths, "2:i5".
std::string packed_cells(std::span<const Cell> cells);

// How many names people can call: overloads count once.
std::size_t count_names();

// docs/sql.md: what a statement may contain, then every function with its arguments, result and NULL rule.
std::string functions_markdown();

}  // namespace dither::plan
