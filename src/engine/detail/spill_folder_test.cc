#include "engine/detail/spill_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

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

TEST(SpillFolder, RefusesAPlaceThatIsNotThere) {
  EXPECT_EQ(testing::refusal([] { SpillFolder("/nonexistent/place"); }), Code::cannot_write);
}

}  // namespace
}  // namespace dither::engine::detail
