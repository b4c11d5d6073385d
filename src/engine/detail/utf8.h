// Bytes that are text, or are not.
#pragma once

#include <string_view>

#include "engine/detail/duckdb_api.h"

namespace dither::engine::detail {

// As base/text.h has it: no overlong forms, no surrogates, nothing beyond Unicode.
bool is_utf8(std::string_view text);

// Makes "dither_text_of_bytes" known: a BLOB as VARCHAR, NULL where it is not UTF-8.
// Throws     DuckDbFailure.
void register_text_of_bytes(duckdb_connection connection);

}  // namespace dither::engine::detail
