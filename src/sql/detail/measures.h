// From the aggregates of a statement to the exact numbers behind them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/bounded_aggregate.h"
#include "session/priced_plan.h"
#include "sql/detail/contribution.h"
#include "sql/statement.h"

namespace dither::sql::detail {

// The private part of a statement, in one form for all ways to write it: keys ordered, each number once.
struct Counting {
  plan::BoundedAggregate exact;
  std::vector<session::Estimate> estimates;  // one for each call of the statement; parts are measures here
  std::vector<std::size_t> key_places;       // where each key of the statement stands among the ordered ones
  plan::Flat rows;                           // the rows before keys and values were picked out
  std::vector<plan::Expression> keys;        // ordered, over the base of the rows
  Limit keys_limit, rows_limit;              // of rows, for each key
  std::optional<Limit> in_all_limit;         // of rows over all keys, where that is less than the two say together
  bool row_is_unit = false;
};

// COUNT(*) is a number of rows (of units, where one row counts for each); COUNT(x) of rows with a value; AVG of a count and a
// centred sum; variances of a count, a centred sum and centred squares. Numbers that two aggregates need are one number.
//
// Cut        what describes the same rows as a count, so means and variances, is scaled where a unit has more rows than count;
//            SUM is clamped to the nearest total that so many rows can have, and is a number of its own beside an AVG. Where a row is
//            a unit there is nothing to cut.
// Bounds     all declared ones at once: exact.rows_per_unit is set where it says more than keys_per_unit rows times rows_per_key.
//
// Refuses    missing-bounds for a column without a range; needs-grid for reals on no grid; bad-bounds beyond 2^62 steps;
//            bad-count for more than kMostNumbers of them; wrong-type for sums of what is no number.
Counting counting_of(const plan::Project& project, const Statement& statement, const plan::Aggregate& aggregate);

inline constexpr std::size_t kMostNumbers = 200'000;  // keys times numbers for each

}  // namespace dither::sql::detail
