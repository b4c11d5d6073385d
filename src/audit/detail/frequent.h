// What is seen most often. Private to the room.
#pragma once

#include <cstddef>
#include <vector>

namespace dither::audit::detail {

// All different values that are no NaN when there are at most so many; else the most frequent of those that occur twice at
// least. Ties are broken by a hash, so that no side of a pair and no end of the codes is preferred. Ascending.
std::vector<double> most_frequent(std::vector<double> values, std::size_t most);

}  // namespace dither::audit::detail
