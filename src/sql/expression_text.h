// Expressions as text, for those who build statements of parts.
#pragma once

#include <string>

namespace dither::sql {

// Whether a text is one expression of SQL and nothing else, so that it stays in its place when a statement is built
// around it in parentheses. Names and types are left to bind().
//
// Refuses    what PostgreSQL's grammar does not take, comments, parentheses that close what they did not open, and
//            several values (bad-sql, with line and column); what no statement may contain (not-supported); too-long,
//            too-deep.
void require_expression(const std::string& text);

// A name as a statement takes it: in double quotes, but for small letters, digits and underscores that are no reserved
// keyword.
// Refuses    an empty name, one with a NUL or of more than 63 bytes, which PostgreSQL's scanner would cut (bad-sql).
std::string name_in_sql(const std::string& name);

}  // namespace dither::sql
