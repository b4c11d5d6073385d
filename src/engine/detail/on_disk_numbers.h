// A whole exact aggregate in little memory, whatever the rows are.
#pragma once

#include "engine/detail/opened.h"
#include "engine/exact_numbers.h"

namespace dither::engine::detail {

// The numbers of an aggregate, with joins, DISTINCT, keys and values that sort on disk: for what DuckDB, or the books of keys, have no
// memory for. Files are read as `opened` says now.
//
// Promise    the numbers that the engine gives otherwise.
// Memory     half of limits.memory, beside the half that DuckDB reads files in; some 100 bytes of each key.
// Refuses    what run_bounding and hand_over refuse.
ExactNumbers::Content numbers_on_disk(Opened& opened, const plan::Project& project,
                                      const plan::BoundedAggregate& aggregate, const Limits& limits,
                                      const Watch& watch);

}  // namespace dither::engine::detail
