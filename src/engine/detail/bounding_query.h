// Runs a query whose rows go into sinks.
#pragma once

#include <memory>
#include <vector>

#include "engine/detail/bounding_sink.h"
#include "engine/detail/duckdb.h"
#include "engine/engine.h"

namespace dither::engine::detail {

// Progress is reported in thousandths of the whole; reading rows is this share of it.
inline constexpr std::uint64_t kWhole = 1000;
inline constexpr std::uint64_t kScanShare = 700;

// Keys, unit, then every column that a field needs.
std::vector<std::size_t> columns_to_read(const plan::BoundedAggregate& aggregate, const Layout& layout);

// Every row of `rows_sql` is taken once, by one of the sinks. `given` are its columns; without any they are asked for.
//
// Holds if   the function that hands rows over is called for all of them; whether it was is checked afterwards.
// Refuses    what DuckDB cannot run, and rows that were not handed over (run-failed); throws Cancelled.
std::vector<std::unique_ptr<Sink>> scan(const Database& database, const std::string& rows_sql,
                                        const std::vector<ResultColumn>& given, const SinkPlan& plan, SpillFile& file,
                                        StoreBudget& budget, const Watch& watch);

}  // namespace dither::engine::detail
