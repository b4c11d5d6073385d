// From text to relation. An ordinary statement should stay under a millisecond, most of it the grammar; a long
// one under 25 milliseconds.
#include <benchmark/benchmark.h>

#include <string>

#include "sql/bind_check.h"
#include "sql/detail/large_stack.h"

namespace dither::sql {
namespace {

void BM_thread(benchmark::State& state) {
  for (auto _ : state) on_large_stack([] {});
}
BENCHMARK(BM_thread)->MeasureProcessCPUTime();

void BM_ordinary(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        bind(check_project(),
             "SELECT city, COUNT(*) AS n, SUM(cost) AS total FROM visits WHERE age BETWEEN 18 AND 65 "
             "GROUP BY city HAVING COUNT(*) > 10 ORDER BY n DESC LIMIT 10"));
  }
}
BENCHMARK(BM_ordinary)->Unit(benchmark::kMicrosecond)->MeasureProcessCPUTime();

// 200 columns made in the first of 20 common tables, passed on by * or by their names (55 KB of text, of which libpg_query
// alone takes most of the time), then summed.
void BM_wide(benchmark::State& state) {
  const bool by_name = state.range(0) == 1;
  std::string sql = "WITH t0 AS (SELECT person";
  for (int i = 0; i < 200; ++i) sql += ", age + " + std::to_string(i) + " AS c" + std::to_string(i);
  sql += " FROM visits)";
  for (int t = 1; t < 20; ++t) {
    sql += ", t" + std::to_string(t) + " AS (SELECT " + (by_name ? "person" : "*");
    for (int i = 0; by_name && i < 200; ++i) sql += ", c" + std::to_string((i + 1) % 200) + " AS c" + std::to_string(i);
    sql += " FROM t" + std::to_string(t - 1) + " WHERE c" + std::to_string(t) + " > " + std::to_string(t) + ")";
  }
  sql += " SELECT COUNT(*)";
  for (int i = 0; i < 200; ++i) sql += ", SUM(c" + std::to_string(i) + ")";
  sql += " FROM t19";
  for (auto _ : state) benchmark::DoNotOptimize(sql::bind(check_project(), sql));
}
BENCHMARK(BM_wide)->ArgName("by_name")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime();

}  // namespace
}  // namespace dither::sql
