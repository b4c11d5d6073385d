#include "ledger/verify.h"

#include <benchmark/benchmark.h>

#include "ledger/ledger_check.h"
#include "ledger/store_check.h"

namespace dither::ledger {
namespace {

// Verifying ledgers of so many releases, three records each, below two budgets. us/record should stay flat: something
// that looks at all entries for each record shows here.
void BM_verify(benchmark::State& state) {
  const auto store = std::make_shared<MemoryStore>();
  const SigningKey key = SigningKey::make();
  Ledger::begin(*store, key);
  Ledger ledger(std::make_unique<check::Through>(store), key);
  ledger.create_dataset(check::pure_dataset("visits", "1000"), check::steward());
  BudgetTerms terms;
  terms.rule = check::pure("1000");
  ledger.create_budget("visits/study", BudgetKind::project, terms, check::steward());
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    check::pay(ledger, check::laplace("visits/study", "0.001", std::to_string(i)));
  }
  for (auto _ : state) {
    if (!verify(*store, {}).empty()) state.SkipWithError("it has findings");
  }
  state.counters["records"] = static_cast<double>(store->head().number);
  state.counters["us/record"] =
      benchmark::Counter(static_cast<double>(store->head().number) * 1e-6,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(BM_verify)->Arg(100)->Arg(3000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace dither::ledger
