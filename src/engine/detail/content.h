// Numbers put together from what the statements of bounded_sql give.
#pragma once

#include <functional>

#include "engine/bounded_sql.h"
#include "engine/exact_numbers.h"

namespace dither::engine::detail {

// Rows of a SELECT.
using Execute = std::function<std::vector<std::vector<Cell>>(const std::string& sql)>;

// Runs the statements one after the other.
ExactNumbers::Content content_of(const plan::BoundedAggregate& aggregate, const BoundedSql& sql,
                                 const Execute& execute);

}  // namespace dither::engine::detail
