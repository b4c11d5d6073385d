#include "ledger/detail/checked_vfs.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "testing/plain_sqlite.h"
#include "testing/power_loss.h"
#include "testing/refusal.h"

namespace dither::ledger::detail {
namespace {

using dither::testing::PlainSqlite;

const std::string kDamaged = "error " + std::to_string(SQLITE_IOERR_DATA);
// Tables with cells in leaves, interior pages, an index, overflow pages and a free page.
constexpr const char* kSample = R"(
  CREATE TABLE small(id INTEGER PRIMARY KEY, name TEXT); CREATE INDEX by_name ON small(name);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
    INSERT INTO small SELECT i, 'entry number ' || i || hex(zeroblob(20)) FROM n;
  CREATE TABLE large(bytes BLOB); INSERT INTO large VALUES (zeroblob(9000)), (zeroblob(5000));
  DELETE FROM large WHERE length(bytes) = 5000;)";
// Reads every page that holds anything.
constexpr const char* kReadAll =
    "SELECT count(name), sum(length(name)) FROM small NOT INDEXED; SELECT count(name) FROM small INDEXED BY by_name;"
    "SELECT sum(length(hex(bytes))) FROM large; PRAGMA integrity_check";

class CheckedVfs : public ::testing::Test {
 protected:
  CheckedVfs() {
    std::string name = std::filesystem::temp_directory_path() / "checked_vfs_XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~CheckedVfs() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name = "ledger.db") const { return folder_ + "/" + name; }

  // A file with the sample in it, written by a checkpoint; no log is left.
  void make_sample() const {
    PlainSqlite db(path(), checked_vfs_name());
    reserve_page_bytes(db.handle());
    ASSERT_EQ(db.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN;"), SQLITE_OK);
    ASSERT_EQ(db.run(kSample), SQLITE_OK);
    ASSERT_EQ(db.run("COMMIT; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE"), SQLITE_OK);
  }

  static std::string bytes_of(const std::string& name) {
    std::ifstream in(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // In place where the size stays: a file cut to nothing and written anew is slow on some file systems.
  static void replace(const std::string& name, const std::string& bytes) {
    std::error_code none;
    const bool fits = std::filesystem::file_size(name, none) == bytes.size();
    std::ofstream(name, fits ? std::ios::binary | std::ios::in : std::ios::binary) << bytes;
  }
  // What a full read of a file with these bytes gives.
  std::string all_of(const std::string& bytes, const char* vfs = checked_vfs_name()) const {
    replace(path("copy.db"), bytes);
    PlainSqlite db(path("copy.db"), vfs);
    return db.text(kReadAll);
  }

  const std::string sound_ = "150 8292 150 18000 ok ";

 private:
  std::string folder_;
};

bool is_nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }

std::string with_flipped_bit(std::string bytes, std::size_t bit) {
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
  return bytes;
}

// The file as the VFS gives it, page by page, without SQLite between.
class RawFile {
 public:
  explicit RawFile(const std::string& path) {
    sqlite3_open_v2(path.c_str(), &db_, SQLITE_OPEN_READWRITE, checked_vfs_name());
    sqlite3_file_control(db_, "main", SQLITE_FCNTL_FILE_POINTER, &file_);
  }
  ~RawFile() { sqlite3_close_v2(db_); }
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;

  int read(void* buffer, int count, sqlite3_int64 offset) {
    return file_->pMethods->xRead(file_, buffer, count, offset);
  }
  int write(const void* buffer, int count, sqlite3_int64 offset) {
    return file_->pMethods->xWrite(file_, buffer, count, offset);
  }

 private:
  sqlite3* db_ = nullptr;
  sqlite3_file* file_ = nullptr;
};

TEST_F(CheckedVfs, WhatIsWrittenIsReadAgain) {
  make_sample();
  const std::string bytes = bytes_of(path());
  EXPECT_GE(bytes.size(), 10 * kPageBytes) << "a sample with too few kinds of pages";
  EXPECT_EQ(bytes.size() % kPageBytes, 0u);
  EXPECT_EQ(all_of(bytes), sound_);
  EXPECT_EQ(all_of(bytes, nullptr), sound_) << "any SQLite can read our files";
}

TEST_F(CheckedVfs, ChangesSurviveManyCheckpoints) {
  make_sample();
  for (int round = 0; round < 20; ++round) {
    PlainSqlite db(path(), checked_vfs_name());
    ASSERT_EQ(db.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; UPDATE small SET name = name || 'x'; INSERT "
                     "INTO large VALUES ('y')"),
              0);
    if (round % 2 == 0) {
      ASSERT_EQ(db.run("PRAGMA wal_checkpoint(PASSIVE)"), SQLITE_OK);
    }
  }
  PlainSqlite db(path(), checked_vfs_name());
  EXPECT_EQ(db.text("SELECT sum(length(name)) FROM small; SELECT count(*) FROM large; PRAGMA integrity_check"),
            "11292 21 ok ");
}

TEST_F(CheckedVfs, RollbackJournalAndVacuumKeepTheChecksums) {
  make_sample();
  PlainSqlite db(path(), checked_vfs_name());
  ASSERT_EQ(db.run("BEGIN; DELETE FROM small; ROLLBACK; VACUUM"), SQLITE_OK);
  EXPECT_EQ(db.run("DELETE FROM small WHERE id > 100; VACUUM"), SQLITE_OK);
  EXPECT_EQ(PlainSqlite(path(), checked_vfs_name()).text("SELECT count(*) FROM small; PRAGMA integrity_check"),
            "100 ok ");
  ASSERT_EQ(db.run("VACUUM INTO '" + path("into.db") + "'"), SQLITE_OK);
  EXPECT_EQ(PlainSqlite(path("into.db"), checked_vfs_name()).text("SELECT count(*) FROM small; PRAGMA integrity_check"),
            "100 ok ");
}

// Copies the sample, with a change that only the log has, into a file opened through this VFS.
std::string backed_up(const std::string& from, const std::string& to, const char* vfs) {
  PlainSqlite source(from, checked_vfs_name());
  source.run("PRAGMA journal_mode = WAL; UPDATE small SET name = name || 'x'");
  {
    PlainSqlite target(to, vfs);
    reserve_page_bytes(target.handle());
    sqlite3_backup* backup = sqlite3_backup_init(target.handle(), "main", source.handle(), "main");
    sqlite3_backup_step(backup, -1);
    const int finished = sqlite3_backup_finish(backup);
    if (finished != SQLITE_OK) return "error " + std::to_string(finished);
  }
  return PlainSqlite(to, checked_vfs_name()).text(kReadAll);
}

TEST_F(CheckedVfs, ABackupThroughTheVfsIsWhole) {
  make_sample();
  EXPECT_EQ(backed_up(path(), path("backup.db"), checked_vfs_name()), "150 8442 150 18000 ok ");
  EXPECT_EQ(backed_up(path(), path("plain.db"), nullptr), kDamaged) << "stale checksums are not believed";
}

TEST_F(CheckedVfs, ABackupOfAPlainFileIsRefused) {
  PlainSqlite plain(path("plain.db"), nullptr);
  ASSERT_EQ(plain.run("CREATE TABLE t(a); INSERT INTO t VALUES (1)"), SQLITE_OK);
  PlainSqlite target(path(), checked_vfs_name());
  reserve_page_bytes(target.handle());
  sqlite3_backup* backup = sqlite3_backup_init(target.handle(), "main", plain.handle(), "main");
  EXPECT_EQ(sqlite3_backup_step(backup, -1), SQLITE_IOERR_WRITE);
  sqlite3_backup_finish(backup);
}

TEST_F(CheckedVfs, EveryFlippedBitOfEveryPageIsFound) {
  make_sample();
  const std::string bytes = bytes_of(path());
  RawFile raw(path());
  std::fstream disk(path(), std::ios::binary | std::ios::in | std::ios::out);
  std::array<char, kPageBytes> page;
  std::size_t missed = 0;
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    const std::size_t byte = bit / 8;
    const auto start = static_cast<sqlite3_int64>(byte - byte % kPageBytes);
    disk.seekp(static_cast<std::streamoff>(byte)).put(static_cast<char>(bytes[byte] ^ (1 << bit % 8))).flush();
    if (raw.read(page.data(), kPageBytes, start) != SQLITE_IOERR_DATA) ++missed;
    disk.seekp(static_cast<std::streamoff>(byte)).put(bytes[byte]).flush();
  }
  for (std::size_t start = 0; start < bytes.size(); start += kPageBytes) {
    EXPECT_EQ(raw.read(page.data(), kPageBytes, static_cast<sqlite3_int64>(start)), SQLITE_OK);
  }
  EXPECT_EQ(missed, 0u) << "of " << 8 * bytes.size() << " bits";
}

// Which pages a full read needs: all but the free ones, whose content nobody reads.
std::vector<std::size_t> pages_in_use(const std::string& path) {
  PlainSqlite db(path, checked_vfs_name());
  std::vector<std::size_t> pages;
  std::istringstream numbers(db.text("SELECT DISTINCT pageno FROM dbstat ORDER BY pageno"));
  for (std::size_t number = 0; numbers >> number;) pages.push_back(number);
  return pages;
}

TEST_F(CheckedVfs, SqliteReportsAFlippedBit) {
  make_sample();
  const std::string bytes = bytes_of(path());
  const std::vector<std::size_t> pages = pages_in_use(path());
  ASSERT_GE(pages.size(), 9u);
  const std::size_t step = is_nightly() ? 7 : 331;  // prime to 8, so all eight bits of a byte get their turn
  for (const std::size_t page : pages) {
    for (std::size_t bit = 0; bit < 8 * kPageBytes; bit += step) {
      const std::size_t at = 8 * kPageBytes * (page - 1) + bit;
      ASSERT_EQ(all_of(with_flipped_bit(bytes, at)), kDamaged) << "bit " << bit << " of page " << page;
    }
  }
}

TEST_F(CheckedVfs, EveryBitOfTheHeaderIsReportedBySqlite) {
  make_sample();
  const std::string bytes = bytes_of(path());
  for (std::size_t bit = 0; bit < 8 * 108; ++bit) {
    ASSERT_EQ(all_of(with_flipped_bit(bytes, bit)), kDamaged) << "bit " << bit;
  }
}

// Without the checksum SQLite reads a changed name and says nothing; with it the same file is refused.
TEST_F(CheckedVfs, PlantedVfsWithoutChecksIsCaught) {
  make_sample();
  const std::string bytes = bytes_of(path());
  const std::size_t name = bytes.find("entry number 77");
  ASSERT_NE(name, std::string::npos);
  const std::string damaged = with_flipped_bit(bytes, 8 * name);
  replace(path("plain.db"), damaged);
  PlainSqlite plain(path("plain.db"), nullptr);
  EXPECT_EQ(plain.text("SELECT substr(name, 1, 15) FROM small NOT INDEXED WHERE id = 77"), "dntry number 77 ");
  EXPECT_EQ(all_of(damaged), kDamaged);
}

TEST_F(CheckedVfs, SwappedAndStalePagesAreFound) {
  make_sample();
  const std::string bytes = bytes_of(path());
  const std::vector<std::size_t> pages = pages_in_use(path());
  for (const std::size_t a : pages) {
    for (const std::size_t b : pages) {
      if (a >= b) continue;
      std::string swapped = bytes;
      swapped.replace((a - 1) * kPageBytes, kPageBytes, bytes, (b - 1) * kPageBytes, kPageBytes);
      swapped.replace((b - 1) * kPageBytes, kPageBytes, bytes, (a - 1) * kPageBytes, kPageBytes);
      EXPECT_EQ(all_of(swapped), kDamaged) << "pages " << a << " and " << b;
    }
    std::string zeroed = bytes;
    zeroed.replace((a - 1) * kPageBytes, kPageBytes, kPageBytes, '\0');
    EXPECT_EQ(all_of(zeroed), kDamaged) << "zeros for page " << a;
  }
}

TEST_F(CheckedVfs, ATruncatedFileIsFound) {
  make_sample();
  const std::string bytes = bytes_of(path());
  for (std::size_t size = 512; size < bytes.size(); size += 512) {
    const std::string text = all_of(bytes.substr(0, size));
    // SQLite says itself that pages are missing where its count tells it so. The last page is a free one; of those
    // only the integrity check complains, in words.
    const bool found = text == kDamaged || text == "error 11" || text.find("failed to get page") != std::string::npos;
    EXPECT_TRUE(found) << size << " bytes gave " << text;
  }
}

TEST_F(CheckedVfs, OtherFilesAreRefused) {
  {
    PlainSqlite plain(path("plain.db"), nullptr);
    ASSERT_EQ(plain.run("CREATE TABLE t(a); INSERT INTO t VALUES (1)"), SQLITE_OK);
  }
  EXPECT_EQ(PlainSqlite(path("plain.db"), checked_vfs_name()).text("SELECT * FROM t"), kDamaged);
  replace(path("text.db"), std::string(5000, 'x'));
  EXPECT_EQ(PlainSqlite(path("text.db"), checked_vfs_name()).text("SELECT * FROM sqlite_master"), kDamaged);
  replace(path("short.db"), "SQLite");
  EXPECT_EQ(PlainSqlite(path("short.db"), checked_vfs_name()).text("SELECT * FROM sqlite_master"), kDamaged);
}

TEST_F(CheckedVfs, AnEmptyFileIsANewDatabase) {
  replace(path(), "");
  PlainSqlite db(path(), checked_vfs_name());
  reserve_page_bytes(db.handle());
  EXPECT_EQ(db.text("SELECT count(*) FROM sqlite_master; CREATE TABLE t(a); SELECT count(*) FROM t"), "0 0 ");
}

TEST_F(CheckedVfs, AForgottenReservationOrAnotherPageSizeFailsAtOnce) {
  PlainSqlite forgotten(path("forgotten.db"), checked_vfs_name());
  EXPECT_EQ(forgotten.run("CREATE TABLE t(a)"), SQLITE_IOERR_WRITE);
  PlainSqlite sized(path("sized.db"), checked_vfs_name());
  reserve_page_bytes(sized.handle());
  EXPECT_EQ(sized.run("PRAGMA page_size = 8192; CREATE TABLE t(a)"), SQLITE_IOERR_WRITE);
}

TEST_F(CheckedVfs, APartOfAPageIsCheckedAsAWhole) {
  make_sample();
  std::string bytes = bytes_of(path());
  RawFile raw(path());
  std::array<char, 2 * kPageBytes> buffer{};
  EXPECT_EQ(raw.read(buffer.data(), 4088, 4096), SQLITE_OK);
  EXPECT_TRUE(std::equal(buffer.begin(), buffer.begin() + 4088, bytes.begin() + 4096));
  EXPECT_EQ(raw.read(buffer.data(), 2 * kPageBytes, 0), SQLITE_IOERR_DATA) << "pages of another size";
  EXPECT_EQ(raw.write(buffer.data(), 512, 4096), SQLITE_IOERR_WRITE);
  replace(path(), with_flipped_bit(bytes, 8 * 8000));
  EXPECT_EQ(raw.read(buffer.data(), 16, 4200), SQLITE_IOERR_DATA) << "the damage lies in another part of the page";
  EXPECT_EQ(raw.read(buffer.data(), 100, 0), SQLITE_OK);
}

TEST_F(CheckedVfs, TheBufferOfSqliteIsNotChanged) {
  make_sample();
  RawFile raw(path());
  const std::vector<char> content(kPageBytes, 'a');
  std::vector<char> given = content;
  ASSERT_EQ(raw.write(given.data(), kPageBytes, 4096), SQLITE_OK);
  EXPECT_EQ(given, content);
  ASSERT_EQ(raw.read(given.data(), kPageBytes, 4096), SQLITE_OK);
  EXPECT_NE(given, content) << "the checksum stands at the end";
}

TEST_F(CheckedVfs, LockingWithoutSharedMemoryIsRefused) {
  make_sample();
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path().c_str(), &db, SQLITE_OPEN_READWRITE, checked_vfs_name("unix-none")),
            SQLITE_CANTOPEN);
  sqlite3_close_v2(db);
}

// A page torn in the middle of a checkpoint is in the log too, so nobody reads it: no crash may look like damage.
TEST_F(CheckedVfs, PowerLossIsNotTakenForDamage) {
  dither::testing::PowerLoss machine;
  dither::testing::PowerLoss other;
  const auto work = [](const dither::testing::PowerLoss& on) {
    PlainSqlite db("rows.db", checked_vfs_name(on.vfs_name()));
    reserve_page_bytes(db.handle());
    db.run("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 4; CREATE TABLE t(id INTEGER PRIMARY KEY, b BLOB)");
    int acknowledged = 0;
    while (acknowledged < 12 && db.run("INSERT INTO t(b) VALUES (zeroblob(5000))") == SQLITE_OK) ++acknowledged;
    return acknowledged;
  };
  ASSERT_EQ(work(machine), 12);
  const std::uint64_t writes = machine.writes();
  for (std::uint64_t n = 1; n <= writes; ++n) {
    machine.restart({});
    machine.fail_at_write(n);
    const int acknowledged = work(machine);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      other.restart(machine.after_crash(dither::testing::Survival::random, seed));
      PlainSqlite db("rows.db", checked_vfs_name(other.vfs_name()));
      ASSERT_EQ(db.text("PRAGMA integrity_check"), "ok ") << "write " << n << ", seed " << seed;
      if (acknowledged > 0) {
        ASSERT_EQ(db.text("SELECT count(*) >= " + std::to_string(acknowledged) + " FROM t"), "1 ");
      }
    }
  }
}

TEST_F(CheckedVfs, RegisteredOnceFromAnyThread) {
  std::vector<const char*> names(8);
  {
    std::vector<std::jthread> threads;
    for (const char*& name : names) threads.emplace_back([&name] { name = checked_vfs_name("unix-excl"); });
  }
  for (const char* name : names) EXPECT_EQ(name, names[0]);
  EXPECT_NE(sqlite3_vfs_find(names[0]), nullptr);
  EXPECT_STRNE(names[0], checked_vfs_name());
  EXPECT_EQ(dither::testing::refusal([] { checked_vfs_name("no such"); }), Code::bad_argument);
}

}  // namespace
}  // namespace dither::ledger::detail
