// What an operator, another program or a planted file can do to a ledger's files while it lives.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <sstream>

#include "ledger/backup.h"
#include "ledger/detail/checked_vfs.h"
#include "ledger/ledger_check.h"
#include "ledger/transfer.h"
#include "ledger/verify.h"
#include "testing/plain_sqlite.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace check;
using dither::testing::refusal;
namespace fs = std::filesystem;

// A ledger in a file with a data set.
class Evidence : public ::testing::Test {
 protected:
  Evidence() { made.ledger->create_dataset(pure_dataset("visits", "10"), steward()); }

  std::optional<Code> paying(const std::string& plan) {
    return refusal([&] { pay(*made.ledger, laplace("visits", "0.25", plan)); });
  }
  Ledger open_to_restore() {
    LedgerOptions options = made.options;
    options.to_restore = true;
    return {std::make_unique<SqliteStore>(made.file, Opening::existing), made.key, options};
  }

  Made made{true};
};

// Whether this process holds a lock on the file, as another process sees it.
bool holds_a_lock(const std::string& path) {
  const pid_t child = in_child([&] {
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    struct flock any = {};
    any.l_type = F_WRLCK;
    any.l_whence = SEEK_SET;
    if (fcntl(file, F_GETLK, &any) != 0 || any.l_type == F_UNLCK) throw std::runtime_error("no lock");
  });
  return ended(child) == 0;
}

// The system drops all locks of a process on a file when the process closes that file once, however often it has it
// open. Without its lock another process takes itself for the last one, and takes the log away.
TEST_F(Evidence, LocksSurviveAnotherOpeningInTheProcess) {
  ASSERT_TRUE(holds_a_lock(made.file));
  Ledger::open_to_read(made.file);
  EXPECT_TRUE(holds_a_lock(made.file));
  EXPECT_EQ(verify_file(made.file, {}), std::vector<Finding>{});
  EXPECT_TRUE(holds_a_lock(made.file));
  EXPECT_EQ(refusal([&] { SqliteStore(made.file, Opening::fresh); }), Code::cannot_write);
  EXPECT_TRUE(holds_a_lock(made.file));
}

// Whoever goes on with a file that has lost its name spends what others spend again from the file that has it now.
TEST_F(Evidence, AFileThatWasReplacedIsNotWrittenAnyMore) {
  const std::string copy = made.folder.file("copy.db");
  const std::string gone = made.folder.file("gone.db");
  fs::copy(made.file, copy);
  fs::rename(made.file, gone);
  fs::rename(copy, made.file);
  EXPECT_EQ(paying("more"), Code::wrong_state);
  fs::remove(made.file);
  EXPECT_EQ(paying("more"), Code::wrong_state);
  fs::rename(gone, made.file);
  EXPECT_EQ(paying("more"), std::nullopt);
}

// The same for its log, and for the locks that lie beside it.
TEST_F(Evidence, AFileWhoseLogWasTakenAwayIsNotWrittenAnyMore) {
  for (const char* end : {"-wal", "-shm"}) {
    const std::string file = made.file + end;
    const std::string gone = made.folder.file("gone");
    fs::rename(file, gone);
    EXPECT_EQ(paying(end), Code::wrong_state) << end;
    fs::copy(gone, file);
    EXPECT_EQ(paying(end), Code::wrong_state) << end;
    fs::rename(gone, file);
    EXPECT_EQ(paying(end), std::nullopt) << end;
  }
}

// Every name of a file has a log of its own: two processes would not see each other.
TEST_F(Evidence, AFileWithSeveralNamesIsRefused) {
  made.ledger.reset();
  const std::string other = made.folder.file("other.db");
  fs::create_hard_link(made.file, other);
  fs::create_hard_link(head_file_of(made.file), head_file_of(other));
  EXPECT_EQ(refusal([&] { Ledger::open(other, made.key); }), Code::cannot_write);
  fs::remove(made.file);
  EXPECT_EQ(refusal([&] { Ledger::open(other, made.key); }), std::nullopt);
}

// A log that a lost ledger left at the place would be written into the new one.
TEST_F(Evidence, NoCopyIsPutBesideTheLogOfAnother) {
  for (const char* end : {"-wal", "-journal"}) {
    const std::string copy = made.folder.file("copy.db");
    put_bytes(copy + end, "left over");
    EXPECT_EQ(refusal([&] { back_up(made.file, copy); }), Code::cannot_write) << end;
    EXPECT_FALSE(fs::exists(copy));
    fs::remove(copy + end);
    back_up(made.file, copy);
    fs::remove(copy);
  }
}

// What a head file says of a ledger that is not there any more.
TEST_F(Evidence, RestoringLeavesTheHeadFileOfAnotherLedgerAlone) {
  const SignedHead own = made.ledger->head();
  made.ledger.reset();
  const SignedHead other = sign_head(made.key, "00ff", {7, sha256("of another ledger")});
  fs::remove(head_file_of(made.file));
  write_head_file(head_file_of(made.file), other, true);
  EXPECT_EQ(refusal([&] { open_to_restore().restore(own, steward()); }), Code::other_ledger);
  EXPECT_EQ(read_head_file(head_file_of(made.file)), other);
}

TEST_F(Evidence, AnAnchorIsFoundFromEveryFolder) {
  const Folder volume;
  const fs::path before = fs::current_path();
  fs::current_path(volume.file(""));
  made.ledger->set_anchor("visits.head", steward());
  made.ledger.reset();
  fs::current_path(before);
  EXPECT_EQ(refusal([&] { Ledger::open(made.file, made.key); }), std::nullopt);
  EXPECT_EQ(volume.names(), std::set<std::string>{"visits.head"});
}

// A ledger that was rolled back does not get its anchor back by naming it.
TEST_F(Evidence, AnAnchorThatIsAheadIsRefused) {
  const std::string anchor = made.folder.file("anchor");
  const SignedHead own = made.ledger->head();
  write_head_file(anchor, sign_head(made.key, own.ledger, {own.head.number + 5, sha256("lost")}), true);
  EXPECT_EQ(refusal([&] { made.ledger->set_anchor(anchor, steward()); }), Code::ledger_behind);
  EXPECT_EQ(made.ledger->head(), own);
}

// Somebody without the key who had the file once must not be able to leave something there that acts.
TEST_F(Evidence, PlantedTriggersDoNothing) {
  made.ledger.reset();
  testing::PlainSqlite(made.file, detail::checked_vfs_name())
      .run("CREATE TRIGGER free AFTER INSERT ON records BEGIN UPDATE budgets SET value = '{}'; END");
  made.ledger.emplace(Ledger::open(made.file, made.key));
  EXPECT_EQ(paying("one"), std::nullopt);
  EXPECT_EQ(epsilon_spent(*made.ledger, "visits"), "0.25");
  EXPECT_EQ(verify_file(made.file, {}).size(), 1u);
}

// The chain is looked at where this process knows it, also when it has become longer.
TEST_F(Evidence, ARecordThatChangedWhileTheLedgerWasOpenIsNoticed) {
  pay(*made.ledger, laplace("visits", "0.25", "one"));
  const Head seen = made.ledger->head().head;
  {
    SqliteStore store(made.file, Opening::existing);
    testing::PlainSqlite(made.file, detail::checked_vfs_name())
        .run("UPDATE records SET hash = zeroblob(32) WHERE number = (SELECT max(number) FROM records)");
    Transaction transaction(store, Access::write);
    store.append(next_record(seen, R"({"kind":"refused","at":"2026-11-15T12:00:00Z"})"));
    transaction.commit();
  }
  EXPECT_EQ(paying("two"), Code::ledger_behind);
}

// A process that is killed while it makes a ledger leaves a file without tables.
TEST_F(Evidence, ALedgerThatWasNeverCompletedIsRefused) {
  made.ledger.reset();
  for (const char* version : {"0", "-1"}) {
    testing::PlainSqlite(made.file, detail::checked_vfs_name()).run(std::string("PRAGMA user_version = ") + version);
    EXPECT_EQ(refusal([&] { Ledger::open(made.file, made.key); }), Code::not_a_ledger);
    EXPECT_EQ(refusal([&] { Ledger::open_to_read(made.file); }), Code::not_a_ledger);
  }
}

TEST_F(Evidence, ALedgerThatCouldNotBeginLeavesNoFile) {
  const std::string file = made.folder.file("new.db");
  fs::copy(head_file_of(made.file), head_file_of(file));
  EXPECT_EQ(refusal([&] { Ledger::create(file, made.key); }), Code::ledger_behind);
  fs::remove(head_file_of(file));
  EXPECT_EQ(refusal([&] { Ledger::create(file, made.key); }), std::nullopt);
}

TEST_F(Evidence, ACopyIsReadByThoseWhoMayReadTheLedger) {
  const std::string copy = made.folder.file("copy.db");
  fs::permissions(made.file, fs::perms::owner_read | fs::perms::owner_write);
  back_up(made.file, copy);
  EXPECT_EQ(fs::status(copy).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

// An answer that is no file must not make anybody wait.
TEST_F(Evidence, APipeIsNoAnswer) {
  pay(*made.ledger, laplace("visits", "0.25", "one"), std::string(70'000, 'a'));
  const std::string answer = fs::directory_iterator(answers_folder_of(made.file))->path();
  fs::remove(answer);
  ASSERT_EQ(mkfifo(answer.c_str(), 0600), 0);
  EXPECT_EQ(verify_file(made.file, {}).size(), 1u);
}

// Rolled back, and marked as a copy so that nobody looks at its head file.
TEST_F(Evidence, TheMarkOfACopyDoesNotHideARollback) {
  made.ledger.reset();
  const std::string copy = made.folder.file("copy.db");
  fs::copy(made.file, copy);
  pay(*std::make_unique<Ledger>(Ledger::open(made.file, made.key)), laplace("visits", "0.25", "forgotten"));
  fs::copy(copy, made.file, fs::copy_options::overwrite_existing);
  testing::PlainSqlite(made.file, detail::checked_vfs_name()).run("INSERT INTO notes VALUES('copy', 'backup')");
  EXPECT_EQ(verify_file(made.file, {}).size(), 1u);
}

// As deep as the stack is not: whatever reads it part by part must not begin.
TEST_F(Evidence, DeepNestingIsRefused) {
  std::ostringstream text;
  export_file(made.file, text);
  const std::string whole = text.str();
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  const std::size_t head = whole.find("{\"head\":");
  const std::string copy = made.folder.file("copy.db");
  const auto importing = [&](const std::string& changed) {
    std::istringstream from(changed);
    return refusal([&] { import_file(from, copy); });
  };
  EXPECT_EQ(importing(whole.substr(0, head) + "{\"head\":" + deep + "}\n"), Code::bad_syntax);
  EXPECT_FALSE(fs::exists(copy));
}

TEST_F(Evidence, DeepNestingInTheFileIsDamage) {
  pay(*made.ledger, laplace("visits", "0.25", "one"));
  made.ledger.reset();
  testing::PlainSqlite(made.file, detail::checked_vfs_name())
      .run(
          "UPDATE releases SET value = replace(value, '\"events\":[', '\"events\":[' || "
          "replace(hex(zeroblob(100000)), '00', '[') || replace(hex(zeroblob(100000)), '00', ']') || ',')");
  Ledger ledger = Ledger::open_to_read(made.file);
  const auto look = [&] { ledger.releases("", [](const Release&) { return true; }); };
  EXPECT_EQ(refusal(look), Code::ledger_damaged);
  EXPECT_EQ(verify_file(made.file, {}).size(), 1u);
}

}  // namespace
}  // namespace dither::ledger
