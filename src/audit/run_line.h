// A line that somebody else's program printed, read as one run.
#pragma once

#include <string>
#include <string_view>

#include "audit/run_value.h"

namespace dither::audit {

// A JSON value: a number, a word, or a list of these. NaN and the infinities, which are no JSON, are understood; a
// number that is too large for a double is infinite. What is no JSON, or nested too deep, has the status "not JSON".
RunValue run_of_line(const std::string& line);

// Whether lists and objects lie in each other deeper than 64: what reads and writes JSON calls itself for each.
bool is_nested_too_deep(std::string_view json);

}  // namespace dither::audit
