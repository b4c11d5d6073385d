// Hardened questions with a deadline: when answers leave, and what the ledger tells of a run.
#include <gtest/gtest.h>

#include <csignal>
#include <ctime>
#include <new>
#include <set>
#include <thread>

#include "sql/query.h"
#include "sql/query_check.h"
#include "testing/refusal.h"
#include "testing/shared_number.h"

namespace dither::sql {
namespace {

using check::by_ada;
using check::epsilon;
using check::hardened;
using check::Place;
using ledger::State;
using testing::refusal;
using testing::SharedNumber;
using testing::wait_until_gone;
using Clock = std::chrono::steady_clock;

constexpr const char* kCount = "SELECT COUNT(*) FROM visits";
constexpr const char* kByCity = "SELECT city, COUNT(*) FROM visits GROUP BY city ORDER BY city DESC";

Place place_with(const std::string& deadline) {
  return Place("add-remove", check::people(), fmt::format("deadline: {}\n", deadline));
}

// What may not be ready in time on a slow machine is tried with more of it. `attempt` says whether it saw what it is for.
template <class Attempt>
void in_time(const Attempt& attempt, std::chrono::milliseconds deadline = std::chrono::milliseconds(200)) {
  for (int tries = 0; tries < 4; ++tries, deadline *= 10) {
    const Place place = place_with(fmt::format("{}", static_cast<double>(deadline.count()) / 1000));
    if (attempt(place, deadline)) return;
  }
  FAIL() << "no answer came in time";
}

// Answers, stored answers and failures all leave no earlier than the declared time, which a clock can only show too late.
// Spec: W-73, W-76
TEST(QueryDeadline, NothingLeavesBeforeIt) {
  in_time([](const Place& place, std::chrono::milliseconds deadline) {
    session::Session session = place.open();
    const auto ask = [&](const char* text) {
      const auto start = Clock::now();
      const std::optional<Code> code = refusal([&] { query(session, text, epsilon("1"), hardened()); });
      EXPECT_GE(Clock::now() - start, deadline);
      return code;
    };
    if (ask(kCount) == Code::run_failed || ask(kCount) == Code::run_failed) return false;
    EXPECT_EQ(place.engine->runs, 1);
    EXPECT_EQ(place.spent(), "1");
    place.engine->at_run = [](const engine::Watch&) { throw std::bad_alloc(); };
    EXPECT_EQ(ask(kByCity), Code::run_failed);
    place.engine->at_run = nullptr;
    if (place.engine->runs == 1) return false;
    EXPECT_EQ(ask(kByCity), Code::answer_lost);
    EXPECT_EQ(place.spent(), "2");
    return true;
  });
}

// One person's row may take hours: the answer does not wait for it, and its process is gone.
// Spec: W-73
TEST(QueryDeadline, HoldsWhateverAValueCosts) {
  in_time([](const Place& place, std::chrono::milliseconds) {
    const SharedNumber process;
    place.engine->at_run = [&](const engine::Watch& watch) {
      if (watch.progress != nullptr) return;
      process.set(getpid());
      for (;;) {  // cancelling does not stop it
      }
    };
    {
      session::Session session = place.open();
      Progress progress;
      session::Ask ask = hardened();
      ask.watch.progress = &progress;
      EXPECT_EQ(refusal([&] { query(session, kCount, epsilon("1"), ask); }), Code::run_failed);
      EXPECT_FALSE(ask.watch.token.cancelled());
    }
    if (process == 0) return false;
    wait_until_gone(process);
    EXPECT_EQ(place.spent(), "1");
    session::Session session = place.open();
    EXPECT_EQ(refusal([&] { query(session, kCount, epsilon("1"), by_ada()); }), Code::answer_lost);
    return true;
  });
}

// Whatever goes wrong once the data is opened ends with the same words at the same time, in the same state.
// Spec: W-73, W-76
TEST(QueryDeadline, FailuresAreNotToldApart) {
  std::set<std::string> words;
  for (const std::function<void()>& fail :
       {std::function<void()>([] { throw std::bad_alloc(); }), std::function<void()>([] { std::raise(SIGSEGV); }),
        std::function<void()>([] {
          throw Error{Code::cannot_read, "a value", "of a row"};
        }),
        std::function<void()>([] { throw Cancelled(); }), std::function<void()>([] {
          for (;;) {
          }
        })}) {
    in_time([&](const Place& place, std::chrono::milliseconds deadline) {
      place.engine->at_run = [&](const engine::Watch&) { fail(); };
      session::Session session = place.open();
      const auto start = Clock::now();
      try {
        query(session, kCount, epsilon("1"), hardened());
        ADD_FAILURE();
      } catch (const Error& error) {
        EXPECT_GE(Clock::now() - start, deadline);
        if (place.engine->runs == 0) return false;
        words.insert(error.str());
      }
      const ledger::Release release = place.last_release();
      EXPECT_EQ(release.state, State::lost);
      EXPECT_EQ(release.ended_why, "not committed");
      return true;
    });
  }
  EXPECT_EQ(words.size(), 1);
}

// `release show`, `history` and the statement of a budget show times to the second.
// Spec: W-73
TEST(QueryDeadline, TheLedgerDoesNotSayHowLongARunTook) {
  for (const bool fails : {false, true}) {
    const auto attempt = [&](const Place& place, std::chrono::milliseconds deadline) {
      place.engine->at_run = [&](const engine::Watch&) {
        if (fails) throw std::bad_alloc();
      };
      session::Session session = place.open();
      const ledger::Time start = std::time(nullptr);
      const std::optional<Code> code = refusal([&] { query(session, kCount, epsilon("1"), hardened()); });
      if (place.engine->runs == 0 || (code && !fails)) return false;
      const ledger::Release release = place.last_release();
      EXPECT_EQ(release.state, fails ? State::lost : State::committed);
      EXPECT_GE(release.ended.value(), start + deadline.count() / 1000 - 1);  // nine tenths of it
      return true;
    };
    in_time(attempt, std::chrono::seconds(3));
  }
}

// The second is opened when its share begins, not when the first is done.
// Spec: W-73
TEST(QueryDeadline, StatementsOfAScriptHaveAShareEach) {
  const auto attempt = [](const Place& place, std::chrono::milliseconds deadline) {
    session::Session session = place.open();
    const ledger::Time start = std::time(nullptr);
    const auto begin = Clock::now();
    const std::string text = fmt::format("{}; {}", kCount, kByCity);
    const std::optional<Code> code = refusal([&] { script(session, text, epsilon("1"), hardened()); });
    EXPECT_GE(Clock::now() - begin, 2 * deadline);
    if (code) return false;
    EXPECT_GE(place.last_release().opened.value(), start + deadline.count() / 1000);
    EXPECT_EQ(place.engine->runs, 2);
    return true;
  };
  in_time(attempt, std::chrono::seconds(2));
}

// Cancelling does not let anything out early either.
TEST(QueryDeadline, TheWishToStopReachesAHardenedRun) {
  const Place place = place_with("0.3");
  session::Session session = place.open();
  session::Ask ask = hardened();
  ask.watch.token.cancel();
  const auto start = Clock::now();
  EXPECT_EQ(refusal([&] { query(session, kCount, epsilon("1"), ask); }), Code::cancelled);
  EXPECT_GE(Clock::now() - start, std::chrono::milliseconds(300));
  EXPECT_EQ(place.engine->runs, 0);
  EXPECT_EQ(place.spent(), "0");
}

// The answer does not tell whether the run was done by then.
TEST(QueryDeadline, TheWishToStopGivesUpWhatIsDone) {
  for (const bool ends : {true, false}) {
    in_time([&](const Place& place, std::chrono::milliseconds deadline) {
      const SharedNumber process;
      place.engine->at_run = [&](const engine::Watch&) {
        process.set(getpid());
        while (!ends) {
        }
      };
      session::Session session = place.open();
      const session::Ask ask = hardened();
      const auto start = Clock::now();
      std::thread stopper([&] {
        while (process == 0 && Clock::now() - start < deadline) std::this_thread::yield();
        ask.watch.token.cancel();
      });
      const std::optional<Code> code = refusal([&] { query(session, kCount, epsilon("1"), ask); });
      EXPECT_GE(Clock::now() - start, deadline);
      stopper.join();
      if (process == 0 || code != Code::cancelled) return false;  // cancelled too late
      wait_until_gone(process);
      EXPECT_EQ(place.last_release().state, State::lost);
      EXPECT_EQ(place.spent(), "1");
      return true;
    });
  }
}

// An error of prepare() is reported as always, at the end of the time; a prepare() that does not end is not waited for.
TEST(QueryDeadline, NothingIsChargedForWhatDidNotBegin) {
  const Place place = place_with("0.3");
  session::Session session = place.open();
  place.engine->at_prepare = [] { throw Error{Code::bad_source, "no column", "name it"}; };
  EXPECT_EQ(refusal([&] { query(session, kCount, epsilon("1"), hardened()); }), Code::bad_source);
  place.engine->at_prepare = [] {
    for (;;) {
    }
  };
  try {
    query(session, kCount, epsilon("1"), hardened());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.str(),
              "error: run-failed: the time for an answer ended before the run began\nhint:  nothing was charged; ask "
              "again when less is going on, or have a longer `deadline:` declared");
  }
  EXPECT_EQ(place.engine->runs, 0);
  EXPECT_EQ(place.spent(), "0");
  EXPECT_EQ(place.last_release().state, State::voided);
}

}  // namespace
}  // namespace dither::sql
