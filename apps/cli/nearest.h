// Help for people who mistype.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dither::cli {

// The name that needs the fewest typing mistakes (letters put in, left out or changed) to become `typed`; the first of
// equals. `names` is not empty.
std::string nearest(std::string_view typed, const std::vector<std::string>& names);

// What was typed, fit for a message: control characters made visible, long text cut at 60 characters.
std::string echo(std::string_view typed);

}  // namespace dither::cli
