// Tables in memory as tables of DuckDB.
#pragma once

#include <string>

#include "engine/detail/duckdb.h"
#include "engine/detail/source_part.h"
#include "engine/memory_table.h"

namespace dither::engine::detail {

// What messages call the file of such a table.
inline constexpr const char* kTableInMemory = "the table in memory";

// What such a table looks like. Columns that cannot be read, or have the name of another one, are unfit.
SourcePart part_in_memory(const MemoryTable& table);

// Lives as long as the database, and the tables with it.
class MemoryScans {
 public:
  MemoryScans(Connection& connection, MemoryTables tables);
  MemoryScans(const MemoryScans&) = delete;
  MemoryScans& operator=(const MemoryScans&) = delete;

  // A table that is there, as part_in_memory has it.
  // Promise    as many threads as the database has read slices of it at once, only the columns that are asked for,
  //            without copies of texts; any number of times.
  SourcePart part(const std::string& table) const;

  const MemoryTable& at(std::size_t index) const;

 private:
  MemoryTables tables_;
};

}  // namespace dither::engine::detail
