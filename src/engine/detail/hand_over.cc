#include "engine/detail/hand_over.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "engine/detail/fill_table.h"
#include "engine/detail/watched.h"

namespace dither::engine::detail {

namespace {

constexpr std::uint64_t kManyRows = 20'000'000;  // of which half the share is reported

// What the callbacks share. It outlives the connection: DuckDB says nothing about when it lets go of their states.
struct Scan {
  const std::vector<Wanted>& wanted;
  const MakeTaker& make;
  const Watch& watch;
  std::mutex mutex;
  std::vector<std::unique_ptr<Taker>> takers;
  std::exception_ptr failure;
  std::atomic<std::uint64_t> taken{0};  // rows; whoever reads it sees what the takers hold of them

  // The number of rows is unknown: their share of the work is approached and never reached.
  void count(std::uint64_t more) {
    const std::uint64_t rows = taken += more;
    if (watch.progress != nullptr) watch.progress->update(kScanShare * rows / (rows + kManyRows), kWhole);
  }

  void fail() {
    const std::lock_guard lock(mutex);
    if (!failure) failure = std::current_exception();
  }
};

void leave_alone(void*) {}

void make_taker(duckdb_init_info info) {
  auto* scan = static_cast<Scan*>(duckdb().scalar_function_init_get_extra_info(info));
  try {
    auto taker = scan->make();
    const std::lock_guard lock(scan->mutex);
    scan->takers.push_back(std::move(taker));
    duckdb().scalar_function_init_set_state(info, scan->takers.back().get(), leave_alone);
  } catch (...) {
    scan->fail();  // without a state nothing is taken, and that is noticed
  }
}

void take_chunk(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  auto* scan = static_cast<Scan*>(duckdb().scalar_function_get_extra_info(info));
  try {
    auto* taker = static_cast<Taker*>(duckdb().scalar_function_get_state(info));
    scan->watch.token.check();
    const std::size_t rows = duckdb().data_chunk_get_size(input);
    std::vector<Column> columns(scan->wanted.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      duckdb_vector vector = duckdb().data_chunk_get_vector(input, i);
      duckdb_logical_type type = duckdb().vector_get_column_type(vector);
      const duckdb_type id = duckdb().get_type_id(type);
      columns[i] = {id, size_of(id), duckdb().vector_get_data(vector), duckdb().vector_get_validity(vector)};
      duckdb().destroy_logical_type(&type);
    }
    if (taker == nullptr) throw std::bad_alloc();
    taker->take(std::move(columns), rows);
    scan->count(rows);
    std::fill_n(static_cast<std::int32_t*>(duckdb().vector_get_data(output)), rows, 1);
  } catch (...) {
    scan->fail();
    duckdb().scalar_function_set_error(info, "stopped");
  }
}

// A function for this run alone. It is made in a transaction that is rolled back.
class HandOver {
 public:
  HandOver(Connection& connection, const std::string& rows_sql, const std::vector<ResultColumn>& given, Scan& scan)
      : connection_(connection) {
    static std::atomic<std::uint64_t> runs{0};
    const std::string name = fmt::format("dither_hand_over_{}", runs++);
    connection.query("BEGIN");
    duckdb_scalar_function function = duckdb().create_scalar_function();
    duckdb().scalar_function_set_name(function, name.c_str());
    duckdb().scalar_function_set_volatile(function);
    duckdb().scalar_function_set_special_handling(function);
    duckdb().scalar_function_set_extra_info(function, &scan, leave_alone);
    duckdb().scalar_function_set_init(function, make_taker);
    duckdb().scalar_function_set_function(function, take_chunk);
    std::string arguments;
    for (const auto& [column, type] : scan.wanted) {
      const std::vector<duckdb_type>& taken = readable(type);
      const bool as_it_is = std::find(taken.begin(), taken.end(), given[column].type) != taken.end();
      arguments += arguments.empty() ? "" : ", ";
      arguments += fmt::format(fmt::runtime(as_it_is ? "c{0}" : "TRY_CAST(c{0} AS {1})"), column, sql_type(type));
      duckdb_logical_type logical = duckdb().create_logical_type(as_it_is ? given[column].type : taken[0]);
      duckdb().scalar_function_add_parameter(function, logical);
      duckdb().destroy_logical_type(&logical);
    }
    duckdb_logical_type number = duckdb().create_logical_type(DUCKDB_TYPE_INTEGER);
    duckdb().scalar_function_set_return_type(function, number);
    duckdb().destroy_logical_type(&number);
    const bool made = duckdb().register_scalar_function(connection.get(), function) == DuckDBSuccess;
    duckdb().destroy_scalar_function(&function);
    if (!made) run_failed();
    sql_ = fmt::format("SELECT coalesce(sum({}({})), 0)::BIGINT FROM ({})", name, arguments, rows_sql);
  }
  HandOver(const HandOver&) = delete;
  HandOver& operator=(const HandOver&) = delete;
  ~HandOver() {
    try {
      connection_.query("ROLLBACK");
    } catch (...) {  // NOLINT: the connection goes next, and with it the transaction
    }
  }

  std::uint64_t run(const Watch& watch) {
    const auto rows = query(connection_, sql_, watch).rows();
    return static_cast<std::uint64_t>(std::get<std::int64_t>(rows.at(0).at(0)));
  }

 private:
  Connection& connection_;
  std::string sql_;
};

}  // namespace

std::vector<std::unique_ptr<Taker>> hand_over(const Database& database, const std::string& rows_sql,
                                              const std::vector<ResultColumn>& given, const std::vector<Wanted>& wanted,
                                              const MakeTaker& make, const Watch& watch) {
  Scan scan{wanted, make, watch, {}, {}, {}, {}};
  std::uint64_t rows = 0;
  try {
    Connection connection(database);
    HandOver hand_over(connection, rows_sql, given.empty() ? connection.columns_of(rows_sql) : given, scan);
    rows = hand_over.run(watch);
  } catch (...) {
    watch.token.check();
    if (scan.failure) std::rethrow_exception(scan.failure);
    throw;
  }
  if (scan.taken != rows) run_failed();
  return std::move(scan.takers);
}

}  // namespace dither::engine::detail
