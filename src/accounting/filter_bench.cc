#include <benchmark/benchmark.h>

#include "accounting/charge.h"
#include "accounting/filter.h"
#include "accounting/odometer.h"

namespace dither::accounting {
namespace {

LossAmount loss(const char* text) { return LossAmount::up(Rational::parse(text)); }
DeltaAmount chance(const char* text) { return DeltaAmount::up(Rational::parse(text)); }

FilterState after(const FilterRule& rule, const Charge& charge, int charges) {
  FilterState state(rule);
  for (int i = 0; i < charges; ++i) state = charged(state, charge);
  return state;
}

// Deciding one more charge after none and after 10^4. The two should be alike: the state does not grow.
void BM_can_afford_advanced(benchmark::State& bench) {
  const Charge charge = ApproximateCharge{loss("0.01"), chance("1e-12")};
  const FilterRule rule = AdvancedRule{loss("10"), chance("1e-6"), chance("1e-6")};
  const FilterState state = after(rule, charge, static_cast<int>(bench.range(0)));
  for (auto _ : bench) benchmark::DoNotOptimize(can_afford(state, charge));
}
BENCHMARK(BM_can_afford_advanced)->Arg(0)->Arg(10'000);

void BM_can_afford_zcdp(benchmark::State& bench) {
  const Charge charge = ZcdpCharge{loss("0.00001"), chance("1e-12")};
  const FilterState state = after(ZcdpRule{loss("1"), chance("1e-6")}, charge, static_cast<int>(bench.range(0)));
  for (auto _ : bench) benchmark::DoNotOptimize(can_afford(state, charge));
}
BENCHMARK(BM_can_afford_zcdp)->Arg(0)->Arg(10'000);

void BM_can_afford_renyi_160_orders(benchmark::State& bench) {
  RenyiAllRule rule;
  RenyiCharge charge;
  for (int i = 0; i < 160; ++i) {
    rule.orders.push_back(Rational(i + 11, 10));
    rule.limits.push_back(loss("10"));
    charge.divergences.push_back(loss("0.0001"));
  }
  const FilterState state = after(rule, charge, static_cast<int>(bench.range(0)));
  const Charge next = charge;
  for (auto _ : bench) benchmark::DoNotOptimize(can_afford(state, next));
}
BENCHMARK(BM_can_afford_renyi_160_orders)->Arg(0)->Arg(10'000);

// Creating an advanced filter finds its limit to 256 bits, once.
void BM_create_advanced(benchmark::State& bench) {
  const FilterRule rule = AdvancedRule{loss("10"), chance("1e-6"), chance("1e-6")};
  for (auto _ : bench) benchmark::DoNotOptimize(FilterState(rule));
}
BENCHMARK(BM_create_advanced);

// What replaying and re-pricing a stored ledger does for every release.
void BM_spent_from_json(benchmark::State& bench) {
  const std::string text = canonical_json(price(PureRule{}, PureCharge{loss("0.123456789012345678")}));
  for (auto _ : bench) benchmark::DoNotOptimize(spent_from_json(text));
}
BENCHMARK(BM_spent_from_json);

void BM_event_from_json_and_price(benchmark::State& bench) {
  const std::string text = canonical_json(Event{{}, Laplace{Rational(10)}, 1});
  for (auto _ : bench) {
    benchmark::DoNotOptimize(price(PureRule{loss("1")}, event_from_json(text), Neighbours::add_remove));
  }
}
BENCHMARK(BM_event_from_json_and_price);

// Finds the limit of the squares again each time; a FilterState keeps it.
void BM_keeps_advanced(benchmark::State& bench) {
  const FilterRule rule = AdvancedRule{loss("10"), chance("1e-6"), chance("1e-6")};
  const Spent sums = nothing_spent(rule);
  for (auto _ : bench) benchmark::DoNotOptimize(keeps(rule, sums));
}
BENCHMARK(BM_keeps_advanced);

void BM_odometer_charge_and_reading(benchmark::State& bench) {
  Odometer odometer(SquareAmount::up(Rational(1)), chance("1e-6"), chance("1e-6"));
  for (auto _ : bench) benchmark::DoNotOptimize(reading(charged(odometer, ApproximateCharge{loss("0.01"), {}})));
}
BENCHMARK(BM_odometer_charge_and_reading);

}  // namespace
}  // namespace dither::accounting
