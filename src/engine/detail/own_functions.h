// The functions of the table that DuckDB calls instead of its own: one meaning, and no error that a value could cause.
#pragma once

#include "engine/detail/duckdb_api.h"

namespace dither::engine::detail {

// Makes every function known that the spelling of DuckDB names "dither_...", and those of cell_functions.h, to all connections of the database.
// Throws     DuckDbFailure.
// Cost       about 2 ms.
void register_own_functions(duckdb_connection connection);

}  // namespace dither::engine::detail
