// Cells on their way into a table of DuckDB.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/detail/duckdb.h"

namespace dither::engine::detail {

// How DuckDB names our types: BOOLEAN, BIGINT, DOUBLE, VARCHAR, DATE, TIMESTAMP.
const char* sql_type(plan::Type type);

// Appends rows to a table whose columns have these types. Each row has a cell of the type, or NULL, for each column.
// Throws DuckDbFailure.
void fill_table(Connection& connection, const std::string& table, const std::vector<plan::Type>& types,
                std::span<const std::vector<Cell>> rows);

}  // namespace dither::engine::detail
