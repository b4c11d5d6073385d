// Killed at any moment: the charge is spent, given back or answered as rule 1 says, and nothing is drawn twice for one
// charge.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>
#include <thread>

#include "ledger/faults_check.h"
#include "sql/query.h"
#include "sql/query_check.h"
#include "testing/refusal.h"
#include "testing/seed.h"
#include "testing/shared_number.h"

namespace dither::sql {
namespace {

using check::by_ada;
using check::epsilon;
using check::hardened;
using check::Place;
using check::text_of;
using testing::refusal;
using testing::SharedNumber;
using testing::wait_until_gone;

constexpr const char* kByCity = "SELECT city, COUNT(*) FROM visits GROUP BY city";

// Runs it in another process, which ends without a word of goodbye.
template <class Act>
pid_t child(const Act& act) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  try {
    act();
  } catch (...) {
    _exit(3);
  }
  _exit(0);
}

void wait_for(pid_t pid) { waitpid(pid, nullptr, 0); }

void ask(const Place& place) {
  session::Session session = place.open();
  query(session, kByCity, epsilon("1"), by_ada());
}

// Spec: D-62, W-20
TEST(QueryCrash, BeforeTheFirstReadTheChargeIsGivenBack) {
  const Place place;
  place.engine->at_prepare = [] { _exit(1); };
  wait_for(child([&] { ask(place); }));
  place.engine->at_prepare = nullptr;
  EXPECT_EQ(place.spent(), "0");
  ask(place);
  EXPECT_EQ(place.spent(), "1");
}

// Spec: D-62, W-20
TEST(QueryCrash, WhileItRunsTheChargeStaysAndTheAnswerIsLost) {
  const Place place;
  place.engine->at_run = [](const engine::Watch&) { _exit(1); };
  wait_for(child([&] { ask(place); }));
  place.engine->at_run = nullptr;
  EXPECT_EQ(place.spent(), "1");
  EXPECT_EQ(refusal([&] { ask(place); }), Code::answer_lost);
  EXPECT_EQ(place.engine->runs, 1);
  EXPECT_EQ(place.spent(), "1");
}

TEST(QueryCrash, OnceItIsAnsweredTheAnswerIsThere) {
  const Place place;
  wait_for(child([&] { ask(place); }));
  session::Session session = place.open();
  EXPECT_TRUE(query(session, kByCity, epsilon("1"), by_ada()).stored);
  EXPECT_EQ(place.spent(), "1");
}

// A hardened run with a deadline has two processes, and either may die, at every step, or both at once.
// Spec: D-62, W-20
TEST(QueryCrash, WhicheverProcessOfAHardenedRunDies) {
  for (const bool opened : {false, true}) {
    for (const char* dies : {"worker", "parent", "both"}) {
      const Place place("add-remove", check::people(), "deadline: 60\n");
      const SharedNumber worker;
      const auto die = [&] {
        const std::string_view who = dies;
        worker.set(getpid());
        if (who != "worker") kill(getppid(), SIGKILL);
        if (who != "parent") kill(getpid(), SIGKILL);
        for (;;) pause();
      };
      if (opened) place.engine->at_run = [&](const engine::Watch&) { die(); };
      if (!opened) place.engine->at_prepare = die;
      const pid_t parent = child([&] {
        session::Session session = place.open();
        query(session, kByCity, epsilon("1"), hardened());
      });
      wait_until_gone(worker.wait());
      kill(parent, SIGKILL);  // it would wait for its deadline
      wait_for(parent);
      place.engine->at_prepare = nullptr;
      place.engine->at_run = nullptr;
      EXPECT_EQ(place.spent(), opened ? "1" : "0") << dies;
      EXPECT_EQ(place.last_release().state, opened ? ledger::State::lost : ledger::State::voided) << dies;
      const auto code = refusal([&] { ask(place); });
      EXPECT_EQ(code, opened ? std::optional(Code::answer_lost) : std::nullopt) << dies;
      EXPECT_EQ(place.engine->runs, 1) << dies;
      EXPECT_EQ(place.spent(), "1") << dies;
    }
  }
}

// Killed after a random time, again and again on one ledger. Whatever is left keeps the ledger's own rules, and every
// question is charged as often as it was opened.
void kill_at_any_moment(bool in_time) {
  const Place place("add-remove", check::people(), in_time ? "deadline: 0.03\n" : "");
  { place.open().create_ledger(place.key, "Ada"); }
  std::mt19937_64 random(testing::run_seed());
  const int rounds = ledger::check::nightly() ? 1000 : 40;
  for (int round = 0; round < rounds; ++round) {
    const std::string text = fmt::format("{} HAVING COUNT(*) > {}", kByCity, round);  // one question, many statements
    const pid_t pid = child([&] {
      session::Session session = place.open();
      session::Ask again = in_time ? hardened() : by_ada();
      again.again = round % 2 == 0;
      query(session, kByCity, epsilon("1"), again);
      query(session, text, epsilon("0.5"), by_ada());
    });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % (in_time ? 80'000 : 40'000)));
    kill(pid, SIGKILL);
    wait_for(pid);
    ledger::Ledger ledger = place.ledger();  // ends what the dead have left
    ledger::SqliteStore store(place.ledger_path(), ledger::Opening::existing);
    ledger::check::Judge judge(store, ledger, place.ledger_path());
    ASSERT_EQ(judge.complaints({}), std::vector<std::string>{}) << "round " << round;
    for (const auto& [id, release] : judge.releases()) {
      const bool charged = release.state == ledger::State::committed || release.state == ledger::State::lost;
      EXPECT_EQ(charged, release.opened.has_value()) << id;
      EXPECT_EQ(release.state == ledger::State::committed, release.answer.has_value()) << id;
    }
  }
}

TEST(QueryCrash, KilledAtAnyMoment) { kill_at_any_moment(false); }

// Spec: D-62, W-20
TEST(QueryCrash, KilledAtAnyMomentOfAHardenedRun) { kill_at_any_moment(true); }

}  // namespace
}  // namespace dither::sql
