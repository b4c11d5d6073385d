// The content of a table in memory as 32 bytes, which nobody sees without a key.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "engine/memory_table.h"

namespace dither::engine::detail {

// Of names, types and values, column by column: the same for the same rows in the same order. Not to be shown: whoever
// guesses the rows could check the guess.
Digest content_digest(const std::vector<MemoryColumn>& columns, const MemoryContent& content);

// RFC 2104 with SHA-256, of a digest.
Digest hmac_sha256(std::string_view key, const Digest& message);

}  // namespace dither::engine::detail
