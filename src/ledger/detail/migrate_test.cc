#include "ledger/detail/migrate.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

#include "ledger/detail/checked_vfs.h"
#include "ledger/every_record_check.h"
#include "ledger/verify.h"
#include "testing/plain_sqlite.h"
#include "testing/refusal.h"

namespace dither::ledger::detail {
namespace {

using namespace check;
using dither::testing::refusal;

void run(sqlite3* database, const char* sql) {
  if (sqlite3_exec(database, sql, nullptr, nullptr, nullptr) != SQLITE_OK) throw std::runtime_error(sql);
}

// Two steps as later versions might have them: one adds a table, one has entries written otherwise.
std::vector<Migration> two_steps() {
  return {{[](sqlite3* database) { run(database, "CREATE TABLE marks(name TEXT PRIMARY KEY) STRICT"); }, false},
          {[](sqlite3* database) { run(database, "UPDATE budgets SET value = '{}'; DELETE FROM held"); }, true}};
}

// A file of version 1, closed.
class MigrateTest : public ::testing::Test {
 protected:
  MigrateTest() {
    do_everything(made);
    head = made.ledger->head().head;
    made.ledger.reset();
  }
  void open(Opening opening, const std::vector<Migration>& steps) {
    SqliteStore store(made.file, opening, {std::chrono::seconds(30), "", &steps});
    const Transaction transaction(store, Access::read);
    EXPECT_EQ(store.head(), head);
  }
  std::string version() { return testing::PlainSqlite(made.file, checked_vfs_name()).text("PRAGMA user_version"); }
  std::string budgets() {
    return testing::PlainSqlite(made.file, checked_vfs_name()).text("SELECT value FROM budgets");
  }

  Made made{true};
  Head head;
};

TEST(Migrate, TheVersionWrittenIsTheOneThatTheStepsLeadTo) { EXPECT_EQ(version_after(migrations()), kSchemaVersion); }

TEST_F(MigrateTest, AnOldFileIsBroughtUpAndItsTablesFollowFromItsRecords) {
  const std::string before = budgets();
  const std::vector<Migration> steps = two_steps();
  open(Opening::existing, steps);
  EXPECT_EQ(version(), "3 ");
  EXPECT_EQ(budgets(), before);
  open(Opening::existing, steps);  // and nothing more happens
  open(Opening::read_only, steps);
  EXPECT_EQ(testing::PlainSqlite(made.file, checked_vfs_name()).text("SELECT count(*) FROM marks"), "0 ");
}

TEST_F(MigrateTest, OneStepAtATimeGivesTheSame) {
  std::vector<Migration> steps = two_steps();
  steps.pop_back();
  open(Opening::existing, steps);
  EXPECT_EQ(version(), "2 ");
  open(Opening::existing, two_steps());
  EXPECT_EQ(version(), "3 ");
}

TEST_F(MigrateTest, AFileOfANewerVersionIsRefused) {
  open(Opening::existing, two_steps());
  for (const Opening opening : {Opening::existing, Opening::read_only, Opening::raw}) {
    EXPECT_EQ(refusal([&] { SqliteStore(made.file, opening); }), Code::ledger_newer);
  }
}

TEST_F(MigrateTest, ReadingAnOldFileSaysWhatToDo) {
  EXPECT_EQ(refusal([&] { open(Opening::read_only, two_steps()); }), Code::wrong_state);
  EXPECT_EQ(version(), "1 ");
}

// An old program that has the file open must not write into what a newer one made of it.
TEST_F(MigrateTest, AnOpenStoreStopsWritingOnceTheFileIsNewer) {
  SqliteStore old(made.file, Opening::existing);
  open(Opening::existing, two_steps());
  EXPECT_EQ(refusal([&] { old.begin(Access::write); }), Code::ledger_newer);
  EXPECT_EQ(refusal([&] { old.begin(Access::write); }), Code::ledger_newer);  // and holds no lock
  open(Opening::existing, two_steps());
}

TEST_F(MigrateTest, AStepThatFailsLeavesTheFileAsItWas) {
  const std::string before = budgets();
  std::vector<Migration> steps = two_steps();
  steps.push_back({[](sqlite3*) { throw std::runtime_error("no"); }, false});
  EXPECT_THROW(open(Opening::existing, steps), std::runtime_error);
  EXPECT_EQ(version(), "1 ");
  EXPECT_EQ(budgets(), before);
  open(Opening::existing, two_steps());
  EXPECT_EQ(version(), "3 ");
}

TEST_F(MigrateTest, AProcessThatIsKilledInTheMiddleDoesToo) {
  const std::string before = budgets();
  std::vector<Migration> steps = two_steps();
  steps.push_back({[](sqlite3*) { raise(SIGKILL); }, false});
  const pid_t child = fork();
  if (child == 0) {
    const SqliteStore killed(made.file, Opening::existing, {std::chrono::seconds(30), "", &steps});
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(version(), "1 ");
  EXPECT_EQ(budgets(), before);
  EXPECT_EQ(verify_file(made.file, {}), std::vector<Finding>{});
}

// Tables are not made from records that are not what was signed.
TEST_F(MigrateTest, DamagedRecordsAreNotReplayed) {
  testing::PlainSqlite(made.file, checked_vfs_name()).run("UPDATE records SET body = body || ' ' WHERE number = 5");
  EXPECT_EQ(refusal([&] { open(Opening::existing, two_steps()); }), Code::ledger_damaged);
  EXPECT_EQ(version(), "1 ");
}

}  // namespace
}  // namespace dither::ledger::detail
