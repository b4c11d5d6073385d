// The content of a table in memory as 32 bytes, which nobody sees without a key.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "engine/memory_table.h"

namespace dither::engine::detail {

// Of the number of rows, and of the names and values of these columns, each once: whatever their order, and whatever
// other columns there are. A column that is not there or cannot be read counts by its name. Rows count in their order.
// Not to be shown: whoever guesses the rows could check the guess.
//
// Same       values, however libraries write them: whole numbers of every size, floats and decimals that are whole
//            numbers; halves, singles and doubles; decimals of every scale; texts, also in dictionaries; dates and the
//            moments of their midnights; moments cut to microseconds; NULLs of every type.
Digest content_digest(std::vector<std::string> names, const std::vector<MemoryColumn>& columns,
                      const MemoryContent& content);

// RFC 2104 with SHA-256, of a digest.
Digest hmac_sha256(std::string_view key, const Digest& message);

}  // namespace dither::engine::detail
