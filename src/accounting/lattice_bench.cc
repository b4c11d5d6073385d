// One question to the lattice, from cold. Time should follow 1 / sqrt(width) and sqrt(steps): a window or a tilt that
// went wrong shows as a jump in time, a lost order of the bounds as a width that no longer comes down.
#include "accounting/lattice.h"

#include <benchmark/benchmark.h>

#include <cmath>

#include "accounting/loss_distribution.h"

namespace dither::accounting {

namespace {

void ask(benchmark::State& state, const std::vector<Step>& steps, double delta, double width) {
  Bounds found;
  for (auto _ : state) benchmark::DoNotOptimize(found = epsilon_by_lattice(steps, delta, width));
  state.counters["width"] = found.width();
}

Step sampled(double rate, double sigma, std::uint64_t times) {
  return {MixtureLoss{1 / sigma, {1 - rate, rate}, MixtureLoss::Direction::remove}, std::nullopt, times};
}

// DP-SGD with 1, 100, 10^4 and 10^6 steps of equal total cost.
void BM_sampled_gaussian(benchmark::State& state) {
  const auto times = static_cast<std::uint64_t>(state.range(0));
  ask(state, {sampled(0.3 / std::sqrt(static_cast<double>(times)), 1, times)}, 1e-6, 1e-3);
}
BENCHMARK(BM_sampled_gaussian)->Arg(1)->Arg(100)->Arg(10'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

// The example of the docs at widths 10^-2 ... 10^-5.
void BM_width(benchmark::State& state) {
  ask(state, {sampled(256 / 60000.0, 1.1, 14062)}, 1e-5, std::pow(10, -static_cast<double>(state.range(0))));
}
BENCHMARK(BM_width)->DenseRange(2, 5)->Unit(benchmark::kMillisecond);

void BM_laplace(benchmark::State& state) {
  ask(state, {{LaplaceLoss{0.1}, std::nullopt, static_cast<std::uint64_t>(state.range(0))}}, 1e-6, 1e-6);
}
BENCHMARK(BM_laplace)->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

// Composed term by term, no grid.
void BM_binary_response(benchmark::State& state) {
  const AtomLoss atoms{{{-0.1, 1 / (1 + std::exp(0.1))}, {0.1, 1 / (1 + std::exp(-0.1))}}, 0};
  ask(state, {{atoms, std::nullopt, static_cast<std::uint64_t>(state.range(0))}}, 1e-6, 1e-9);
}
BENCHMARK(BM_binary_response)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMicrosecond);

// Building a distribution, per node.
void BM_discretise(benchmark::State& state) {
  const Loss loss = MixtureLoss{1, {0.99, 0.01}, MixtureLoss::Direction::remove};
  std::size_t nodes = 0;
  for (auto _ : state) {
    nodes += LossDistribution::discretise(loss, 1e-3, 1e-20, LossDistribution::Kind::pessimistic).size();
  }
  state.counters["nodes/s"] = benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_discretise)->Unit(benchmark::kMillisecond);

}  // namespace

}  // namespace dither::accounting
