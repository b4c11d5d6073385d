// Help for people who mistype.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dither {

// The name that needs the fewest typing mistakes (letters put in, left out, changed, or swapped with the next) to become
// `typed`, of which the first 60 bytes count; the first of equals. `names` is not empty.
std::string nearest(std::string_view typed, const std::vector<std::string>& names);

// The same where it is likely meant: at most 2 mistakes, or a third of the letters typed, and not all of them. Capitals
// (of ASCII) are no mistake.
std::optional<std::string> near_enough(std::string_view typed, const std::vector<std::string>& names);

}  // namespace dither
