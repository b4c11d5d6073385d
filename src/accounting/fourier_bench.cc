// The figures of the accountant: both directions from cold, at the width in the name. Everything up to a width of 1e-6
// should stay below a millisecond, whatever the number of steps; lists of a thousand different losses below 20 ms
// (Laplace) and 300 ms (sampled Gaussians). `width` is what was proven.
#include "accounting/fourier.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "accounting/moments.h"

namespace dither::accounting {
namespace {

using Direction = MixtureLoss::Direction;
using List = std::function<std::vector<Step>(Direction)>;

Loss sampled(double rate, double sigma, Direction direction) {
  return MixtureLoss{1 / sigma, {1 - rate, rate}, direction};
}

List training(double rate, double sigma, std::uint64_t times) {
  return [=](Direction direction) { return std::vector<Step>{{sampled(rate, sigma, direction), {}, times}}; };
}

List thousand_laplace() {
  return [](Direction) {
    std::vector<Step> steps;
    for (int i = 0; i < 1000; ++i) steps.push_back({LaplaceLoss{1 / (20 + 80 * i / 999.0)}, {}, 1});
    return steps;
  };
}

List thousand_sampled() {
  return [](Direction direction) {
    std::vector<Step> steps;
    for (int i = 0; i < 1000; ++i) {
      steps.push_back({sampled(0.002 + 0.008 * i / 999.0, 1 + (i * 37 % 1000) / 999.0, direction), {}, 1});
    }
    return steps;
  };
}

void both_directions(benchmark::State& state, const List& list, double delta, double width) {
  const std::vector<Step> remove = list(Direction::remove);
  const std::vector<Step> add = list(Direction::add);
  Bounds result;
  for (auto _ : state) {
    const Bounds a = epsilon_by_fourier(remove, delta, width);
    const Bounds b = epsilon_by_fourier(add, delta, width);
    result = {std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
    benchmark::DoNotOptimize(result);
  }
  state.counters["width"] = result.width();
}

BENCHMARK_CAPTURE(both_directions, training_1e4_width_1e6, training(0.01, 1, 10000), 1e-6, 1e-6)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(both_directions, mnist_width_1e6, training(256.0 / 60000, 1.1, 14062), 1e-5, 1e-6)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(both_directions, training_1e9_width_1e6, training(1e-5, 1, 1'000'000'000), 1e-6, 1e-6)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(both_directions, delta_1e30_width_1e6, training(0.01, 1, 10000), 1e-30, 1e-6)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(both_directions, hard_width_1e3, training(1e-4, 0.4, 10000), 1e-5, 1e-3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(both_directions, thousand_laplace_width_1e3, thousand_laplace(), 1e-6, 1e-3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(both_directions, thousand_sampled_width_1e3, thousand_sampled(), 1e-6, 1e-3)
    ->Unit(benchmark::kMillisecond);

// One moment; an RDP curve takes some hundred of them.
void moment(benchmark::State& state, Direction direction) {
  const Loss loss = sampled(0.01, 1, direction);
  const double theta = static_cast<double>(state.range(0)) - 1;
  for (auto _ : state) benchmark::DoNotOptimize(log_moment(loss, theta));
}
BENCHMARK_CAPTURE(moment, remove, Direction::remove)->Arg(2)->Arg(8)->Arg(64)->Arg(1024);
BENCHMARK_CAPTURE(moment, add, Direction::add)->Arg(2)->Arg(8)->Arg(64);
BENCHMARK_CAPTURE(moment, replace, Direction::replace)->Arg(2)->Arg(8)->Arg(64);

}  // namespace
}  // namespace dither::accounting
