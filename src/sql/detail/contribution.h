// What one unit may contribute to a statement, from the declared bounds of the tables it reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/relation.h"

namespace dither::sql::detail {

// A limit and where it comes from, for people. Limits are enforced by the bounding operator: one that is too small costs
// accuracy, never privacy.
struct Limit {
  std::uint64_t most = 1;
  std::vector<std::string> sources;  // "visits.keys_per_unit = 3"
};

// The rule. All bounds of a table hold at once. A table that says whose each row is gives T = rows_per_unit rows, and, where a
// key is made of its columns, C = keys_per_unit keys and R = rows_per_key rows for each, at most T of both: with T alone declared
// nothing is missing. A table whose rows are units gives one of each. Tables joined on the unit multiply, a public table that one
// row may meet m times multiplies by m, UNION ALL adds. Keys that are the same in all rows of a unit are one key, for which the
// rows of the unit count.
//
// Loses nothing  a unit within its declared bounds is within these. A table: T rows have at most T keys, and a key at most T of
//                them. A join: a row of it is one of the left and one of the right (or, LEFT, none: 1 of none), its key a key of each;
//                so rows, rows for each key and keys are at most the products. A union: each row is one of an input.
// Refuses        missing-bounds, naming table and key; bad-limit beyond 2^40.
Limit keys_per_unit(const plan::Project& project, const plan::Flat& rows, const std::vector<plan::Expression>& keys);
Limit rows_per_key(const plan::Project& project, const plan::Flat& rows, const std::vector<plan::Expression>& keys);
// Over all keys; nothing where no bound says so, or one beyond 2^40.
std::optional<Limit> rows_per_unit(const plan::Project& project, const plan::Flat& rows,
                                   const std::vector<plan::Expression>& keys);

}  // namespace dither::sql::detail
