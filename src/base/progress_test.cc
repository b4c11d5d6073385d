#include "base/progress.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>
#include <vector>

namespace dither {
namespace {

using std::chrono::milliseconds;

// A clock that a test moves by hand.
struct HandClock {
  std::atomic<std::int64_t> ms{0};
  std::function<Progress::Clock::time_point()> reader() {
    return [this] { return Progress::Clock::time_point(milliseconds(ms)); };
  }
};

struct Recorder {
  std::vector<ProgressReport> reports;
  Progress::Callback callback() {
    return [this](const ProgressReport& report) { reports.push_back(report); };
  }
};

TEST(Progress, ReportsAtMostOncePerInterval) {
  HandClock clock;
  Recorder recorder;
  Progress progress(recorder.callback(), CancelToken{}, milliseconds(100), clock.reader());
  for (int i = 1; i <= 1000; ++i) {  // a step each millisecond
    clock.ms = i;
    progress.update(static_cast<std::uint64_t>(i), 2000);
  }
  ASSERT_EQ(recorder.reports.size(), 10u);
  EXPECT_EQ(recorder.reports[0].done, 100u);
  EXPECT_EQ(recorder.reports[0].elapsed, milliseconds(100));
  EXPECT_EQ(recorder.reports[9].done, 1000u);
  EXPECT_EQ(recorder.reports[9].total, 2000u);
}

TEST(Progress, TheEndIsReportedOnceHoweverSoon) {
  HandClock clock;
  Recorder recorder;
  Progress progress(recorder.callback(), CancelToken{}, milliseconds(100), clock.reader());
  progress.update(4, 5);
  progress.update(7, 5);  // more than all is all
  progress.update(5, 5);
  ASSERT_EQ(recorder.reports.size(), 1u);
  EXPECT_EQ(recorder.reports[0].done, 5u);
}

TEST(Progress, NeverGoesBack) {
  HandClock clock;
  Recorder recorder;
  Progress progress(recorder.callback(), CancelToken{}, milliseconds(1), clock.reader());
  for (const std::uint64_t done : {10u, 30u, 20u, 40u}) {
    clock.ms += 5;
    progress.update(done, 0);
  }
  ASSERT_EQ(recorder.reports.size(), 3u);
  EXPECT_EQ(recorder.reports[1].done, 30u);
  EXPECT_EQ(recorder.reports[2].done, 40u);
}

TEST(Progress, ThreadsReportOneAtATime) {
  std::atomic<int> inside{0};
  std::uint64_t last = 0;
  bool ordered = true;
  int finishes = 0;
  std::atomic<std::uint64_t> done{0};
  Progress progress(
      [&](const ProgressReport& report) {
        EXPECT_EQ(inside.fetch_add(1), 0);
        ordered = ordered && report.done >= last;
        last = report.done;
        finishes += report.done == report.total ? 1 : 0;
        inside.fetch_sub(1);
      },
      CancelToken{}, std::chrono::nanoseconds(0));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) progress.update(done.fetch_add(1) + 1, 8000);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(ordered);
  EXPECT_EQ(last, 8000u);
  EXPECT_EQ(finishes, 1);
}

TEST(Progress, CancellingStopsEveryThread) {
  const CancelToken token;
  Progress progress([](const ProgressReport&) {}, token);
  std::atomic<int> stopped{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      try {
        for (;;) progress.update(1, 0);
      } catch (const Cancelled&) {
        ++stopped;
      }
    });
  }
  token.cancel();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(stopped, 3);
}

TEST(CancelToken, CopiesShareTheWish) {
  const CancelToken token;
  CancelToken copy;
  copy = token;
  const CancelToken other;
  EXPECT_NO_THROW(copy.check());
  token.cancel();
  EXPECT_TRUE(copy.cancelled());
  EXPECT_THROW(copy.check(), Cancelled);
  EXPECT_FALSE(other.cancelled());
}

TEST(Progress, SilentOneDoesNothing) {
  Progress silent;
  EXPECT_NO_THROW(silent.update(1, 2));
  EXPECT_NO_THROW(silent.update(2, 2));
}

TEST(Progress, ErrorsOfTheCallbackPassThrough) {
  Progress progress([](const ProgressReport&) { throw std::runtime_error("full"); }, CancelToken{});
  EXPECT_THROW(progress.update(2, 2), std::runtime_error);
}

}  // namespace
}  // namespace dither
