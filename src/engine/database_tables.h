// What lies in a database file.
#pragma once

#include <string>
#include <vector>

namespace dither::engine {

struct DatabaseTable {
  std::string name;
  bool is_view = false;  // no source: it is worked out while it is read, which can fail for a value
  bool operator==(const DatabaseTable&) const = default;
};

// The tables and views of a DuckDB database, by name.
// Refuses    a file that is not there (cannot-read) or is no such database (bad-source); no-engine.
std::vector<DatabaseTable> tables_in(const std::string& file);

}  // namespace dither::engine
