// Aggregates as a statement writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "plan/facts.h"

namespace dither::plan {

enum class AggregateKind {
  count_rows,   // COUNT(*)
  count,        // COUNT(x): rows with a value
  count_units,  // COUNT(DISTINCT unit)
  sum,
  avg,
  var_pop,
  var_samp,
  stddev_pop,
  stddev_samp,
  count_cut_units,  // of no statement: units that are cut, which an option asks for
};
std::string_view aggregate_name(AggregateKind kind);  // "COUNT(*)", "COUNT", "COUNT(DISTINCT)", "SUM" ...

// A name that SQL has for an aggregate; COUNT(*) and COUNT(DISTINCT) are counts here.
struct NamedAggregate {
  std::string_view sql;  // in small letters: "count", "sum", "variance"
  AggregateKind kind;
  std::string_view usage;  // "SUM(x)"
  std::string_view does;   // one line for people
};
std::span<const NamedAggregate> all_aggregates();
std::optional<AggregateKind> aggregate_named(std::string_view sql);

// One aggregate over a column of its input. FILTER (WHERE c) is a column of its own: CASE WHEN c THEN x END.
struct AggregateCall {
  AggregateKind kind;
  std::size_t column = 0;                 // position; of no meaning to count_rows, count_units and count_cut_units
  std::optional<Range> bounds_per_row;    // instead of what is known of the column
  std::optional<Range> bounds_per_group;  // of what one unit adds to one group, instead of rows times the bounds
  bool operator==(const AggregateCall&) const = default;
};

// The facts of its result, after the noise: counts are integers of any sign, sums and means reals that may be NULL.
Facts facts_of(const AggregateCall& call);

}  // namespace dither::plan
