// What one row of a statement may cost, whatever it holds: from facts and expressions alone, so that it can be refused before
// anything is charged.
#pragma once

#include <cstdint>
#include <span>

#include "base/int128.h"
#include "plan/functions.h"
#include "plan/relation.h"

namespace dither::plan {

// Upper bounds for one row of a private table, in bytes, of DuckDB's spelling of the steps.
//
// A value takes 8 bytes, a text 16 and `longest` (plan/facts.h). Columns that nothing above reads take none.
struct RowCost {
  // What a row takes at most while steps pass it on: cells as read and as enforced, everything that expressions make on
  // the way, and the row again wherever it is kept (DISTINCT, both sides of a join, what is counted).
  Int128 width;
  // Bytes that all steps touch: kEachCall for a call, its arguments and its result, or what the function states
  // (Function::touches). Every branch of CASE counts, an argument as often as the spelling repeats it, and what is above
  // a join with public rows as often as a row may match one there.
  Int128 work;
};
inline constexpr Int128 kEachCall = 64;
RowCost row_cost(const Relation& rows);

// What it takes to evaluate() an expression once, each argument once, and what one call takes by itself: in bytes, as above.
Int128 evaluation_work(const Expression& expression, std::span<const Facts> columns);
Int128 call_work(const Function& function, std::span<const Facts> arguments);

// Batches have 2048 rows (DuckDB's vectors), of which all may be the widest ones.
inline constexpr std::uint64_t kBatchRows = 2048;
inline constexpr std::uint64_t kLeastForBatch = std::uint64_t{2} << 30;
inline constexpr std::uint64_t kMostWork = std::uint64_t{64} << 20;  // a tenth of a second

inline constexpr Int128 kMostFolded = Int128{4} << 20;  // of a call of constants, which is worked out while planning

// Refuses    rows of which kBatchRows do not fit into `memory`, or into kLeastForBatch where that is more (needs-memory); rows that
//            take more than kMostWork (too-long).
// Holds if   the rows of one unit are few: two private tables joined on their unit give pairs of rows, and each costs this.
void require_row(const Relation& rows, std::uint64_t memory);

}  // namespace dither::plan
