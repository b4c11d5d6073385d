// What bounds leave out of a number is said where the number is read.
#include "sql/detail/cut_by.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "sql/query_check.h"
#include "testing/choices.h"

namespace dither::sql {
namespace {

using check::epsilon;
using Cuts = std::vector<std::vector<std::string>>;

std::string project_text(const std::string& bounds, const std::string& more = "") {
  return "version: 1\ndata_version: \"1\"\nprivacy: {unit: person, neighbours: add-remove}\ntables:\n"
         "  visits:\n    source: visits.csv\n    unit: person\n    bounds: {" +
         bounds +
         "}\n    columns:\n      person: {type: integer}\n"
         "      city: {type: text, keys: [Ayr, Bonn, Cork], outside: other}\n" +
         more +
         "  logs:\n    source: logs.csv\n    unit: row\n    columns:\n      kind: {type: text, keys: [a, b], outside: "
         "other}\n"
         "      size: {type: integer, bounds: [0, 4], outside: clamp}\n"
         "budgets: {main: {epsilon: 1000000, delta: 1e-3}}\n";
}

constexpr const char* kBounds = "rows_per_unit: 4, keys_per_unit: 2, rows_per_key: 3";
constexpr const char* kCost =
    "      cost: {type: integer, bounds: [0, 50], outside: clamp}\n"
    "      day: {type: date, bounds: [\"2024-01-01\", \"2024-12-31\"], outside: null}\n";

session::PricedPlan plan_of(const std::string& project, const std::string& statement) {
  const plan::Project parsed = plan::parse_project(project, "test.yaml");
  return privatize(parsed, sql::bind(parsed, statement), epsilon("1", "1e-6"));
}

bool says(const session::PricedPlan& plan, const std::string& what) {
  return std::any_of(plan.notes.begin(), plan.notes.end(),
                     [&](const std::string& note) { return note.find(what) == 0; });
}

TEST(CutBy, KeysThatAreDroppedAreNamedWithTheirBound) {
  const auto plan =
      plan_of(project_text(kBounds, kCost), "SELECT city, COUNT(DISTINCT person) FROM visits GROUP BY city");
  EXPECT_EQ(plan.cut_by, (Cuts{{"visits.keys_per_unit = 2: keys dropped"}}));
  EXPECT_TRUE(says(plan, "visits.keys_per_unit = 2: a person with rows in more keys counts in 2 of them"));
  EXPECT_TRUE(says(plan, "an interval after cuts is for what these bounds leave"));
}

TEST(CutBy, RowsThatAreCutAreNamedWithTheirBound) {
  const auto all = plan_of(project_text(kBounds, kCost), "SELECT COUNT(*) FROM visits");
  EXPECT_EQ(all.cut_by, (Cuts{{"visits.rows_per_unit = 4: rows cut"}}));
  EXPECT_TRUE(says(all, "visits.rows_per_unit = 4: of the rows of a person at most 4 count"));
  const auto by_key = plan_of(project_text(kBounds, kCost), "SELECT city, COUNT(*) FROM visits GROUP BY city");
  EXPECT_EQ(by_key.cut_by, (Cuts{{"visits.keys_per_unit = 2: keys dropped", "visits.rows_per_key = 3: rows cut",
                                  "visits.rows_per_unit = 4: rows cut"}}));
  EXPECT_TRUE(says(by_key, "visits.rows_per_key = 3: of the rows of a person in a key at most 3 count"));
  EXPECT_TRUE(says(by_key, "visits.rows_per_unit = 4: of the rows of a person in all keys together at most 4 count"));
}

TEST(CutBy, ValuesThatAreClampedOrBecomeNullAreNamedWithTheirColumn) {
  const auto plan = plan_of(project_text(kBounds, kCost),
                            "SELECT SUM(cost), COUNT(*) FILTER (WHERE day > DATE '2024-02-01') FROM visits");
  const std::string rows = "visits.rows_per_unit = 4: rows cut";
  EXPECT_EQ(plan.cut_by, (Cuts{{rows, "visits.cost bounds [0, 50]: values clamped"},
                               {rows, "visits.day bounds [2024-01-01, 2024-12-31]: values become NULL"}}));
  EXPECT_TRUE(says(plan, "visits.cost bounds [0, 50]: values outside are clamped"));
  EXPECT_TRUE(says(plan, "visits.day bounds [2024-01-01, 2024-12-31]: values outside become NULL"));
  EXPECT_TRUE(says(plan, "SUM and COUNT cut heavy units each by itself") ||
              says(plan, "visits.rows_per_unit = 4: of the rows"));
}

// Conditions, keys and DISTINCT read columns too, however deep.
TEST(CutBy, BoundsBehindConditionsAndKeysAreFollowedDown) {
  const std::string twice = "(SELECT person, cost c FROM visits UNION ALL SELECT person, cost FROM visits) t";
  for (const std::string& statement :
       {std::string("SELECT COUNT(*) FROM visits WHERE cost < 5"),
        std::string("SELECT COUNT(*) FROM (SELECT person, cost + 1 AS c FROM visits) t WHERE c < 5"),
        std::string("SELECT COUNT(*) FROM (SELECT DISTINCT person, cost FROM visits) t"),
        "SELECT COUNT(*) FROM " + twice + " WHERE c < 5",
        std::string("SELECT cost, COUNT(*) FROM visits GROUP BY cost")}) {
    const auto plan = plan_of(project_text(kBounds, kCost), statement);
    const auto& cuts = plan.cut_by.at(0);
    EXPECT_NE(std::find(cuts.begin(), cuts.end(), "visits.cost bounds [0, 50]: values clamped"), cuts.end())
        << statement;
  }
}

// A public table is looked at through its own ORDER BY and LIMIT.
TEST(CutBy, BoundsOfPublicTablesAreNamed) {
  std::string text = project_text(kBounds, kCost);
  text.insert(text.find("budgets:"),
              "  offers:\n    source: offers.csv\n    public: true\n    unique: [city]\n    columns:\n      city: "
              "{type: text}\n"
              "      price: {type: integer, bounds: [0, 7], outside: clamp}\n");
  const auto plan = plan_of(
      text,
      "SELECT SUM(price) FROM visits JOIN (SELECT * FROM offers ORDER BY price LIMIT 5) o ON visits.city = o.city");
  const auto& cuts = plan.cut_by.at(0);
  EXPECT_NE(std::find(cuts.begin(), cuts.end(), "offers.price bounds [0, 7]: values clamped"), cuts.end());
}

TEST(CutBy, NothingIsSaidWhereNothingCanBeCut) {
  const std::string wide = project_text("rows_per_unit: 9, keys_per_unit: 4", kCost);
  for (const auto& [project, statement] : std::vector<std::pair<std::string, std::string>>{
           {project_text(kBounds, kCost), "SELECT COUNT(DISTINCT person) FROM visits"},
           {project_text(kBounds, kCost), "SELECT COUNT(*) FROM logs"},
           {project_text(kBounds, kCost), "SELECT kind, COUNT(*) FROM logs GROUP BY kind"},
           {wide, "SELECT city, COUNT(DISTINCT person) FROM visits GROUP BY city"},  // four public keys, all kept
           {wide, "SELECT SUM(0) FROM visits"},
           {wide, "SELECT COUNT(*) FROM visits LIMIT 0"}}) {
    const auto plan = plan_of(project, statement);
    for (const auto& column : plan.cut_by) EXPECT_TRUE(column.empty()) << statement << ": " << column.front();
    EXPECT_FALSE(says(plan, "an interval after cuts")) << statement;
    for (const std::string& note : plan.notes) {
      EXPECT_EQ(note.find("_per_"), std::string::npos) << statement << ": " << note;
      EXPECT_EQ(note.find("clamped"), std::string::npos) << statement << ": " << note;
    }
  }
  EXPECT_EQ(plan_of(wide, "SELECT SUM(size) FROM logs").cut_by, (Cuts{{"logs.size bounds [0, 4]: values clamped"}}));
}

TEST(CutBy, ColumnsOfAnAnswerAreMarkedThroughExpressions) {
  const check::Place place;
  session::Session session = place.open();
  const session::Answer answer = query(
      session, "SELECT city, COUNT(DISTINCT person) + 1 AS u, COUNT(*) * 2 AS n, 7 AS c FROM visits GROUP BY city",
      epsilon("1"), check::by_ada());
  ASSERT_EQ(answer.cut_by.size(), 4U);
  EXPECT_TRUE(answer.cut_by[0].empty());
  EXPECT_EQ(answer.cut_by[1], (std::vector<std::string>{"visits.keys_per_unit = 2: keys dropped"}));
  EXPECT_GT(answer.cut_by[2].size(), 1U);
  EXPECT_TRUE(answer.cut_by[3].empty());
}

// Search. Where no bound is named, the exact number of random rows is that without any bound; and every kind of cut that is named
// does change a number: left out of cut_by(), it would be found here.
using Exact = testing::ExactNumbers;

Exact exact_of(const std::string& text, const std::string& statement, const testing::PlanDatabase& rows) {
  const plan::Project project = plan::parse_project(text, "test.yaml");
  return testing::reference_exact(project, rows,
                                  privatize(project, sql::bind(project, statement), epsilon("1", "1e-6")).exact);
}

testing::PlanDatabase random_rows(testing::Choices& choices) {
  testing::PlanDatabase rows;
  const std::vector<std::string> cities = {"Ayr", "Bonn", "Cork", "elsewhere"};
  for (std::uint64_t i = 0, count = 1 + choices.below(30); i < count; ++i) {
    const auto cost = static_cast<std::int64_t>(choices.below(60)) - 5;
    const Cell day = static_cast<std::int64_t>(19'600 + choices.below(600));
    rows["visits"].push_back({static_cast<std::int64_t>(choices.below(6)), choices.one_of(cities), cost, day});
  }
  for (std::uint64_t i = 0; i < choices.below(9); ++i) {
    rows["logs"].push_back(
        {std::string(choices.below(2) == 0 ? "a" : "b"), static_cast<std::int64_t>(choices.below(7))});
  }
  return rows;
}

// Wide enough for all that random_rows() makes.
constexpr const char* kNoBounds = "rows_per_unit: 40, keys_per_unit: 4, rows_per_key: 40";
const std::string kNoRange =
    "      cost: {type: integer, bounds: [-1000, 1000], outside: clamp}\n"
    "      day: {type: date, bounds: [\"1990-01-01\", \"2100-01-01\"], outside: null}\n";

TEST(CutBy, WhereNoBoundIsNamedNumbersAreThoseOfAllRows) {
  const std::vector<std::string> statements = {"SELECT COUNT(*) FROM visits",
                                               "SELECT COUNT(DISTINCT person) FROM visits",
                                               "SELECT city, COUNT(*) FROM visits GROUP BY city",
                                               "SELECT city, COUNT(DISTINCT person) FROM visits GROUP BY city",
                                               "SELECT COUNT(*) FROM visits WHERE cost < 5",
                                               "SELECT COUNT(DISTINCT person) FROM visits WHERE cost = 50",
                                               "SELECT COUNT(DISTINCT person) FROM visits WHERE city = 'Ayr'",
                                               "SELECT COUNT(day) FROM visits",
                                               "SELECT SUM(cost) FROM visits",
                                               "SELECT COUNT(*) FROM (SELECT DISTINCT person, city FROM visits) t",
                                               "SELECT COUNT(*) FROM (SELECT DISTINCT person, cost FROM visits) t"};
  const std::vector<std::string> bounds = {"rows_per_unit: 2",
                                           "rows_per_unit: 40",
                                           "rows_per_unit: 3, keys_per_unit: 1",
                                           "rows_per_unit: 40, keys_per_unit: 3",
                                           "rows_per_unit: 40, keys_per_unit: 4, rows_per_key: 40",
                                           "rows_per_unit: 40, keys_per_unit: 4, rows_per_key: 1"};
  testing::Choices choices(std::uint64_t{29});
  std::map<std::string, int> changed;  // by what was said
  int unmarked = 0;
  for (int round = 0; round < 600; ++round) {
    const std::string statement = choices.one_of(statements);
    const std::string tight = project_text(choices.one_of(bounds), kCost);
    const testing::PlanDatabase rows = random_rows(choices);
    const session::PricedPlan plan = plan_of(tight, statement);
    ASSERT_EQ(plan.cut_by.size(), 1U);
    const bool same = exact_of(tight, statement, rows) == exact_of(project_text(kNoBounds, kNoRange), statement, rows);
    if (plan.cut_by[0].empty()) {
      ++unmarked;
      EXPECT_TRUE(same) << statement << "\n" << tight;
    } else if (!same && plan.cut_by[0].size() == 1) {
      ++changed[plan.cut_by[0][0].substr(plan.cut_by[0][0].find(": "))];
    }
  }
  EXPECT_GT(unmarked, 20);
  for (const char* cut : {": keys dropped", ": rows cut", ": values clamped"}) EXPECT_GT(changed[cut], 0) << cut;
}

}  // namespace
}  // namespace dither::sql
