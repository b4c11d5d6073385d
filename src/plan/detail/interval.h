// Intervals and time zones as constants of a statement.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/int128.h"

namespace dither::plan::detail {

// "3 hours", "1 day 12:30", "-90 minutes", "0.5 seconds": of fixed length, in lower case. Months and years have no
// fixed length, and are refused (not-supported), as is anything that is no interval, or longer than 10,000 years.
Int128 interval_microseconds(std::string_view text);

// Minutes east of Greenwich: "utc", "z", "+02:00", "-0330", "+5". Named zones are refused (not-supported).
std::int64_t zone_minutes(std::string_view text);

}  // namespace dither::plan::detail
