// How much a table's source may bring, by public facts: what it says of itself, and the size of its values as text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/detail/duckdb.h"
#include "plan/facts.h"
#include "plan/project.h"

namespace dither::engine::detail {

// The most that some rows may bring: how many there are, and the bytes of the cells of all of them, and of the longest one, as
// records on disk have them (row_bytes.h).
struct Most {
  double rows = 0, bytes = 0, widest = 0;
};

// What a cell with such facts, and a row of them, may take in a record.
double widest_cell(const plan::Facts& facts);
double widest_row(std::span<const plan::Facts> columns);

// What is known of a source, whatever a statement asks of it.
//
// Public     the size of a file is. So are, in powers of two, how many rows it has and how many bytes its texts: what a statement
//            needs is said, and a statement can be chosen to make that any multiple of a size.
struct SourceSize {
  std::uint64_t bytes = 0;               // of its files, unpacked; or so many at most
  std::optional<std::uint64_t> rows;     // where it counts them itself, or they were counted
  std::optional<std::uint64_t> texts;    // bytes of all its texts together, which reading all of it tells
  std::optional<std::uint64_t> longest;  // of the texts of one row: of public tables alone
};

// Which of that is found out by reading: what packed files and those that count their rows hold, and the longest text of public
// tables; then rows of CSV and JSON too, where each byte might be a row and the disk has no room for so many.
enum class Measuring { sizes, rows_of_records };

// A row of CSV and JSON has a byte for each delimiter. A damaged one is a row without a unit, which is never written; where rows are
// units it has a byte at least.
Most most_of(const plan::TableDeclaration& table, const SourceSize& size);

// The size, or up to twice as much.
std::uint64_t in_powers_of_two(std::uint64_t size);

// The bytes of a file after unpacking: at most, and in fact. Refuses what cannot be unpacked (cannot-read).
bool is_packed(const std::string& file);
std::uint64_t most_unpacked(std::uint64_t packed);
std::uint64_t unpacked_size(const std::string& file);

// Rows of a table that the database reads as `from`, and what its texts take. Throws DuckDbFailure.
std::uint64_t count_rows(const Database& database, const std::string& from);
SourceSize measured(const Database& database, const plan::TableDeclaration& table, const std::string& from);

}  // namespace dither::engine::detail
