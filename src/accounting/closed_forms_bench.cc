// Closed forms, as a planner calls them: each under 1 us, or a few where it inverts; a whole Renyi curve under 1 ms.
// The time of optimal_epsilon should grow like the square root of the number of steps.
#include <benchmark/benchmark.h>

#include <vector>

#include "accounting/advanced.h"
#include "accounting/gaussian.h"
#include "accounting/optimal.h"
#include "accounting/renyi.h"
#include "accounting/renyi_curves.h"
#include "accounting/sampled_gaussian_renyi.h"
#include "accounting/tradeoff.h"
#include "accounting/zcdp.h"

namespace dither::accounting {
namespace {

// Calls a function at slowly moving first arguments, so that nothing is computed once and kept.
template <typename Function>
void moving(benchmark::State& state, const Function& function, double start) {
  double x = start;
  for (auto _ : state) benchmark::DoNotOptimize(function(x *= 1 + 1e-9));
}

void BM_gaussian_delta(benchmark::State& state) {
  moving(
      state, [](double mu) { return gaussian_delta_up(mu, 3); }, 1);
}
void BM_gaussian_delta_small_mu(benchmark::State& state) {
  moving(
      state, [](double mu) { return gaussian_delta_up(mu, 5 * mu); }, 0.01);
}
void BM_gaussian_epsilon(benchmark::State& state) {
  moving(
      state, [](double mu) { return gaussian_epsilon_up(mu, 1e-6); }, 1);
}
void BM_gaussian_mu(benchmark::State& state) {
  moving(
      state, [](double epsilon) { return gaussian_mu_down(epsilon, 1e-6); }, 1);
}
void BM_zcdp_epsilon(benchmark::State& state) {
  moving(
      state, [](double rho) { return zcdp_epsilon_up(rho, 1e-6); }, 0.5);
}
void BM_zcdp_delta(benchmark::State& state) {
  moving(
      state, [](double rho) { return zcdp_delta_up(rho, 4); }, 0.5);
}
void BM_zcdp_rho(benchmark::State& state) {
  moving(
      state, [](double epsilon) { return zcdp_rho_down(epsilon, 1e-6); }, 1);
}
void BM_pure_renyi(benchmark::State& state) {
  moving(
      state, [](double epsilon) { return pure_renyi_up(8, epsilon); }, 0.1);
}
void BM_gaussian_tradeoff(benchmark::State& state) {
  moving(
      state, [](double mu) { return gaussian_tradeoff_down(mu, .05); }, 1);
}
BENCHMARK(BM_gaussian_delta);
BENCHMARK(BM_gaussian_delta_small_mu);
BENCHMARK(BM_gaussian_epsilon);
BENCHMARK(BM_gaussian_mu);
BENCHMARK(BM_zcdp_epsilon);
BENCHMARK(BM_zcdp_delta);
BENCHMARK(BM_zcdp_rho);
BENCHMARK(BM_pure_renyi);
BENCHMARK(BM_gaussian_tradeoff);

void BM_advanced(benchmark::State& state) {
  const std::vector<ApproximateRelease> releases = {{Rational(1, 10), Rational::parse("1e-8"), 50},
                                                    {Rational(1, 5), 0, 25}};
  for (auto _ : state) benchmark::DoNotOptimize(advanced_epsilon_up(releases, 1e-5));
}
BENCHMARK(BM_advanced);

void BM_optimal_epsilon(benchmark::State& state) {
  const auto k = static_cast<std::uint64_t>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(optimal_epsilon_up(.01, 0, k, 1e-6));
}
BENCHMARK(BM_optimal_epsilon)->Arg(100)->Arg(10'000)->Arg(1'000'000)->Arg(100'000'000);

// The curve of DP-SGD at the 157 default orders, its points included.
void BM_sampled_gaussian_curve(benchmark::State& state) {
  for (auto _ : state) {
    const SampledGaussianRenyi curve(1 / 1.1, 256 / 60000.0);
    for (const double order : default_orders()) benchmark::DoNotOptimize(curve(order));
  }
}
BENCHMARK(BM_sampled_gaussian_curve)->Unit(benchmark::kMicrosecond);

// The same with composition, conversion and the search for the best real order.
void BM_sampled_gaussian_epsilon(benchmark::State& state) {
  for (auto _ : state) {
    RenyiCurve curve;
    curve.add(SampledGaussianRenyi(1 / 1.1, 256 / 60000.0), 14062);
    benchmark::DoNotOptimize(renyi_epsilon_up(curve, 1e-5));
  }
}
BENCHMARK(BM_sampled_gaussian_epsilon)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace dither::accounting
