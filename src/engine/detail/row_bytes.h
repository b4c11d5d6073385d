// Cells of rows as bytes that can be sorted, lie in files and come back.
#pragma once

#include <string>
#include <string_view>

#include "engine/detail/bounding_read.h"

namespace dither::engine::detail {

// Of a real number as a value: as it is, or with one zero and one NaN, as a key.
enum class Spelling { exact, key };

// Appends a cell.
//
// Promise    the bytes of a cell say themselves where they end. Of one type, memcmp orders them: NULL first, numbers by size (NaN
//            last), texts by their bytes. As keys two cells have the same bytes exactly if they have the same canonical bytes.
// Cost       of a whole number 1 byte and those that it needs; of a real number 9; of a text 3 and its bytes, a zero byte twice.
void append_cell(const Column& column, plan::Type type, std::size_t row, Spelling spelling, std::string& bytes);

void append_whole(std::int64_t value, std::string& bytes);
void append_text(std::string_view text, std::string& bytes);

// The cell of a column.
Cell cell_at(const Column& column, plan::Type type, std::size_t row);

// Whether a cell can be joined to another: it is neither NULL nor NaN.
bool can_join(const Column& column, plan::Type type, std::size_t row);

// How many bytes the first cell of these has.
std::size_t cell_size(std::string_view bytes);

// Puts a cell into a vector of DuckDB that is of the type's own kind; no bytes are NULL.
void put_cell(std::string_view bytes, plan::Type type, duckdb_vector vector, std::size_t row);

Cell cell_of(std::string_view bytes, plan::Type type);

}  // namespace dither::engine::detail
