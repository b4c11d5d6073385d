// Any database that speaks SQL as an engine: the same bounding, as text.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "plan/functions.h"
#include "plan/project.h"

namespace dither::engine {

// What only executes text: a connection, a callable of another language, a worker process.
class Executor {
 public:
  virtual ~Executor() = default;
  // The rows of a SELECT: booleans, whole numbers (text of their digits beyond 64 bits), reals and text. Whatever goes wrong is
  // thrown; a run shows none of it.
  virtual std::vector<std::vector<Cell>> execute(const std::string& sql) = 0;
};

// Where a database keeps a declared table: what stands in FROM, with columns c0, c1 ... in the order and of the types of the declared
// ones (BIGINT, DOUBLE, text, TIMESTAMP without a zone ...).
using TableInDatabase = std::function<std::string(const plan::TableDeclaration&)>;

// The reference: on DuckDB it gives the numbers of the embedded engine. prepare() asks the database for no rows of the statement;
// fingerprint() is what the caller says of the source, since a server has no files.
std::unique_ptr<Engine> open_sql(const plan::Project& project, plan::Dialect dialect,
                                 std::shared_ptr<Executor> executor, TableInDatabase tables, std::string fingerprint);

}  // namespace dither::engine
