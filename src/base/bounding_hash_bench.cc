#include "base/bounding_hash.h"

#include <benchmark/benchmark.h>

#include <string>

namespace dither {
namespace {

// One unit that is a whole number: arithmetic alone, so this should stay at a few nanoseconds.
void BM_integer_digest(benchmark::State& state) {
  std::int64_t unit = 0;
  for (auto _ : state) benchmark::DoNotOptimize(integer_digest(unit++));
}
BENCHMARK(BM_integer_digest);

// One unit of text, or one key: SHA-256 over one block.
void BM_bytes_digest(benchmark::State& state) {
  const std::string bytes = 't' + std::string(static_cast<std::size_t>(state.range(0)), 'x');
  for (auto _ : state) benchmark::DoNotOptimize(bytes_digest(bytes));
}
BENCHMARK(BM_bytes_digest)->Arg(8)->Arg(36);

// One pair of unit and key.
void BM_bounding_hash(benchmark::State& state) {
  std::uint64_t unit = integer_digest(1);
  const std::uint64_t key = key_digest(Cell(std::string("Bern")));
  for (auto _ : state) benchmark::DoNotOptimize(unit = bounding_hash(unit, key));
}
BENCHMARK(BM_bounding_hash);

}  // namespace
}  // namespace dither
