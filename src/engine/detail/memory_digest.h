// The content of a table in memory as 32 bytes, which nobody sees without a key.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "engine/memory_table.h"

namespace dither::engine::detail {

// Of the values of one column, in the order of the rows. A column that no declaration can read is one of NULLs.
Digest digest_of_column(const MemoryContent& content, std::size_t column);

// Of the number of rows, and of all columns by name, whatever their order.
Digest content_digest(std::uint64_t rows, std::vector<SeenColumn> columns);

// RFC 2104 with SHA-256, of a digest.
Digest hmac_sha256(std::string_view key, const Digest& message);

}  // namespace dither::engine::detail
