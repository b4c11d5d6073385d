// SQL over values that were released, in a database of its own.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/canonical.h"
#include "plan/type.h"

namespace dither::engine {

// A database in memory that never holds anything but what is given here, reads no files and runs on one thread.
class ReleasedDatabase {
 public:
  // no-engine.
  ReleasedDatabase();
  ReleasedDatabase(const ReleasedDatabase&) = delete;
  ReleasedDatabase& operator=(const ReleasedDatabase&) = delete;
  ~ReleasedDatabase();

  // The rows of a SELECT over the table `released`, whose columns c0, c1, ... have these types and hold these rows.
  // Safe to call from several threads.
  // Refuses    run-failed where memory is lacking.
  std::vector<std::vector<Cell>> run(const std::vector<plan::Type>& types, std::span<const std::vector<Cell>> rows,
                                     const std::string& sql);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace dither::engine
