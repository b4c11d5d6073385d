// Databases one unit apart, for statements to be tried on.
#pragma once

#include <string>
#include <vector>

#include "audit/sql_subject.h"

namespace dither::audit {

// `tables:` of their project: people with visits, teams and orders that have bills, which have parts; logs whose rows
// are units, and rows of which any three are one; two public tables.
extern const char* const kDatabaseTables;

// Neighbours in every table at once, under "add-remove" or "replace-one": rows, keys and values at their bounds and
// beyond, NULL, NaN, text where numbers are wanted, duplicates, keys that come and go, people with many rows, of whom
// one comes and goes and one stays, rows of nobody, and nobody at all. What comes and goes stands first in its file in
// one pair, and last in the other.
std::vector<SqlPair> database_pairs(const std::string& relation);

// Nobody, and one who does all that one may: what was added to an exact 0 has other bits than what was added to a sum.
SqlPair nobody_and_one();

}  // namespace dither::audit
