// Several processes, and several threads, on one ledger at once.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "ledger/faults_check.h"
#include "ledger/files_check.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace check;
using dither::testing::refusal;
using namespace std::chrono_literals;

constexpr const char* kWorker = "ProcessesWorker.DoesOneThing";

// One thing to do, by one of several processes: "what number folder".
struct Job {
  std::string what;
  int number = 0;
  std::string folder;

  std::string words() const { return fmt::format("{} {} {}", what, number, folder); }
  static Job from(const char* words) {
    Job job;
    std::istringstream in(words);
    in >> job.what >> job.number >> std::ws;
    std::getline(in, job.folder);
    return job;
  }
};

void write_result(const Job& job, const std::string& text) {
  std::ofstream(fmt::format("{}/{}.{}", job.folder, job.what, job.number)) << text;
}
std::string result_of(const Job& job) {
  std::ifstream file(fmt::format("{}/{}.{}", job.folder, job.what, job.number));
  return {std::istreambuf_iterator<char>(file), {}};
}

int charges_each() { return nightly() ? 200 : 60; }

// Charges until it is told that nothing is left, and goes on asking. Writes how often it was given something.
void charge_many(const Job& job) {
  Ledger ledger = Site(job.folder).open({600s, ""});
  int given = 0;
  for (int i = 0; i < charges_each(); ++i) {
    const auto refused =
        refusal([&] { pay(ledger, laplace("visits/a", "0.001", fmt::format("{} of {}", i, job.number)), "answer"); });
    if (refused && refused != Code::over_budget) throw std::runtime_error("another refusal");
    given += refused ? 0 : 1;
  }
  write_result(job, std::to_string(given));
}

// Asks what everybody asks. Whoever has to draw takes its time.
void ask_the_same(const Job& job) {
  const Site site(job.folder);
  Ledger ledger = site.open();
  Held held = ledger.reserve_or_wait(laplace("visits/a", "0.1", "the same"), 60s);
  if (auto* ticket = std::get_if<Ticket>(&held)) {
    const SideLog log(site.log());
    std::this_thread::sleep_for(50ms);
    const std::string answer = fmt::format("drawn by {}", getpid());
    finish(std::move(*ticket), answer, [&](const Logged& line) { log.note(line); });
    return write_result(job, answer);
  }
  write_result(job, std::get<StoredAnswer>(held).bytes);
}

// Spends until it is killed.
void keep_busy(const Job& job) {
  Ledger ledger = Site(job.folder).open();
  for (int i = 0;; ++i) pay(ledger, laplace("visits/a", "0.001", fmt::format("{} of {}", i, job.number)), "answer");
}

// Stops inside a transaction that writes.
void stop_while_writing(const Job& job) {
  SqliteStore store(Site(job.folder).ledger(), Opening::existing);
  Transaction transaction(store, Access::write);
  store.set_note("half", "done");
  raise(SIGSTOP);
}

// Takes a reservation, opens it when the number is 1, and stops.
void hold(const Job& job) {
  Ledger ledger = Site(job.folder).open();
  auto outcome = ledger.reserve(laplace("visits/a", "0.1", "held"));
  Ticket& ticket = std::get<Ticket>(outcome);
  if (job.number == 1) ticket.open();
  raise(SIGSTOP);
}

// Waits for what another holds.
void wait_for_it(const Job& job) {
  Ledger ledger = Site(job.folder).open();
  write_result(job, "waiting");
  const auto refused = refusal([&] {
    Held held = ledger.reserve_or_wait(laplace("visits/a", "0.1", "held"), 60s);
    std::get<Ticket>(held).open();
    std::get<Ticket>(held).commit("taken over");
  });
  write_result(job, refused ? std::string(code_name(*refused)) : "committed");
}

// What the tests below run in processes of their own; by itself, one process that asks.
TEST(ProcessesWorker, DoesOneThing) {
  if (Child::words() == nullptr) {
    const Folder folder;
    const Job job{"same", 0, folder / "site"};
    Site(job.folder).make("1");
    ask_the_same(job);
    EXPECT_EQ(Site(job.folder).complaints(), std::vector<std::string>{});
    return;
  }
  const Job job = Job::from(Child::words());
  if (job.what == "charge") charge_many(job);
  if (job.what == "same") ask_the_same(job);
  if (job.what == "busy") keep_busy(job);
  if (job.what == "stop") stop_while_writing(job);
  if (job.what == "hold") hold(job);
  if (job.what == "wait") wait_for_it(job);
}

class Processes : public ::testing::Test {
 protected:
  Child start(const std::string& what, int number) const { return {kWorker, Job{what, number, site.folder}.words()}; }

  Folder folder;
  Site site{folder / "site"};
};

// Spec: W-20
TEST_F(Processes, NobodyOverspends) {
  const int processes = nightly() ? 64 : 8;
  const int fits = nightly() ? 5000 : 200;
  site.make(fmt::format("{}.{:03}", fits / 1000, fits % 1000));
  const auto start_time = std::chrono::steady_clock::now();
  {
    std::vector<Child> children;
    for (int i = 0; i < processes; ++i) children.push_back(start("charge", i));
    for (Child& child : children) EXPECT_TRUE(went_well(child.wait()));
  }
  int given = 0;
  for (int i = 0; i < processes; ++i) given += std::stoi(result_of({"charge", i, site.folder}));
  EXPECT_EQ(given, fits);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start_time;
  fmt::print("{} processes of {} charges: {} succeeded in {:.1f} s\n", processes, charges_each(), given, took.count());
  Ledger ledger = site.open();
  for (const char* path : {"visits", "visits/a"}) {
    const Budget budget = ledger.budget(path);
    EXPECT_EQ(budget.charges, static_cast<std::uint64_t>(fits));
    EXPECT_EQ(budget.spent.losses.at(0), std::get<accounting::PureRule>(budget.terms.rule).epsilon);
  }
  EXPECT_EQ(site.complaints(), std::vector<std::string>{});
}

// Spec: B-20
TEST_F(Processes, OfManyThatAskTheSameOneDrawsAndAllGetItsAnswer) {
  const int processes = nightly() ? 32 : 8;
  site.make("0.1");  // fits once
  {
    std::vector<Child> children;
    for (int i = 0; i < processes; ++i) children.push_back(start("same", i));
    for (Child& child : children) EXPECT_TRUE(went_well(child.wait()));
  }
  std::set<std::string> answers;
  for (int i = 0; i < processes; ++i) answers.insert(result_of({"same", i, site.folder}));
  EXPECT_EQ(answers.size(), 1u);
  EXPECT_TRUE(answers.begin()->starts_with("drawn by "));
  EXPECT_EQ(read_log(site.log()).size(), 4u) << "one process took its steps";
  EXPECT_EQ(site.complaints(), std::vector<std::string>{});
}

TEST_F(Processes, AStoppedWriterBlocksNoReadersAndIsNamedToWriters) {
  site.make("1");
  {
    Ledger ledger = site.open();
    pay(ledger, laplace("visits/a", "0.1", "before"));
  }
  Child writer = start("stop", 0);
  ASSERT_TRUE(writer.stopped());
  {
    Ledger reader = Ledger::open_to_read(site.ledger());
    EXPECT_EQ(epsilon_spent(reader, "visits"), "0.1");
    Ledger other = site.open({100ms, ""});
    EXPECT_EQ(other.release("000000000005").state, State::committed);
    EXPECT_EQ(refusal([&] { pay(other, laplace("visits/a", "0.1", "meanwhile")); }), Code::ledger_busy);
    writer.send(SIGKILL);
    EXPECT_TRUE(was_killed(writer.wait()));
    pay(other, laplace("visits/a", "0.1", "after"));
    EXPECT_EQ(epsilon_spent(reader, "visits"), "0.2");
  }
  EXPECT_EQ(site.complaints(), std::vector<std::string>{});
  SqliteStore store(site.ledger(), Opening::read_only);
  const Transaction transaction(store, Access::read);
  EXPECT_EQ(store.note("half"), "") << "half a transaction counts for nothing";
}

// A ledger runs ahead of its head file, and both run on while somebody opens it.
TEST_F(Processes, ALedgerInUseCanAlwaysBeOpened) {
  site.make("1000");
  std::vector<Child> children;
  for (int i = 0; i < 2; ++i) children.push_back(start("busy", i));
  const auto until = std::chrono::steady_clock::now() + (nightly() ? 20s : 1s);
  while (std::chrono::steady_clock::now() < until) {
    ASSERT_EQ(refusal([&] { Ledger::open_to_read(site.ledger()); }), std::nullopt);
  }
}

TEST_F(Processes, WhatAKilledProcessReservedOthersTakeOver) {
  site.make("0.1");
  Child holder = start("hold", 0);
  ASSERT_TRUE(holder.stopped());
  Child waiter = start("wait", 0);
  while (result_of({"wait", 0, site.folder}) != "waiting") std::this_thread::sleep_for(1ms);
  holder.send(SIGKILL);
  EXPECT_TRUE(was_killed(holder.wait()));
  EXPECT_TRUE(went_well(waiter.wait()));
  EXPECT_EQ(result_of({"wait", 0, site.folder}), "committed");
  EXPECT_EQ(site.complaints(), std::vector<std::string>{});
}

TEST_F(Processes, WhatAKilledProcessOpenedIsLost) {
  site.make("0.1");
  Child holder = start("hold", 1);
  ASSERT_TRUE(holder.stopped());
  Child waiter = start("wait", 0);
  while (result_of({"wait", 0, site.folder}) != "waiting") std::this_thread::sleep_for(1ms);
  holder.send(SIGKILL);
  EXPECT_TRUE(was_killed(holder.wait()));
  EXPECT_TRUE(went_well(waiter.wait()));
  EXPECT_EQ(result_of({"wait", 0, site.folder}), "answer-lost");
  EXPECT_EQ(site.complaints(), std::vector<std::string>{});
  Ledger ledger = site.open();
  EXPECT_EQ(epsilon_spent(ledger, "visits"), "0.1") << "its charge stays";
}

TEST_F(Processes, AForkedChildCannotUseTheLedgerOfItsParent) {
  site.make("1");
  Ledger ledger = site.open();
  auto outcome = ledger.reserve(laplace("visits/a", "0.1", "parent's"));
  const pid_t child = in_child([&] {
    const auto must = [](bool holds) {
      if (!holds) throw std::runtime_error("not refused");
    };
    must(refusal([&] { ledger.budgets(); }) == Code::wrong_state);
    must(refusal([&] { ledger.reserve(laplace("visits/a", "0.1", "child's")); }) == Code::wrong_state);
    must(refusal([&] { std::get<Ticket>(outcome).open(); }) == Code::wrong_state);
    const Ticket dropped = std::get<Ticket>(std::move(outcome));  // and gives nothing back
  });
  EXPECT_TRUE(went_well(ended(child)));
  Ticket& ticket = std::get<Ticket>(outcome);
  ticket.open();
  ticket.commit("answer");
  EXPECT_EQ(epsilon_spent(ledger, "visits"), "0.1");
}

TEST_F(Processes, ThreadsShareOneLedger) {
  constexpr int kThreads = 8;
  const int each = nightly() ? 100 : 15;
  const int fits = kThreads * each * 2 / 3;
  site.make(fmt::format("0.{:03}", fits));
  std::atomic<int> given = 0;
  {
    Ledger ledger = site.open();
    const SideLog log(site.log());
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        for (int i = 0; i < each; ++i) {
          const auto refused = refusal([&] {
            auto outcome = ledger.reserve(laplace("visits/b", "0.001", fmt::format("{} of {}", i, thread)));
            finish(std::move(std::get<Ticket>(outcome)), "answer", [&](const Logged& line) { log.note(line); });
          });
          given += refused ? 0 : 1;
          EXPECT_EQ(refused.value_or(Code::over_budget), Code::over_budget);
        }
      });
    }
  }
  EXPECT_EQ(given, fits);
  EXPECT_EQ(site.complaints(), std::vector<std::string>{});
}

TEST_F(Processes, OfManyThreadsThatAskTheSameOneDraws) {
  site.make("0.1");  // fits once
  Ledger ledger = site.open();
  std::mutex mutex;
  std::multiset<std::string> answers;
  int draws = 0;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 8; ++thread) {
      threads.emplace_back([&, thread] {
        Held held = ledger.reserve_or_wait(laplace("visits/a", "0.1", "the same"), 60s);
        auto* ticket = std::get_if<Ticket>(&held);
        if (ticket != nullptr) {
          ticket->open();
          std::this_thread::sleep_for(10ms);
        }
        const StoredAnswer answer =
            ticket != nullptr ? ticket->commit(fmt::format("drawn by {}", thread)) : std::get<StoredAnswer>(held);
        const std::lock_guard lock(mutex);
        draws += ticket != nullptr ? 1 : 0;
        answers.insert(answer.bytes);
      });
    }
  }
  EXPECT_EQ(draws, 1);
  EXPECT_EQ(answers.count(*answers.begin()), 8u);
}

}  // namespace
}  // namespace dither::ledger
