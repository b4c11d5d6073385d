#include "session/detail/worker.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <new>
#include <thread>

#include "base/error.h"
#include "testing/shared_number.h"

namespace dither::session::detail {
namespace {

using dither::testing::SharedNumber;
using dither::testing::wait_until_gone;

const auto kEver = [] { return Worker::Clock::now() + std::chrono::hours(1); };

std::string forever(const SharedNumber& process) {
  process.set(getpid());
  for (;;) {
  }
}

TEST(Worker, DoesJobsInAnotherProcessOneAfterTheOther) {
  int mine = 1;
  Worker worker({[&] { return std::to_string(getpid()); },
                 [&] {
                   ++mine;
                   return std::string(1'000'000, 'x') + std::to_string(mine);
                 }});
  EXPECT_NE(worker.ask(0, kEver(), {}), std::to_string(getpid()));
  EXPECT_EQ(worker.ask(1, kEver(), {}), std::string(1'000'000, 'x') + "2");
  EXPECT_EQ(worker.ask(1, kEver(), {}), std::string(1'000'000, 'x') + "3");  // it keeps what it did
  EXPECT_EQ(mine, 1);
}

TEST(Worker, PassesErrorsOnAndLives) {
  Worker worker({[]() -> std::string {
                   throw Error{Code::bad_source, "no column", "name it"};
                 },
                 [] { return "here"; }});
  try {
    worker.ask(0, kEver(), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.str(), "error: bad-source: no column\nhint:  name it");
  }
  EXPECT_EQ(worker.ask(1, kEver(), {}), "here");
}

// A machine that is so slow that nothing begins in time is given more.
// Spec: W-73
TEST(Worker, IsKilledWhenItsTimeIsOverWhateverItDoes) {
  for (const int time : {10, 100, 1'000, 10'000, 100'000}) {
    const SharedNumber process;
    Worker worker({[&] { return forever(process); }, [] { return "here"; }});
    EXPECT_EQ(worker.ask(0, Worker::Clock::now() + std::chrono::milliseconds(time), {}), std::nullopt);
    EXPECT_EQ(worker.ask(1, kEver(), {}), std::nullopt);
    if (process == 0) continue;
    wait_until_gone(process);
    return;
  }
  FAIL() << "no job began";
}

TEST(Worker, IsKilledByTheWishToStop) {
  const SharedNumber process;
  const CancelToken token;
  Worker worker({[&] { return forever(process); }});
  std::thread stopper([&] {
    process.wait();
    token.cancel();
  });
  EXPECT_EQ(worker.ask(0, kEver(), token), std::nullopt);
  stopper.join();
  wait_until_gone(process);
}

TEST(Worker, ThatDiesGivesNothing) {
  for (const Worker::Job& job :
       {Worker::Job([]() -> std::string { _exit(0); }), Worker::Job([]() -> std::string { throw std::bad_alloc(); }),
        Worker::Job([]() -> std::string { std::abort(); })}) {
    Worker worker({job});
    EXPECT_EQ(worker.ask(0, kEver(), {}), std::nullopt);
    EXPECT_EQ(worker.ask(0, kEver(), {}), std::nullopt);
  }
}

TEST(Worker, GoesWithItsObject) {
  const SharedNumber process;
  {
    Worker worker({[&] {
      process.set(getpid());
      return std::string();
    }});
    worker.ask(0, kEver(), {});
  }
  wait_until_gone(process);
}

// Also where its parent is not there to kill it.
TEST(Worker, DiesWithItsParent) {
  const SharedNumber process;
  const pid_t parent = fork();
  if (parent == 0) {
    Worker worker({[&] { return forever(process); }});
    worker.ask(0, kEver(), {});
    _exit(0);
  }
  process.wait();
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  wait_until_gone(process);
}

TEST(Worker, HoldsNoFilesPrintsNothingAndLeavesNoCore) {
  const int opened = open("/dev/zero", O_RDONLY);
  const int file = fcntl(opened, F_DUPFD, 100);  // beyond those that the child has itself
  close(opened);
  ::testing::internal::CaptureStderr();
  Worker worker({[&] {
    fputs("a value", stderr);
    fflush(stderr);
    rlimit cores{};
    getrlimit(RLIMIT_CORE, &cores);
    return std::string(fcntl(file, F_GETFD) == -1 ? "closed" : "open") +
           (cores.rlim_cur == 0 ? ", no cores" : ", cores");
  }});
  EXPECT_EQ(worker.ask(0, kEver(), {}), "closed, no cores");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  close(file);
}

// Ctrl-C reaches all processes of a terminal: what it means is for the parent to say.
TEST(Worker, LeavesSignalsOfTheTerminalToItsParent) {
  std::signal(SIGTERM, [](int) { _exit(9); });
  Worker worker({[] {
    std::raise(SIGINT);
    std::raise(SIGHUP);
    return std::string(std::signal(SIGTERM, SIG_DFL) == SIG_DFL ? "here" : "a handler is left");
  }});
  std::signal(SIGTERM, SIG_DFL);
  EXPECT_EQ(worker.ask(0, kEver(), {}), "here");
}

}  // namespace
}  // namespace dither::session::detail
