// A statement understood: names and types bound against the project, its price if it states one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/relation.h"

namespace dither::sql {

// What BigQuery's OPTIONS(...) may state. They must agree with what is asked for otherwise.
struct StatementOptions {
  std::optional<Rational> epsilon, delta;
  std::optional<std::uint64_t> keys_per_unit;  // max_groups_contributed
  std::optional<std::uint64_t> rows_per_unit;  // max_rows_contributed
  bool operator==(const StatementOptions&) const = default;
};

struct Statement {
  plan::Relation relation;         // not yet private: privatize decides that
  std::vector<std::string> names;  // of its columns
  StatementOptions options;
  std::vector<std::string>
      notes;         // where what is answered differs from what another system would make of the same words
  std::string text;  // as it was typed
};

inline constexpr std::size_t kMostBytes = std::size_t{256} << 10;

// Reads one SELECT and binds it.
//
// Refuses    more than kMostBytes (too-long), NUL or bytes that are not UTF-8 (bad-sql), text that PostgreSQL's grammar does not
//            take (bad-sql, with line and column); several statements, or none, or one that is no SELECT (not-a-query); whatever
//            is not on the list of what is answered (not-supported, by name); unknown-table, unknown-column, unknown-function,
//            ambiguous-name, wrong-type, not-grouped, nested-aggregate, private-join, private-rows, wrong-unit, too-deep. Each
//            shows the place and the nearest name.
// Cost       under a millisecond for an ordinary statement, on the one thread of the process that parses.
Statement bind(const plan::Project& project, std::string_view text);

}  // namespace dither::sql
