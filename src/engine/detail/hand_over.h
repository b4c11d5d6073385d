// Runs a query whose rows this process takes, chunk by chunk, instead of a result.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/detail/bounding_read.h"
#include "engine/detail/duckdb.h"
#include "engine/engine.h"

namespace dither::engine::detail {

// Progress is reported in thousandths of the whole; reading rows is this share of it.
inline constexpr std::uint64_t kWhole = 1000;
inline constexpr std::uint64_t kScanShare = 700;

// What takes rows out of a running query: one for each thread of DuckDB.
class Taker {
 public:
  virtual ~Taker() = default;
  virtual void take(std::vector<Column> columns, std::size_t rows) = 0;
};
using MakeTaker = std::function<std::unique_ptr<Taker>()>;

// A column of a query, to be read as one of readable(type).
struct Wanted {
  std::size_t column;
  plan::Type type;
};

// Every row of `rows_sql` is taken once, by one of the takers, with these columns. `given` are the columns of `rows_sql`; without any
// they are asked for.
//
// Holds if   the function that hands rows over is called for all of them; whether it was is checked afterwards.
// Refuses    what DuckDB cannot run (DuckDbFailure), what a taker throws, and rows that were not handed over (run-failed); throws
//            Cancelled.
std::vector<std::unique_ptr<Taker>> hand_over(const Database& database, const std::string& rows_sql,
                                              const std::vector<ResultColumn>& given, const std::vector<Wanted>& wanted,
                                              const MakeTaker& make, const Watch& watch);

}  // namespace dither::engine::detail
