// What one unit may contribute to a statement, from the declared bounds of the tables it reads.
#pragma once

#include <cstdint>
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

// The rule. A table that says whose each row is gives rows_per_unit rows, or, where a key is made of its columns,
// keys_per_unit keys and rows_per_key rows for each; a table whose rows are units gives one of each. Tables joined on the
// unit multiply, a public table that one row may meet m times multiplies by m, UNION ALL adds. Keys that are the same in all
// rows of a unit are one key, for which the rows of the unit count.
// Refuses    missing-bounds, naming table and key; bad-limit beyond 2^40.
Limit keys_per_unit(const plan::Project& project, const plan::Flat& rows, const std::vector<plan::Expression>& keys);
Limit rows_per_key(const plan::Project& project, const plan::Flat& rows, const std::vector<plan::Expression>& keys);

}  // namespace dither::sql::detail
