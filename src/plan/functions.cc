#include "plan/functions.h"

#include <fmt/format.h>

#include <cstdlib>
#include <set>
#include <unordered_map>

#include "plan/detail/rules.h"

namespace dither::plan {

namespace {

detail::Table build() {
  detail::Table table;
  detail::add_logic(table);
  detail::add_comparisons(table);
  detail::add_conditionals(table);
  detail::add_arithmetic(table);
  detail::add_rounding(table);
  detail::add_mathematics(table);
  detail::add_buckets(table);
  detail::add_text(table);
  detail::add_text_building(table);
  detail::add_patterns(table);
  detail::add_date_parts(table);
  detail::add_date_steps(table);
  detail::add_time_zones(table);
  detail::add_casts(table);
  return table;
}

const detail::Table& table() {
  static const detail::Table all = build();
  return all;
}

}  // namespace

std::string_view dialect_name(Dialect dialect) {
  switch (dialect) {
    case Dialect::duckdb:
      return "DuckDB";
    case Dialect::postgresql:
      return "PostgreSQL";
    case Dialect::spark:
      return "Spark";
  }
  std::abort();
}

std::span<const Function> all_functions() { return table().functions; }
std::span<const Shorthand> all_shorthands() { return table().shorthands; }

const Function& function_named(std::string_view name) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, const Function*> found;
    for (const Function& function : all_functions()) found.emplace(function.name, &function);
    return found;
  }();
  return *by_name.at(name);
}

Cell value_of_call(const Function& function, std::span<const Cell> arguments) {
  if (function.nulls == NullRule::strict) {
    for (const Cell& argument : arguments) {
      if (detail::is_null(argument)) return {};
    }
  }
  return function.evaluate(arguments);
}

std::size_t count_names() {
  std::set<std::string_view> names;
  for (const Function& function : all_functions()) names.insert(function.sql);
  for (const Shorthand& shorthand : all_shorthands()) names.insert(shorthand.sql);
  return names.size();
}

}  // namespace dither::plan
