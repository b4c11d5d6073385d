// Declared tables as they lie in files: looked at without reading rows, and read cell by cell as the declared types.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "engine/detail/duckdb.h"
#include "engine/detail/record_table.h"
#include "plan/project.h"

namespace dither::engine::detail {

// A source, or the part of its files that look the same.
struct SourcePart {
  std::string from;                   // what stands in FROM
  std::vector<ResultColumn> columns;  // as it names and types them
  std::vector<std::string> cells;     // how each is written
};

// Sources of one database. Whatever is read lies in files that the database may read, or is read by this process itself.
class Sources {
 public:
  explicit Sources(const Database& database) : connection_(database), records_(connection_) {}

  // What stands in FROM for the cells of a table: columns c0, c1 ... in the order of the declared ones and of their types; what
  // cannot be read as its type is NULL.
  // Refuses    a file that is not there or cannot be opened (cannot-read); one that is not of its kind, lacks a declared column or
  //            holds in it what has no cast to the declared type (bad-source). No message holds anything of a row.
  std::string typed(const plan::TableDeclaration& table, const std::vector<std::string>& files);
  // The same with columns n0, n1 ... that say whether the source has nothing there.
  std::string typed_with_nulls(const plan::TableDeclaration& table, const std::vector<std::string>& files);

  // The parts of a source, with these columns of CSV and JSON, and all of the others.
  std::vector<SourcePart> parts(const plan::Source& source, const std::vector<std::string>& files,
                                const std::vector<std::string>& wanted);

 private:
  std::string all_typed(const plan::TableDeclaration& table, const std::vector<std::string>& files, bool nulls);
  std::vector<SourcePart> csv_parts(const plan::Source& source, const std::vector<std::string>& files,
                                    const std::vector<std::string>& wanted);
  SourcePart json_part(const std::vector<std::string>& files, const std::vector<std::string>& wanted);
  SourcePart table_part(const plan::Source& source, const std::string& file);
  std::vector<SourcePart> parquet_parts(const std::vector<std::string>& files);
  SourcePart described(const std::string& from, const std::string& file, const std::string& as);
  std::string attach(const std::string& file);

  Connection connection_;
  RecordTables records_;
  std::map<std::string, std::string> attached_;  // file to name
};

}  // namespace dither::engine::detail
