#include "audit/command_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>

#include "testing/refusal.h"

namespace dither::audit {
namespace {

using Clock = std::chrono::steady_clock;
using End = CommandProcess::End;
using Lines = std::vector<std::string>;

constexpr auto kLong = std::chrono::seconds(30);  // a failing test ends, a right one never waits for it
constexpr auto kShort = std::chrono::milliseconds(50);

TEST(CommandProcess, AnswersLineByLine) {
  CommandProcess process("cat");
  for (const char* line : {"one", "", "three"}) {
    const auto answer = process.ask(line, 1, Clock::now() + kLong, {});
    EXPECT_EQ(answer.end, End::complete);
    EXPECT_EQ(answer.lines, Lines{line});
  }
  EXPECT_FALSE(process.has_more(Clock::now() + kLong));
}

TEST(CommandProcess, ShellWhereThereIsSomethingForIt) {
  CommandProcess process("while read x; do echo \"<$x>\"; echo second; done");
  EXPECT_EQ(process.ask("a", 2, Clock::now() + kLong, {}).lines, (Lines{"<a>", "second"}));
}

TEST(CommandProcess, EndsAreTold) {
  CommandProcess early("sh -c 'read x; echo one; exit 3'");
  const auto answer = early.ask("", 2, Clock::now() + kLong, {});
  EXPECT_EQ(answer.end, End::closed);
  EXPECT_EQ(answer.lines, Lines{"one"});
  EXPECT_EQ(early.how_it_ended(kLong), "exit status 3");
  CommandProcess killed("kill -9 $$");
  EXPECT_EQ(killed.ask("", 1, Clock::now() + kLong, {}).end, End::closed);
  EXPECT_EQ(killed.how_it_ended(kLong), "signal 9");
  // Gone before it was asked, and again: no signal of a closed pipe ends us.
  EXPECT_EQ(killed.ask("", 1, Clock::now() + kLong, {}).end, End::closed);
}

// One that closes its output, and ends a good while later or not at all.
TEST(CommandProcess, AnEndIsWaitedForAsLongAsIsAsked) {
  CommandProcess slow("exec >&-; sleep 0.5; exit 4");
  EXPECT_EQ(slow.ask("", 1, Clock::now() + kLong, {}).end, End::closed);
  EXPECT_EQ(slow.how_it_ended(kLong), "exit status 4");
  CommandProcess going_on("exec >&-; sleep 1000");
  EXPECT_EQ(going_on.ask("", 1, Clock::now() + kLong, {}).end, End::closed);
  EXPECT_EQ(going_on.how_it_ended(kShort), "output closed");
}

TEST(CommandProcess, SilenceFloodAndLongLines) {
  CommandProcess silent("sleep 1000");
  EXPECT_EQ(silent.ask("", 1, Clock::now() + kShort, {}).end, End::late);
  CommandProcess flood("yes");
  EXPECT_EQ(flood.ask("", 3, Clock::now() + kLong, {}).end, End::too_long);
  CommandProcess endless("cat /dev/zero");
  EXPECT_EQ(endless.ask("", 1, Clock::now() + kLong, {}).end, End::too_long);
  CommandProcess talkative("while read x; do echo 1; sleep 0.1; echo 2; done");
  EXPECT_EQ(talkative.ask("", 1, Clock::now() + kLong, {}).end, End::complete);
  EXPECT_TRUE(talkative.has_more(Clock::now() + kLong));
}

// A question larger than a pipe, to a program that answers before it reads all of it, with more than a pipe holds.
TEST(CommandProcess, FullPipesBlockNobody) {
  CommandProcess process(
      "python3 -c 'import sys; sys.stdin.read(1); print(\"x\" * 500000, flush=True); print(len(sys.stdin.readline()), "
      "flush=True)'");
  const auto answer = process.ask(std::string(700'000, 'q'), 2, Clock::now() + kLong, {});
  ASSERT_EQ(answer.lines.size(), 2);
  EXPECT_EQ(answer.lines[1], "700000");
}

TEST(CommandProcess, CancelledWhileWaiting) {
  CommandProcess silent("sleep 1000");
  CancelToken token;
  token.cancel();
  EXPECT_THROW(silent.ask("", 1, Clock::now() + kLong, token), Cancelled);
}

TEST(CommandProcess, ChildrenOfChildrenAreEnded) {
  pid_t grandchild = 0;
  {
    CommandProcess process("read x; sleep 1000 & echo $!; wait");
    const auto answer = process.ask("", 1, Clock::now() + kLong, {});
    ASSERT_EQ(answer.lines.size(), 1);
    grandchild = std::stoi(answer.lines[0]);
    EXPECT_EQ(kill(grandchild, 0), 0);
  }
  // Killed with the group; somebody reaps it in a moment, until then it is a zombie.
  const auto gone = [&] {
    std::ifstream stat("/proc/" + std::to_string(grandchild) + "/stat");
    std::string number, name, state;
    return !(stat >> number >> name >> state) || state == "Z";
  };
  const auto deadline = Clock::now() + kLong;
  while (!gone() && Clock::now() < deadline) usleep(1000);
  EXPECT_TRUE(gone());
}

TEST(CommandProcess, WhatCannotBeStarted) {
  EXPECT_EQ(testing::refusal([] { CommandProcess("no-such-program-anywhere"); }), Code::cannot_read);
  EXPECT_EQ(testing::refusal([] { CommandProcess(""); }), Code::cannot_read);
  EXPECT_EQ(testing::refusal([] { CommandProcess("   "); }), Code::cannot_read);
  EXPECT_EQ(testing::refusal([] { CommandProcess("/"); }), Code::cannot_read);
}

}  // namespace
}  // namespace dither::audit
