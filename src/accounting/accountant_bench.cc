// What the accountant takes, from a list of events to a certified interval: every run starts cold. `width` is that of
// the interval and should stay below what was asked for. Times are those of the figures in docs/accounting.md.
#include <benchmark/benchmark.h>

#include <string>

#include "accounting/accountant.h"
#include "accounting/calibrate.h"
#include "accounting/gaussian.h"
#include "accounting/renyi.h"

namespace dither::accounting {
namespace {

Event subsampled(const char* rate, const char* sigma, std::uint64_t times) {
  return {Poisson{Rational::parse(rate), {}}, Gaussian{Rational::parse(sigma)}, times};
}

EventList list_of(std::vector<Event> events) { return {Neighbours::add_remove, {"record"}, 1, std::move(events)}; }

void ask(benchmark::State& state, const EventList& list, const char* delta, double width) {
  const Rational at = Rational::parse(delta);
  Certified epsilon{};
  for (auto _ : state) epsilon = Composition(list).epsilon_at(at, width).epsilon;
  state.counters["epsilon"] = epsilon.upper;
  state.counters["width"] = epsilon.upper - epsilon.lower.value_or(0);
}

void BM_dp_sgd(benchmark::State& state) { ask(state, list_of({subsampled("0.01", "1", 10'000)}), "1e-6", 1e-6); }
BENCHMARK(BM_dp_sgd)->Unit(benchmark::kMillisecond);

// O-22: 60 epochs over 60000 records in batches of 256.
void BM_dp_sgd_mnist(benchmark::State& state) {
  ask(state, list_of({subsampled("256/60000", "1.1", 14'062)}), "1e-5", 1e-6);
}
BENCHMARK(BM_dp_sgd_mnist)->Unit(benchmark::kMillisecond);

void BM_dp_sgd_billion_steps(benchmark::State& state) {
  ask(state, list_of({subsampled("1e-5", "1", 1'000'000'000)}), "1e-6", 1e-6);
}
BENCHMARK(BM_dp_sgd_billion_steps)->Unit(benchmark::kMillisecond);

void BM_dp_sgd_tiny_delta(benchmark::State& state) {
  ask(state, list_of({subsampled("0.01", "1", 10'000)}), "1e-30", 1e-6);
}
BENCHMARK(BM_dp_sgd_tiny_delta)->Unit(benchmark::kMillisecond);

// Rare records, little noise: one sampled step is nearly all of the loss, and its transform does not decay.
void BM_hard_case(benchmark::State& state) { ask(state, list_of({subsampled("1e-4", "0.4", 10'000)}), "1e-5", 1e-3); }
BENCHMARK(BM_hard_case)->Unit(benchmark::kMillisecond);

// Scales from 20 to 100, all different.
void BM_thousand_laplace(benchmark::State& state) {
  std::vector<Event> events;
  for (int i = 0; i < 1000; ++i) events.push_back({{}, Laplace{Rational(20) + Rational(80 * i, 999)}, 1});
  ask(state, list_of(events), "1e-6", 1e-3);
}
BENCHMARK(BM_thousand_laplace)->Unit(benchmark::kMillisecond);

// Rates from 0.002 to 0.01 and sigmas from 1 to 2, all different.
void BM_thousand_subsampled(benchmark::State& state) {
  std::vector<Event> events;
  for (int i = 0; i < 1000; ++i) {
    const Rational rate = Rational(1, 500) + Rational(i, 125'000);
    events.push_back({Poisson{rate, {}}, Gaussian{Rational(1) + Rational((i * 7) % 1000, 1000)}, 1});
  }
  ask(state, list_of(events), "1e-6", 1e-3);
}
BENCHMARK(BM_thousand_subsampled)->Unit(benchmark::kMillisecond);

// A list of Gaussians through the whole accountant.
void BM_gaussian_list(benchmark::State& state) {
  ask(state, list_of({{{}, Gaussian{Rational(10)}, 30}, {{}, Gaussian{Rational(20)}, 7}}), "1e-6", 1e-6);
}
BENCHMARK(BM_gaussian_list)->Unit(benchmark::kMicrosecond);

void BM_closed_form_delta(benchmark::State& state) {
  double mu = 0.5;
  for (auto _ : state) {
    benchmark::DoNotOptimize(mu);
    benchmark::DoNotOptimize(gaussian_delta_up(mu, 1.0));
  }
}
BENCHMARK(BM_closed_form_delta);

void BM_closed_form_epsilon(benchmark::State& state) {
  double mu = 0.5;
  for (auto _ : state) {
    benchmark::DoNotOptimize(mu);
    benchmark::DoNotOptimize(gaussian_epsilon_up(mu, 1e-6));
  }
}
BENCHMARK(BM_closed_form_epsilon);

// The Renyi curve of subsampled Gaussian noise at all default orders, about 160 of them.
void BM_renyi_curve(benchmark::State& state) {
  const Event event = subsampled("256/60000", "1.1", 1);
  for (auto _ : state) {
    const Cost priced = cost(event, Neighbours::add_remove);
    double sum = 0;
    for (const double order : default_orders()) sum += priced.renyi->epsilon(order);
    benchmark::DoNotOptimize(sum);
  }
  state.counters["orders"] = static_cast<double>(default_orders().size());
}
BENCHMARK(BM_renyi_curve)->Unit(benchmark::kMicrosecond);

// The least sigma for q = 0.01, 10,000 steps and (1, 1e-5).
void BM_calibrate_dp_sgd(benchmark::State& state) {
  const EventList list = list_of({subsampled("0.01", "1", 10'000)});
  double sigma = 0;
  for (auto _ : state) {
    sigma = calibrate(list, 0, Unknown::noise, Rational(1), Rational::parse("1e-5")).value.to_double_up();
  }
  state.counters["sigma"] = sigma;
}
BENCHMARK(BM_calibrate_dp_sgd)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dither::accounting
