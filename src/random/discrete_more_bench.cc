// Every discrete law but Laplace and Gaussian: one draw, and a value of a batch of 4096. bytes/draw should stay flat: a
// sampler that starts rejecting, or a table that leaves too much over, shows there.
#include <benchmark/benchmark.h>

#include <vector>

#include "random/bernoulli.h"
#include "random/binomial.h"
#include "random/categorical.h"
#include "random/poisson.h"
#include "random/subset.h"
#include "random/truncated_geometric.h"
#include "random/uniform.h"
#include "random/weighted_choice.h"

namespace dither::random {
namespace {

constexpr std::size_t kBatch = 4096;

// Runs `draw`, which makes `values` values, and reports time and bytes of one.
template <typename Draw>
void measure(benchmark::State& state, std::size_t values, Draw&& draw) {
  Source source;
  for (auto _ : state) benchmark::DoNotOptimize(draw(source));
  const auto total = static_cast<double>(state.iterations()) * static_cast<double>(values);
  state.counters["bytes/draw"] = static_cast<double>(source.bytes_used()) / total;
  state.counters["per_draw"] = benchmark::Counter(total, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

template <typename Value, typename Fill>
void measure_batch(benchmark::State& state, Fill&& fill) {
  std::vector<Value> out(kBatch);
  measure(state, kBatch, [&](Source& source) {
    fill(std::span(out), source);
    return out.data();
  });
}

void BM_uniform(benchmark::State& state) {
  measure(state, 1, [](Source& source) { return uniform_below(1'000'003, source); });
}
BENCHMARK(BM_uniform);

void BM_uniform_batch(benchmark::State& state) {
  measure_batch<std::uint64_t>(state, [](auto out, Source& source) { fill_uniform_below(1'000'003, out, source); });
}
BENCHMARK(BM_uniform_batch);

void BM_bernoulli(benchmark::State& state) {
  const auto coin = Bernoulli::with_probability(Rational(1, 3));
  measure(state, 1, [&](Source& source) { return coin.draw(source); });
}
BENCHMARK(BM_bernoulli);

void BM_bernoulli_batch(benchmark::State& state) {
  const auto coin = Bernoulli::with_probability(Rational(1, 3));
  measure_batch<std::uint8_t>(state, [&](auto out, Source& source) { coin.fill(out, source); });
}
BENCHMARK(BM_bernoulli_batch);

void BM_bernoulli_fresh(benchmark::State& state) {
  const Rational p(1, 3);
  measure(state, 1, [&](Source& source) { return bernoulli(p, source); });
}
BENCHMARK(BM_bernoulli_fresh);

void BM_bernoulli_exp_fresh(benchmark::State& state) {
  const Rational x(7, 3);
  measure(state, 1, [&](Source& source) { return bernoulli_exp(x, source); });
}
BENCHMARK(BM_bernoulli_exp_fresh);

// n: small, usual, the largest single table, and a sum of 20 parts.
void BM_binomial(benchmark::State& state) {
  const Binomial law(static_cast<std::uint64_t>(state.range(0)), Rational(1, 2));
  measure(state, 1, [&](Source& source) { return law.draw(source); });
}
BENCHMARK(BM_binomial)->Arg(100)->Arg(1'000'000)->Arg(50'000'000)->Arg(1'000'000'000);

void BM_binomial_batch(benchmark::State& state) {
  const Binomial law(static_cast<std::uint64_t>(state.range(0)), Rational(1, 2));
  measure_batch<std::int64_t>(state, [&](auto out, Source& source) { law.fill(out, source); });
}
BENCHMARK(BM_binomial_batch)->Arg(100)->Arg(1'000'000)->Arg(50'000'000)->Arg(1'000'000'000);

void BM_binomial_set_up(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Binomial(static_cast<std::uint64_t>(state.range(0)), Rational(1, 2)));
}
BENCHMARK(BM_binomial_set_up)->Arg(100)->Arg(1'000'000)->Arg(50'000'000)->Unit(benchmark::kMicrosecond);

void BM_poisson_batch(benchmark::State& state) {
  const Poisson law(Rational(state.range(0)));
  measure_batch<std::int64_t>(state, [&](auto out, Source& source) { law.fill(out, source); });
}
BENCHMARK(BM_poisson_batch)->Arg(1)->Arg(1000)->Arg(1'000'000);

void BM_skellam_batch(benchmark::State& state) {
  const Skellam law(Rational(state.range(0)), Rational(state.range(0)));
  measure_batch<std::int64_t>(state, [&](auto out, Source& source) { law.fill(out, source); });
}
BENCHMARK(BM_skellam_batch)->Arg(1)->Arg(1000);

void BM_categorical_batch(benchmark::State& state) {
  std::vector<std::uint64_t> weights(static_cast<std::size_t>(state.range(0)));
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 1 + i;
  const Categorical law(weights);
  measure_batch<std::uint64_t>(state, [&](auto out, Source& source) { law.fill(out, source); });
}
BENCHMARK(BM_categorical_batch)->Arg(10)->Arg(1000)->Arg(1'000'000);

// Set-up and one draw, as a mechanism does it, and one draw more.
void BM_weighted_choice_once(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const std::vector<std::uint64_t> weights(n, 1);
  std::vector<Int128> scores(n);
  for (std::size_t i = 0; i < n; ++i) scores[i] = static_cast<Int128>(i % 100);
  measure(state, 1, [&](Source& source) { return WeightedChoice(weights, scores, Rational(1, 20)).draw(source); });
}
BENCHMARK(BM_weighted_choice_once)->Arg(10)->Arg(1000);

void BM_weighted_choice_again(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  const std::vector<std::uint64_t> weights(n, 1);
  const WeightedChoice law(weights, std::vector<Int128>(n, 7), Rational(1, 20));
  measure(state, 1, [&](Source& source) { return law.draw(source); });
}
BENCHMARK(BM_weighted_choice_again)->Arg(10)->Arg(1000);

void BM_truncated_geometric(benchmark::State& state) {
  const TruncatedGeometric law(Rational(10), 1000);
  measure(state, 1, [&](Source& source) { return law.draw(3, source); });
}
BENCHMARK(BM_truncated_geometric);

void BM_truncated_geometric_batch(benchmark::State& state) {
  const TruncatedGeometric law(Rational(10), 1000);
  measure_batch<std::int64_t>(state, [&](auto out, Source& source) { law.fill(3, out, source); });
}
BENCHMARK(BM_truncated_geometric_batch);

void BM_permutation(benchmark::State& state) {
  measure(state, 10'000, [](Source& source) { return permutation(10'000, source); });
}
BENCHMARK(BM_permutation);

// Sparse, by distinct numbers, and dense, by the walk: per number chosen.
void BM_choose(benchmark::State& state) {
  const auto k = static_cast<std::size_t>(state.range(0));
  measure(state, k, [&](Source& source) { return choose(k, 100'000, source); });
}
BENCHMARK(BM_choose)->Arg(100)->Arg(50'000);

// Per number of the range.
void BM_poisson_subsample(benchmark::State& state) {
  measure(state, 100'000, [](Source& source) { return poisson_subsample(100'000, Rational(1, 10), source); });
}
BENCHMARK(BM_poisson_subsample);

}  // namespace
}  // namespace dither::random
