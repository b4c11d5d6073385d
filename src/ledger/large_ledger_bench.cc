// A ledger of 10^5 releases: what grows with it, and what must not.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "accounting/filter.h"
#include "ledger/detail/book.h"
#include "ledger/ledger.h"
#include "ledger/ledger_check.h"
#include "ledger/verify.h"

namespace dither::ledger {
namespace {

using namespace check;

constexpr int kReleases = 100'000;
constexpr int kAtOnce = 10'000;  // releases in one transaction, to be quick
constexpr int kPage = 50;        // releases on a page of history

// The budget of the data set has two below it, and every release is charged to all three.
const std::string kBudget = "visits/study/anna";

Request request(const std::string& plan) { return laplace(kBudget, "0.00001", plan); }

// Made once. The first release is an ordinary one; the others are its records again, under other names.
class Large {
 public:
  Large() {
    Ledger::create(file, key);
    Ledger ledger = Ledger::open(file, key);
    const DatasetTerms terms = pure_dataset("visits", "10");
    ledger.create_dataset(terms, steward());
    ledger.create_budget("visits/study", BudgetKind::project, terms.budget, steward());
    ledger.create_budget(kBudget, BudgetKind::analyst, terms.budget, steward());
    const std::uint64_t before = ledger.head().head.number;
    pay(ledger, request("release 1"));
    std::vector<detail::Json> bodies;
    ledger.records(before + 1, [&](const Record& record) {
      bodies.push_back(detail::parse(record.body));
      return true;
    });
    SqliteStore store(file, Opening::existing);
    for (int made = 1; made < kReleases; made += kAtOnce) {
      copy(store, ledger.id(), bodies, made, std::min(made + kAtOnce, kReleases));
    }
  }

  Folder folder;
  std::string file = folder.file("ledger.db");
  SigningKey key = SigningKey::make();

 private:
  void copy(Store& store, const std::string& id, std::vector<detail::Json>& bodies, int from, int to) const {
    Transaction transaction(store, Access::write);
    detail::Book book(store);
    Head head = store.head();
    for (int i = from; i < to; ++i) {
      const std::string title = fmt::format("release {}", i + 1);
      const std::string release = release_id(head.number + 1);
      bodies.front()["title"] = title;
      bodies.front()["key"] = sha256(title).hex();
      for (detail::Json& body : bodies) {
        body["release"] = release;
        const Record record = next_record(head, body.dump());
        store.append(record);
        book.apply(record);
        head = head_at(record);
      }
    }
    store.set_note("signature", sign_head(key, id, head).signature);
    transaction.commit();
  }
};

const Large& large() {
  static const Large made;
  return made;
}

// At most 200 ms; it should not depend on the number of releases at all.
void BM_open_large_ledger(benchmark::State& state) {
  const Large& ledger = large();
  for (auto _ : state) benchmark::DoNotOptimize(Ledger::open(ledger.file, ledger.key));
}
BENCHMARK(BM_open_large_ledger)->Unit(benchmark::kMillisecond);

// Reads the balance of each budget that would pay, prices one more statement, and decides. At most 50 ms.
void BM_price_on_large_ledger(benchmark::State& state) {
  Ledger ledger = Ledger::open(large().file, large().key);
  const Request one_more = request("one more");
  for (auto _ : state) {
    const accounting::Spent cost = ledger.cost(kBudget, one_more.price);
    bool fits = true;
    for (const std::string& path : lineage(kBudget)) {
      const Budget budget = ledger.budget(path);
      fits = fits && accounting::keeps(budget.terms.rule, plus(budget.spent, cost));
    }
    if (!fits) state.SkipWithError("the budget should have room for one more");
  }
}
BENCHMARK(BM_price_on_large_ledger)->Unit(benchmark::kMillisecond);

// The last page of history, which is the first that people see.
void BM_last_page_of_history(benchmark::State& state) {
  Ledger ledger = Ledger::open_to_read(large().file);
  const std::string from = release_id(ledger.head().head.number - 3 * kPage);
  for (auto _ : state) {
    int seen = 0;
    ledger.releases(from, [&](const Release&) { return ++seen < kPage; });
    if (seen != kPage) state.SkipWithError("the page should be full");
  }
}
BENCHMARK(BM_last_page_of_history)->Unit(benchmark::kMillisecond);

// Everything from scratch: replays all records, and finds the sums and all other tables to be what was kept up step by
// step. Grows with the ledger.
void BM_verify_large_ledger(benchmark::State& state) {
  VerifyOptions options;
  options.public_key = large().key.public_key();
  for (auto _ : state) {
    const std::vector<Finding> findings = verify_file(large().file, options);
    if (!findings.empty()) state.SkipWithError(findings.front().what.c_str());
  }
  Ledger ledger = Ledger::open_to_read(large().file);
  const Budget budget = ledger.budget("visits");
  const accounting::Spent one = ledger.cost(kBudget, request("").price);
  if (budget.charges != kReleases || budget.spent != times(one, kReleases)) state.SkipWithError("a charge is missing");
  state.counters["records/s"] =
      benchmark::Counter(static_cast<double>(ledger.head().head.number), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(BM_verify_large_ledger)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace dither::ledger
