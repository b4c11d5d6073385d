// The whole exact aggregate as SQL text, bounding included: what other people's engines run, and what the operator of the embedded
// one is compared with.
#pragma once

#include <string>
#include <vector>

#include "plan/bounded_aggregate.h"
#include "plan/functions.h"

namespace dither::engine {

// One SELECT for the numbers, and one for each measure that is none.
struct BoundedSql {
  // Columns: the keys (days and microseconds as whole numbers), units, then for every measure its number, as text; '0' where
  // the measure has a statement of its own. One row for each key that occurs.
  std::string numbers;
  // By measure. distinct: the keys, the number as text. histogram: the keys, a cell and its count as text. Else "".
  std::vector<std::string> apart;
};

// `rows` is a SELECT with columns c0, c1 ... that gives the rows of the aggregate, none of them without a unit.
// Refuses    what has no spelling in the dialect (not-supported).
BoundedSql bounded_sql(const plan::BoundedAggregate& aggregate, plan::Dialect dialect, const std::string& rows);

// The same numbers without any bounding, for rows of which every unit has one.
std::string plain_sql(const plan::BoundedAggregate& aggregate, plan::Dialect dialect, const std::string& rows);

// Whether every unit has one row at most: each row of the table is a unit, and no join made several of it.
bool one_row_each(const plan::Relation& rows);

// Whether, besides, nothing looks at the unit, so that all rows may as well have the same one.
bool units_unseen(const plan::BoundedAggregate& aggregate);

// Whether no number can leave 128 bits, nor a value of a row or a scaled total 62, with fewer than 2^40 rows, and a unit has a row
// that counts.
// Refuses    bad-limit.
void require_room(const plan::BoundedAggregate& aggregate);

}  // namespace dither::engine
