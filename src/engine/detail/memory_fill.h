// Columns of tables in memory as vectors of DuckDB.
#pragma once

#include "engine/detail/duckdb.h"
#include "engine/detail/memory_content.h"

namespace dither::engine::detail {

// The type that a column has in DuckDB; VARCHAR where it is not read.
ResultColumn type_in_duckdb(const std::string& name, const MemoryLayout& layout);

// Writes rows (kMostRows at most) into a vector of that type. Texts are not copied: they point to where they lie, and
// the table must outlive whoever reads the vector. What is no value of its type, such as a text that is not UTF-8, is
// NULL.
void fill_vector(const MemoryRows& rows, duckdb_vector vector);

// NULL in every row, whatever its type.
void fill_nothing(std::size_t rows, duckdb_vector vector);

}  // namespace dither::engine::detail
