// A small question, from text to paid, noised, stored answer: warm, in this process, the ledger included. 10,000 rows, 1,000 people,
// 50 keys; each answer is a fresh draw, so that nothing is looked up. Under 10 ms.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sql/query.h"
#include "testing/bare_duckdb.h"

namespace dither::sql {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRows =
    "SELECT (hash(i) % 1000)::BIGINT AS uid, (hash(i + 1000000) % 50)::INTEGER AS g, "
    "(hash(i + 2000000) % 10001)::DOUBLE / 100 AS v FROM range(10000) r(i)";

// A folder with a project over one table, gone with it.
class Project {
 public:
  explicit Project(const std::string& source) {
    std::string name = (fs::temp_directory_path() / "dither-query-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    const std::string data = (folder_ / source).string();
    if (source.ends_with(".duckdb")) {
      testing::bare_duckdb(data, std::string("CREATE TABLE events AS ") + kRows);
    } else {
      testing::bare_duckdb("", std::string("COPY (") + kRows + ") TO '" + data + "'");
    }
    std::ofstream(path()) << text(source);
  }
  Project(const Project&) = delete;
  Project& operator=(const Project&) = delete;
  ~Project() { fs::remove_all(folder_); }
  std::string path() const { return (folder_ / "dither.yaml").string(); }

 private:
  static std::string text(const std::string& source) {
    std::string keys = "0";
    for (int key = 1; key < 50; ++key) keys += ", " + std::to_string(key);
    return R"(version: 1
data_version: "1"
privacy: {unit: person, neighbours: add-remove}
tables:
  events:
    source: )" +
           source + R"(
    unit: uid
    bounds: {rows_per_unit: 6, keys_per_unit: 3, rows_per_key: 2}
    columns:
      uid: {type: integer}
      g: {type: integer, keys: [)" +
           keys + R"(], outside: {other: -1}}
      v: {type: decimal, grid: 0.01, bounds: [0, 100], outside: clamp}
budgets: {main: {epsilon: 1000000}}
)";
  }

  fs::path folder_;
};

void measure(benchmark::State& state, const std::string& source, const std::string& sql) {
  const Project project(source);
  session::Session session = session::Session::open(project.path());
  Wanted wanted;
  wanted.epsilon = 1;
  session::Ask ask;
  ask.by = "bench";
  ask.title = sql;
  ask.again = true;
  query(session, sql, wanted, ask);  // opens engine and ledger
  for (auto _ : state) benchmark::DoNotOptimize(query(session, sql, wanted, ask));
}

const char* const kByKey = "SELECT g, COUNT(*), SUM(v) FROM events GROUP BY g";
const char* const kOrdered =
    "SELECT g, AVG(v) AS a FROM events GROUP BY g HAVING COUNT(*) > 10 ORDER BY a DESC LIMIT 10";

void BM_small_csv(benchmark::State& state) { measure(state, "events.csv", kByKey); }
void BM_small_parquet(benchmark::State& state) { measure(state, "events.parquet", kByKey); }
void BM_small_table(benchmark::State& state) { measure(state, "events.duckdb", kByKey); }
// With work behind the noise.
void BM_small_table_ordered(benchmark::State& state) { measure(state, "events.duckdb", kOrdered); }
BENCHMARK(BM_small_csv)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK(BM_small_parquet)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK(BM_small_table)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK(BM_small_table_ordered)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();

}  // namespace
}  // namespace dither::sql
