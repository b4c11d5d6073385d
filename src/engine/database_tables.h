// What lies in a database file.
#pragma once

#include <string>
#include <vector>

namespace dither::engine {

// The names of the tables and views of a DuckDB database, in order.
// Refuses    a file that is not there (cannot-read) or is no such database (bad-source); no-engine.
std::vector<std::string> tables_in(const std::string& file);

}  // namespace dither::engine
