// Several at once, wishes to stop, and deadlines.
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "sql/query.h"
#include "sql/query_check.h"
#include "testing/refusal.h"

namespace dither::sql {
namespace {

using check::by_ada;
using check::epsilon;
using check::Place;
using check::text_of;
using session::Answer;
using testing::refusal;
using Clock = std::chrono::steady_clock;

constexpr const char* kCount = "SELECT COUNT(*) FROM visits";
constexpr const char* kByCity = "SELECT city, COUNT(*) FROM visits GROUP BY city ORDER BY city DESC";

// Spec: D-62, W-20
TEST(QueryThreads, OfTwoThatAskTheSameOnePays) {
  const Place place;
  session::Session session = place.open();
  std::promise<void> began;
  place.engine->at_run = [&](const engine::Watch&) { began.set_value(); };
  auto first = std::async(std::launch::async, [&] { return query(session, kCount, epsilon("1"), by_ada()); });
  began.get_future().wait();  // it is opened, and will be answered by the other thread
  const Answer second = query(session, kCount, epsilon("1"), by_ada());
  EXPECT_TRUE(second.stored);
  EXPECT_EQ(text_of(first.get()), text_of(second));
  EXPECT_EQ(place.spent(), "1");
  EXPECT_EQ(place.engine->runs, 1);
}

TEST(QueryThreads, ManyQuestionsAtOnceArePaidForOnceEach) {
  const Place place;
  session::Session session = place.open();
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (const char* city : {"Ayr", "Bonn", "Cork"}) {
        query(session, fmt::format("SELECT COUNT(*) FROM visits WHERE city = '{}'", city), epsilon("1"), by_ada());
        query(session, kByCity, epsilon("1"), by_ada());
        session.budgets("alice");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(place.spent(), "4");
  EXPECT_EQ(place.engine->runs, 4);
}

// What stopping costs.
// Spec: W-73, D-62
TEST(QueryThreads, StoppedBeforeTheFirstReadNothingIsCharged) {
  const Place place;
  session::Session session = place.open();
  session::Ask ask = by_ada();
  place.engine->at_prepare = [&] { ask.watch.token.cancel(); };
  EXPECT_EQ(refusal([&] { query(session, kCount, epsilon("1"), ask); }), Code::cancelled);
  EXPECT_EQ(place.engine->runs, 0);
  EXPECT_EQ(place.spent(), "0");
}

TEST(QueryThreads, StoppedLaterTheChargeStaysAndItSaysSo) {
  const Place place;
  session::Session session = place.open();
  session::Ask ask = by_ada();
  place.engine->at_run = [&](const engine::Watch& watch) {
    ask.watch.token.cancel();
    watch.token.check();
  };
  try {
    query(session, kCount, epsilon("1"), ask);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::cancelled);
    EXPECT_NE(std::string(error.what()).find("stays charged"), std::string::npos);
  }
  EXPECT_EQ(place.spent(), "1");
  place.engine->at_run = nullptr;
  EXPECT_EQ(refusal([&] { query(session, kCount, epsilon("1"), by_ada()); }), Code::answer_lost);
}

TEST(QueryThreads, WhoWaitsForAnotherCanBeStoppedAndLosesPatience) {
  const Place place;
  session::Session session = place.open();
  std::promise<void> began, go_on;
  place.engine->at_run = [&](const engine::Watch&) {
    began.set_value();
    go_on.get_future().wait();
  };
  auto first = std::async(std::launch::async, [&] { return query(session, kCount, epsilon("1"), by_ada()); });
  began.get_future().wait();
  session::Ask ask = by_ada();
  ask.patience = std::chrono::milliseconds(5);
  EXPECT_EQ(refusal([&] { query(session, kCount, epsilon("1"), ask); }), Code::ledger_busy);
  ask.patience = std::chrono::minutes(10);
  ask.watch.token.cancel();
  EXPECT_EQ(refusal([&] { query(session, kCount, epsilon("1"), ask); }), Code::cancelled);
  go_on.set_value();
  EXPECT_FALSE(first.get().stored);
  EXPECT_EQ(place.spent(), "1");
}

session::Ask hardened() {
  session::Ask ask = by_ada();
  ask.hardened = true;
  return ask;
}

// Whether answers, stored answers and failures all leave no earlier than the declared time, which a clock can only show
// too late; nothing where the machine is so slow that an answer missed its deadline.
std::optional<bool> all_wait(const std::string& seconds) {
  const Place place("add-remove", check::people(), fmt::format("deadline: {}\n", seconds));
  session::Session session = place.open();
  const auto deadline = std::chrono::duration<double>(std::stod(seconds));
  bool waited = true;
  const auto ask = [&](const char* text) {
    const auto start = Clock::now();
    const std::optional<Code> code = refusal([&] { query(session, text, epsilon("1"), hardened()); });
    waited = waited && Clock::now() - start >= deadline;
    return code;
  };
  if (ask(kCount) == Code::run_failed || ask(kCount) == Code::run_failed) return std::nullopt;
  EXPECT_EQ(place.engine->runs, 1);
  EXPECT_EQ(place.spent(), "1");
  place.engine->at_run = [](const engine::Watch&) { throw std::bad_alloc(); };
  EXPECT_EQ(ask(kByCity), Code::run_failed);
  place.engine->at_run = nullptr;
  if (place.engine->runs == 1) return std::nullopt;
  EXPECT_EQ(ask(kByCity), Code::answer_lost);
  EXPECT_EQ(place.spent(), "2");
  return waited;
}

// Spec: W-73, W-76
TEST(QueryDeadline, NothingLeavesBeforeIt) {
  for (const char* seconds : {"0.2", "2", "20"}) {
    if (const std::optional<bool> waited = all_wait(seconds)) {
      EXPECT_TRUE(*waited);
      return;
    }
  }
  FAIL() << "no answer came in time";
}

// A run that is not done by then is stopped, its charge stays, and the one text leaves. A machine that is so slow that
// the run does not even begin in time is given more.
TEST(QueryDeadline, ARunThatTakesLongerIsGivenUp) {
  for (const char* deadline : {"0.1", "1", "10", "100"}) {
    const Place place("add-remove", check::people(), fmt::format("deadline: {}\n", deadline));
    std::atomic<bool> stopped = false;
    {
      session::Session session = place.open();
      place.engine->at_run = [&](const engine::Watch& watch) {
        EXPECT_EQ(watch.progress, nullptr);
        while (!watch.token.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        stopped = true;
        watch.token.check();
      };
      Progress progress;
      session::Ask ask = hardened();
      ask.watch.progress = &progress;
      EXPECT_EQ(refusal([&] { query(session, kCount, epsilon("1"), ask); }), Code::run_failed);
      EXPECT_FALSE(ask.watch.token.cancelled());
    }
    if (place.engine->runs == 0) continue;
    EXPECT_TRUE(stopped);  // the session has waited for it
    EXPECT_EQ(place.spent(), "1");
    place.engine->at_run = nullptr;
    session::Session session = place.open();
    EXPECT_EQ(refusal([&] { query(session, kCount, epsilon("1"), by_ada()); }), Code::answer_lost);
    return;
  }
  FAIL() << "no run began";
}

// Also a wish to stop does not let anything out early.
TEST(QueryDeadline, TheWishToStopReachesAHardenedRun) {
  const Place place("add-remove", check::people(), "deadline: 0.3\n");
  session::Session session = place.open();
  session::Ask ask = hardened();
  ask.watch.token.cancel();
  const auto start = Clock::now();
  const std::optional<Code> code = refusal([&] { query(session, kCount, epsilon("1"), ask); });
  EXPECT_TRUE(code == Code::cancelled || code == Code::run_failed);  // the latter on a machine that is very slow
  EXPECT_GE(Clock::now() - start, std::chrono::milliseconds(300));
  EXPECT_EQ(place.engine->runs, 0);
}

}  // namespace
}  // namespace dither::sql
