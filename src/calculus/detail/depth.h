// Hostile nesting is refused before anything recurses.
#pragma once

#include <string_view>

namespace dither::calculus::detail {

// How deep the brackets of a JSON text are nested at most; those inside strings do not count.
int depth_of_json(std::string_view text);

}  // namespace dither::calculus::detail
