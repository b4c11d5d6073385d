// The bounding operator: exact numbers by key of rows in which no unit counts for more than was declared, at the speed of a scan.
#pragma once

#include <string>
#include <vector>

#include "engine/detail/bounding_sorted_keys.h"
#include "engine/detail/duckdb.h"
#include "engine/engine.h"

namespace dither::engine::detail {

// Whether every measure is one that run_bounding computes: units, rows, sum, squares, products, cut units. Distinct values and
// histograms are left to SQL.
bool bounding_takes(const plan::BoundedAggregate& aggregate);

// Runs `rows_sql`, a SELECT whose columns c0, c1, .. are the keys, the unit and the values of `aggregate.rows`, and bounds what it
// gives: of each unit the keys with the least bounding hash, of each unit and key the totals, clamped or scaled to the rows that
// count there (docs/bounding.md). `given` are the columns of `rows_sql` as DuckDB names their types, where the caller knows them.
// With `sorted` keys c0 is the code of the key, the other columns of the key are not read, and private keys and their numbers are read
// from files. Where needs_digests() says so, there is one column more: the digest of the key.
//
// Promise    the same numbers whatever the order of rows, the number of threads, the memory and what was spilled.
// Columns    BOOLEAN, whole numbers of any signed width up to 64 bits, DOUBLE, VARCHAR, DATE or TIMESTAMP, as the types of the
//            relation say.
// Memory     half of limits.memory; the other half is for whom the database was opened. What does not fit goes to a file without a
//            name in limits.spill. With `sorted` keys that holds however many these are.
// Refuses    nothing that a value could cause but what the statement itself fails for (DuckDbFailure), and more keys than there is
//            memory for without `sorted` (KeysDoNotFit): on disk neither happens. Else run-failed for I/O and want of
//            memory, Cancelled once the token is cancelled.
// Cost       one pass over the rows in DuckDB's threads, one over records of 8 bytes or more: about 6 times a plain GROUP BY of whole
//            numbers over 50 keys, 1.7 times one over 100,000, 14 times with units of text.
// Spec       D-77.
ExactNumbers::Content run_bounding(const Database& database, const std::string& rows_sql,
                                   const plan::BoundedAggregate& aggregate, const Limits& limits, const Watch& watch,
                                   const std::vector<ResultColumn>& given = {},
                                   const std::shared_ptr<const SortedKeys>& sorted = {});

}  // namespace dither::engine::detail
