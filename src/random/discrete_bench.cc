// Discrete Laplace and Gaussian noise in every form, beside the textbook sampler in the same run.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "base/rational.h"
#include "random/discrete_gaussian.h"
#include "random/discrete_laplace.h"
#include "random/source.h"
#include "random/uniform.h"

namespace dither::random {
namespace {

constexpr std::size_t kBatch = 4096;

// The exact sampler of Canonne, Kamath and Steinke (2020) for whole scales, on 64-bit words: Bernoulli(exp(-n/d)) by
// von Neumann's series, a uniform remainder, a geometric quotient. Its loops run as long as the noise is large.
class Textbook {
 public:
  explicit Textbook(Source& source) : source_(source) {}

  std::int64_t laplace(std::uint64_t scale) {
    for (;;) {
      const std::uint64_t remainder = uniform_below(scale, source_);
      if (!exp_minus(remainder, scale)) continue;
      std::uint64_t quotient = 0;
      while (exp_minus(1, 1)) ++quotient;
      const auto size = static_cast<std::int64_t>(quotient * scale + remainder);
      const bool minus = source_.bits(1) == 1;
      if (minus && size == 0) continue;
      return minus ? -size : size;
    }
  }

  std::int64_t gaussian(std::uint64_t sigma) {
    const std::uint64_t t = sigma + 1;
    for (;;) {
      const std::int64_t y = laplace(t);
      // exp(-(|y| - sigma^2 / t)^2 / (2 sigma^2)), in doubles: faster than the exact fractions of the real textbook.
      const double d = (static_cast<double>(std::abs(y)) -
                        static_cast<double>(sigma) * static_cast<double>(sigma) / static_cast<double>(t)) /
                       static_cast<double>(sigma);
      if (static_cast<double>(source_.bits(53)) * 0x1p-53 < std::exp(-d * d / 2)) return y;
    }
  }

 private:
  // Bernoulli(exp(-n / d)), n <= d.
  bool exp_minus(std::uint64_t n, std::uint64_t d) {
    std::uint64_t k = 1;
    while (uniform_below(d, source_) < n && uniform_below(k, source_) == 0) ++k;
    return k % 2 == 1;
  }

  Source& source_;
};

template <typename Law>
void fill(benchmark::State& state) {
  Source source;
  const Law law{Rational(state.range(0))};
  std::vector<std::int64_t> values(kBatch);
  const std::uint64_t before = source.bytes_used();
  for (auto _ : state) {
    law.fill(std::span<std::int64_t>(values), source);
    benchmark::DoNotOptimize(values.data());
  }
  const double draws = static_cast<double>(state.iterations()) * kBatch;
  state.SetItemsProcessed(static_cast<std::int64_t>(draws));
  const double bytes = static_cast<double>(source.bytes_used() - before);
  state.counters["bytes/draw"] = benchmark::Counter(bytes / draws, benchmark::Counter::kAvgThreads);
}

// A batch of 4096. bytes/draw should stay flat: a sampler that starts rejecting shows here.
void BM_laplace_fill(benchmark::State& state) { fill<DiscreteLaplace>(state); }
void BM_gaussian_fill(benchmark::State& state) { fill<DiscreteGaussian>(state); }

template <typename Draw>
void one_by_one(benchmark::State& state, Draw draw) {
  for (auto _ : state) benchmark::DoNotOptimize(draw());
}

// One draw a call from a kept sampler.
void BM_laplace_draw(benchmark::State& state) {
  Source source;
  const DiscreteLaplace law{Rational(state.range(0))};
  one_by_one(state, [&] { return law.draw(source); });
}
void BM_gaussian_draw(benchmark::State& state) {
  Source source;
  const DiscreteGaussian law{Rational(state.range(0))};
  one_by_one(state, [&] { return law.draw(source); });
}

// One draw a call with fresh parameters, set-up included.
void BM_laplace_once(benchmark::State& state) {
  Source source;
  std::vector<Rational> scales;
  for (long i = 0; i < 64; ++i) scales.emplace_back(state.range(0) * 64 + i, 64L);
  std::size_t i = 0;
  one_by_one(state, [&] { return discrete_laplace(scales[i++ % 64], source); });
}
void BM_gaussian_once(benchmark::State& state) {
  Source source;
  std::vector<Rational> sigmas;
  for (long i = 0; i < 64; ++i) sigmas.emplace_back(state.range(0) * 64 + i, 64L);
  std::size_t i = 0;
  one_by_one(state, [&] { return discrete_gaussian(sigmas[i++ % 64], source); });
}

void BM_laplace_textbook(benchmark::State& state) {
  Source source;
  Textbook textbook(source);
  one_by_one(state, [&] { return textbook.laplace(static_cast<std::uint64_t>(state.range(0))); });
}
void BM_gaussian_textbook(benchmark::State& state) {
  Source source;
  Textbook textbook(source);
  one_by_one(state, [&] { return textbook.gaussian(static_cast<std::uint64_t>(state.range(0))); });
}

// Making a sampler: table and all.
void BM_laplace_setup(benchmark::State& state) {
  const Rational scale(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(DiscreteLaplace(scale));
}
void BM_gaussian_setup(benchmark::State& state) {
  const Rational sigma(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(DiscreteGaussian(sigma));
}

// Bytes alone, a block at a time: what no sampler can beat.
void BM_source(benchmark::State& state) {
  Source source;
  for (auto _ : state) {
    source.with_bytes(Source::kBlockBytes, [](const std::uint8_t* bytes) { benchmark::DoNotOptimize(*bytes); });
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * Source::kBlockBytes));
}

void scales(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(1)->Arg(100)->Arg(1'000'000)->Arg(std::int64_t{1} << 40);
}

BENCHMARK(BM_laplace_fill)->Apply(scales);
BENCHMARK(BM_gaussian_fill)->Apply(scales);
BENCHMARK(BM_laplace_fill)->Arg(1'000'000)->Threads(2)->UseRealTime();
BENCHMARK(BM_gaussian_fill)->Arg(1'000'000)->Threads(2)->UseRealTime();
BENCHMARK(BM_laplace_draw)->Apply(scales);
BENCHMARK(BM_gaussian_draw)->Apply(scales);
BENCHMARK(BM_laplace_once)->Apply(scales);
BENCHMARK(BM_gaussian_once)->Apply(scales);
BENCHMARK(BM_laplace_textbook)->Apply(scales);
BENCHMARK(BM_gaussian_textbook)->Apply(scales);
BENCHMARK(BM_laplace_setup)->Apply(scales);
BENCHMARK(BM_gaussian_setup)->Apply(scales);
BENCHMARK(BM_source);

}  // namespace
}  // namespace dither::random
