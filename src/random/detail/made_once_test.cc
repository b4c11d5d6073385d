#include "random/detail/made_once.h"

#include <gtest/gtest.h>

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
    EXPECT_EQ(times, 1);
  }
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
