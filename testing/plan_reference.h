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
// Mistakes that a comparison with the reference must find.
enum class Careless {
  nothing,
  rounds_up,               // scaled totals
  breaks_ties_by_bytes,    // of keys, not by their hash
  allocates_too_much,      // one more row to every remainder
  allocates_before_limit,  // shares of all rows, of which the measure's own limit is taken afterwards
  scales_by_all_rows,      // those without a value too
  clamps_what_is_scaled,
  forgets_dropped_keys,  // in the number of cut units
};
// The same of rows that are there already: keys, unit, values.
ExactNumbers reference_exact(const PlanRows& rows, const plan::BoundedAggregate& aggregate,
                             Careless careless = Careless::nothing);

}  // namespace dither::testing
