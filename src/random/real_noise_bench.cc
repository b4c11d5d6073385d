#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "random/real_noise.h"
#include "testing/seeded_source.h"

namespace dither::random {
namespace {

// A batch of draws of each law at scale / grid 1, 10^6, 2^40 and 2^60. bytes/draw follows from the law and the scale
// alone, up to the rounds of rejection of gamma and beta.
void draw_batch(benchmark::State& state, const RealLaw& law, const Rational& ratio) {
  Source source = testing::seeded_source(1);
  const RealNoise noise(law, ratio, 1);
  std::vector<Int128> values(1024);
  for (auto _ : state) {
    values.assign(values.size(), 0);
    noise.fill(values, source);
    benchmark::DoNotOptimize(values.data());
  }
  const double draws = static_cast<double>(state.iterations()) * static_cast<double>(values.size());
  state.counters["bytes/draw"] = static_cast<double>(source.bytes_used()) / draws;
  state.counters["time/draw"] = benchmark::Counter(draws, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// A single draw with parameters that are new each time.
void draw_fresh(benchmark::State& state) {
  Source source = testing::seeded_source(1);
  const Rational value(1, 3), scale(100), grid(1);
  for (auto _ : state) benchmark::DoNotOptimize(rounded_real(RealLaw::laplace(), value, scale, grid, source));
}
BENCHMARK(draw_fresh);

const bool registered = [] {
  for (const RealLaw& law : {RealLaw::exponential(), RealLaw::laplace(), RealLaw::normal(), RealLaw::cauchy(),
                             RealLaw::student_t(3), RealLaw::student_t(1), RealLaw::log_normal(0, 1),
                             RealLaw::gamma(Rational(5, 2)), RealLaw::gamma(Rational(1, 2)), RealLaw::beta(2, 3)}) {
    for (const Rational& ratio : {Rational(1), Rational(1'000'000), Rational(1L << 40), Rational(1L << 60)}) {
      benchmark::RegisterBenchmark((law.str() + "/" + ratio.str()).c_str(), draw_batch, law, ratio);
    }
  }
  return true;
}();

}  // namespace
}  // namespace dither::random
