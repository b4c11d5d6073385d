#include "session/detail/settle.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/error.h"

namespace dither::session::detail {
namespace {

// What is said when the time ends, and whether the work began: work that begins at once, or waits until it is to stop.
struct Ended {
  std::string said;
  bool began = false;
};

Ended at_the_end(std::chrono::milliseconds time, bool at_once) {
  Ended ended;
  std::future<void> left;
  const auto work = [&](const engine::Watch& own, const Begin& begin) -> std::vector<Outcome> {
    if (at_once) begin();
    ended.began = at_once;
    while (!own.token.cancelled()) std::this_thread::yield();
    if (!at_once) begin();
    ended.began = true;
    return {};
  };
  try {
    settle_until(std::chrono::steady_clock::now() + time, work, {},
                 [&](std::future<void> running) { left = std::move(running); });
  } catch (const Error& error) {
    ended.said = error.str();
  }
  if (left.valid()) left.wait();
  return ended;
}

// Spec: W-20
TEST(Settle, WhatDidNotBeginInTimeNeverDoes) {
  const Ended late = at_the_end(std::chrono::milliseconds(0), false);
  EXPECT_EQ(
      late.said,
      "error: run-failed: the time for an answer ended before the run began\nhint:  nothing was charged; ask again "
      "when less is going on, or have a longer `deadline:` declared");
  EXPECT_FALSE(late.began);
}

// A machine that is so slow that nothing begins in time is given more.
TEST(Settle, WhatBeganStaysCharged) {
  for (const int time : {10, 100, 1'000, 10'000, 100'000}) {
    const Ended begun = at_the_end(std::chrono::milliseconds(time), true);
    if (!begun.began) continue;
    EXPECT_NE(begun.said.find("what it cost stays charged"), std::string::npos) << begun.said;
    return;
  }
  FAIL() << "no run began";
}

}  // namespace
}  // namespace dither::session::detail
