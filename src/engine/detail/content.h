// Numbers put together from what the statements of bounded_sql give.
#pragma once

#include <functional>

#include "engine/bounded_sql.h"
#include "engine/detail/duckdb.h"
#include "engine/engine.h"

namespace dither::engine::detail {

// Rows of a SELECT.
using Execute = std::function<std::vector<std::vector<Cell>>(const std::string& sql)>;

// Runs the statements one after the other.
ExactNumbers::Content content_of(const plan::BoundedAggregate& aggregate, const BoundedSql& sql,
                                 const Execute& execute);

// The same from a database of DuckDB. `memory`: bytes that rows about private keys may take.
// Refuses    more of them (KeysDoNotFit).
ExactNumbers::Content content_by_sql(const Database& database, const plan::BoundedAggregate& aggregate,
                                     const BoundedSql& sql, std::uint64_t memory, const Watch& watch);

}  // namespace dither::engine::detail
