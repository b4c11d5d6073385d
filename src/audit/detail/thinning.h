// The p-value of an event, as a logarithm. Private to the room.
#pragma once

#include "audit/stat_dp.h"

namespace dither::audit::detail {

// The logarithm of thinned_p_value, so that strong events can be told apart; refuses nothing.
double log_p_value(const EventCounts& counts, double epsilon, double delta, std::uint64_t seed);

}  // namespace dither::audit::detail
