// How fast, and how close, the searching testers are on noise whose epsilon is known. lower_bound should stay at 0.095 or
// more at epsilon 0.1, within 60 s on two cores; a million outputs drawn and tested should stay under 2 s.
#include <benchmark/benchmark.h>

#include <chrono>

#include "audit/dp_sniper.h"
#include "audit/logistic.h"
#include "audit/patterns.h"
#include "audit/sampling.h"
#include "random/discrete_laplace.h"
#include "random/source.h"

namespace dither::audit {
namespace {

// A count of 0 or 1 on a grid of 1 / steps, with Laplace noise of this epsilon.
Target laplace_count(const Rational& epsilon, int steps) {
  const random::DiscreteLaplace law(Rational(steps) / epsilon);
  const VectorMechanism mechanism{
      "Laplace count",
      Promise::pure(epsilon),
      {Reading::number},
      [law, steps](std::span<const double> input, Outputs& out, std::int64_t runs, random::Source& source) {
        std::vector<std::int64_t> noise(static_cast<std::size_t>(runs));
        law.fill(noise, source);
        const std::span<double> cells = out.add(runs);
        for (std::size_t i = 0; i < noise.size(); ++i) cells[i] = input[0] + static_cast<double>(noise[i]) / steps;
      }};
  const std::vector<InputPair> inputs{{"one more", {0}, {1}}};
  return target_of(mechanism, inputs);
}

// DP-Sniper at epsilon 0.1, 10^7 fresh runs a side.
void BM_dp_sniper_laplace(benchmark::State& state) {
  const Target target = laplace_count(Rational(1, 10), 1024);
  double lower_bound = 0;
  double seconds = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    lower_bound = dp_sniper(target, {.search = 1'000'000, .certify = 10'000'000}).lower_bound;
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  state.counters["lower_bound"] = lower_bound;
  state.counters["seconds"] = seconds;
}
BENCHMARK(BM_dp_sniper_laplace)->Unit(benchmark::kMillisecond)->Iterations(1)->UseRealTime();

// A million outputs of each input of a count, drawn and tested against the claim.
void BM_million_outputs(benchmark::State& state) {
  const Target target = laplace_count(Rational(1), 1);
  double seconds = 0;
  double lower_bound = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    lower_bound = dp_sniper(target, {.search = 100'000, .certify = 1'000'000}).lower_bound;
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  state.counters["lower_bound"] = lower_bound;
  state.counters["seconds"] = seconds;
}
BENCHMARK(BM_million_outputs)->Unit(benchmark::kMillisecond)->UseRealTime();

// Scores of one column on one core: rows/s should stay above 10 million.
void BM_logistic_score(benchmark::State& state) {
  const Target target = laplace_count(Rational(1), 1024);
  const Outputs first = sample(target.pairs[0].draw_first, target.shape, 20'000, {});
  const Outputs second = sample(target.pairs[0].draw_second, target.shape, 20'000, {});
  const Logistic fitted = fit_logistic(Features(first, second, target.shape, {}), first, second);
  for (auto _ : state) {
    double sum = 0;
    for (std::int64_t i = 0; i < first.runs(); ++i) sum += fitted.score(first.row(i));
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * first.runs());
}
BENCHMARK(BM_logistic_score);

}  // namespace
}  // namespace dither::audit
