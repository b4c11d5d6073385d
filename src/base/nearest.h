// Help for people who mistype.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dither {

// The name that needs the fewest typing mistakes (letters put in, left out or changed) to become `typed`, of which the
// first 60 bytes count; the first of equals. `names` is not empty.
std::string nearest(std::string_view typed, const std::vector<std::string>& names);

}  // namespace dither
