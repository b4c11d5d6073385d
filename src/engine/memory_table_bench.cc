// Ten keys and three of them a unit, over the same rows in Arrow's layout, in a table of DuckDB and in a Parquet file;
// and what a table in memory costs beside itself. Memory should not fall behind the others, and extra_MiB should stay
// far below its size.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>

#include <fstream>

#include "engine/detail/duckdb.h"
#include "engine/memory_table_check.h"

namespace dither::engine {
namespace {

constexpr std::int64_t kChunk = 500'000;

plan::Project project_from(const std::string& source, const std::string& unit = "person") {
  return plan::parse_project(
      "version: 1\ndata_version: \"1\"\nprivacy: {unit: person, neighbours: add-remove}\ntables:\n  visits:\n"
      "    source: " +
          source + "\n    unit: " + unit +
          "\n    columns:\n      person: {type: integer}\n"
          "      city: {type: text, keys: [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9], outside: other}\n"
          "      cost: {type: decimal, grid: 0.01, bounds: [0, 500], outside: clamp}\n"
          "budgets: {main: {epsilon: 1}}\n",
      "dither.yaml");
}

plan::BoundedAggregate asked(const plan::Project& project) {
  plan::BoundedAggregate aggregate;
  const plan::Relation visits = plan::scan(project, "visits");
  aggregate.rows =
      plan::project(visits, {plan::column(1, plan::Type::text), plan::column(visits->owner().unit, plan::Type::integer),
                             plan::column(2, plan::Type::real)});
  aggregate.keys = 1;
  aggregate.keys_per_unit = 3;
  aggregate.public_keys.emplace();
  for (const Cell& key : *project.table("visits").find("city")->keys) aggregate.public_keys->push_back({key});
  aggregate.measures = {{.kind = plan::MeasureKind::rows, .column = {}, .total_low = 0, .total_high = 2},
                        {.kind = plan::MeasureKind::sum,
                         .column = 2,
                         .step = Rational(1, 100),
                         .low = 0,
                         .high = 50000,
                         .total_low = 0,
                         .total_high = 100000}};
  return aggregate;
}

// A person has about ten rows.
std::shared_ptr<const MemoryTable> visits(std::int64_t rows) {
  std::vector<ArrowChunk> chunks;
  for (std::int64_t from = 0; from < rows; from += kChunk) {
    Maybe<std::int64_t> persons;
    Maybe<std::string> cities;
    Maybe<double> costs;
    for (std::int64_t i = from; i < std::min(rows, from + kChunk); ++i) {
      persons.emplace_back(i * 7919 % (rows / 10 + 1));
      cities.emplace_back(fmt::format("c{}", i % 10));
      costs.emplace_back(static_cast<double>(i % 50'000) / 100);
    }
    chunks.push_back({fixed_column("person", "l", persons), text_column<std::int32_t>("city", "u", cities),
                      fixed_column("cost", "g", costs)});
  }
  return table_of(std::move(chunks));
}

// A line of what the system tells of this process, in bytes.
std::int64_t told(const std::string& name) {
  std::ifstream file("/proc/self/status");
  std::string word;
  while (file >> word) {
    std::int64_t kibibytes = 0;
    if (word == name + ":" && file >> kibibytes) return kibibytes * 1024;
  }
  return 0;
}

void ask(benchmark::State& state, Engine& engine, const plan::Project& project) {
  const plan::BoundedAggregate aggregate = asked(project);
  for (auto _ : state) {
    engine.prepare(aggregate);
    engine.run(aggregate, {});
  }
}

void BM_in_memory(benchmark::State& state) {
  const plan::Project project = project_from("{kind: memory}");
  const auto engine = open_duckdb(project, {}, {{"visits", visits(state.range(0))}}, {});
  ask(state, *engine, project);
}
BENCHMARK(BM_in_memory)->Arg(5'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();

// In a DuckDB that may write, unlike those of the engine.
void write(const std::vector<std::string>& statements) {
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  detail::duckdb().open_ext(nullptr, &database, nullptr, nullptr);
  detail::duckdb().connect(database, &connection);
  for (const std::string& sql : statements) {
    duckdb_result result{};
    if (detail::duckdb().query(connection, sql.c_str(), &result) != DuckDBSuccess) std::abort();
    detail::duckdb().destroy_result(&result);
  }
  detail::duckdb().disconnect(&connection);
  detail::duckdb().close(&database);
}

void BM_in_file(benchmark::State& state, const char* ending) {
  const TestFolder folder;
  const std::string rows = fmt::format(
      "SELECT i * 7919 % ({0} // 10 + 1) AS person, 'c' || i % 10 AS city, (i % 50000) / 100 AS cost FROM range({0}) "
      "AS r(i)",
      state.range(0));
  const std::string file = folder.file(std::string("visits.") + ending);
  if (std::string_view(ending) == "parquet") {
    write({fmt::format("COPY ({}) TO '{}'", rows, file)});
  } else {
    write({fmt::format("ATTACH '{}' AS one", file), "CREATE TABLE one.visits AS " + rows, "DETACH one"});
  }
  const plan::Project project = project_from("'" + file + "'");
  ask(state, *open_duckdb(project), project);
}
BENCHMARK_CAPTURE(BM_in_file, parquet, "parquet")->Arg(5'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(BM_in_file, duckdb, "duckdb")->Arg(5'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();

// What the process holds more at its fullest, over a table of about a gibibyte whose rows are units, and bounded by
// unit.
void BM_extra_memory(benchmark::State& state, const char* unit) {
  const plan::Project project = project_from("{kind: memory}", unit);
  const auto engine = open_duckdb(project, {}, {{"visits", visits(state.range(0))}}, {});
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";  // the fullest from now on
  const std::int64_t before = told("VmRSS");
  ask(state, *engine, project);
  state.counters["before_MiB"] = static_cast<double>(before >> 20);
  state.counters["extra_MiB"] = static_cast<double>((told("VmHWM") - before) >> 20);
}
BENCHMARK_CAPTURE(BM_extra_memory, row, "row")
    ->Arg(48'000'000)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(BM_extra_memory, person, "person")
    ->Arg(48'000'000)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace dither::engine
