#include "ledger/durable_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>
#include <vector>

#include "ledger/files_check.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using check::bytes_of;
using check::Folder;
using testing::refusal;
using Names = std::set<std::string>;

unsigned mode_of(const std::string& path) {
  struct stat about = {};
  stat(path.c_str(), &about);
  return about.st_mode & 07777;
}

TEST(DurableFile, HoldsTheBytesAndLeavesNothingElse) {
  const Folder folder;
  const std::string bytes = std::string("a\0b\n", 4) + std::string(300'000, 'x');
  write_durable_file(folder / "answer", bytes);
  EXPECT_EQ(bytes_of(folder / "answer"), bytes);
  write_durable_file(folder / "answer", "");
  EXPECT_EQ(bytes_of(folder / "answer"), "");
  EXPECT_EQ(folder.names(), Names{"answer"});
}

TEST(DurableFile, HasTheModeCutByTheUmask) {
  const Folder folder;
  const mode_t before = umask(027);
  write_durable_file(folder / "shared", "x");
  write_durable_file(folder / "private", "x", 0600);
  umask(before);
  EXPECT_EQ(mode_of(folder / "shared"), 0640u);
  EXPECT_EQ(mode_of(folder / "private"), 0600u);
}

TEST(DurableFile, TakesNamesAsLongAsTheSystemDoes) {
  const Folder folder;
  const std::string name(255, 'n');
  write_durable_file(folder / name, "x");
  EXPECT_EQ(folder.names(), Names{name});
  EXPECT_EQ(refusal([&] { write_durable_file(folder / (name + "n"), "x"); }), Code::cannot_write);
  EXPECT_EQ(folder.names(), Names{name});
}

TEST(DurableFile, FullDiskLeavesTheOldFileAlone) {
  const Folder folder;
  write_durable_file(folder / "answer", "old");
  for (const rlim_t room : {0, 1, 999}) {
    const check::FullDisk full(room);
    const std::string bytes(1000, 'x');
    EXPECT_EQ(refusal([&] { write_durable_file(folder / "answer", bytes); }), Code::cannot_write);
    EXPECT_EQ(refusal([&] { create_durable_file(folder / "fresh", bytes); }), Code::cannot_write);
    EXPECT_EQ(folder.names(), Names{"answer"});
    EXPECT_EQ(bytes_of(folder / "answer"), "old");
  }
}

TEST(DurableFile, RefusesFoldersThatCannotBeWritten) {
  const Folder folder;
  write_durable_file(folder / "file", "x");
  EXPECT_EQ(refusal([&] { write_durable_file(folder / "missing/file", "x"); }), Code::cannot_write);
  EXPECT_EQ(refusal([&] { write_durable_file(folder / "file/file", "x"); }), Code::cannot_write);
  EXPECT_EQ(refusal([&] { write_durable_file("/proc/file", "x"); }), Code::cannot_write);  // read only, for root too
  std::filesystem::create_directory(folder / "folder");
  EXPECT_EQ(refusal([&] { write_durable_file(folder / "folder", "x"); }), Code::cannot_write);
  EXPECT_EQ(folder.names(), (Names{"file", "folder"}));
}

TEST(DurableFile, CreatesOnlyWhatIsNew) {
  const Folder folder;
  EXPECT_TRUE(create_durable_file(folder / "file", "first"));
  EXPECT_FALSE(create_durable_file(folder / "file", "second"));
  std::filesystem::create_directory(folder / "folder");
  EXPECT_FALSE(create_durable_file(folder / "folder", "x"));
  std::filesystem::create_symlink("nowhere", folder / "link");
  EXPECT_FALSE(create_durable_file(folder / "link", "x"));
  EXPECT_EQ(bytes_of(folder / "file"), "first");
  EXPECT_EQ(folder.names(), (Names{"file", "folder", "link"}));
}

TEST(DurableFile, OneOfManyCreatorsWins) {
  const Folder folder;
  for (int round = 0; round < 10; ++round) {
    const std::string path = folder / ("file" + std::to_string(round));
    std::atomic<int> winners = 0;
    std::atomic<int> winner = -1;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&, i] {
        if (!create_durable_file(path, std::to_string(i))) return;
        ++winners;
        winner = i;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(winners, 1);
    EXPECT_EQ(bytes_of(path), std::to_string(winner));
  }
  EXPECT_EQ(folder.names().size(), 10u);
}

// A reader sees one of the files in full at every moment, also when writers are killed in the middle.
TEST(DurableFile, IsNeverSeenInPart) {
  const Folder folder;
  const std::string path = folder / "file";
  write_durable_file(path, std::string(50'000, 'a'));
  for (int round = 0; round < 20; ++round) {
    const pid_t writer = check::in_child([&] {
      for (char c = 'b';; c = c == 'z' ? 'b' : static_cast<char>(c + 1))
        write_durable_file(path, std::string(50'000, c));
    });
    std::set<char> seen;
    while (seen.size() < 4) {
      const std::string bytes = bytes_of(path);
      ASSERT_EQ(bytes.size(), 50'000u);
      ASSERT_EQ(bytes.find_first_not_of(bytes[0]), std::string::npos);
      seen.insert(bytes[0]);
    }
    kill(writer, SIGKILL);
    ASSERT_TRUE(WIFSIGNALED(check::ended(writer)));
  }
  write_durable_file(path, "end");  // names that the killed ones left are in nobody's way
  EXPECT_EQ(bytes_of(path), "end");
}

TEST(PrivateFolder, IsMadeWithThoseAboveIt) {
  const Folder folder;
  make_private_folder(folder / "a/b//c/");
  EXPECT_EQ(mode_of(folder / "a"), 0700u);
  EXPECT_EQ(mode_of(folder / "a/b/c"), 0700u);
  make_private_folder(folder / "a/b");
  EXPECT_EQ(mode_of(folder / "a"), 0700u);
}

TEST(PrivateFolder, KeepsTheModeOfWhatIsThere) {
  const Folder folder;
  std::filesystem::create_directory(folder / "a");
  std::filesystem::permissions(folder / "a", std::filesystem::perms(0755));
  make_private_folder(folder / "a/b");
  EXPECT_EQ(mode_of(folder / "a"), 0755u);
  EXPECT_EQ(mode_of(folder / "a/b"), 0700u);
}

TEST(PrivateFolder, RefusesWhatCannotBeOne) {
  const Folder folder;
  write_durable_file(folder / "file", "x");
  EXPECT_EQ(refusal([&] { make_private_folder(folder / "file"); }), Code::cannot_write);
  EXPECT_EQ(refusal([&] { make_private_folder(folder / "file/a"); }), Code::cannot_write);
  EXPECT_EQ(refusal([&] { make_private_folder("/proc/a/b"); }), Code::cannot_write);
  EXPECT_EQ(folder.names(), Names{"file"});
}

}  // namespace
}  // namespace dither::ledger
