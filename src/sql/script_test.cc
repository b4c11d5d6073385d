#include <gtest/gtest.h>

#include "sql/query.h"
#include "sql/query_check.h"
#include "testing/refusal.h"

namespace dither::sql {
namespace {

using check::by_ada;
using check::epsilon;
using check::Place;
using testing::refusal;

std::vector<std::string> texts(const std::string& script) {
  std::vector<std::string> all;
  for (const ScriptStatement& one : statements(script)) all.push_back(fmt::format("{} {}", one.line, one.text));
  return all;
}

TEST(Script, IsSplitAtSemicolonsThatArePartOfNothing) {
  using List = std::vector<std::string>;
  EXPECT_EQ(texts(""), List{});
  EXPECT_EQ(texts(";; -- only this; here\n ; /* and ; this */"), List{});
  EXPECT_EQ(texts("SELECT 1"), List{"1 SELECT 1"});
  EXPECT_EQ(texts("-- first\nSELECT ';' ;\n\n SELECT \";\" FROM t;"), (List{"2 SELECT ';'", "4 SELECT \";\" FROM t"}));
  EXPECT_EQ(texts("SELECT $$;$$; SELECT /* ; */\n2;SELECT 3"),
            (List{"1 SELECT $$;$$", "1 SELECT /* ; */\n2", "2 SELECT 3"}));
  EXPECT_EQ(refusal([] { statements("SELECT 'open; SELECT 2"); }), Code::bad_sql);
  EXPECT_EQ(refusal([] { statements(std::string(kMostBytes + 1, ' ')); }), Code::too_long);
}

// Spec: W-20
TEST(Script, IsReservedAsAWholeOrNotAtAll) {
  const Place place;
  session::Session session = place.open();
  session::Ask poor = by_ada();
  poor.analyst = "poor";
  const std::string text = "SELECT COUNT(*) FROM visits;\nSELECT city, COUNT(*) FROM visits GROUP BY city;";
  try {
    script(session, text, epsilon("0.6"), poor);
    FAIL();
  } catch (const Error& error) {  // what the statements before would leave, and what is left
    EXPECT_EQ(error.code(), Code::over_budget);
    EXPECT_NE(std::string(error.what()).find("after those before it, the charge of epsilon 0.6"), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("\"main/poor\": epsilon 0.4"), std::string::npos) << error.what();
    EXPECT_EQ(error.hint().rfind("left now: epsilon 1, delta 0 of \"main/poor\"; epsilon 1000000,", 0), 0U)
        << error.hint();
  }
  EXPECT_EQ(place.spent(), "0");
  EXPECT_EQ(place.engine->runs, 0);
  const auto answers = script(session, text, epsilon("0.5"), poor);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[0].rows.size(), 1U);
  EXPECT_EQ(answers[1].rows.size(), 5U);
  EXPECT_EQ(place.spent("main/poor"), "1");
  for (const session::Answer& answer : answers) EXPECT_EQ(answer.payers.front().spent.losses.at(0).str(), "1");
}

TEST(Script, IsPricedAsAWholeFirst) {
  const Place place;
  session::Session session = place.open();
  try {
    script(session, "SELECT COUNT(*) FROM visits;\n\nSELECT COUNT(*) FROM visitors;", epsilon("1"), by_ada());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::unknown_table);
    EXPECT_EQ(std::string(error.what()).rfind("3:22", 0), 0U) << error.what();
  }
  EXPECT_FALSE(session.has_ledger());
  for (const char* nothing : {"", " -- nothing", ";;"}) {
    EXPECT_EQ(refusal([&] { script(session, nothing, epsilon("1"), by_ada()); }), Code::not_a_query) << nothing;
  }
}

// Also where a fresh draw is wanted; and each answer says what was charged for it.
// Spec: D-62
TEST(Script, EqualQuestionsAreAskedOnce) {
  const Place place;
  session::Session session = place.open();
  session::Ask again = by_ada();
  again.again = true;
  const std::string text =
      "SELECT city, COUNT(*) FROM visits GROUP BY city;"
      "SELECT COUNT(*) AS n, city FROM visits GROUP BY city;";
  for (const session::Ask& ask : {by_ada(), again}) {
    const auto answers = script(session, text, epsilon("0.5"), ask);
    EXPECT_EQ(answers[0].release, answers[1].release);
    EXPECT_EQ(answers[0].rows[0][1], answers[1].rows[0][0]);
    EXPECT_EQ(place.spent(), ask.again ? "1" : "0.5");
    EXPECT_FALSE(answers[0].stored);
    EXPECT_TRUE(answers[1].stored);
  }
}

// What was not begun when something fails is given back; what was drawn is stored.
TEST(Script, WhatWasNotBegunIsGivenBack) {
  const Place place;
  session::Session session = place.open();
  place.engine->at_run = [&](const engine::Watch&) {
    if (place.engine->runs == 2) throw std::bad_alloc();
  };
  const std::string text =
      "SELECT COUNT(*) FROM visits; SELECT SUM(score) FROM visits; SELECT COUNT(*) FROM visits WHERE score > 2";
  EXPECT_EQ(refusal([&] { script(session, text, epsilon("1"), by_ada()); }), Code::run_failed);
  EXPECT_EQ(place.spent(), "2");
  EXPECT_TRUE(query(session, "SELECT COUNT(*) FROM visits", epsilon("1"), by_ada()).stored);
}

}  // namespace
}  // namespace dither::sql
