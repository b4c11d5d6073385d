// Runs a query whose rows go into sinks.
#pragma once

#include <memory>
#include <vector>

#include "engine/detail/bounding_sink.h"

namespace dither::engine::detail {

// Keys, or the code of the key, unit, then every column that a field needs; last the digest of the key, which stands behind the columns
// of the rows.
std::vector<std::size_t> columns_to_read(const plan::BoundedAggregate& aggregate, const Layout& layout, bool coded);

// As hand_over.
std::vector<std::unique_ptr<Sink>> scan(const Database& database, const std::string& rows_sql,
                                        const std::vector<ResultColumn>& given, const SinkPlan& plan, SpillFile& file,
                                        StoreBudget& budget, const Watch& watch);

}  // namespace dither::engine::detail
