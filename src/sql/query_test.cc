#include "sql/query.h"

#include <gtest/gtest.h>

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

constexpr const char* kByCity = "SELECT city, COUNT(*) AS n, SUM(score) AS s FROM visits GROUP BY city";

// Spec: D-62, W-20
TEST(Query, IsChargedOnceAndThenAnsweredFromWhatWasStored) {
  const Place place;
  session::Session session = place.open();
  const Answer first = query(session, kByCity, epsilon("0.5"), by_ada());
  EXPECT_FALSE(first.stored);
  EXPECT_EQ(first.names, (std::vector<std::string>{"city", "n", "s"}));
  ASSERT_EQ(first.rows.size(), 5U);
  EXPECT_EQ(place.spent(), "0.5");
  EXPECT_EQ(first.payers.at(0).spent.losses.at(0).str(), "0.5");
  session::Session other = place.open();
  for (session::Session* again : {&session, &other}) {
    const Answer second = query(*again, kByCity, epsilon("0.5"), by_ada());
    EXPECT_TRUE(second.stored);
    EXPECT_EQ(text_of(second), text_of(first));
    EXPECT_EQ(second.release, first.release);
  }
  EXPECT_EQ(place.spent(), "0.5");
  EXPECT_EQ(place.engine->runs, 1);
}

// Spec: D-62, F-23
TEST(Query, WhatIsDoneWithReleasedNumbersIsFree) {
  const Place place;
  session::Session session = place.open();
  const Answer first = query(session, kByCity, epsilon("0.5"), by_ada());
  const auto free = [&](const char* text) {
    const Answer answer = query(session, text, epsilon("0.5"), by_ada());
    EXPECT_TRUE(answer.stored) << text;
    EXPECT_EQ(answer.release, first.release) << text;
    return answer;
  };
  const Answer sorted =
      free("SELECT city, COUNT(*) AS n, SUM(score) AS s FROM visits GROUP BY city ORDER BY city DESC");
  ASSERT_EQ(sorted.rows.size(), first.rows.size());
  for (std::size_t i = 0; i < first.rows.size(); ++i) {
    EXPECT_EQ(sorted.rows[i], first.rows[first.rows.size() - 1 - i]);
    EXPECT_EQ(sorted.errors[i][1].low, first.errors[first.rows.size() - 1 - i][1].low);
  }
  const Answer some = free("SELECT SUM(score) + 1, city FROM visits GROUP BY city HAVING COUNT(*) > -1000000 LIMIT 2");
  ASSERT_EQ(some.rows.size(), 2U);
  EXPECT_EQ(some.rows[0], (std::vector<Cell>{std::get<double>(first.rows[0][2]) + 1, first.rows[0][0]}));
  EXPECT_EQ(free("SELECT city, COUNT(*), SUM(score) FROM visits GROUP BY city OFFSET 3").rows.size(), 2U);
  EXPECT_EQ(free("SELECT city, COUNT(*), SUM(score) FROM visits GROUP BY city OFFSET 99").rows.size(), 0U);
  EXPECT_EQ(place.engine->runs, 1);
  EXPECT_EQ(place.spent(), "0.5");
}

// Rows without ORDER BY come by key, and all ties of an order too, so that an answer is the same each time.
TEST(Query, RowsComeInOneOrder) {
  const Place place;
  session::Session session = place.open();
  const auto cities = [&](const char* text) {
    std::string all;
    for (const auto& row : query(session, text, epsilon("0.5"), by_ada()).rows) all += std::get<std::string>(row[0])[0];
    return all;
  };
  EXPECT_EQ(cities("SELECT city, COUNT(*) FROM visits GROUP BY city"), "ABCDo");
  EXPECT_EQ(cities("SELECT city, COUNT(*) FROM visits GROUP BY city ORDER BY 1 = 1"), "ABCDo");
  EXPECT_EQ(cities("SELECT city, COUNT(*) FROM visits GROUP BY city ORDER BY length(city) LIMIT 3"), "ABC");
  EXPECT_EQ(cities("SELECT DISTINCT CASE WHEN city < 'C' THEN 'x' ELSE 'a' END, 1 FROM visits GROUP BY city, city"),
            "ax");
}

// A question that nobody asked yet costs, one that was asked is free; --again pays for another draw.
// Spec: D-62, W-20
TEST(Query, AgainPaysForAnotherDraw) {
  const Place place;
  session::Session session = place.open();
  session::Ask again = by_ada();
  again.again = true;
  const Answer first = query(session, kByCity, epsilon("0.01"), again);
  const Answer second = query(session, kByCity, epsilon("0.01"), again);
  EXPECT_EQ(place.spent(), "0.02");
  EXPECT_NE(first.release, second.release);
  EXPECT_NE(text_of(first), text_of(second));  // the same by chance once in 10^20
  EXPECT_EQ(query(session, kByCity, epsilon("0.01"), by_ada()).release, second.release);
}

// Spec: W-20, B-20
TEST(Query, OverBudgetIsRefusedBeforeTheEngineIsAsked) {
  const Place place;
  session::Session session = place.open();
  session::Ask poor = by_ada();
  poor.analyst = "poor";
  place.engine->at_prepare = place.engine->at_fingerprint = [] { FAIL() << "the engine was asked"; };
  EXPECT_EQ(refusal([&] { query(session, kByCity, epsilon("1.5"), poor); }), Code::over_budget);
  poor.analyst = "nobody";
  EXPECT_EQ(refusal([&] { query(session, kByCity, epsilon("1.5"), poor); }), Code::unknown_budget);
  EXPECT_EQ(place.engine->prepared, 0);
  EXPECT_EQ(place.engine->runs, 0);
  EXPECT_EQ(place.spent(), "0");
}

// What a person can put right is named before anything is charged.
TEST(Query, WhatPreparingRefusesIsNotCharged) {
  const Place place;
  session::Session session = place.open();
  place.engine->at_prepare = [] { throw Error{Code::cannot_read, "visits.csv is not there", "find it"}; };
  EXPECT_EQ(refusal([&] { query(session, kByCity, epsilon("1"), by_ada()); }), Code::cannot_read);
  EXPECT_EQ(place.spent(), "0");
  place.engine->at_prepare = nullptr;
  EXPECT_FALSE(query(session, kByCity, epsilon("1"), by_ada()).stored);
  EXPECT_EQ(place.spent(), "1");
}

// From the first read on there is one text, and the charge stays; then the answer is lost, and only --again asks anew.
// Spec: D-62, W-73, W-76
TEST(Query, WhateverARunThrowsIsRunFailed) {
  const Place place;
  session::Session session = place.open();
  const std::vector<std::function<void()>> failures = {[] { throw std::bad_alloc(); },
                                                       [] { throw std::runtime_error("4711"); }, [] { throw 4711; },
                                                       [] {
                                                         throw Error{Code::cannot_read, "person 4711", "4711"};
                                                       }};
  std::string only;
  int spent = 0;
  for (const auto& failure : failures) {
    place.engine->at_run = [&](const engine::Watch&) { failure(); };
    session::Ask again = by_ada();
    again.again = true;
    try {
      query(session, kByCity, epsilon("1"), again);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::run_failed);
      EXPECT_TRUE(only.empty() || only == error.str());
      EXPECT_EQ(error.str().find("4711"), std::string::npos);
      only = error.str();
    }
    EXPECT_EQ(place.spent(), std::to_string(++spent));
  }
  place.engine->at_run = nullptr;
  EXPECT_EQ(refusal([&] { query(session, kByCity, epsilon("1"), by_ada()); }), Code::answer_lost);
  EXPECT_EQ(place.spent(), "4");
}

TEST(Query, ExactNumbersOfAnotherShapeAreNotReleased) {
  const Place place;
  session::Session session = place.open();
  class Short : public engine::Engine {
    void prepare(const plan::BoundedAggregate&) override {}
    engine::ExactNumbers run(const plan::BoundedAggregate& aggregate, const engine::Watch&) override {
      engine::ExactNumbers::Content content;
      content.keys = *aggregate.public_keys;
      content.keys.pop_back();  // one key too few
      content.units.resize(content.keys.size());
      content.numbers.assign(aggregate.measures.size(), std::vector<Int128>(content.keys.size()));
      return engine::ExactNumbers(std::move(content));
    }
    std::string fingerprint(const std::vector<std::string>&) override { return ""; }
  };
  session.use_engine(std::make_shared<Short>());
  EXPECT_EQ(refusal([&] { query(session, kByCity, epsilon("1"), by_ada()); }), Code::run_failed);
}

// Under replace-one everybody stays in the table, so their number is no secret: no noise and no charge. But it is read, so there is
// a record of it, made before.
TEST(Query, WhatDoesNotMoveCostsNothingAndIsRecorded) {
  const Place place("replace-one");
  session::Session session = place.open();
  int opened = 0;
  place.engine->at_run = [&](const engine::Watch&) {
    place.ledger().releases("", [&](const ledger::Release& release) {
      opened += release.state == ledger::State::opened ? 1 : 0;
      return true;
    });
  };
  const Answer answer = query(session, "SELECT COUNT(*) FROM logs", epsilon("1"), by_ada());
  EXPECT_EQ(opened, 1);
  EXPECT_EQ(text_of(answer), "10\n");
  EXPECT_EQ(answer.errors[0][0].low, 10);
  EXPECT_EQ(answer.errors[0][0].high, 10);
  EXPECT_EQ(answer.cost.losses.at(0).str(), "0");
  const ledger::Release release = place.ledger().release(answer.release);
  EXPECT_EQ(release.state, ledger::State::committed);
  EXPECT_TRUE(release.price.events.empty());
  EXPECT_EQ(place.spent(), "0");
  const Answer again = query(session, "SELECT COUNT(*) AS n FROM logs LIMIT 1", epsilon("1"), by_ada());
  EXPECT_EQ(again.release, answer.release);
  EXPECT_EQ(place.engine->runs, 1);
}

// Also where a budget is used up, and not where it is frozen.
TEST(Query, WhatDoesNotMoveNeedsABudgetThatIsOpen) {
  const Place place("replace-one");
  session::Session session = place.open();
  session::Ask poor = by_ada();
  poor.analyst = "poor";
  query(session, "SELECT SUM(size) FROM logs", epsilon("1"), poor);
  EXPECT_EQ(place.spent("main/poor"), "1");
  EXPECT_EQ(text_of(query(session, "SELECT COUNT(*) FROM logs", epsilon("1"), poor)), "10\n");
  place.ledger().freeze("main/poor", {"Ada", "enough", ""});
  EXPECT_EQ(refusal([&] { query(session, "SELECT COUNT(size) FROM logs", epsilon("1"), poor); }), Code::frozen);
  EXPECT_EQ(refusal([&] { query(session, "SELECT SUM(0) FROM logs", epsilon("1"), poor); }), Code::frozen);
}

// What follows from the statement alone is answered without opening a source: an engine that is asked fails here.
TEST(Query, WhatIsTheSameForAllDataOpensNoSource) {
  for (const char* relation : {"add-remove", "replace-one"}) {
    const Place place(relation);
    session::Session session = place.open();
    place.engine->at_prepare = place.engine->at_fingerprint = [] { FAIL() << "the engine was asked"; };
    const auto ask = [&](const std::string& text) {
      const Answer answer = query(session, text, epsilon("1"), by_ada());
      EXPECT_EQ(answer.release, "") << text;
      EXPECT_FALSE(answer.charged) << text;
      EXPECT_EQ(answer.cost.losses.at(0).str(), "0") << text;
      return answer;
    };
    const Answer zero = ask("SELECT SUM(0) FROM visits");
    EXPECT_EQ(text_of(zero), "0.0\n");
    EXPECT_EQ(zero.errors[0][0].low, 0);
    EXPECT_EQ(zero.errors[0][0].high, 0);
    EXPECT_EQ(text_of(ask("SELECT SUM(CLAMP(score, 0, 0)) FROM visits WHERE person = 3")), "0.0\n");
    EXPECT_EQ(text_of(ask("SELECT city, SUM(score * 0) AS s FROM visits GROUP BY city ORDER BY city DESC LIMIT 2")),
              "'other', 0.0\n'Delft', 0.0\n");
    EXPECT_EQ(place.engine->runs, 0);
    EXPECT_EQ(place.engine->prepared, 0);
    EXPECT_FALSE(session.has_ledger());
    EXPECT_EQ(refusal([&] { query(session, "SELECT town, SUM(0) FROM visits GROUP BY town", epsilon("1"), by_ada()); }),
              Code::needs_delta);  // which towns there are is another matter
  }
}

// No row is read, or none is shown.
TEST(Query, WhereFalseAndHavingFalsePayForNothing) {
  for (const char* relation : {"add-remove", "replace-one"}) {
    const Place place(relation);
    session::Session session = place.open();
    place.engine->at_prepare = place.engine->at_fingerprint = [] { FAIL() << "the engine was asked"; };
    const auto ask = [&](const std::string& text) { return query(session, text, epsilon("0.5", "1e-9"), by_ada()); };
    const Answer none = ask("SELECT COUNT(*), SUM(score), AVG(score) FROM visits WHERE FALSE");
    EXPECT_EQ(text_of(none), "0, 0.0, NULL\n");
    EXPECT_EQ(none.errors[0][0].low, 0);
    EXPECT_EQ(none.errors[0][0].high, 0);
    EXPECT_EQ(none.release, "");
    EXPECT_EQ(text_of(ask("SELECT city, COUNT(*) AS n FROM visits WHERE score > 2 AND 1 = 0 GROUP BY city LIMIT 2")),
              "'Ayr', 0\n'Bonn', 0\n");
    EXPECT_EQ(text_of(ask("SELECT COUNT(*) FROM (SELECT person FROM visits WHERE NULL = 1) t")), "0\n");
    for (const char* text : {"SELECT town, COUNT(*) FROM visits WHERE FALSE GROUP BY town",
                             "SELECT city, COUNT(*) FROM visits GROUP BY city HAVING FALSE",
                             "SELECT city, COUNT(*) FROM visits GROUP BY city HAVING COUNT(*) > 3 AND 2 < 1",
                             "SELECT COUNT(*) FROM visits HAVING 1 = 2"}) {
      EXPECT_TRUE(ask(text).rows.empty()) << text;
    }
    EXPECT_FALSE(session.has_ledger());
    EXPECT_EQ(place.engine->runs, 0);
    place.engine->at_prepare = place.engine->at_fingerprint = nullptr;
    EXPECT_EQ(
        query(session, "SELECT COUNT(*) FROM visits WHERE score > 2 OR 1 = 0", epsilon("1"), by_ada()).rows.size(), 1U);
    EXPECT_EQ(place.spent(), "1");
  }
}

// Programs ask so for the names and types of columns.
TEST(Query, LimitZeroPaysForNothing) {
  for (const char* relation : {"add-remove", "replace-one"}) {
    const Place place(relation);
    session::Session session = place.open();
    place.engine->at_prepare = place.engine->at_fingerprint = [] { FAIL() << "the engine was asked"; };
    for (const char* text : {"SELECT city, COUNT(*) AS n, AVG(score) AS s FROM visits GROUP BY city LIMIT 0",
                             "SELECT town AS city, COUNT(*) AS n, AVG(score) AS s FROM visits GROUP BY town LIMIT 0",
                             "SELECT * FROM (SELECT DISTINCT city, COUNT(*) AS n, SUM(score) * 1.5 AS s FROM visits "
                             "GROUP BY city LIMIT 0) x WHERE n > 5 ORDER BY n LIMIT 7"}) {
      const Answer answer = query(session, text, epsilon("0.5", "1e-9"), by_ada());
      EXPECT_EQ(answer.names, (std::vector<std::string>{"city", "n", "s"}));
      EXPECT_EQ(answer.types[0], plan::Type::text);
      EXPECT_TRUE(answer.rows.empty());
      EXPECT_EQ(answer.release, "");
    }
    EXPECT_FALSE(session.has_ledger());
    EXPECT_EQ(place.engine->runs, 0);
    place.engine->at_prepare = place.engine->at_fingerprint = nullptr;
    EXPECT_EQ(query(session, "SELECT COUNT(*) FROM visits LIMIT 1", epsilon("1"), by_ada()).rows.size(), 1U);
    EXPECT_EQ(place.spent(), "1");
  }
}

TEST(Query, AnotherAnalystPaysForWhatWasAnswered) {
  const Place place;
  session::Session session = place.open();
  query(session, kByCity, epsilon("0.5"), by_ada());
  session::Ask alice = by_ada();
  alice.analyst = "alice";
  const Answer shared = query(session, kByCity, epsilon("0.5"), alice);
  EXPECT_TRUE(shared.stored);
  EXPECT_EQ(place.spent("main/alice"), "0.5");
  EXPECT_EQ(place.spent(), "0.5");
  EXPECT_EQ(shared.payers.front().path, "main/alice");
  EXPECT_EQ(shared.payers.front().spent.losses.at(0).str(), "0.5");
}

// The split of a price shows in the noise: what has other noise is another question, though it costs the same.
TEST(Query, OtherNoiseIsAnotherQuestion) {
  const Place place;
  session::Session session = place.open();
  const char* text = "SELECT COUNT(*), AVG(score) FROM visits";
  Wanted wanted = epsilon("0.5");
  const Answer plain = query(session, text, wanted, by_ada());
  wanted.expect = 1000;  // weighs the parts otherwise
  EXPECT_NE(query(session, text, wanted, by_ada()).release, plain.release);
  EXPECT_EQ(place.spent(), "1");
}

// What is computed from one noisy column has the image of its interval, whatever the function; from several, none.
// Spec: W-38, F-23
TEST(Query, ExpressionsHaveTheImagesOfIntervals) {
  const Place place;
  session::Session session = place.open();
  const Answer answer =
      query(session,
            "SELECT city, COUNT(*), 10 * COUNT(*) + length(city), ABS(COUNT(*)), COUNT(*) + SUM(score), "
            "CASE WHEN SUM(score) > 0 THEN 'a' END, 5, AVG(score) / 0 FROM visits GROUP BY city",
            epsilon("5"), by_ada());
  for (std::size_t row = 0; row < answer.rows.size(); ++row) {
    const auto& errors = answer.errors[row];
    const auto letters = static_cast<double>(std::get<std::string>(answer.rows[row][0]).size());
    EXPECT_FALSE(errors[0].low);
    ASSERT_TRUE(errors[1].low && errors[1].high && errors[1].standard_error);
    EXPECT_EQ(errors[2].low, 10 * *errors[1].low + letters);
    EXPECT_EQ(errors[2].high, 10 * *errors[1].high + letters);
    ASSERT_TRUE(errors[2].standard_error);
    EXPECT_NEAR(*errors[2].standard_error, 10 * *errors[1].standard_error, 1e-12);
    EXPECT_EQ(errors[3].standard_error, errors[1].standard_error);  // no straight line, but no steeper either
    // The noise may well carry the whole interval below zero.
    EXPECT_EQ(errors[3].low, std::max({0.0, *errors[1].low, -*errors[1].high}));
    EXPECT_EQ(errors[3].high, std::max(-*errors[1].low, *errors[1].high));
    for (std::size_t at = 4; at < 8; ++at) EXPECT_FALSE(errors[at].low) << at;
  }
  const Answer once = query(session, "SELECT DISTINCT COUNT(*) FROM visits", epsilon("5"), by_ada());
  EXPECT_FALSE(once.errors[0][0].low);
}

// A data set whose version was declared with a source answers nothing new to whoever has another one.
TEST(Query, AChangedSourceIsRefused) {
  for (const bool changed : {false, true}) {
    const Place place;
    session::Session session = place.open();
    const Answer first = query(session, kByCity, epsilon("1"), by_ada());
    place.ledger().declare_version("main", "2", changed ? "another" : place.engine->fingerprint({"visits", "logs"}),
                                   false, {"Ada", "new data", ""});
    place.set_version("2");
    session::Session next = place.open();
    const auto ask = [&] { query(next, kByCity, epsilon("1"), by_ada()); };
    EXPECT_EQ(refusal(ask), changed ? std::optional(Code::bad_source) : std::nullopt);
    EXPECT_EQ(place.spent(), changed ? "1" : "2");  // of another version it is another question
  }
}

// A session that was open when a version was declared has the data of the earlier one: the budget of the new is not for it.
TEST(Query, ASessionOfAnEarlierVersionAsksNoMore) {
  for (const bool fresh : {false, true}) {
    Place place;
    place.rest = place.rest.substr(0, place.rest.find("\nbudgets:")) + "\nbudgets: {main: {epsilon: 100}}\n";  // pure
    place.set_version("1");
    session::Session session = place.open();
    query(session, kByCity, epsilon("1"), by_ada());
    place.ledger().declare_version("main", "2", "", fresh, {"Ada", "another cohort: no person recurs", "protocol 7"});
    for (const char* sql : {kByCity, "SELECT COUNT(*) FROM visits"}) {
      EXPECT_EQ(refusal([&] { query(session, sql, epsilon("1"), by_ada()); }), Code::budget_differs) << sql;
    }
    EXPECT_EQ(place.spent(), fresh ? "0" : "1");
    place.set_version("2");
    session::Session next = place.open();
    EXPECT_TRUE(query(next, kByCity, epsilon("1"), by_ada()).charged);
    EXPECT_EQ(place.spent(), fresh ? "1" : "2");
  }
}

TEST(Query, TheRecordSaysWhatWasAsked) {
  const Place place;
  session::Session session = place.open();
  const std::string text = "SELECT city,\n\tAVG(score), COUNT(*)\nFROM visits GROUP BY city -- \u0007";
  const Answer answer = query(session, text, epsilon("0.5"), by_ada());
  const ledger::Release release = place.ledger().release(answer.release);
  EXPECT_EQ(release.title, "SELECT city, AVG(score), COUNT(*) FROM visits GROUP BY city -- \\x07");
  EXPECT_EQ(release.statistic, "count+mean");
  EXPECT_EQ(release.by, "Ada");
  EXPECT_EQ(release.budget, "main");
}

// Spec: W-36
TEST(Query, IntervalsAtOtherLevelsAreNested) {
  const Place place;
  session::Session session = place.open();
  for (const char* text :
       {kByCity, "SELECT 10 * COUNT(*) AS n, city, AVG(score) FROM visits GROUP BY city ORDER BY 2 DESC",
        "SELECT DISTINCT COUNT(*) FROM visits GROUP BY city"}) {
    const Answer answer = query(session, text, epsilon("0.5"), by_ada());
    const auto usual = errors_at(*answer.basis, 0.95), wide = errors_at(*answer.basis, 0.999);
    ASSERT_EQ(usual.size(), answer.rows.size());
    for (std::size_t row = 0; row < usual.size(); ++row) {
      for (std::size_t at = 0; at < usual[row].size(); ++at) {
        EXPECT_EQ(usual[row][at].low, answer.errors[row][at].low) << text;
        EXPECT_EQ(usual[row][at].high, answer.errors[row][at].high) << text;
        EXPECT_EQ(wide[row][at].low.has_value(), usual[row][at].low.has_value());
        if (!usual[row][at].low) continue;
        EXPECT_LE(*wide[row][at].low, *usual[row][at].low);
        EXPECT_GE(*wide[row][at].high, *usual[row][at].high);
      }
    }
  }
  const Answer count = query(session, "SELECT COUNT(*) FROM logs", epsilon("1"), by_ada());
  EXPECT_EQ(*errors_at(*count.basis, 0.5)[0][0].high - *errors_at(*count.basis, 0.5)[0][0].low,
            2);  // P(|K| <= 1) = 0.80
  for (const double level : {0.0, 1.0, 95.0}) {
    EXPECT_EQ(refusal([&] { errors_at(*count.basis, level); }), Code::bad_probability);
  }
}

}  // namespace
}  // namespace dither::sql
