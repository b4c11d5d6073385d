#include "audit/side_channels.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "sql/query_check.h"
#include "testing/refusal.h"
#include "testing/seed.h"

namespace dither::audit {
namespace {

using sql::check::by_ada;
using sql::check::epsilon;
using sql::check::people;
using sql::check::Place;

// Forty people, and one more whose values are as bad as values get.
testing::PlanDatabase with_mallory() {
  testing::PlanDatabase database = people();
  database["visits"].push_back(
      {std::int64_t{40}, std::string("Ayr"), std::numeric_limits<std::int64_t>::max(), Cell{}});
  database["visits"].push_back({std::int64_t{40}, Cell{}, std::int64_t{0}, std::string("rare")});
  return database;
}

std::optional<Code> refused(const Place& place, const std::string& statement) {
  session::Session session = place.open();
  return testing::refusal([&] { sql::query(session, statement, epsilon("1"), by_ada()); });
}

// What the attacks of Haeberlen and others need is not there: each statement is refused before anything is charged, with
// the same words whatever the data.
void expect_refused(const std::string& statement, Code code) {
  const Place without("add-remove", people());
  const Place with("add-remove", with_mallory());
  EXPECT_EQ(refused(without, statement), code) << statement;
  EXPECT_EQ(refused(with, statement), code) << statement;
  EXPECT_FALSE(without.open().has_ledger()) << statement;
  EXPECT_FALSE(with.open().has_ledger()) << statement;
}

// Spec: W-73
TEST(AttackPrograms, NothingTakesTimeBecauseOfOneRow) {
  expect_refused("SELECT COUNT(*) FROM visits WHERE pg_sleep(CASE WHEN person = 40 THEN 10 ELSE 0 END) IS NULL",
                 Code::unknown_function);
  expect_refused("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM visits, r",
                 Code::not_supported);
  expect_refused("SELECT COUNT(*) FROM visits, generate_series(1, 1000000000)", Code::not_supported);
}

// Spec: W-73
TEST(AttackPrograms, NothingKeepsStateBetweenRows) {
  expect_refused("CREATE FUNCTION spy(x int) RETURNS int AS 'x' LANGUAGE sql", Code::not_a_query);
  expect_refused("INSERT INTO visits SELECT * FROM visits WHERE person = 40", Code::not_a_query);
  expect_refused("SELECT COUNT(*) FROM visits WHERE nextval('seen') > 0", Code::unknown_function);
  expect_refused("SELECT COUNT(*) INTO spy FROM visits", Code::not_supported);
}

// A question inside a question would be asked, and paid for, only when somebody is there.
// Spec: W-73
TEST(AttackPrograms, NothingSpendsBudgetBecauseOfOneRow) {
  expect_refused("SELECT COUNT(*) FROM visits WHERE CASE WHEN person = 40 THEN (SELECT SUM(score) FROM visits) > 0 END",
                 Code::not_supported);
}

// The same questions leave the same charges, refusals and releases, with Mallory and without.
// Spec: W-73, T-48
TEST(AttackPrograms, BudgetsAndFailuresAreTheSameForNeighbours) {
  const std::vector<std::string> statements = {
      "SELECT COUNT(*) FROM visits WHERE 10 / score > 1",
      "SELECT SUM(CLAMP(score * 9223372036854775807, 0, 5)) FROM visits",
      "SELECT SUM(CLAMP(CAST(town AS integer), 0, 5)) FROM visits",
      "SELECT city, COUNT(*) FROM visits GROUP BY city",
      "SELECT AVG(score) FROM visits WHERE person = 40",
  };
  struct Seen {
    std::vector<std::optional<Code>> ends;
    std::string spent;
    std::size_t releases;
    bool operator==(const Seen&) const = default;
  };
  const auto ask_all = [&](testing::PlanDatabase rows) {
    const Place place("add-remove", std::move(rows));
    session::Session session = place.open();
    Seen seen{{}, "", 0};
    for (const std::string& statement : statements) {
      for (const char* analyst : {"poor", "alice"}) {  // the first can pay for one of them
        session::Ask ask = by_ada();
        ask.analyst = analyst;
        ask.again = true;
        seen.ends.push_back(testing::refusal([&] { sql::query(session, statement, epsilon("0.7"), ask); }));
      }
    }
    seen.spent = place.spent();
    seen.releases = place.releases();
    return seen;
  };
  const Seen without = ask_all(people());
  EXPECT_TRUE(without == ask_all(with_mallory()));
  EXPECT_EQ(without.ends[0], std::nullopt);
  EXPECT_EQ(without.ends[1], std::nullopt);
  EXPECT_EQ(without.ends[2], Code::over_budget);
}

TEST(SideChannels, EveryPairIsMeasuredOnceInEitherOrder) {
  int first = 0;
  int second = 0;
  std::vector<int> order;
  const PairedMeasurement times =
      measure_pairs([&] { order.push_back(++first > 0 ? 1 : 0); }, [&] { order.push_back(++second > 0 ? 2 : 0); }, 200,
                    testing::run_seed(), {});
  EXPECT_EQ(times.first.size(), 200);
  EXPECT_EQ(times.second.size(), 200);
  EXPECT_EQ(first, 201);  // once before, unmeasured
  EXPECT_EQ(second, 201);
  int second_came_first = 0;
  for (std::size_t i = 2; i < order.size(); i += 2) {
    EXPECT_NE(order[i], order[i + 1]);
    second_came_first += order[i] == 2 ? 1 : 0;
  }
  // Fair coins: 200 of one side have probability 2^-199.
  EXPECT_GT(second_came_first, 0);
  EXPECT_LT(second_came_first, 200);
}

TEST(SideChannels, StopsWhenAsked) {
  CancelToken token;
  token.cancel();
  EXPECT_THROW(measure_pairs([] {}, [] {}, 10, 1, token), Cancelled);
  EXPECT_THROW(draw_times([] { return 1.0; }, 10, 0.01, token), Cancelled);
}

// Whole answers through a session with a deadline: what is measured exists.
TEST(SideChannels, AnswersOfNeighboursAreMeasured) {
  const AnswerTimes found = answer_times(std::chrono::milliseconds(5), 2, 1, {});
  EXPECT_EQ(found.times.first.size(), 2);
  EXPECT_GT(found.test.p_value, 0);
  EXPECT_LE(found.test.p_value, 1);
}

constexpr HeavyUser kManyRows{300'000, 0};    // which take some tens of milliseconds, where an answer takes some
constexpr HeavyUser kCostlyTexts{3, 65'000};  // and these more, searched a hundred times each

// Whether time tells the data sets apart, p at most 1e-4 in each of three attempts: where it does not, that happens
// once in 10^12 times, however busy the machine is.
bool time_tells(std::chrono::milliseconds deadline, int pairs, const HeavyUser& heavy) {
  for (std::uint64_t attempt = 0; attempt < 3; ++attempt) {
    const AnswerTimes found = answer_times(deadline, pairs, testing::run_seed() + attempt, {}, heavy);
    if (found.test.p_value > 1e-4) return false;
  }
  return true;
}

// By night 80 pairs of answers that leave after 0.4 s, by day 20 that leave after 0.05 s, mostly not ready.
// Spec: W-72, W-73
TEST(SideChannels, HardenedAnswersTakeTheSameTimeOnNeighbours) {
  const bool nightly = std::getenv("DITHER_NIGHTLY") != nullptr;
  for (const HeavyUser& heavy : {kManyRows, kCostlyTexts}) {
    EXPECT_FALSE(time_tells(std::chrono::milliseconds(nightly ? 400 : 50), nightly ? 80 : 20, heavy));
  }
}

// The same answers as they are ready. Of 25 exchanges of pairs that differ each time, one in 2^24 is as far apart.
TEST(SideChannels, PlantedAnswersThatLeaveWhenReadyAreCaught) {
  EXPECT_TRUE(time_tells({}, 25, kManyRows));
  EXPECT_TRUE(time_tells({}, 25, kCostlyTexts));
}

}  // namespace
}  // namespace dither::audit
