// Several at once, and wishes to stop.
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

}  // namespace
}  // namespace dither::sql
