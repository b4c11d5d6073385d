// DuckDB with nothing of ours around it: to make files for benchmarks, and to measure beside.
#pragma once

#include <cstdint>
#include <string>

namespace dither::testing {

// Opens the database file ("" for one in memory), runs the statements, and gives the first cell of what the last one answers: a
// BIGINT, or 0 where it answers nothing. Throws std::runtime_error with DuckDB's text.
// The library is the one that DITHER_DUCKDB names, else the one that this was built with; loaded at the first call.
std::int64_t bare_duckdb(const std::string& file, const std::string& statements);

}  // namespace dither::testing
