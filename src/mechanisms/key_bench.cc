#include <benchmark/benchmark.h>

#include <string>

#include "mechanisms/histogram.h"
#include "mechanisms/key_threshold.h"
#include "mechanisms/partition_selection.h"
#include "mechanisms/sparse_histogram.h"
#include "testing/seeded_source.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT

const Rational kDelta = Rational::parse("1e-6");

// A million groups of 0 to 39 units.
Keyed million_groups() {
  Keyed data;
  for (int i = 0; i < 1'000'000; ++i) {
    data.keys.push_back("i" + std::to_string(1'000'000 + i));
    data.values.push_back(static_cast<Int128>(i) * 7919 % 40);
  }
  return data;
}

// ns a group; the keys that are shown are copied, so part of this is memory.
void release_million(benchmark::State& state, const AnyMeasurement& measurement) {
  random::Source source = testing::seeded_source(1);
  const Private data(million_groups());
  for (auto _ : state) benchmark::DoNotOptimize(measurement.release(data, source));
  state.SetItemsProcessed(state.iterations() * 1'000'000);
}

// Which of 10^6 groups may be shown: one coin each, or noise and a comparison.
void BM_partition_selection(benchmark::State& state) {
  release_million(state, make_partition_selection({}, 1, kDelta, 1).any());
}
void BM_laplace_threshold(benchmark::State& state) {
  release_million(state, make_laplace_threshold({}, laplace_threshold_for(1, kDelta, {1})).any());
}
void BM_gaussian_threshold(benchmark::State& state) {
  release_million(state, make_gaussian_threshold({}, gaussian_threshold_for(Rational(1, 10), kDelta, {1})).any());
}
BENCHMARK(BM_partition_selection)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_laplace_threshold)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_gaussian_threshold)->Unit(benchmark::kMillisecond);

// All of 10^6 public keys answered.
void BM_laplace_histogram(benchmark::State& state) {
  release_million(state, make_laplace_histogram<L1>({.keys = million_groups().keys}, 2).any());
}
BENCHMARK(BM_laplace_histogram)->Unit(benchmark::kMillisecond);

// 2^40 declared keys of which 1000 hold data, ten extra ones expected: must not grow with the domain.
void BM_sparse_histogram(benchmark::State& state) {
  random::Source source = testing::seeded_source(2);
  const std::uint64_t size = std::uint64_t{1} << state.range(0);
  const auto measurement = make_sparse_histogram<L1>(size, sparse_rule_for(1, size, 10));
  Keyed data;
  for (int i = 0; i < 1000; ++i) data.keys.push_back("i" + std::to_string(1'000 + i));
  data.values.assign(1000, 100);
  const Private hidden(data);
  for (auto _ : state) benchmark::DoNotOptimize(measurement.release(hidden, source));
}
BENCHMARK(BM_sparse_histogram)->Arg(20)->Arg(40)->Unit(benchmark::kMicrosecond);

// The table of probabilities and coins behind the optimal rule, per-key epsilon 1 / keys.
void BM_make_partition_selection(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(make_partition_selection({}, 1, kDelta, static_cast<std::uint64_t>(state.range(0))));
  }
}
BENCHMARK(BM_make_partition_selection)->Arg(1)->Arg(100)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dither::mechanisms
