// Whether a cell is one of a long list of constants: a table looked up, instead of DuckDB's join with the list.
#pragma once

#include "engine/detail/duckdb_api.h"

namespace dither::engine::detail {

// Makes "dither_among_integer", "..._text", "..._date" and "..._timestamp" known: a cell, and constants as
// plan::packed_cells packs them. NULL where the cell is NULL.
// Throws     DuckDbFailure.
void register_among(duckdb_connection connection);

}  // namespace dither::engine::detail
