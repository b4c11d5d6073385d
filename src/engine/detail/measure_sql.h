// What one row adds to a measure, as SQL.
#pragma once

#include <optional>
#include <string>

#include "plan/bounded_aggregate.h"
#include "plan/functions.h"

namespace dither::engine::detail {

// The whole steps k of a column in one row, clamped: NULL where it has no value.
std::string steps_sql(const plan::Relation& rows, std::size_t column, const Rational& step, Int128 low, Int128 high,
                      plan::Dialect dialect);

// What a row adds to a measure that is a number: a whole number, NULL where it has no value.
std::string added_sql(const plan::Relation& rows, const plan::Measure& measure, plan::Dialect dialect);

// NULL for NULL and NaN.
std::string value_sql(const plan::Relation& rows, std::size_t column, plan::Dialect dialect);

// The total of a unit that is this row: what it adds, clamped where it could be too much.
std::string row_total_sql(const plan::Relation& rows, const plan::Measure& measure, plan::Dialect dialect);

// What a unit adds, of whose n rows with a value t count; without `t`: those that the measure's own limit lets. NULL where it has no
// total. Not of cut units.
std::string contribution_sql(const plan::Measure& measure, plan::Dialect dialect, const std::string& total,
                             const std::string& n, const std::optional<std::string>& t);
// What a unit adds to the number of cut units. `drops`: the condition that it has keys which it does not keep.
std::string cut_unit_sql(const plan::Measure& measure, const std::string& n, const std::optional<std::string>& t,
                         const std::string& drops);

// n / p of whole numbers, where p divides n.
std::string quotient_sql(plan::Dialect dialect, const std::string& n, const std::string& p);

}  // namespace dither::engine::detail
