// A source as a statement names it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/detail/duckdb.h"

namespace dither::engine::detail {

// How files are gone to. All but Parquet files are read as they lie.
enum class Reading {
  look,     // their ends alone: what the database makes of a statement, whatever their values are. Cannot be run
  direct,   // as they lie; texts that are not UTF-8 and moments that are none fail the statement
  careful,  // copies in which such values are NULL
};

// A source, or the part of its files that look the same.
struct SourcePart {
  std::string file;                   // the first of its files, for messages
  std::string from;                   // what stands in FROM
  std::vector<ResultColumn> columns;  // as it names and types them
  std::vector<std::string> cells;     // how each is written
  std::vector<std::string>
      given;  // the same as the file has it, before anything became NULL; empty where they are the same
  std::map<std::string, std::string> unfit;  // columns that are not read though they have a type, and why
  bool in_memory = false;
};

// Looks at what stands in FROM, a file of this name, without reading rows.
// Refuses    what is not what `as` says (bad-source).
SourcePart described(Connection& connection, const std::string& from, const std::string& file, const std::string& as);

// A file in a message: its name without the folders.
std::string short_name(const std::string& file);

}  // namespace dither::engine::detail
