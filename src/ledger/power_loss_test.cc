// Power that fails at every sync and every write: what a call said was durable is there afterwards.
#include "testing/power_loss.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "base/error.h"
#include "ledger/faults_check.h"

namespace dither::ledger {
namespace {

using namespace check;
using dither::testing::Images;
using dither::testing::PowerLoss;
using dither::testing::Survival;

const std::string kPath = "/disk/ledger.db";

// A disk that says it has synced and has not.
const char* unsynced(const char* vfs_name) {
  static sqlite3_vfs vfs;
  static sqlite3_io_methods methods;
  static int (*open)(sqlite3_vfs*, const char*, sqlite3_file*, int, int*);
  vfs = *sqlite3_vfs_find(vfs_name);
  open = vfs.xOpen;
  vfs.zName = "dither-unsynced";
  vfs.pNext = nullptr;
  vfs.xOpen = [](sqlite3_vfs* self, const char* name, sqlite3_file* file, int flags, int* out) {
    const int code = open(self, name, file, flags, out);
    if (code != SQLITE_OK) return code;
    methods = *file->pMethods;
    methods.xSync = [](sqlite3_file*, int) { return SQLITE_OK; };
    file->pMethods = &methods;
    return code;
  };
  sqlite3_vfs_register(&vfs, 0);
  return vfs.zName;
}

struct Tally {
  int crashes = 0;
  int wrong = 0;
  std::string first;  // what was wrong first

  void add(const std::string& where, const std::vector<std::string>& complaints) {
    ++crashes;
    if (complaints.empty()) return;
    if (wrong++ == 0) first = where + ": " + complaints.front();
  }
};

// Runs the protocol on a machine whose power fails, then looks at what is left on another one. The head file is a real
// one, and survives in full: the worst case, as it may then be ahead of what the ledger's disk kept.
class Campaign {
 public:
  explicit Campaign(bool syncs) : vfs_(syncs ? broken_.vfs_name() : unsynced(broken_.vfs_name())) {
    options_.path = folder_.file("ledger.db");
    {
      SqliteStore store(kPath, Opening::fresh, {patience_, broken_.vfs_name()});
      Ledger::begin(store, key_, options_);
      Ledger ledger(
          std::make_unique<SqliteStore>(kPath, Opening::existing, SqliteOptions{patience_, broken_.vfs_name()}), key_,
          options_);
      ledger.create_dataset(pure_dataset("visits", "10"), steward());
      BudgetTerms terms;
      terms.rule = pure("10");
      ledger.create_budget("visits/study", BudgetKind::project, terms, steward());
    }
    begun_ = broken_.now();
    head_ = bytes_of(head_file_of(options_.path));
  }

  Tally run() {
    start();
    release_some();
    const std::uint64_t syncs = broken_.syncs();
    const std::uint64_t writes = broken_.writes();
    fail_at("sync", &PowerLoss::fail_at_sync, syncs, 1);
    fail_at("write", &PowerLoss::fail_at_write, writes, nightly() ? 1 : 5);
    fmt::print("{} syncs, {} writes, {} crashes\n", syncs, writes, tally_.crashes);
    return tally_;
  }

 private:
  void start() {
    broken_.restart(begun_);
    put_bytes(head_file_of(options_.path), head_);
    log_.clear();
  }

  void fail_at(const char* what, void (PowerLoss::*fault)(std::uint64_t), std::uint64_t count, std::uint64_t stride) {
    for (std::uint64_t n = 1; n <= count + 1; n += stride) {
      start();
      (broken_.*fault)(n);
      release_some();
      inspect_all(fmt::format("{} {}", what, n));
    }
  }

  // Two sessions, so that a log is copied into the file between them; until the first error.
  void release_some() {
    const Note note = [&](const Logged& line) { log_.push_back(line); };
    try {
      for (const char* session : {"first", "second"}) {
        Ledger ledger(std::make_unique<SqliteStore>(kPath, Opening::existing, SqliteOptions{patience_, vfs_}), key_,
                      options_);
        const auto release = [&](const std::vector<Request>& requests) {
          auto outcome = ledger.reserve(requests);
          for (Held& held : std::get<std::vector<Held>>(outcome)) {
            if (auto* ticket = std::get_if<Ticket>(&held)) {
              finish(std::move(*ticket), fmt::format("{} {}", session, log_.size()), note);
            } else {
              const StoredAnswer& stored = std::get<StoredAnswer>(held);
              note({"show", stored.release.id, sha256(stored.bytes).hex()});
            }
          }
        };
        Request common = laplace("visits", "0.1", "common");
        release({common});
        release({laplace("visits/study", "0.1", session), laplace("visits", "0.2", session)});
        common.again = true;
        release({common});
      }
    } catch (const Error& error) {
      EXPECT_TRUE(broken_.has_failed()) << error.str();
    }
  }

  void inspect_all(const std::string& where) {
    const std::string newest = bytes_of(head_file_of(options_.path));
    for (const Survival way : {Survival::drop_all, Survival::keep_all, Survival::keep_last, Survival::drop_first}) {
      inspect(where, broken_.after_crash(way, 0), newest);
    }
    for (std::uint64_t seed = 1; seed <= (nightly() ? 40u : 2u); ++seed) {
      // A head file that nobody synced may be older.
      inspect(where, broken_.after_crash(Survival::random, seed), seed % 2 == 0 ? newest : head_);
    }
  }

  void inspect(const std::string& where, const Images& images, const std::string& head) {
    other_.restart(images);
    put_bytes(head_file_of(options_.path), head);
    try {
      const std::shared_ptr<Store> store =
          std::make_shared<SqliteStore>(kPath, Opening::existing, SqliteOptions{patience_, other_.vfs_name()});
      Ledger ledger(std::make_unique<Through>(store), key_, options_);
      tally_.add(where, Judge(*store, ledger, "", Judge::Holders::live).complaints(log_));
    } catch (const Error& error) {
      tally_.add(where, {error.str()});
    }
  }

  const std::chrono::milliseconds patience_{50};
  PowerLoss broken_;
  PowerLoss other_;
  const char* vfs_;
  Folder folder_;
  LedgerOptions options_;
  SigningKey key_ = SigningKey::make();
  Images begun_;
  std::string head_;
  std::vector<Logged> log_;
  Tally tally_;
};

// Spec: D-62, W-79
TEST(LedgerPowerLoss, WhatWasDurableIsThereAndTheHeadFileIsNeverAhead) {
  const Tally tally = Campaign(/*syncs=*/true).run();
  EXPECT_GT(tally.crashes, 300);
  EXPECT_EQ(tally.wrong, 0) << tally.first;
}

TEST(LedgerPowerLoss, PlantedUnsyncedReserveIsCaught) {
  const Tally tally = Campaign(/*syncs=*/false).run();
  EXPECT_GT(tally.wrong, tally.crashes / 10);
}

}  // namespace
}  // namespace dither::ledger
