// Which columns of outputs to look at, where there are more than a search has time for. Private to the room.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "audit/detail/search_runs.h"
#include "audit/outputs.h"

namespace dither::audit::detail {

// The `most` columns whose two samples differ most in these training runs, those that differ most first.
// Numbers differ by the largest distance of their empirical distribution functions, words by the largest difference of one
// word's shares; that a cell is absent, or NaN, counts like a word.
std::vector<std::size_t> telling_columns(const Runs& runs, const Shape& shape, std::size_t most);

// What to say about columns that were left out; nothing when none was.
std::optional<std::string> left_out_columns(const Shape& shape, std::size_t most);

}  // namespace dither::audit::detail
