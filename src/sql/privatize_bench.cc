#include <benchmark/benchmark.h>

#include <string>

#include "sql/privatize.h"

namespace dither::sql {
namespace {

plan::Project wide_project() {
  std::string text = R"(version: 1
data_version: "1"
privacy: {unit: person, neighbours: add-remove}
tables:
  visits:
    source: visits.csv
    unit: person
    bounds: {rows_per_unit: 6, keys_per_unit: 3, rows_per_key: 2}
    columns:
      person: {type: integer}
      city: {type: text, keys: [a, b, c], outside: other}
      town: {type: text}
      cost: {type: decimal, grid: 0.01, bounds: [0, 5000], outside: clamp}
)";
  for (int i = 0; i < 200; ++i)
    text += "      x" + std::to_string(i) + ": {type: integer, bounds: [0, 9], outside: clamp}\n";
  return plan::parse_project(text + "budgets: {main: {epsilon: 1, delta: 1e-6}}\n", "bench.yaml");
}

// 20 common table expressions on top of each other, each with all columns, and a sum of every one of the 200.
std::string wide_statement() {
  std::string text = "WITH t0 AS (SELECT * FROM visits WHERE x0 > 0)";
  for (int i = 1; i < 20; ++i) {
    const std::string n = std::to_string(i);
    text += ", t" + n + " AS (SELECT * FROM t" + std::to_string(i - 1) + " WHERE x" + n + " < 9)";
  }
  text += " SELECT city";
  for (int i = 0; i < 200; ++i) text += ", SUM(x" + std::to_string(i) + ")";
  return text + " FROM t19 GROUP BY city";
}

void measure(benchmark::State& state, const std::string& text, bool with_delta) {
  const plan::Project project = wide_project();
  Wanted wanted;
  wanted.epsilon = 1;
  if (with_delta) wanted.delta = Rational::parse("1e-6");
  for (auto _ : state) benchmark::DoNotOptimize(privatize(project, sql::bind(project, text), wanted));
}

// Parse, bind, analyse and price. An ordinary statement should stay under 2 ms, also with keys that nobody listed.
void BM_ordinary(benchmark::State& state) {
  measure(state, "SELECT city, COUNT(*), AVG(cost) FROM visits WHERE cost > 5 GROUP BY city ORDER BY 2 DESC", false);
}
void BM_unknown_keys(benchmark::State& state) {
  measure(state, "SELECT town, COUNT(*), AVG(cost) FROM visits WHERE cost > 5 GROUP BY town", true);
}
// 200 columns and 20 CTEs: under 50 ms.
void BM_wide(benchmark::State& state) { measure(state, wide_statement(), false); }
BENCHMARK(BM_ordinary)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_unknown_keys)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_wide)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dither::sql
