#include "random/detail/made_once.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace dither::random::detail {
namespace {

TEST(MadeOnce, IsMadeOnFirstUseAndNotAgain) {
  int times = 0;
  const MadeOnce<int> number([&] { return ++times; });
  EXPECT_EQ(times, 0);
  EXPECT_EQ(number.get(), 1);
  EXPECT_EQ(number.get(), 1);
  EXPECT_EQ(times, 1);
}

TEST(MadeOnce, ThreadsThatComeTogetherShareOne) {
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> times = 0;
    const MadeOnce<int> number([&] { return ++times; });
    std::vector<const int*> seen(4);
    std::vector<std::thread> threads;
    for (const int*& mine : seen) threads.emplace_back([&] { mine = &number.get(); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(std::set<const int*>(seen.begin(), seen.end()).size(), 1u);
    EXPECT_LE(times, 4);
    EXPECT_EQ(&number.get(), seen[0]);
  }
}

// A process is copied while one of its threads is making: that thread is not in the copy, and must not be waited for.
TEST(MadeOnce, ACopiedProcessDoesNotWaitForAThreadItLacks) {
  const pid_t parent = getpid();
  std::atomic<bool> making = false, go_on = false;
  const MadeOnce<int> number([&] {
    making = true;
    while (getpid() == parent && !go_on) std::this_thread::yield();
    return 7;
  });
  std::thread slow([&] { number.get(); });
  while (!making) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);  // ends a child that waits
    _exit(number.get() == 7 ? 0 : 1);
  }
  int status = -1;
  const pid_t ended = waitpid(child, &status, 0);
  go_on = true;
  slow.join();
  ASSERT_EQ(ended, child);
  EXPECT_EQ(status, 0);
}

TEST(MadeOnce, TriesAgainWhenMakingThrew) {
  bool fails = true;
  const MadeOnce<int> number([&] { return fails ? throw std::runtime_error("no memory") : 7; });
  EXPECT_THROW(number.get(), std::runtime_error);
  fails = false;
  EXPECT_EQ(number.get(), 7);
}

}  // namespace
}  // namespace dither::random::detail
