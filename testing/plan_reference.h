// Plans run slowly and obviously on a few rows in memory: what engines and stability claims are compared with.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/int128.h"
#include "plan/bounded_aggregate.h"

namespace dither::testing {

using PlanRow = std::vector<Cell>;
using PlanRows = std::vector<PlanRow>;

// Cells as read, in the order of the declared columns, by table.
using PlanDatabase = std::map<std::string, PlanRows>;

// The rows of a relation below its aggregate, in no order that means anything. Rows whose unit is NULL are left out.
PlanRows reference_rows(const plan::Project& project, const PlanDatabase& database, const plan::Relation& relation);

// Numbers by key (canonical bytes; "" without keys): one for each measure, which is neither distinct nor histogram, then the number
// of units. Public keys are all there, private ones where some unit kept them.
using ExactNumbers = std::map<std::string, std::vector<Int128>>;
ExactNumbers reference_exact(const plan::Project& project, const PlanDatabase& database,
                             const plan::BoundedAggregate& aggregate);
// The same of rows that are there already: keys, unit, values.
ExactNumbers reference_exact(const PlanRows& rows, const plan::BoundedAggregate& aggregate);

}  // namespace dither::testing
