// Databases one unit apart, for statements to be tried on.
#pragma once

#include <string>
#include <vector>

#include "audit/sql_subject.h"

namespace dither::audit {

// `tables:` of their project: people with visits, teams and orders that have bills; logs whose rows are units, and rows
// of which any three are one; two public tables.
extern const char* const kDatabaseTables;

// Neighbours in every table at once, under "add-remove" or "replace-one": rows, keys and values at their bounds and
// beyond, NULL, NaN, duplicates, keys that come and go, people with many rows, rows of nobody, and nobody at all.
std::vector<SqlPair> database_pairs(const std::string& relation);

}  // namespace dither::audit
