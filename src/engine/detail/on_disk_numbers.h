// A whole exact aggregate in little memory, whatever the rows are.
#pragma once

#include "engine/detail/opened.h"
#include "engine/exact_numbers.h"

namespace dither::engine::detail {

// The numbers of an aggregate, with joins, DISTINCT, keys and values that sort on disk: for what DuckDB, or the books of keys, have no
// memory for. Files are read as `opened` says now.
//
// Promise    the numbers that the engine gives otherwise.
// Memory     half of limits.memory, beside the half that DuckDB reads files in, however many keys there are. With distinct values or
//            histograms, which no statement asks for, all keys, numbers and bins are held besides.
// Refuses    what run_bounding and hand_over refuse.
ExactNumbers::Content numbers_on_disk(Opened& opened, const plan::Project& project,
                                      const plan::BoundedAggregate& aggregate, const Limits& limits,
                                      const Watch& watch);

}  // namespace dither::engine::detail
