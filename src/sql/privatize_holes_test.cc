// Questions that once were, or could be, priced wrongly.
#include <gtest/gtest.h>

#include <cmath>

#include "session/priced_plan.h"
#include "sql/privatize.h"
#include "testing/refusal.h"

namespace dither::sql {
namespace {

using testing::refusal;

std::string file(const std::string& column, const std::string& budget = "{epsilon: 10, delta: 1e-6}") {
  return R"(version: 1
data_version: "1"
privacy: {unit: person, neighbours: add-remove}
tables:
  visits:
    source: v.csv
    unit: person
    bounds: {rows_per_unit: 3, keys_per_unit: 2, rows_per_key: 2}
    columns:
      person: {type: integer}
      city: {type: text, keys: [a, b, c], outside: other}
      amount: )" +
         column + R"(
      town: {type: text}
  stays:
    source: s.csv
    unit: person
    bounds: {rows_per_unit: 2}
    columns: {person: {type: integer}, city: {type: text}}
  events:
    source: e.csv
    unit: row
    columns: {kind: {type: text, keys: [a, b], outside: other}, label: {type: text}}
  logs:
    source: l.csv
    unit: {rows: 5}
    columns: {kind: {type: text}}
  offers:
    source: o.csv
    public: true
    unique: [city]
    multiplicity: {zone: 4}
    columns: {city: {type: text}, zone: {type: text}, price: {type: integer}}
budgets: {main: )" +
         budget + "}\n";
}

plan::Project project_of(const std::string& column = "{type: integer, bounds: [0, 9], outside: clamp}",
                         const std::string& budget = "{epsilon: 10, delta: 1e-6}") {
  return plan::parse_project(file(column, budget), "test.yaml");
}

Wanted at(const char* delta = nullptr) {
  Wanted wanted;
  wanted.epsilon = 1;
  if (delta != nullptr) wanted.delta = Rational::parse(delta);
  return wanted;
}

session::PricedPlan priced(const plan::Project& project, const std::string& text, const Wanted& wanted) {
  return privatize(project, sql::bind(project, text), wanted);
}

std::string options(const std::string& extra) {
  return "SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1, delta=1e-6" + extra + ") ";
}

// A row that is a unit has no name but its place: it keeps all its keys, or the question is refused.
TEST(Holes, RowsThatAreUnitsAreNeverCutByTheirPlace) {
  const plan::Project project = project_of();
  const std::string join = "o.price, COUNT(*) FROM events e JOIN offers o ON e.label = o.zone GROUP BY o.price";
  EXPECT_EQ(refusal([&] { priced(project, options(", max_groups_contributed=1") + join, {}); }), Code::bad_limit);
  EXPECT_EQ(priced(project, options("") + join, {}).exact.keys_per_unit, 4u);
  const session::PricedPlan one =
      priced(project, options(", max_groups_contributed=5") + "kind, COUNT(*) FROM events GROUP BY kind", {});
  EXPECT_EQ(one.exact.keys_per_unit, 1u);  // a row has one key, whatever is stated
}

TEST(Holes, OptionsThatMeanSomethingElseAreRefused) {
  const plan::Project project = project_of();
  const auto code = [&](const std::string& text) { return refusal([&] { priced(project, text, {}); }); };
  EXPECT_EQ(code(options(", max_rows_contributed=3") + "city, COUNT(*) FROM visits GROUP BY city"),
            Code::not_supported);
  EXPECT_EQ(code(options(", max_rows_contributed=3") + "COUNT(*) FROM visits"), std::nullopt);
  EXPECT_EQ(code(options("") + "COUNT(*, contribution_bounds_per_group => (2, 5)) FROM visits"), Code::bad_bounds);
}

// Answers are looked up by this hash: what a column is declared to be is part of the question.
TEST(Holes, TheHashKnowsTheDeclarations) {
  const auto hash = [](const std::string& column) {
    const plan::Project project = project_of(column);
    return plan_hash(project, priced(project, "SELECT COUNT(*) FROM visits WHERE amount = 5", at()).exact);
  };
  const std::string plain = hash("{type: integer, bounds: [0, 9], outside: clamp}");
  EXPECT_EQ(hash("{type: integer, bounds: [0, 9], outside: clamp}"), plain);
  EXPECT_NE(hash("{type: integer, bounds: [0, 5], outside: clamp}"), plain);
  EXPECT_NE(hash("{type: integer, bounds: [0, 9], outside: null}"), plain);
  EXPECT_NE(hash("{type: integer, bounds: [0, 9], outside: clamp, null_as: 5}"), plain);
}

// What protects a row of a table without ids is not called the protection of a person.
// Spec: W-04, D-07
TEST(Holes, AWeakerUnitIsCalledByItsName) {
  const plan::Project project = project_of();
  EXPECT_EQ(priced(project, "SELECT COUNT(*) FROM visits", at()).unit.name, "person");
  EXPECT_FALSE(priced(project, "SELECT COUNT(*) FROM visits", at()).weaker);
  const session::PricedPlan row = priced(project, "SELECT COUNT(*) FROM events", at());
  EXPECT_EQ(row.unit.name, "row of events");
  EXPECT_TRUE(row.weaker);
  const session::PricedPlan any = priced(project, "SELECT COUNT(*) FROM logs", at());
  EXPECT_EQ(any.unit.name, "group of any 5 rows of logs");
  EXPECT_NE(std::find_if(any.notes.begin(), any.notes.end(),
                         [](const std::string& note) { return note.find("weaker") != std::string::npos; }),
            any.notes.end());
}

// Rows are the unit of a project only where it calls them so: under another name its ledger may be that of people.
// Spec: W-04
TEST(Holes, RowsUnderAnotherNameAreWeaker) {
  const auto asked = [](const char* unit) {
    const plan::Project project =
        plan::parse_project(std::string("version: 1\ndata_version: \"1\"\nprivacy: {unit: ") + unit +
                                ", neighbours: add-remove}\ntables:\n  visits:\n    source: v.csv\n    unit: row\n"
                                "    columns: {kind: {type: text}}\nbudgets: {main: {epsilon: 10}}\n",
                            "test.yaml");
    return priced(project, "SELECT COUNT(*) FROM visits", at());
  };
  EXPECT_FALSE(asked("row").weaker);
  EXPECT_EQ(asked("row").unit.name, "row");
  EXPECT_TRUE(asked("person").weaker);
  EXPECT_EQ(asked("person").unit.name, "row of visits");
}

// The error shown is that of the noise that is drawn, also where it chooses keys: 5 rows in one key, sigma = 5 / sqrt(2 rho).
TEST(Holes, TheNoiseThatChoosesKeysIsTheNoiseThatIsShown) {
  Wanted wanted;
  wanted.rho = Rational(1, 10);
  wanted.delta = Rational::parse("1e-7");
  const session::PricedPlan plan = priced(project_of(), "SELECT kind, COUNT(*) FROM logs GROUP BY kind", wanted);
  EXPECT_NEAR(plan.parts[0].scale.to_double_up(), 5 / std::sqrt(0.2), 1e-9);
  EXPECT_NEAR(plan.parts[0].standard_error, 5 / std::sqrt(0.2), 1e-6);
  const auto loss =
      std::get<accounting::ConcentratedDp>(chain(plan.parts[0].exact, *plan.parts[0].measurement).loss(plan.steps));
  EXPECT_NEAR(loss.rho.to_double_up(), 0.1, 1e-9);
  EXPECT_LE(loss.rho, Rational(1, 10));
}

// A budget in mu is paid by noise that has a mu.
TEST(Holes, ABudgetInMuIsPaidByNormalNoise) {
  const plan::Project project = project_of("{type: integer}", "{mu: 1}");
  Wanted wanted;
  wanted.rho = Rational(1, 10);
  EXPECT_EQ(priced(project, "SELECT COUNT(*) FROM visits", wanted).parts[0].noise, session::Noise::real_gaussian);
  EXPECT_EQ(priced(project, "SELECT COUNT(*) FROM visits", at("1e-6")).parts[0].noise, session::Noise::real_gaussian);
  EXPECT_EQ(refusal([&] { priced(project, "SELECT COUNT(*) FROM visits", at()); }), Code::needs_delta);
}

// The search for an epsilon tries prices for which no mechanism is made.
TEST(Holes, AWantedErrorIsFoundForUnknownKeysToo) {
  Wanted wanted;
  wanted.delta = Rational::parse("1e-9");
  wanted.error = WantedError{30, false};
  const session::PricedPlan plan = priced(project_of(), "SELECT town, COUNT(*) FROM visits GROUP BY town", wanted);
  EXPECT_LE(*plan.errors[0].within95, 30);
  EXPECT_GT(*plan.errors[0].within95, 25);
}

TEST(Holes, PublicTablesMayBeOrderedBeforeTheyAreJoined) {
  const session::PricedPlan plan =
      priced(project_of(),
             "SELECT COUNT(*) FROM visits JOIN (SELECT city FROM offers ORDER BY city LIMIT 1) o USING (city)", at());
  EXPECT_EQ(plan.parts.size(), 1u);
}

// Work grows with keys times numbers, so that is what is bounded.
TEST(Holes, TooManyNumbersAreRefusedBeforeTheyAreMade) {
  std::string text = "SELECT amount";
  for (int i = 0; i < 300; ++i) text += ", SUM(amount + " + std::to_string(i) + ")";
  const plan::Project project = project_of("{type: integer, bounds: [0, 999], outside: clamp}");
  EXPECT_EQ(refusal([&] { priced(project, text + " FROM visits GROUP BY amount", at()); }), Code::bad_count);
}

// What USING makes one column hides those two, not a third of the same name.
TEST(Holes, AMergedNameHidesOnlyWhatWasMerged) {
  const plan::Project project = project_of();
  EXPECT_EQ(refusal([&] {
              priced(
                  project,
                  "SELECT city, COUNT(*) FROM visits v JOIN offers o USING (city) JOIN stays s ON v.person = s.person "
                  "GROUP BY city",
                  at("1e-6"));
            }),
            Code::ambiguous_name);
}

}  // namespace
}  // namespace dither::sql
