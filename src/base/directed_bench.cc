// One call of each directed function at usual arguments. An accountant's closed form makes some dozens of them, so each
// should stay below 100 ns and the inverse normal below 1 us.
#include "base/directed.h"

#include <benchmark/benchmark.h>

#include <vector>

#include "base/sum.h"

namespace dither {
namespace {

template <double (*kFunction)(double)>
void one_argument(benchmark::State& state, double from, double to) {
  const double step = (to - from) / 1024;
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(kFunction(from + step * (++i & 1023)));
}

template <double (*kFunction)(double, double)>
void two_arguments(benchmark::State& state) {
  double x = 0.75;
  for (auto _ : state) benchmark::DoNotOptimize(kFunction(x += 0x1p-20, 1.1));
}

BENCHMARK(two_arguments<add_up>)->Name("add_up");
BENCHMARK(two_arguments<mul_up>)->Name("mul_up");
BENCHMARK(two_arguments<div_up>)->Name("div_up");
BENCHMARK_CAPTURE(one_argument<sqrt_up>, , 0.1, 100)->Name("sqrt_up");
BENCHMARK_CAPTURE(one_argument<exp_up>, , -30, 30)->Name("exp_up");
BENCHMARK_CAPTURE(one_argument<expm1_up>, , -3, 3)->Name("expm1_up");
BENCHMARK_CAPTURE(one_argument<log_up>, , 0.1, 100)->Name("log_up");
BENCHMARK_CAPTURE(one_argument<log1p_up>, , -0.9, 3)->Name("log1p_up");
BENCHMARK_CAPTURE(one_argument<log1mexp_up>, , -5, -0.01)->Name("log1mexp_up");
BENCHMARK_CAPTURE(one_argument<lgamma_up>, , 0.1, 100)->Name("lgamma_up");
BENCHMARK_CAPTURE(one_argument<erfc_up>, , -3, 20)->Name("erfc_up");
BENCHMARK_CAPTURE(one_argument<erfcx_up>, , -3, 20)->Name("erfcx_up");
BENCHMARK_CAPTURE(one_argument<log_ndtr_up>, , -40, 8)->Name("log_ndtr_up");
BENCHMARK_CAPTURE(one_argument<ndtri_up>, , 1e-6, 0.999)->Name("ndtri_up");
BENCHMARK_CAPTURE(one_argument<ndtri_exp_up>, , -700, -1e-6)->Name("ndtri_exp_up");

// A thousand terms; time per term should stay near two additions rounded each way.
void running_sum(benchmark::State& state) {
  const std::vector<double> terms(1000, 0.1);
  for (auto _ : state) benchmark::DoNotOptimize(sum_up(terms));
  state.SetItemsProcessed(state.iterations() * 1000);
}
BENCHMARK(running_sum);

}  // namespace
}  // namespace dither
