// Means and variances of people with more rows than count, and of groups that may be empty.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "session/estimate.h"
#include "sql/query_check.h"
#include "testing/choices.h"
#include "testing/refusal.h"

namespace dither::sql {
namespace {

using check::by_ada;
using check::epsilon;
using session::Answer;

// Costs fill a twentieth of their bounds, far from the middle, and most people have more rows than three.
constexpr const char* kSkewed = R"(
tables:
  visits:
    source: visits.csv
    unit: person
    bounds: {rows_per_unit: 3, keys_per_unit: 2, rows_per_key: 3}
    columns:
      person: {type: integer}
      city: {type: text, keys: [Ayr, Bonn, Cork], outside: other}
      cost: {type: integer, bounds: [0, 10000], outside: clamp}
)";

// 4,000 people with 1 to 20 rows each, cost uniform on 500 to 1,000; each in one city, nobody in Cork.
testing::PlanDatabase skewed() {
  testing::PlanDatabase database;
  testing::Choices choices(std::uint64_t{7});
  for (std::int64_t person = 0; person < 4000; ++person) {
    for (std::int64_t row = 0; row <= person % 20; ++row) {
      database["visits"].push_back(
          {person, std::string(person % 3 == 0 ? "Ayr" : "Bonn"), 500 + static_cast<std::int64_t>(choices.below(501))});
    }
  }
  return database;
}

// Mean and deviation of the rows, where each of a person's n rows weighs min(n, 3) / n.
struct Weighted {
  double rows = 0, sum = 0, squares = 0;
  double mean() const { return sum / rows; }
  double deviation() const { return std::sqrt(squares / rows - mean() * mean()); }
};
Weighted weighted(const testing::PlanDatabase& database, const std::string& city) {
  std::map<std::int64_t, Weighted> people;
  for (const testing::PlanRow& row : database.at("visits")) {
    if (!city.empty() && std::get<std::string>(row[1]) != city) continue;
    const auto cost = static_cast<double>(std::get<std::int64_t>(row[2]));
    Weighted& person = people[std::get<std::int64_t>(row[0])];
    person.rows += 1;
    person.sum += cost;
    person.squares += cost * cost;
  }
  Weighted all;
  for (const auto& [id, person] : people) {
    const double weight = std::min(person.rows, 3.0) / person.rows;
    all.rows += weight * person.rows;
    all.sum += weight * person.sum;
    all.squares += weight * person.squares;
  }
  return all;
}

double real(const Cell& cell) { return std::get<double>(cell); }

// At epsilon 3000 the noise of these means and deviations is above 2 with a chance below 1e-11; that an interval holds its number is
// 95% likely, that ten of them side by side do not, less likely than 1e-12.
void expect_near(const Answer& answer, std::size_t row, std::size_t column, double exact) {
  EXPECT_NEAR(real(answer.rows[row][column]), exact, 2);
  const session::ValueError& error = answer.errors[row][column];
  ASSERT_TRUE(error.low.has_value() && error.high.has_value());
  const double half = (*error.high - *error.low) / 2;
  EXPECT_LT(half, 3);
  EXPECT_LE(*error.low - 19 * half, exact);
  EXPECT_GE(*error.high + 19 * half, exact);
}

// A person's sum from the middle of the bounds was clamped while the count was cut: AVG answered 385, STDDEV 0.
TEST(QueryMeans, HeavyUnitsKeepTheMean) {
  const check::Place place("add-remove", skewed(), "", kSkewed);
  session::Session session = place.open();
  const Answer answer = query(session, "SELECT AVG(cost), STDDEV_POP(cost) FROM visits", epsilon("3000"), by_ada());
  const Weighted all = weighted(place.database, "");
  ASSERT_NEAR(all.mean(), 750, 5);
  ASSERT_NEAR(all.deviation(), 144.5, 5);
  expect_near(answer, 0, 0, all.mean());
  expect_near(answer, 0, 1, all.deviation());
}

TEST(QueryMeans, HeavyUnitsKeepTheMeanOfEachKey) {
  const check::Place place("replace-one", skewed(), "", kSkewed);
  session::Session session = place.open();
  const Answer answer =
      query(session, "SELECT city, AVG(cost), STDDEV_POP(cost) FROM visits GROUP BY city", epsilon("3000"), by_ada());
  ASSERT_EQ(answer.rows.size(), 4U);
  for (const std::size_t row : {std::size_t{0}, std::size_t{1}}) {
    const Weighted city = weighted(place.database, std::get<std::string>(answer.rows[row][0]));
    expect_near(answer, row, 1, city.mean());
    expect_near(answer, row, 2, city.deviation());
  }
}

// The sum stays what the nearest admissible totals add up to, and says so.
TEST(QueryMeans, SumsAreClampedAndMeansAreScaled) {
  const check::Place place("add-remove", skewed(), "", kSkewed);
  const plan::Project project = plan::read_project(place.path());
  const session::PricedPlan plan =
      privatize(project, sql::bind(project, "SELECT SUM(cost), AVG(cost) FROM visits"), epsilon("1"));
  ASSERT_EQ(plan.exact.measures.size(), 3U);
  int scaled = 0;
  for (const plan::Measure& measure : plan.exact.measures) {
    if (measure.kind != plan::MeasureKind::sum) continue;
    EXPECT_EQ(measure.cut, measure.centred ? plan::Cut::scale : plan::Cut::clamp);
    EXPECT_EQ(measure.finer > 0, measure.centred);
    scaled += measure.centred ? 1 : 0;
  }
  EXPECT_EQ(scaled, 1);
  const auto says = [&](const std::string& what, const auto& all, const auto& text) {
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const auto& one) {
      return text(one).find(what) != std::string::npos;
    })) << what;
  };
  const auto step = [](const session::StabilityStep& one) { return one.step; };
  says("scaled to that", plan.chain, step);
  says("clamped to that", plan.chain, step);
  const auto text = [](const std::string& note) { return note; };
  says("each row weighs less", plan.notes, text);
  const auto ratio = privatize(project, sql::bind(project, "SELECT SUM(cost) / COUNT(*) FROM visits"), epsilon("1"));
  says("a mean is AVG(x)", ratio.notes, text);
}

// Where a row is a unit nothing is cut, and numbers stay on the declared grid.
TEST(QueryMeans, RowsThatAreUnitsAreNotScaled) {
  const check::Place place;
  const plan::Project project = plan::read_project(place.path());
  const session::PricedPlan plan = privatize(project, sql::bind(project, "SELECT AVG(size) FROM logs"), epsilon("1"));
  for (const plan::Measure& measure : plan.exact.measures) {
    EXPECT_EQ(measure.cut, plan::Cut::clamp);
    EXPECT_EQ(measure.finer, 0U);
  }
}

// Sensitivities in the unit of the answer are what they are without a finer grid.
// Spec: W-08
TEST(QueryMeans, AFinerGridMovesNoFurther) {
  const check::Place place("add-remove", skewed(), "", kSkewed);
  const plan::Project project = plan::read_project(place.path());
  const session::PricedPlan plan =
      privatize(project, sql::bind(project, "SELECT VAR_POP(cost) FROM visits"), epsilon("1"));
  for (const session::Part& part : plan.parts) {
    const plan::MeasureKind kind = plan.exact.measures[part.measure].kind;
    const Rational expected = kind == plan::MeasureKind::rows  ? Rational(3)
                              : kind == plan::MeasureKind::sum ? Rational(3 * 5000)
                                                               : Rational(3L * 5000 * 5000 / 2);
    EXPECT_EQ(part.distance.l1 * part.unit, expected);
  }
}

// What is said of numbers that were released, one key.
session::Estimated estimated_of(const std::string& select, const Wanted& price, std::vector<Int128> parts) {
  const check::Place place("add-remove", skewed(), "", kSkewed);
  const plan::Project project = plan::read_project(place.path());
  const session::PricedPlan plan = privatize(project, sql::bind(project, select + " FROM visits"), price);
  session::Released released{{{}}, {}};
  for (const Int128 part : parts) released.parts.push_back({part});
  return session::estimated(plan, released);
}

// "400.0, 0 to 400" of a group that nobody is in. By the released count alone: where its interval begins below 1.
// Spec: F-23
TEST(QueryMeans, AGroupThatMayBeEmptyHasNoMean) {
  const Wanted price = epsilon("2");  // the count's noise has scale 3: 95% within 9
  for (const auto& [count, shown] :
       {std::pair<Int128, bool>{-3, false}, {0, false}, {9, false}, {10, true}, {30, true}}) {
    const session::Estimated mean = estimated_of("SELECT AVG(cost)", price, {count, -count * 10'000 * 2});
    EXPECT_EQ(std::holds_alternative<double>(mean.rows[0][0]), shown) << static_cast<long>(count);
    EXPECT_EQ(mean.errors[0][0].low.has_value(), shown);
    EXPECT_EQ(mean.too_few, shown ? 0U : 1U);
  }
}
// A sum that is large against its noise does not make a group.
TEST(QueryMeans, PlantedGroupByItsSumIsCaught) {
  const session::Estimated mean = estimated_of("SELECT AVG(cost)", epsilon("2"), {2, Int128{1} << 40});
  EXPECT_TRUE(std::holds_alternative<std::monostate>(mean.rows[0][0]));
}

TEST(QueryMeans, AnAnswerSaysWhyAMeanIsMissing) {
  const check::Place place("add-remove", skewed(), "", kSkewed);
  session::Session session = place.open();
  const auto says = [&](const std::string& select) {
    const Answer answer = query(session, select, epsilon("1000"), by_ada());
    const auto why = [](const std::string& note) {
      return note.find("is NULL where the group may") != std::string::npos;
    };
    return std::any_of(answer.notes.begin(), answer.notes.end(), why);
  };
  EXPECT_TRUE(says("SELECT city, AVG(cost) FROM visits GROUP BY city"));  // nobody is in Cork
  EXPECT_FALSE(says("SELECT AVG(cost) FROM visits"));
}

// One column more: people with more than three rows. 17 of 20 have; the noise at epsilon 300 is above 3 with probability e^-25.
// Spec: W-08
TEST(QueryMeans, CutUnitsAreAColumnMore) {
  const check::Place place("add-remove", skewed(), "", kSkewed);
  session::Session session = place.open();
  Wanted wanted = epsilon("300");
  wanted.cut_units = true;
  const Answer all =
      query(session, "SELECT AVG(cost) * 2 AS twice FROM visits WHERE cost >= 0 ORDER BY 1", wanted, by_ada());
  EXPECT_EQ(all.names, (std::vector<std::string>{"twice", "cut_units"}));
  EXPECT_NEAR(static_cast<double>(std::get<std::int64_t>(all.rows[0][1])), 3400, 3);
  EXPECT_TRUE(all.errors[0][1].low.has_value());
  const Answer by_city =
      query(session, "SELECT city, COUNT(*) FROM visits GROUP BY city HAVING COUNT(*) > 100 LIMIT 3", wanted, by_ada());
  EXPECT_EQ(by_city.names.back(), "cut_units");
  ASSERT_EQ(by_city.rows.size(), 2U);
  EXPECT_NEAR(
      static_cast<double>(std::get<std::int64_t>(by_city.rows[0][2]) + std::get<std::int64_t>(by_city.rows[1][2])),
      3400, 10);
}
// Who has rows in keys that keys_per_unit drops is cut, though all rows in the keys that are kept count.
TEST(QueryMeans, CutUnitsCountThoseWhoseKeysAreDropped) {
  testing::PlanDatabase database;
  for (std::int64_t person = 0; person < 900; ++person) {
    for (const char* city : {"Ayr", "Bonn", "Cork"}) {
      if (person < 300 || city[0] == 'A') database["visits"].push_back({person, std::string(city), std::int64_t{1}});
    }
  }
  const check::Place place("add-remove", database, "", kSkewed);
  session::Session session = place.open();
  Wanted wanted = epsilon("300");
  wanted.cut_units = true;
  const Answer answer =
      query(session, "SELECT city, COUNT(DISTINCT person) FROM visits GROUP BY city", wanted, by_ada());
  ASSERT_EQ(answer.rows.size(), 4U);
  std::int64_t shown = 0, cut = 0;
  for (const auto& row : answer.rows) {
    shown += std::get<std::int64_t>(row[1]);
    cut += std::get<std::int64_t>(row[2]);
  }
  EXPECT_NEAR(static_cast<double>(shown), 600 + 2 * 300, 3);  // 300 people with three cities keep two
  EXPECT_NEAR(static_cast<double>(cut), 2 * 300, 3);
}
// One unit moves it by 1 in each of its keys, replaced by 2 in all; by no more than that where all are cut.
TEST(QueryMeans, CutUnitsMoveByOne) {
  Wanted wanted = epsilon("1");
  wanted.cut_units = true;
  for (const auto& [relation, l1] : {std::pair<std::string, long>{"add-remove", 2}, {"replace-one", 4}}) {
    const check::Place place(relation, check::people(), "", kSkewed);
    const plan::Project project = plan::read_project(place.path());
    const session::PricedPlan plan =
        privatize(project, sql::bind(project, "SELECT city, COUNT(DISTINCT person) FROM visits GROUP BY city"), wanted);
    ASSERT_EQ(plan.parts.size(), 2U);
    for (const session::Part& part : plan.parts) EXPECT_EQ(part.distance.l1, Rational(l1)) << relation;
  }
}
TEST(QueryMeans, CutUnitsAreRefusedWhereNoneCanBe) {
  const check::Place place;
  const plan::Project project = plan::read_project(place.path());
  Wanted wanted = epsilon("1");
  wanted.cut_units = true;
  const auto refused = [&](const std::string& statement) {
    return testing::refusal([&] { privatize(project, sql::bind(project, statement), wanted); });
  };
  EXPECT_EQ(refused("SELECT COUNT(*) FROM logs"), Code::bad_argument);
  EXPECT_EQ(refused("SELECT DISTINCT n FROM (SELECT city, COUNT(*) AS n FROM visits GROUP BY city) t"),
            Code::not_supported);
}

// An interval of a mean does not leave the bounds, counts and sums are not cut, and nothing is -0.
// Spec: D-88
TEST(QueryMeans, IntervalsOfMeansKeepTheBounds) {
  const Wanted price = epsilon("2");
  const session::Estimated low = estimated_of("SELECT AVG(cost)", price, {100, -(Int128{1} << 50)});
  EXPECT_EQ(real(low.rows[0][0]), 0);
  EXPECT_FALSE(std::signbit(real(low.rows[0][0])));
  EXPECT_EQ(*low.errors[0][0].low, 0);
  EXPECT_FALSE(std::signbit(*low.errors[0][0].low));
  const session::Estimated high = estimated_of("SELECT AVG(cost)", price, {100, Int128{1} << 50});
  EXPECT_EQ(real(high.rows[0][0]), 10'000);
  EXPECT_EQ(*high.errors[0][0].high, 10'000);
  const session::Estimated total = estimated_of("SELECT SUM(cost)", price, {-50});
  EXPECT_EQ(real(total.rows[0][0]), -50);
  EXPECT_LT(*total.errors[0][0].low, -50);
  const session::Estimated count = estimated_of("SELECT COUNT(*)", price, {-7});
  EXPECT_EQ(count.rows[0][0], Cell(std::int64_t{-7}));
}

}  // namespace
}  // namespace dither::sql
