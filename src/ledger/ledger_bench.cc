// A whole release beside three bare transactions of SQLite that are as durable. `ratio` is the rate of the first against
// the rate of the second in the same run, the median of rounds taken in turn: it should stay above 0.5.
#include "ledger/ledger.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "ledger/detail/sqlite.h"
#include "ledger/ledger_check.h"
#include "testing/plain_sqlite.h"

namespace dither::ledger {
namespace {

using namespace check;
using detail::Statement;

constexpr int kReleases = 60;  // of all processes together, in each round
constexpr int kRounds = 5;

// One table, one row more for each transaction, in a file of its own.
class Bare {
 public:
  explicit Bare(const std::string& path) : path_(path), sqlite_(path, nullptr) {}

  void insert(std::string_view body) {
    begin_.run(), begin_.reset();
    insert_.bind(1, body).run(), insert_.reset();
    commit_.run(), commit_.reset();
  }

 private:
  // Waits for others in short steps, as the ledger does: SQLite's own steps would make this look slow.
  static int wait_for_others(void*, int) {
    std::this_thread::sleep_for(std::chrono::microseconds(100 + getpid() % 100));
    return 1;
  }
  sqlite3* made() {
    sqlite3_busy_handler(sqlite_.handle(), wait_for_others, nullptr);
    detail::execute(sqlite_.handle(), path_,
                    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
                    "CREATE TABLE IF NOT EXISTS records(number INTEGER PRIMARY KEY, body TEXT NOT NULL)");
    return sqlite_.handle();
  }

  std::string path_;
  testing::PlainSqlite sqlite_;
  Statement begin_{made(), path_, "BEGIN IMMEDIATE", true};
  Statement insert_{sqlite_.handle(), path_, "INSERT INTO records(body) VALUES(?1)", true};
  Statement commit_{sqlite_.handle(), path_, "COMMIT", true};
};

// Seconds from the moment when all processes are ready until all are done. Each one runs `prepare`, which opens what it
// needs, and then what that returned.
double seconds(int processes, const std::function<std::function<void()>(int process)>& prepare) {
  int ready[2], start[2], done[2];
  if (pipe(ready) != 0 || pipe(start) != 0 || pipe(done) != 0) throw std::bad_alloc();
  char byte = 0;
  const auto child = [&](int process) {
    try {
      const std::function<void()> work = prepare(process);
      close(start[1]);
      if (write(ready[1], &byte, 1) != 1 || read(start[0], &byte, 1) != 0) _exit(1);
      work();
      _exit(write(done[1], &byte, 1) == 1 ? 0 : 1);
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
      _exit(1);
    }
  };
  std::vector<pid_t> children;
  for (int process = 0; process < processes; ++process) {
    children.push_back(fork());
    if (children.back() == 0) child(process);
  }
  close(ready[1]), close(done[1]);
  const auto wait_for_all = [&](int from) {
    int heard = 0;
    while (heard < processes && read(from, &byte, 1) == 1) ++heard;
    return heard == processes;
  };
  bool well = wait_for_all(ready[0]);
  const auto begun = std::chrono::steady_clock::now();
  close(start[1]);
  well = wait_for_all(done[0]) && well;
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
  for (const int end : {ready[0], start[0], done[0]}) close(end);
  for (const pid_t pid : children) waitpid(pid, nullptr, 0);
  if (!well) throw std::runtime_error("a process failed");
  return taken.count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// A data set and budgets below it, so many in a line; the path of the lowest.
std::string make_budgets(Ledger& ledger, bool zcdp, int depth) {
  DatasetTerms terms = pure_dataset("visits", "1000");
  if (zcdp) terms.budget.rule = accounting::ZcdpRule{accounting::LossAmount::up(Rational(1000)), {}};
  ledger.create_dataset(terms, steward());
  std::string path = terms.name;
  for (int i = 1; i < depth; ++i) {
    path += fmt::format("/study {}", i);
    ledger.create_budget(path, BudgetKind::project, terms.budget, steward());
  }
  return path;
}

// A ledger in a file, and what one of its releases writes.
struct Subject {
  Subject(bool zcdp, int depth) {
    Ledger::create(file, key);
    Ledger ledger = Ledger::open(file, key);
    budget = make_budgets(ledger, zcdp, depth);
    const std::uint64_t before = ledger.head().head.number;
    pay(ledger, request("first"));
    ledger.records(before + 1, [&](const Record& record) {
      bodies.push_back(record.body + std::string(record.hash.bytes.size(), '.'));
      return true;
    });
  }

  Request request(const std::string& plan) const { return laplace(budget, "0.001", plan); }

  std::function<void()> releases(int count, const std::string& name) const {
    const auto ledger = std::make_shared<Ledger>(Ledger::open(file, key));
    return [=, this] {
      for (int i = 0; i < count; ++i) pay(*ledger, request(fmt::format("{} {}", name, i)));
    };
  }
  std::function<void()> bare_rows(int count) const {
    const auto bare = std::make_shared<Bare>(folder.file("bare.db"));
    return [=, this] {
      for (int i = 0; i < count; ++i) {
        for (const std::string& body : bodies) bare->insert(body);
      }
    };
  }

  Folder folder;
  std::string file = folder.file("ledger.db");
  SigningKey key = SigningKey::make();
  std::string budget;
  std::vector<std::string> bodies;
};

void BM_release_beside_bare_transactions(benchmark::State& state) {
  const int processes = static_cast<int>(state.range(2));
  const int each = kReleases / processes;
  const Subject subject(state.range(0) != 0, static_cast<int>(state.range(1)));
  std::vector<double> ours, bare, ratios;
  for (auto _ : state) {
    const std::size_t round = ours.size();
    ours.push_back(seconds(processes, [&](int p) { return subject.releases(each, fmt::format("{} {}", round, p)); }));
    bare.push_back(seconds(processes, [&](int) { return subject.bare_rows(each); }));
    ratios.push_back(bare.back() / ours.back());
    state.SetIterationTime(ours.back());
  }
  state.counters["releases/s"] = kReleases / median(ours);
  state.counters["bare/s"] = kReleases / median(bare);
  state.counters["ratio"] = median(ratios);
}
BENCHMARK(BM_release_beside_bare_transactions)
    ->ArgNames({"zcdp", "depth", "processes"})
    ->ArgsProduct({{0, 1}, {1, 3}, {1, 4}})
    ->Iterations(kRounds)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

// The same without a disk: what is left is ours. A third of it or more is three signatures.
void BM_release_in_memory(benchmark::State& state) {
  Made made(false);
  const std::string budget = make_budgets(*made.ledger, state.range(0) != 0, static_cast<int>(state.range(1)));
  int number = 0;
  for (auto _ : state) pay(*made.ledger, laplace(budget, "0.001", fmt::format("{}", ++number)));
}
BENCHMARK(BM_release_in_memory)->ArgNames({"zcdp", "depth"})->ArgsProduct({{0, 1}, {1, 3}})->Iterations(2000);

}  // namespace
}  // namespace dither::ledger
