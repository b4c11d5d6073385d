#include "engine/detail/spill_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "engine/exact_check.h"
#include "testing/refusal.h"

namespace dither::engine::detail {
namespace {

namespace fs = std::filesystem;

TEST(SpillFolder, IsForItsOwnerAloneAndGoes) {
  const TestFolder place;
  {
    const SpillFolder one(place.file(""));
    const SpillFolder two(place.file(""));
    EXPECT_NE(one.path(), two.path());
    struct stat found {};
    ASSERT_EQ(stat(one.path().c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777, 0700u);
    std::ofstream(one.path() + "/rows") << "private";
    const SpillFolder three(place.file(""));  // leaves alone what is in use
    EXPECT_TRUE(fs::exists(one.path() + "/rows"));
  }
  EXPECT_TRUE(fs::is_empty(place.file("")));
}

TEST(SpillFolder, WhatAKilledProcessLeftIsRemoved) {
  const TestFolder place;
  const pid_t child = fork();
  if (child == 0) {
    const SpillFolder left(place.file(""));
    std::ofstream(left.path() + "/rows") << "private";
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_FALSE(fs::is_empty(place.file("")));
  { const SpillFolder next(place.file("")); }
  EXPECT_TRUE(fs::is_empty(place.file("")));
}

// Whatever is there when a process is killed on the way: the lock alone, or with the folder. What others made is left alone.
TEST(SpillFolder, WhatAProcessLeftHalfMadeIsRemoved) {
  const TestFolder place;
  place.write("dither-spill-aaaaaa.lock", "");
  place.write("dither-spill-bbbbbb.lock", "");
  fs::create_directory(place.file("dither-spill-bbbbbb"));
  place.write("dither-spill-bbbbbb/rows", "private");
  place.write("dither-spill-other", "no folder");
  fs::create_directory(place.file("elsewhere"));
  fs::create_directory_symlink(place.file("elsewhere"), place.file("dither-spill-cccccc"));
  place.write("dither-spill-cccccc.lock", "");
  place.write("elsewhere/kept", "");
  { const SpillFolder next(place.file("")); }
  EXPECT_FALSE(fs::exists(place.file("dither-spill-aaaaaa.lock")));
  EXPECT_FALSE(fs::exists(place.file("dither-spill-bbbbbb.lock")));
  EXPECT_FALSE(fs::exists(place.file("dither-spill-bbbbbb")));
  EXPECT_TRUE(fs::exists(place.file("dither-spill-other")));
  EXPECT_TRUE(fs::exists(place.file("elsewhere/kept")));
}

// Many at once, each of which removes what it takes for left: all get a folder that stays.
TEST(SpillFolder, ThoseMadeAtOnceLeaveEachOtherAlone) {
  const TestFolder place;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 50; ++k) {
        const SpillFolder one(place.file(""));
        std::ofstream(one.path() + "/rows") << "private";
        EXPECT_TRUE(fs::exists(one.path() + "/rows"));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(fs::is_empty(place.file("")));
}

TEST(SpillFolder, RefusesAPlaceThatIsNotThere) {
  EXPECT_EQ(testing::refusal([] { SpillFolder("/nonexistent/place"); }), Code::cannot_write);
}

}  // namespace
}  // namespace dither::engine::detail
