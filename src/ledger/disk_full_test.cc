// Disks that are full, and files that nobody may write.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "ledger/faults_check.h"
#include "testing/power_loss.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace check;
using dither::testing::Images;
using dither::testing::PowerLoss;
using dither::testing::refusal;

const std::string kPath = "/disk/ledger.db";

// A machine with a ledger on its disk.
struct Machine {
  Machine() {
    SqliteStore fresh(kPath, Opening::fresh, options());
    Ledger::begin(fresh, key);
    const auto ledger = open();
    ledger->create_dataset(pure_dataset("visits", "1"), steward());
    begun = disk.now();
  }
  SqliteOptions options() const { return {std::chrono::seconds(1), disk.vfs_name()}; }
  std::unique_ptr<Ledger> open() {
    store = std::make_shared<SqliteStore>(kPath, Opening::existing, options());
    return std::make_unique<Ledger>(std::make_unique<Through>(store), key);
  }

  PowerLoss disk;
  SigningKey key = SigningKey::make();
  std::shared_ptr<Store> store;
  Images begun;
};

// Takes a step again until it succeeds. When the disk is full, nothing must have changed; then there is room again.
template <class Act>
auto insist(Machine& machine, int& failures, const Act& act) {
  for (;;) {
    const std::string before = everything_in(*machine.store);
    try {
      return act();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::cannot_write) << error.str();
      EXPECT_EQ(everything_in(*machine.store), before);
      ++failures;
      machine.disk.fill_at_write(~std::uint64_t{0}, false);
    }
  }
}

// Three releases, each step taken again until it succeeds. How often a step failed.
int release_three(Machine& machine, std::vector<Logged>& log) {
  int failures = 0;
  const auto ledger = machine.open();
  for (const char* plan : {"one", "two", "three"}) {
    auto outcome = insist(machine, failures, [&] { return ledger->reserve(laplace("visits", "0.1", plan)); });
    Ticket& ticket = std::get<Ticket>(outcome);
    insist(machine, failures, [&] { ticket.open(); });
    const std::string answer = std::string(9000, *plan);  // several pages
    const StoredAnswer stored = insist(machine, failures, [&] { return ticket.commit(answer); });
    log.push_back({"draw", ticket.release(), sha256(answer).hex()});
    log.push_back({"show", ticket.release(), sha256(stored.bytes).hex()});
  }
  EXPECT_EQ(Judge(*machine.store, *ledger, "").complaints(log), std::vector<std::string>{});
  EXPECT_EQ(epsilon_spent(*ledger, "visits"), "0.3");
  return failures;
}

// Spec: D-62
TEST(DiskFull, AtEveryWriteTheStepFailsNothingChangesAndItCanBeTakenAgain) {
  Machine machine;
  machine.disk.restart(machine.begun);
  std::vector<Logged> none;
  EXPECT_EQ(release_three(machine, none), 0);
  machine.store.reset();
  const std::uint64_t writes = machine.disk.writes();
  ASSERT_GT(writes, 40u);
  int failures = 0;
  for (std::uint64_t n = 1; n <= writes; ++n) {
    for (const bool lasting : {false, true}) {
      if (lasting && !nightly() && n % 4 != 0) continue;
      machine.store.reset();
      machine.disk.restart(machine.begun);
      machine.disk.fill_at_write(n, lasting);
      std::vector<Logged> log;
      failures += release_three(machine, log);
      // What is on the disk, not only what this process believes.
      machine.store.reset();
      const auto ledger = machine.open();
      ASSERT_EQ(Judge(*machine.store, *ledger, "").complaints(log), std::vector<std::string>{}) << "write " << n;
    }
  }
  // A write that only tidies up (a checkpoint) may fail unseen; those of the steps may not.
  EXPECT_GT(failures, static_cast<int>(writes));
}

TEST(DiskFull, ALongAnswerThatDoesNotFitCanBeCommittedLater) {
  Made made(/*in_file=*/true);
  Ledger& ledger = *made.ledger;
  ledger.create_dataset(pure_dataset("visits", "1"), steward());
  auto outcome = ledger.reserve(laplace("visits", "0.1", "long"));
  Ticket& ticket = std::get<Ticket>(outcome);
  ticket.open();
  const std::string answer(std::size_t{4} << 20, 'x');
  {
    const FullDisk full(std::size_t{1} << 20);
    EXPECT_EQ(refusal([&] { ticket.commit(answer); }), Code::cannot_write);
    EXPECT_EQ(ledger.release(ticket.release()).state, State::opened);
  }
  EXPECT_EQ(std::filesystem::exists(answers_folder_of(made.file) + "/" + sha256(answer).hex()), false);
  EXPECT_EQ(ticket.commit(answer).bytes, answer);
  EXPECT_EQ(ledger.answer(ledger.release("000000000003").id).bytes, answer);
}

TEST(DiskFull, RealFilesThatCannotGrowFailTheStepAndNoMore) {
  Made made(/*in_file=*/true);
  Ledger& ledger = *made.ledger;
  ledger.create_dataset(pure_dataset("visits", "1"), steward());
  const std::string before = head_text(ledger.head());
  for (const rlim_t limit : {0, 1, 1000, 4096, 20'000}) {
    const FullDisk full(limit);
    EXPECT_EQ(refusal([&] { ledger.reserve(laplace("visits", "0.1", "full")); }), Code::cannot_write) << limit;
    EXPECT_EQ(head_text(ledger.head()), before);
  }
  pay(ledger, laplace("visits", "0.1", "full"));
  made.ledger.reset();
  Ledger again(std::make_unique<SqliteStore>(made.file, Opening::existing), made.key, made.options);
  EXPECT_EQ(epsilon_spent(again, "visits"), "0.1");
}

// The ledger may run ahead of the file beside it, so a place that cannot be written stops nobody.
TEST(DiskFull, AHeadFileThatCannotBeWrittenStaysBehind) {
  Made made(/*in_file=*/true);
  Ledger& ledger = *made.ledger;
  ledger.create_dataset(pure_dataset("visits", "1"), steward());
  const std::string head_file = head_file_of(made.file);
  const std::string kept = bytes_of(head_file);
  std::filesystem::remove(head_file);
  std::filesystem::create_directory(head_file);
  EXPECT_EQ(pay(ledger, laplace("visits", "0.1", "no head"), "answer").bytes, "answer");
  std::filesystem::remove(head_file);
  put_bytes(head_file, kept);
  made.ledger.reset();
  Ledger again(std::make_unique<SqliteStore>(made.file, Opening::existing), made.key, made.options);
  EXPECT_EQ(epsilon_spent(again, "visits"), "0.1");
}

// The usual VFS on a disk that is mounted read-only: for root too.
const char* read_only_vfs() {
  static sqlite3_vfs vfs = [] {
    sqlite3_vfs made = *sqlite3_vfs_find(nullptr);
    made.zName = "dither-read-only-disk";
    made.pNext = nullptr;
    made.xOpen = [](sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out) {
      sqlite3_vfs* usual = sqlite3_vfs_find(nullptr);
      flags &= ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
      return usual->xOpen(usual, name, file, flags | SQLITE_OPEN_READONLY, out);
    };
    return made;
  }();
  sqlite3_vfs_register(&vfs, 0);
  return vfs.zName;
}

TEST(ReadOnly, ALedgerOnAReadOnlyDiskIsReadAndNotChanged) {
  Made made(/*in_file=*/true);
  made.ledger->create_dataset(pure_dataset("visits", "1"), steward());
  pay(*made.ledger, laplace("visits", "0.1", "known"), "known");
  const std::string before = head_text(made.ledger->head());
  SqliteOptions options;
  options.vfs = read_only_vfs();
  Ledger ledger(std::make_unique<SqliteStore>(made.file, Opening::existing, options), made.key, made.options);
  EXPECT_EQ(epsilon_spent(ledger, "visits"), "0.1");
  EXPECT_EQ(ledger.answer("000000000003").bytes, "known");
  EXPECT_EQ(refusal([&] { ledger.reserve(laplace("visits", "0.1", "new")); }), Code::cannot_write);
  EXPECT_EQ(refusal([&] { ledger.freeze("visits", steward()); }), Code::cannot_write);
  EXPECT_EQ(head_text(ledger.head()), before);
}

TEST(ReadOnly, OpenedToReadNothingCanBeChanged) {
  Made made(/*in_file=*/true);
  made.ledger->create_dataset(pure_dataset("visits", "1"), steward());
  Ledger reader = Ledger::open_to_read(made.file);
  EXPECT_EQ(refusal([&] { reader.reserve(laplace("visits", "0.1", "new")); }), Code::wrong_state);
  EXPECT_EQ(epsilon_spent(reader, "visits"), "0");
}

}  // namespace
}  // namespace dither::ledger
