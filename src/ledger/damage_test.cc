// Files with flipped bits, cut files, lost logs: the right state or a named error, never a wrong sum or a second draw.
#include <gtest/gtest.h>

#include <random>

#include "ledger/faults_check.h"
#include "testing/power_loss.h"
#include "testing/refusal.h"
#include "testing/seed.h"

namespace dither::ledger {
namespace {

using namespace check;
using dither::testing::Images;
using dither::testing::PowerLoss;

const std::string kPath = "/disk/ledger.db";
const std::string kLog = kPath + "-wal";

// Every record and every entry.
std::string state_of(Store& store) {
  std::string text = everything_in(store);
  const Transaction transaction(store, Access::read);
  store.records(1, [&](const Record& record) {
    text += record.body + record.hash.hex();
    return true;
  });
  return text;
}

// A ledger in files that can be damaged. Files of SQLite are in memory, the head file is a real one.
class Damage : public ::testing::Test {
 protected:
  Damage() {
    options.path = folder.file("ledger.db");
    {
      SqliteStore fresh(kPath, Opening::fresh, how());
      Ledger::begin(fresh, key, options);
    }
    {
      Ledger ledger = open();
      ledger.create_dataset(pure_dataset("visits", "1"), steward());
      pay(ledger, laplace("visits", "0.1", "one"), "answer one");
    }
    file_only = disk.now();
    Ledger ledger = open();
    pay(ledger, laplace("visits", "0.2", "two"), "answer two");
    pay(ledger, laplace("visits", "0.3", "three"), "answer three");
    with_log = disk.now();
    whole = state_of(*store);
  }
  ~Damage() override { store.reset(); }

  SqliteOptions how() const { return {std::chrono::milliseconds(50), disk.vfs_name()}; }
  Ledger open() {
    store.reset();
    store = std::make_shared<SqliteStore>(kPath, Opening::existing, how());
    return {std::make_unique<Through>(store), key, options};
  }

  // Closed properly, everything is in one file.
  Images in_one_file() {
    disk.restart(with_log);
    open();
    store.reset();
    return disk.now();
  }

  // Opens these files, and uses the ledger: "right", the code of the error, or what is wrong.
  std::string outcome(const Images& images) {
    store.reset();
    disk.restart(images);
    try {
      Ledger ledger = open();
      if (state_of(*store) != whole) return "WRONG STATE";
      auto known = ledger.reserve(laplace("visits", "0.2", "two"));
      if (!std::holds_alternative<StoredAnswer>(known)) return "SECOND DRAW";
      if (std::get<StoredAnswer>(known).bytes != "answer two") return "WRONG ANSWER";
      pay(ledger, laplace("visits", "0.1", "four"));
      return epsilon_spent(ledger, "visits") == "0.7" ? "right" : "WRONG SUM";
    } catch (const Error& error) {
      return std::string(code_name(error.code()));
    }
  }
  // The same with the head file as it was.
  std::string outcome_once(const Images& images) {
    const std::string head = bytes_of(head_file_of(options.path));
    std::string result = outcome(images);
    put_bytes(head_file_of(options.path), head);
    return result;
  }

  void print(const char* what) const {
    std::string text;
    for (const auto& [name, count] : outcomes) text += fmt::format(" {} {}", name, count);
    fmt::print("{}:{}\n", what, text);
  }
  // Counts an outcome, which must be right or one of these errors.
  void expect_safe(const Images& images, const std::string& where) {
    static const std::set<std::string> safe = {"right", "ledger-damaged", "ledger-behind", "not-a-ledger",
                                               "cannot-read"};
    const std::string result = outcome_once(images);
    ++outcomes[result];
    EXPECT_TRUE(safe.contains(result)) << result << ": " << where;
  }

  // Flips one bit in a byte of a file, then in one of the next `stride`; in about a hundred in the short form.
  void flip_bits(const Images& images, const std::string& file, std::size_t stride) {
    std::mt19937_64 random(dither::testing::run_seed());
    const std::size_t size = images.at(file).size();
    if (!nightly()) stride = size / 50;
    for (std::size_t at = 0; at < size; at += 1 + random() % stride) {
      Images damaged = images;
      damaged[file][at] = static_cast<char>(damaged[file][at] ^ (1 << random() % 8));
      expect_safe(damaged, fmt::format("byte {} of {}", at, file));
    }
  }
  // Cuts a file at every 512 bytes, or now and then.
  void cut(const Images& images, const std::string& file) {
    for (std::size_t size = 0; size < images.at(file).size(); size += nightly() ? 512 : 512 * 5) {
      Images shorter = images;
      shorter[file].resize(size);
      expect_safe(shorter, fmt::format("{} cut to {}", file, size));
    }
  }

  PowerLoss disk;
  Folder folder;
  LedgerOptions options;
  SigningKey key = SigningKey::make();
  std::shared_ptr<Store> store;
  Images file_only;
  Images with_log;
  std::string whole;
  std::map<std::string, int> outcomes;
};

TEST_F(Damage, WithoutAnyAllIsRight) {
  EXPECT_EQ(outcome_once(with_log), "right");
  const Images one = in_one_file();
  EXPECT_TRUE(!one.contains(kLog) || one.at(kLog).empty());
  EXPECT_EQ(outcome_once(one), "right");
}

// Spec: P-26
TEST_F(Damage, AFlippedBitInTheFileIsFoundOrDoesNotMatter) {
  flip_bits(in_one_file(), kPath, 1);
  print("bits of the file");
  EXPECT_GT(outcomes["ledger-damaged"], 60);
  EXPECT_LE(outcomes["right"], outcomes["ledger-damaged"] / 2) << "most pages are read";
}

// A log is read up to the first frame that is damaged: what comes after is missing, and its head is known.
TEST_F(Damage, AFlippedBitInTheLogIsFoundOrDoesNotMatter) {
  flip_bits(with_log, kLog, 7);
  print("bits of the log");
  EXPECT_GT(outcomes["ledger-behind"], 60);
}

TEST_F(Damage, ACutFileIsFound) {
  cut(in_one_file(), kPath);
  print("cut file");
  EXPECT_EQ(outcomes["right"], 0);
}

TEST_F(Damage, ACutLogIsFound) {
  cut(with_log, kLog);
  print("cut log");
  EXPECT_EQ(outcomes["right"], 0);
}

TEST_F(Damage, ALostLogIsFound) {
  Images lost = with_log;
  lost.erase(kLog);
  EXPECT_EQ(outcome_once(lost), "ledger-behind");
}

TEST_F(Damage, AnOldFileIsFound) { EXPECT_EQ(outcome_once(file_only), "ledger-behind"); }

// Without the file that remembers the head, a log cut short looks like a younger ledger.
TEST_F(Damage, PlantedForgottenHeadIsCaught) {
  options.path = "";
  EXPECT_EQ(outcome(file_only), "WRONG STATE");
}

TEST_F(Damage, AHeadFileWithAFlippedBitIsFoundOrDoesNotMatter) {
  const std::string head = bytes_of(head_file_of(options.path));
  for (std::size_t at = 0; at < head.size(); at += nightly() ? 7 : 101) {
    std::string damaged = head;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    put_bytes(head_file_of(options.path), damaged);
    const std::string result = outcome(with_log);
    EXPECT_TRUE(result == "right" || result == "ledger-damaged") << at << ": " << result;
    put_bytes(head_file_of(options.path), head);
  }
}

// What names the file as ours is looked at before SQLite does.
TEST(DamagedMark, IsNotALedgerOrDamaged) {
  Made made(/*in_file=*/true);
  made.ledger->create_dataset(pure_dataset("visits", "1"), steward());
  made.ledger.reset();
  const std::string bytes = bytes_of(made.file);
  for (std::size_t at = 0; at < 100; ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x21);
    put_bytes(made.file, damaged);
    const auto refused = dither::testing::refusal([&] { Ledger::open(made.file, made.key); });
    EXPECT_TRUE(refused == Code::not_a_ledger || refused == Code::ledger_damaged) << at;
  }
}

}  // namespace
}  // namespace dither::ledger
