// A plan of ten steps: making them, chaining them, asking what one row costs. No data is read, so this should stay far
// below anything a person notices; what a mechanism prepares for its draws must not be paid here.
#include <benchmark/benchmark.h>

#include <vector>

#include "calculus/counting.h"
#include "calculus/rows.h"
#include "mechanisms/discrete_laplace.h"
#include "mechanisms/gaussian.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT: a plan is written in the words of the calculus

TableDomain people() {
  return {{{"name", CellType::text}, {"age", CellType::text}, {"income", CellType::real}, {"city", CellType::text}}};
}

const TableDomain& table(const AnyTransformation& step) { return std::get<TableDomain>(step.output()); }

std::vector<AnyTransformation> nine_steps() {
  const Metric rows{MetricKind::symmetric};
  const Bounds working{18, 67}, money{0, 100'000};
  std::vector<AnyTransformation> steps;
  const auto then = [&](auto make) { steps.push_back(make(table(steps.back()))); };
  steps.push_back(make_select_columns(people(), rows, {"age", "income", "city"}));
  then([&](const TableDomain& t) { return make_filter(t, rows, "city", Comparison::equal, "Berlin"); });
  then([&](const TableDomain& t) { return make_cast(t, rows, "age", CellType::integer); });
  then([&](const TableDomain& t) { return make_drop_missing(t, rows, {"age"}); });
  then([&](const TableDomain& t) { return make_clamp(t, rows, "age", working, NanPolicy::null); });
  then([&](const TableDomain& t) { return make_scale_shift(t, rows, "income", Rational(1, 2), 0); });
  then([&](const TableDomain& t) { return make_clamp(t, rows, "income", money, NanPolicy::null); });
  then([&](const TableDomain& t) { return make_impute(t, rows, "income", 0.0); });
  then([&](const TableDomain& t) { return make_sum(t, rows, "income", 1); });
  return steps;
}

AnyMeasurement chained(const std::vector<AnyTransformation>& steps, const AnyMeasurement& noise) {
  AnyMeasurement plan = noise;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) plan = chain(*step, plan);
  return plan;
}

AnyMeasurement noise_behind(const std::vector<AnyTransformation>& steps) {
  return make_discrete_laplace(std::get<VectorDomain>(steps.back().output()), 200'000).any();
}

void BM_plan(benchmark::State& state) {
  for (auto _ : state) {
    const std::vector<AnyTransformation> steps = nine_steps();
    benchmark::DoNotOptimize(chained(steps, noise_behind(steps)).loss(Rational(1)));
  }
}
BENCHMARK(BM_plan);

// Where the time goes.
void BM_plan_making_steps(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(nine_steps());
}
BENCHMARK(BM_plan_making_steps);

void BM_plan_making_noise(benchmark::State& state) {
  const std::vector<AnyTransformation> steps = nine_steps();
  for (auto _ : state) benchmark::DoNotOptimize(noise_behind(steps));
}
BENCHMARK(BM_plan_making_noise);

void BM_plan_making_gaussian(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(make_gaussian({1}, state.range(0)));
}
BENCHMARK(BM_plan_making_gaussian)->Arg(10)->Arg(200'000);

void BM_plan_chaining(benchmark::State& state) {
  const std::vector<AnyTransformation> steps = nine_steps();
  const AnyMeasurement noise = noise_behind(steps);
  for (auto _ : state) benchmark::DoNotOptimize(chained(steps, noise));
}
BENCHMARK(BM_plan_chaining);

void BM_plan_pricing(benchmark::State& state) {
  const std::vector<AnyTransformation> steps = nine_steps();
  const AnyMeasurement plan = chained(steps, noise_behind(steps));
  for (auto _ : state) benchmark::DoNotOptimize(plan.loss(Rational(1)));
}
BENCHMARK(BM_plan_pricing);

}  // namespace
}  // namespace dither::mechanisms
