// One call of each directed function at usual arguments. A closed form in an accountant makes some dozens of them, so
// each should stay below 100 ns and the inverse normal below 1 us.
#include "base/directed.h"

#include <benchmark/benchmark.h>

#include <vector>

#include "base/sum.h"

namespace dither {
namespace {

void one_argument(benchmark::State& state, double (*function)(double), double from, double to) {
  const double step = (to - from) / 1024;
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(function(from + step * (++i & 1023)));
}

void two_arguments(benchmark::State& state, double (*function)(double, double)) {
  double x = 0.75;
  for (auto _ : state) benchmark::DoNotOptimize(function(x += 0x1p-20, 1.1));
}

BENCHMARK_CAPTURE(two_arguments, add_up, add_up);
BENCHMARK_CAPTURE(two_arguments, mul_up, mul_up);
BENCHMARK_CAPTURE(two_arguments, div_up, div_up);
BENCHMARK_CAPTURE(one_argument, sqrt_up, sqrt_up, 0.1, 100);
BENCHMARK_CAPTURE(one_argument, exp_up, exp_up, -30, 30);
BENCHMARK_CAPTURE(one_argument, expm1_up, expm1_up, -3, 3);
BENCHMARK_CAPTURE(one_argument, log_up, log_up, 0.1, 100);
BENCHMARK_CAPTURE(one_argument, log1p_up, log1p_up, -0.9, 3);
BENCHMARK_CAPTURE(one_argument, log1mexp_up, log1mexp_up, -5, -0.01);
BENCHMARK_CAPTURE(one_argument, lgamma_up, lgamma_up, 0.1, 100);
BENCHMARK_CAPTURE(one_argument, erfc_up, erfc_up, -3, 20);
BENCHMARK_CAPTURE(one_argument, erfcx_up, erfcx_up, -3, 20);
BENCHMARK_CAPTURE(one_argument, log_ndtr_up, log_ndtr_up, -40, 8);
BENCHMARK_CAPTURE(one_argument, ndtri_up, ndtri_up, 1e-6, 0.999);
BENCHMARK_CAPTURE(one_argument, ndtri_exp_up, ndtri_exp_up, -700, -1e-6);

// A thousand terms; time per term should stay near two additions rounded each way.
void running_sum(benchmark::State& state) {
  const std::vector<double> terms(1000, 0.1);
  for (auto _ : state) benchmark::DoNotOptimize(sum_up(terms));
  state.SetItemsProcessed(state.iterations() * 1000);
}
BENCHMARK(running_sum);

}  // namespace
}  // namespace dither
