#include "ledger/backup.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "ledger/every_record_check.h"
#include "ledger/verify.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace check;
using dither::testing::refusal;

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
  return names;
}

Comparison compared(const std::string& first, const std::string& second) {
  SqliteStore a(first, Opening::read_only);
  SqliteStore b(second, Opening::read_only);
  return compare(a, b);
}

// Spec: W-79
TEST(Backup, IsTheSameLedgerMarkedAsACopy) {
  Made made(true);
  do_everything(made);
  const std::string copy = made.folder.file("copy.db");
  back_up(made.file, copy);
  EXPECT_FALSE(std::filesystem::exists(copy + "-wal"));
  EXPECT_EQ(verify_file(copy, {}), std::vector<Finding>{});
  EXPECT_EQ(compared(made.file, copy), Comparison{});
  EXPECT_FALSE(std::filesystem::exists(head_file_of(copy)));

  Ledger ledger = Ledger::open(copy, made.key);
  EXPECT_TRUE(ledger.is_copy());
  EXPECT_FALSE(made.ledger->is_copy());
  EXPECT_EQ(refusal([&] { ledger.reserve(laplace("visits/care", "0.1", "new")); }), Code::ledger_frozen);
  EXPECT_EQ(refusal([&] { ledger.grant("visits", pure("1"), steward()); }), Code::ledger_frozen);
  ledger.releases("", [&](const Release& release) {
    EXPECT_EQ(release.answer_in_file, release.answer && names_in(answers_folder_of(copy))[0] == release.answer->hex());
    return true;
  });
}

TEST(Backup, IsOneStateWhileOthersWrite) {
  Made made(true);
  made.ledger->create_dataset(pure_dataset("visits", "1000"), steward());
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      pay(*made.ledger, laplace("visits", "0.001", std::to_string(i)), i % 8 == 0 ? std::string(70'000, 'a') : "b");
    }
  });
  std::vector<std::string> copies;
  for (int i = 0; i < 5; ++i) {
    copies.push_back(made.folder.file("copy" + std::to_string(i)));
    back_up(made.file, copies.back());
  }
  stop = true;
  writer.join();
  for (const std::string& copy : copies) {
    EXPECT_EQ(verify_file(copy, {}), std::vector<Finding>{});
    EXPECT_EQ(compared(copy, made.file).fork, 0u);
  }
}

TEST(Backup, LeavesNothingWhenItFails) {
  Made made(true);
  do_everything(made);
  Folder elsewhere;
  const std::string copy = elsewhere.file("copy.db");
  EXPECT_EQ(refusal([&] { back_up(made.file, elsewhere.file("no/folder")); }), Code::cannot_write);
  EXPECT_EQ(refusal([&] { back_up(made.folder.file("no ledger"), copy); }), Code::cannot_read);
  EXPECT_TRUE(names_in(elsewhere.file("")).empty());

  const std::string answer = std::filesystem::directory_iterator(answers_folder_of(made.file))->path();
  std::fstream(answer, std::ios::in | std::ios::out).put('y');
  EXPECT_EQ(refusal([&] { back_up(made.file, copy); }), Code::ledger_damaged);
  std::filesystem::remove(answer);
  EXPECT_EQ(refusal([&] { back_up(made.file, copy); }), Code::ledger_damaged);
  EXPECT_TRUE(names_in(elsewhere.file("")).empty());

  std::ofstream(head_file_of(copy)) << "something";
  EXPECT_EQ(refusal([&] { back_up(made.file, copy); }), Code::cannot_write);
  EXPECT_EQ(names_in(elsewhere.file("")), std::vector<std::string>{"copy.db.head"});
}

TEST(Backup, NeverReplacesWhatIsThere) {
  Made made(true);
  EXPECT_EQ(refusal([&] { back_up(made.file, made.file); }), Code::cannot_write);
  EXPECT_EQ(verify_file(made.file, {}), std::vector<Finding>{});
}

}  // namespace
}  // namespace dither::ledger
