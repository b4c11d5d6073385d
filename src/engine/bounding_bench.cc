// What bounding costs beside the plain GROUP BY over the same rows, and beside the same bounding written in SQL. All are run by
// turns in one process, and ratios are of the best times: other work on the machine moves times, less so ratios, and least the ratio
// of what all threads together worked (x_plain_cpu).
//
// DITHER_BENCH_ROWS says how many rows (20 million), a tenth of them units; DITHER_BENCH_REWRITE=0 leaves the rewrite out.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>

#include "engine/bounded_sql.h"
#include "engine/bounding_check.h"

namespace dither::engine {
namespace {

using detail::Connection;
using detail::Database;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

struct Case {
  const char* name;
  std::int64_t keys;
  bool text;
  bool parquet;
  std::size_t sums;
  bool scaled;                                 // the first sum, as that of a mean
  std::optional<std::uint64_t> rows_per_unit;  // over all keys
};

plan::BoundedAggregate aggregate_of(const Case& one) {
  std::vector<Type> types{Type::integer, one.text ? Type::text : Type::integer};
  types.resize(2 + one.sums, Type::integer);
  plan::BoundedAggregate aggregate{rows_of(types, 1), 1, {}, 3, {counted(20)}};
  for (std::size_t i = 0; i < one.sums; ++i) aggregate.measures.push_back(summed(2 + i, 0, 1000, 20));
  if (one.scaled) {
    Measure& sum = aggregate.measures[1];
    sum.centred = true;
    sum.cut = plan::Cut::scale;
    sum.finer = 16;
    sum.total_high = Int128{20'000} << sum.finer;
    sum.total_low = -sum.total_high;
  }
  aggregate.rows_per_unit = one.rows_per_unit;
  aggregate.public_keys.emplace();
  for (std::int64_t key = 0; key < one.keys; ++key) aggregate.public_keys->push_back({Cell(key)});
  std::sort(aggregate.public_keys->begin(), aggregate.public_keys->end(),
            [](const auto& a, const auto& b) { return canonical(a) < canonical(b); });
  return aggregate;
}

// Rows in a table t or in a file; the query that reads them.
class Data {
 public:
  Data(const Case& one, std::uint64_t rows) : file_(file_name()) {
    detail::DatabaseOptions options;
    options.threads = 2;
    if (one.parquet) options.may_read = {file_};
    database_ = std::make_unique<Database>(options);
    std::string columns = fmt::format("CAST(hash(i, 1) % {} AS INTEGER) AS c0", one.keys);
    const std::string unit = fmt::format("hash(i, 2) % {}", std::max<std::uint64_t>(rows / 10, 1));
    columns += one.text ? fmt::format(", format('{{:08d}}-0000-4000-8000-{{:012d}}', {0}, {0}) AS c1", unit)
                        : fmt::format(", CAST({} AS BIGINT) AS c1", unit);
    for (std::size_t i = 0; i < one.sums; ++i) {
      columns += fmt::format(", CAST(hash(i, {}) % 1000 AS INTEGER) AS c{}", 3 + i, 2 + i);
    }
    const std::string made = fmt::format("SELECT {} FROM range({}) AS r(i)", columns, rows);
    if (one.parquet) {
      duckdb_database plain = nullptr;
      duckdb_connection connection = nullptr;
      detail::duckdb().open_ext(nullptr, &plain, nullptr, nullptr);
      detail::duckdb().connect(plain, &connection);
      detail::duckdb().query(connection, fmt::format("COPY ({}) TO '{}' (FORMAT parquet)", made, file_).c_str(),
                             nullptr);
      detail::duckdb().disconnect(&connection);
      detail::duckdb().close(&plain);
      rows_ = fmt::format("SELECT * FROM read_parquet('{}')", file_);
    } else {
      Connection(*database_).query("CREATE TABLE t AS " + made);
      rows_ = "SELECT * FROM t";
    }
  }
  ~Data() { std::filesystem::remove(file_); }
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;

  const Database& database() const { return *database_; }
  const std::string& rows() const { return rows_; }

 private:
  static std::string file_name() {
    return (std::filesystem::temp_directory_path() / fmt::format("dither-bench-{}.parquet", ::getpid())).string();
  }
  std::string file_, rows_;
  std::unique_ptr<Database> database_;
};

struct Time {
  double wall = 1e9, cpu = 1e9;  // seconds

  template <class Work>
  double take(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t worked = std::clock();
    work();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    wall = std::min(wall, seconds);
    cpu = std::min(cpu, static_cast<double>(std::clock() - worked) / CLOCKS_PER_SEC);
    return seconds;
  }
};

void BM_bounding(benchmark::State& state, const Case& one) {
  const std::uint64_t rows = number_from("DITHER_BENCH_ROWS", 20'000'000);
  const Data data(one, rows);
  const plan::BoundedAggregate aggregate = aggregate_of(one);
  std::string sums;
  for (std::size_t i = 0; i < one.sums; ++i) sums += fmt::format(", sum(c{})", 2 + i);
  const std::string plain_sql = fmt::format("SELECT c0, count(*){} FROM ({}) GROUP BY c0", sums, data.rows());
  Limits limits;
  limits.threads = 2;
  Connection connection(data.database());
  Time plain, ours, rewritten;
  for (auto _ : state) {
    plain.take([&] { connection.query(plain_sql).rows(); });
    state.SetIterationTime(ours.take([&] {
      benchmark::DoNotOptimize(detail::run_bounding(data.database(), data.rows(), aggregate, limits, {}).units.data());
    }));
  }
  state.counters["plain_ms"] = plain.wall * 1e3;
  state.counters["best_ms"] = ours.wall * 1e3;
  state.counters["x_plain"] = ours.wall / plain.wall;
  state.counters["cpu_ms"] = ours.cpu * 1e3;
  state.counters["x_plain_cpu"] = ours.cpu / plain.cpu;
  state.counters["Mrows/s"] = static_cast<double>(rows) / ours.wall / 1e6;
  if (number_from("DITHER_BENCH_REWRITE", 1) == 0) return;
  const std::string rewrite = bounded_sql(aggregate, plan::Dialect::duckdb, data.rows()).numbers;
  rewritten.take([&] { connection.query(rewrite).rows(); });
  state.counters["x_faster_than_rewrite"] = rewritten.wall / ours.wall;
}

// Should stay: x_plain at most 7, 2, 13, 6 in the first four; four_sums at most 1.6 times the best_ms of u50, mean 1.05 times and
// all_cut, where every unit has more rows than count for it, twice.
#define DITHER_BOUNDING_BENCH(name, ...)                         \
  BENCHMARK_CAPTURE(BM_bounding, name, Case{#name, __VA_ARGS__}) \
      ->UseManualTime()                                          \
      ->Iterations(8)                                            \
      ->Unit(benchmark::kMillisecond)
DITHER_BOUNDING_BENCH(u50, 50, false, false, 1, false, {});
DITHER_BOUNDING_BENCH(u100k, 100'000, false, false, 1, false, {});
DITHER_BOUNDING_BENCH(t50, 50, true, false, 1, false, {});
DITHER_BOUNDING_BENCH(u50_parquet, 50, false, true, 1, false, {});
DITHER_BOUNDING_BENCH(four_sums, 50, false, false, 4, false, {});
DITHER_BOUNDING_BENCH(mean, 50, false, false, 1, true, {});
DITHER_BOUNDING_BENCH(all_cut, 50, false, false, 1, true, 2);

}  // namespace
}  // namespace dither::engine
