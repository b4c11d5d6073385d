#include "testing/power_loss.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "testing/plain_sqlite.h"

namespace dither::testing {
namespace {

const std::string kPath = "/disk/rows.db";
constexpr int kRows = 12;

// How a database is opened, and what must hold after a crash.
struct Way {
  std::string pragmas;
};
const Way kLogFull{"PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 5;"};
const Way kLogNormal{"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 5;"};
const Way kLogOff{"PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 5;"};
const Way kJournalExtra{"PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA;"};
const Way kJournalFull{"PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;"};

// Inserts rows 1 to kRows, each in a transaction of its own and larger than a page's rest, until one fails. Returns how
// many were acknowledged.
int insert_rows(PowerLoss& machine, const Way& way) {
  PlainSqlite db(kPath, machine.vfs_name());
  if (db.run(way.pragmas + "CREATE TABLE IF NOT EXISTS rows(id INTEGER PRIMARY KEY, bytes BLOB)") != SQLITE_OK)
    return 0;
  for (int row = 1; row <= kRows; ++row) {
    if (db.run("INSERT INTO rows VALUES (" + std::to_string(row) + ", zeroblob(3000))") != SQLITE_OK) return row - 1;
  }
  return kRows;
}

struct Tally {
  int crashes = 0;  // restarts from images
  int lost = 0;     // with an acknowledged row missing
  int damaged = 0;  // with a file that SQLite cannot read, or with rows out of order
};

// Restarts from the images and looks what is there.
void inspect(PowerLoss& other, const Images& images, int acknowledged, Tally& tally) {
  other.restart(images);
  PlainSqlite db(kPath, other.vfs_name());
  ++tally.crashes;
  const std::string tables = db.text("SELECT count(*) FROM sqlite_master");
  if (tables == "0 ") {
    tally.lost += acknowledged > 0;
    return;
  }
  const std::string integrity = db.text("PRAGMA integrity_check");
  const std::string rows = db.text("SELECT count(*) FROM rows");
  const std::string in_order = db.text("SELECT count(*) = coalesce(max(id), 0) FROM rows");
  if (integrity != "ok " || in_order != "1 ") {
    ++tally.damaged;
  } else {
    tally.lost += std::stoi(rows) < acknowledged;
  }
}

void inspect_all(PowerLoss& broken, PowerLoss& other, int acknowledged, Tally& tally) {
  for (const Survival way : {Survival::drop_all, Survival::keep_all, Survival::keep_last, Survival::drop_first}) {
    inspect(other, broken.after_crash(way, 0), acknowledged, tally);
  }
  const std::uint64_t seeds = std::getenv("DITHER_NIGHTLY") == nullptr ? 6 : 100;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    inspect(other, broken.after_crash(Survival::random, seed), acknowledged, tally);
  }
}

// Power fails at every sync and at every write, each with every survival.
Tally campaign(const Way& way) {
  PowerLoss machine;
  PowerLoss other;
  EXPECT_EQ(insert_rows(machine, way), kRows);
  const std::uint64_t syncs = machine.syncs();
  const std::uint64_t writes = machine.writes();
  EXPECT_GT(writes, 2u * kRows);
  Tally tally;
  const auto stop_at = [&](void (PowerLoss::*fault)(std::uint64_t), std::uint64_t count) {
    for (std::uint64_t n = 1; n <= count + 1; ++n) {
      machine.restart({});
      (machine.*fault)(n);
      const int acknowledged = insert_rows(machine, way);
      EXPECT_EQ(machine.has_failed(), n <= count);
      inspect_all(machine, other, acknowledged, tally);
    }
  };
  stop_at(&PowerLoss::fail_at_sync, syncs);
  stop_at(&PowerLoss::fail_at_write, writes);
  ::testing::Test::RecordProperty("crashes", tally.crashes);
  return tally;
}

TEST(PowerLoss, AFullySyncedLogLosesNothing) {
  const Tally tally = campaign(kLogFull);
  EXPECT_GT(tally.crashes, 500);
  EXPECT_EQ(tally.lost, 0);
  EXPECT_EQ(tally.damaged, 0);
}

TEST(PowerLoss, ALogSyncedAtCheckpointsLosesRowsButStaysWhole) {
  const Tally tally = campaign(kLogNormal);
  EXPECT_GT(tally.lost, 0);
  EXPECT_EQ(tally.damaged, 0);
}

// The planted fault: no syncs at all.
TEST(PowerLoss, PlantedMissingSyncsAreCaught) {
  const Tally tally = campaign(kLogOff);
  EXPECT_GT(tally.lost, 0);
  EXPECT_GT(tally.damaged, 0);
}

// A rollback journal commits by its deletion; only EXTRA syncs the folder after that.
TEST(PowerLoss, ADeletionNobodySyncedMayBeUndone) {
  const Tally extra = campaign(kJournalExtra);
  EXPECT_EQ(extra.lost, 0);
  EXPECT_EQ(extra.damaged, 0);
  const Tally full = campaign(kJournalFull);
  EXPECT_GT(full.lost, 0);
  EXPECT_EQ(full.damaged, 0);
}

TEST(PowerLoss, AFullDiskFailsTheTransactionAndNoMore) {
  PowerLoss machine;
  ASSERT_EQ(insert_rows(machine, kLogFull), kRows);
  const std::uint64_t writes = machine.writes();
  for (std::uint64_t n = 1; n <= writes; ++n) {
    for (const bool lasting : {false, true}) {
      machine.restart({});
      machine.fill_at_write(n, lasting);
      const int acknowledged = insert_rows(machine, kLogFull);
      Tally tally;
      inspect(machine, machine.now(), acknowledged, tally);
      ASSERT_EQ(tally.lost + tally.damaged, 0) << "write " << n;
    }
  }
}

TEST(PowerLoss, AFullDiskSaysSo) {
  PowerLoss machine;
  PlainSqlite db(kPath, machine.vfs_name());
  ASSERT_EQ(db.run(kLogFull.pragmas + "CREATE TABLE t(a)"), SQLITE_OK);
  machine.fill_at_write(machine.writes() + 1, /*lasting=*/false);
  EXPECT_EQ(db.run("INSERT INTO t VALUES (1)"), SQLITE_FULL);
  EXPECT_EQ(db.run("INSERT INTO t VALUES (2)"), SQLITE_OK);
  machine.fill_at_write(machine.writes() + 1, /*lasting=*/true);
  EXPECT_EQ(db.run("INSERT INTO t VALUES (3)"), SQLITE_FULL);
  EXPECT_EQ(db.run("INSERT INTO t VALUES (4)"), SQLITE_FULL);
  EXPECT_EQ(db.text("SELECT a FROM t"), "2 ");
}

TEST(PowerLoss, NothingHappensWithoutPower) {
  PowerLoss machine;
  PlainSqlite old(kPath, machine.vfs_name());
  ASSERT_EQ(old.run(kLogFull.pragmas + "CREATE TABLE t(a); INSERT INTO t VALUES (1)"), SQLITE_OK);
  const Images before = machine.now();
  machine.fail_now();
  EXPECT_EQ(old.run("INSERT INTO t VALUES (2)") & 0xff, SQLITE_IOERR);
  EXPECT_EQ(machine.now(), before);
  machine.restart(machine.after_crash(Survival::drop_all, 0));
  EXPECT_NE(old.run("INSERT INTO t VALUES (3)"), SQLITE_OK) << "a connection does not outlive the power";
  EXPECT_EQ(PlainSqlite(kPath, machine.vfs_name()).text("SELECT a FROM t"), "1 ");
}

TEST(PowerLoss, ConnectionsOfSeveralThreadsShareTheLog) {
  PowerLoss machine;
  {
    PlainSqlite db(kPath, machine.vfs_name());
    ASSERT_EQ(db.run("PRAGMA journal_mode = WAL; CREATE TABLE t(a); INSERT INTO t VALUES (0)"), SQLITE_OK);
  }
  std::atomic<int> failures{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        PlainSqlite db(kPath, machine.vfs_name());
        sqlite3_busy_timeout(db.handle(), 60'000);
        for (int n = 0; n < 100; ++n)
          failures += db.run("BEGIN IMMEDIATE; UPDATE t SET a = a + 1; COMMIT") != SQLITE_OK;
      });
    }
  }
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(PlainSqlite(kPath, machine.vfs_name()).text("SELECT a FROM t; PRAGMA integrity_check"), "400 ok ");
}

TEST(PowerLoss, WritersShutEachOtherOutAndReadersGoOn) {
  for (const Way& way : {kLogFull, kJournalFull}) {
    PowerLoss machine;
    PlainSqlite one(kPath, machine.vfs_name());
    PlainSqlite two(kPath, machine.vfs_name());
    ASSERT_EQ(one.run(way.pragmas + "CREATE TABLE t(a)"), SQLITE_OK);
    ASSERT_EQ(one.run("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)"), SQLITE_OK);
    EXPECT_EQ(two.run("BEGIN IMMEDIATE"), SQLITE_BUSY);
    EXPECT_EQ(two.text("SELECT count(*) FROM t"), "0 ");
    EXPECT_EQ(one.run("COMMIT"), SQLITE_OK);
    EXPECT_EQ(two.text("SELECT count(*) FROM t"), "1 ");
  }
}

// A run of changes to one file, and all images that crashes leave.
TEST(CrashDisk, EachSurvivalIsWhatItSays) {
  CrashDisk disk;
  const auto file = disk.create("f");
  disk.sync_names();
  CrashDisk::write(*file, 0, std::string(1024, 'a'));
  CrashDisk::sync(*file);
  CrashDisk::write(*file, 0, std::string(512, 'b'));
  CrashDisk::write(*file, 1024, std::string(512, 'c'));
  CrashDisk::resize(*file, 1200);
  const auto left = [&](Survival way, std::uint64_t seed = 0) { return disk.after_crash(way, seed).at("f"); };
  const std::string a(512, 'a');
  const std::string b(512, 'b');
  EXPECT_EQ(left(Survival::drop_all), a + a);
  EXPECT_EQ(left(Survival::keep_all), b + a + std::string(176, 'c'));
  EXPECT_EQ(left(Survival::keep_all), disk.now().at("f"));
  EXPECT_EQ(left(Survival::keep_last), a + a + std::string(176, '\0'));
  EXPECT_EQ(left(Survival::drop_first), a + a + std::string(176, 'c'));
  EXPECT_EQ(left(Survival::random, 7), left(Survival::random, 7)) << "the seed decides";
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) seen.insert(left(Survival::random, seed));
  // First sector a or b; then the third lost, kept or empty and the size cut or not: 2 x (1 + 3) states or more.
  EXPECT_GE(seen.size(), 8u);
  EXPECT_TRUE(seen.contains(b + a)) << "the later write lost, the earlier kept";
  EXPECT_TRUE(seen.contains(a + a + std::string(512, 'c'))) << "the earlier lost, the later kept: reordered";
}

TEST(CrashDisk, AWriteTearsAtSectors) {
  CrashDisk disk;
  const auto file = disk.create("f");
  disk.sync_names();
  CrashDisk::write(*file, 100, std::string(1000, 'x'));  // parts of three sectors
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    std::string image = disk.after_crash(Survival::random, seed).at("f");
    image.resize(1100);
    const std::string parts = {image[100], image[511], image[512], image[1023], image[1024], image[1099]};
    EXPECT_TRUE(parts[0] == parts[1] && parts[2] == parts[3] && parts[4] == parts[5]) << "torn inside a sector";
    seen.insert({parts[0], parts[2], parts[4]});
  }
  EXPECT_EQ(seen.size(), 8u) << "every subset of the sectors";
}

TEST(CrashDisk, NamesAreLostUnlessSynced) {
  CrashDisk disk;
  disk.replace({{"old", "1"}});
  CrashDisk::write(*disk.create("new"), 0, "2");
  CrashDisk::sync(*disk.find("new"));
  disk.remove("old");
  EXPECT_EQ(disk.after_crash(Survival::drop_all, 0), (Images{{"old", "1"}}));
  EXPECT_EQ(disk.after_crash(Survival::keep_all, 0), (Images{{"new", "2"}}));
  std::set<Images> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) seen.insert(disk.after_crash(Survival::random, seed));
  EXPECT_EQ(seen.size(), 4u);
  disk.sync_names();
  EXPECT_EQ(disk.after_crash(Survival::drop_all, 0), (Images{{"new", "2"}}));
}

TEST(CrashDisk, ImagesGoToRealFilesAndBack) {
  std::string name = std::filesystem::temp_directory_path() / "crash_disk_XXXXXX";
  const std::filesystem::path folder = mkdtemp(name.data());
  PowerLoss machine;
  ASSERT_EQ(insert_rows(machine, kLogFull), kRows);
  save_images(machine.now(), folder);
  EXPECT_EQ(PlainSqlite((folder / "rows.db").string(), nullptr).text("SELECT count(*) FROM rows"), "12 ");
  machine.restart(load_images(folder));
  EXPECT_EQ(PlainSqlite((folder / "rows.db").string(), machine.vfs_name()).text("SELECT count(*) FROM rows"), "12 ");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace dither::testing
