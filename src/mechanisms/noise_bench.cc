// A release of 10^6 numbers through the calculus, beside a bare loop over the same sampler in the same run. The
// overhead should stay below 10%; what grows here is copying, or work per number.
#include <benchmark/benchmark.h>

#include "calculus/typed.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/gaussian.h"
#include "random/discrete_gaussian.h"
#include "random/discrete_laplace.h"
#include "testing/seeded_source.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT

constexpr std::size_t kNumbers = 1'000'000;

template <class Noise>
void bare(benchmark::State& state) {
  random::Source source = testing::seeded_source(1);
  const Noise noise{Rational(state.range(0))};
  const Integers exact(kNumbers, 7);
  for (auto _ : state) {
    Integers noisy(kNumbers);
    noise.fill(std::span<Int128>(noisy), source);
    for (std::size_t i = 0; i < kNumbers; ++i) noisy[i] += exact[i];
    benchmark::DoNotOptimize(noisy.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kNumbers));
}

void released(benchmark::State& state, const AnyMeasurement& noise) {
  random::Source source = testing::seeded_source(1);
  const Private exact(Integers(kNumbers, 7));
  for (auto _ : state) benchmark::DoNotOptimize(noise.release(exact, source));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kNumbers));
}

void BM_bare_discrete_laplace(benchmark::State& state) { bare<random::DiscreteLaplace>(state); }
void BM_released_discrete_laplace(benchmark::State& state) {
  released(state, make_discrete_laplace({}, state.range(0)).any());
}
void BM_bare_gaussian(benchmark::State& state) { bare<random::DiscreteGaussian>(state); }
void BM_released_gaussian(benchmark::State& state) { released(state, make_gaussian({}, state.range(0)).any()); }
BENCHMARK(BM_bare_discrete_laplace)->Arg(10)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_released_discrete_laplace)->Arg(10)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_bare_gaussian)->Arg(10)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_released_gaussian)->Arg(10)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dither::mechanisms
