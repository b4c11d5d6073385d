// BigQuery's way to ask: SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(...), backticks, TRY_CAST.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sql/detail/tokens.h"
#include "sql/statement.h"

namespace dither::sql {

// One OPTIONS(...). It belongs to the SELECT whose list begins at `list`.
struct PrivacyClause {
  std::size_t place = 0;  // of WITH
  std::size_t list = 0;
  StatementOptions options;
  std::vector<std::string> unit;  // privacy_unit_column: [table,] column
  std::size_t unit_place = 0;
  bool public_groups = false;  // group_selection_strategy = PUBLIC_GROUPS
};

// The statement in PostgreSQL's words, every byte where it stood: OPTIONS(...) are blanks, backticks double quotes, COUNT(*, is
// COUNT(1, and TRY_CAST and SAFE_CAST are CAST, as no cast fails here. So every place in it is a place in the typed text.
struct Rewritten {
  std::string sql;
  std::vector<Token> tokens;
  std::vector<PrivacyClause> clauses;
};

// bad-sql for clauses and backticks that do not end; not-supported for options that we do not have, with the nearest name;
// wrong-type, bad-limit, bad-probability, bad-argument for their values.
Rewritten rewrite(const Text& text);

// What all clauses state. bad-argument when they disagree.
StatementOptions agreed(const Text& text, const std::vector<PrivacyClause>& clauses);

}  // namespace dither::sql
