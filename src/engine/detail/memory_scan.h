// Tables in memory as tables of DuckDB.
#pragma once

#include <string>

#include "engine/detail/duckdb.h"
#include "engine/detail/source_part.h"
#include "engine/memory_table.h"

namespace dither::engine::detail {

// What messages call the file of such a table.
inline constexpr const char* kTableInMemory = "the table in memory";

// Lives as long as the database, and the tables with it.
class MemoryScans {
 public:
  MemoryScans(Connection& connection, MemoryTables tables);
  MemoryScans(const MemoryScans&) = delete;
  MemoryScans& operator=(const MemoryScans&) = delete;

  // A table that is there. Columns that cannot be read, or have the name of another one, are unfit.
  // Promise    as many threads as the database has read slices of it at once, only the columns that are asked for,
  //            without copies of texts; any number of times.
  SourcePart part(const std::string& table) const;

  const MemoryTable& at(std::size_t index) const;

 private:
  MemoryTables tables_;
};

}  // namespace dither::engine::detail
