// A small question, warm: looking at the sources and running, without the ledger. Should stay far below 10 ms.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/engine.h"

namespace dither::engine {
namespace {

constexpr const char* kProject = R"(version: 1
data_version: "1"
privacy: {unit: person, neighbours: add-remove}
tables:
  visits:
    source: visits.csv
    unit: person
    columns:
      person: {type: integer}
      city: {type: text, keys: [c0, c1, c2, c3, c4, c5, c6, c7, c8, c9], outside: other}
      cost: {type: decimal, grid: 0.01, bounds: [0, 500], outside: clamp}
budgets: {main: {epsilon: 1}}
)";

struct Place {
  std::filesystem::path folder;
  explicit Place(std::size_t rows) {
    std::string name = (std::filesystem::temp_directory_path() / "dither-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    folder = name;
    std::ofstream file(folder / "visits.csv");
    file << "person,city,cost\n";
    for (std::size_t i = 0; i < rows; ++i) {
      file << fmt::format("{},c{},{}.{:02}\n", i * 7919 % (rows / 5 + 1), i % 10, i % 500, i % 100);
    }
  }
  ~Place() { std::filesystem::remove_all(folder); }
};

plan::BoundedAggregate asked(const plan::Project& project) {
  plan::BoundedAggregate aggregate;
  const plan::Relation visits = plan::scan(project, "visits");
  aggregate.rows = plan::project(visits, {plan::column(1, plan::Type::text), plan::column(0, plan::Type::integer),
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

void BM_small_question(benchmark::State& state) {
  const Place place(static_cast<std::size_t>(state.range(0)));
  const plan::Project project = plan::parse_project(kProject, (place.folder / "dither.yaml").string());
  const plan::BoundedAggregate aggregate = asked(project);
  const auto engine = open_duckdb(project);
  for (auto _ : state) {
    engine->prepare(aggregate);
    engine->run(aggregate, {});
  }
}
BENCHMARK(BM_small_question)->Arg(10'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace dither::engine
