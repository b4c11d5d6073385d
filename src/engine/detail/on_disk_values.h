// Distinct values and histograms by sorting on disk.
#pragma once

#include "engine/detail/on_disk.h"
#include "engine/exact_numbers.h"

namespace dither::engine::detail {

// Whether a measure is one of these two, which run_bounding leaves to others.
bool is_of_values(const plan::Measure& measure);
// The aggregate with units in their place.
plan::BoundedAggregate without_values(plan::BoundedAggregate aggregate);

// The numbers or bins of such a measure, for the keys of `content`, whose units are there.
//
// Promise    those of bounded_sql, whatever a unit brings.
// Memory     as OnDisk; bins are held.
// Refuses    what hand_over refuses.
void add_values(OnDisk& on_disk, const plan::BoundedAggregate& aggregate, std::size_t measure,
                const std::string& rows_sql, const Watch& watch, ExactNumbers::Content& content);

}  // namespace dither::engine::detail
