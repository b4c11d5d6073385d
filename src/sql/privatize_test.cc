#include "sql/privatize.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "calculus/combinators.h"
#include "sql/detail/split.h"
#include "testing/refusal.h"

namespace dither::sql {
namespace {

using testing::refusal;

std::string text_of(const std::string& neighbours, const std::string& expected) {
  return R"(version: 1
data_version: "1"
privacy: {unit: person, neighbours: )" +
         neighbours + R"(}
tables:
  visits:
    source: v.csv
    unit: person
    bounds: {rows_per_unit: 3, keys_per_unit: 2, rows_per_key: 2}
)" + expected +
         R"(    columns:
      person: {type: integer}
      city: {type: text, keys: [a, b, c], outside: other}
      cost: {type: decimal, grid: 0.01, bounds: [0, 50], outside: clamp}
      ratio: {type: real, bounds: [0, 1], outside: clamp}
      amount: {type: integer}
      town: {type: text}
  logs:
    source: l.csv
    unit: row
    columns:
      size: {type: integer, bounds: [100, 200], outside: clamp, null_as: 100}
  bare:
    source: b.csv
    unit: person
    columns: {person: {type: integer}, city: {type: text, keys: [a], outside: other}}
budgets: {main: {epsilon: 10, delta: 1e-6}}
)";
}

plan::Project project_of(const std::string& neighbours = "add-remove", const std::string& expected = "") {
  return plan::parse_project(text_of(neighbours, expected), "test.yaml");
}

Wanted epsilon(const char* e, const char* delta = nullptr) {
  Wanted wanted;
  wanted.epsilon = Rational::parse(e);
  if (delta != nullptr) wanted.delta = Rational::parse(delta);
  return wanted;
}

session::PricedPlan priced(const plan::Project& project, const std::string& text, const Wanted& wanted) {
  return privatize(project, sql::bind(project, text), wanted);
}

// The loss of every part by the calculus itself, from the rows of a unit on.
Rational pure_loss(const session::PricedPlan& plan) {
  Rational sum;
  for (const session::Part& part : plan.parts) {
    if (!part.measurement) continue;
    sum += std::get<accounting::ApproximateDp>(chain(part.exact, *part.measurement).loss(plan.steps)).epsilon;
  }
  return sum;
}

// Hole 52: what is typed is what it costs, to the last digit, however it is split.
// Spec: W-07, W-78, T-54
TEST(Privatize, TheNoiseOfAllPartsCostsExactlyWhatWasTyped) {
  for (const char* expected : {"", "    expected: {rows: 4000}\n"}) {
    for (const char* relation : {"add-remove", "replace-one"}) {
      const plan::Project project = project_of(relation, expected);
      for (const char* statement :
           {"SELECT COUNT(*) FROM visits", "SELECT COUNT(*), SUM(cost), AVG(cost) FROM visits",
            "SELECT city, COUNT(*), SUM(cost), VAR_POP(cost), COUNT(DISTINCT person) FROM visits GROUP BY city",
            "SELECT SUM(size) FROM logs", "SELECT AVG(size), COUNT(*) FROM logs WHERE size > 120"}) {
        const session::PricedPlan plan = priced(project, statement, epsilon("0.7"));
        EXPECT_EQ(pure_loss(plan), Rational::parse("0.7")) << statement;
      }
    }
  }
}

// W-07: three rows then sigma 10 is rho 0.045; here the other way round, sigma = 3 / sqrt(2 * 0.045).
// Spec: W-07
TEST(Privatize, RhoBuysTheSigmaOfTheWholeChain) {
  Wanted wanted;
  wanted.rho = Rational::parse("0.045");
  const session::PricedPlan plan = priced(project_of(), "SELECT COUNT(*) FROM visits", wanted);
  ASSERT_EQ(plan.parts.size(), 1u);
  EXPECT_EQ(plan.parts[0].noise, session::Noise::discrete_gaussian);
  EXPECT_NEAR(plan.parts[0].scale.to_double_up(), 10, 1e-12);
  EXPECT_GE(plan.parts[0].scale, Rational(10));  // rounded up, never down
}

// The size of a table is public under replace-one, and only where no row can be left out.
// Spec: W-03, W-75
TEST(Privatize, UnderReplaceOneTheSizeIsPublicUntilRowsAreDropped) {
  const plan::Project project = project_of("replace-one");
  const session::PricedPlan all = priced(project, "SELECT COUNT(*), SUM(size) FROM logs", epsilon("1"));
  EXPECT_EQ(all.parts[0].noise, session::Noise::none);
  EXPECT_EQ(all.parts[1].scale, Rational(100));  // 200 - 100, with all of epsilon
  const session::PricedPlan some = priced(project, "SELECT COUNT(*) FROM logs WHERE size > 150", epsilon("1"));
  EXPECT_EQ(some.parts[0].scale, Rational(1));
  const session::PricedPlan sums = priced(project, "SELECT SUM(size) FROM logs WHERE size > 150", epsilon("1"));
  EXPECT_EQ(sums.parts[0].scale, Rational(200));
  EXPECT_EQ(priced(project_of(), "SELECT SUM(size) FROM logs", epsilon("1")).parts[0].scale, Rational(200));
}

// Refused before there is a price, and so before a ledger is made: choosing keys has a delta, and mus are of Gaussian noise alone.
TEST(Privatize, ABudgetInMuPaysForNoUnknownKeys) {
  std::string text = text_of("add-remove", "");
  text.replace(text.find("{epsilon: 10, delta: 1e-6}"), 26, "{mu: 1}");
  const plan::Project project = plan::parse_project(text, "test.yaml");
  Wanted rho;
  rho.rho = Rational(1, 10);
  EXPECT_EQ(priced(project, "SELECT city, COUNT(*) FROM visits GROUP BY city", rho).parts[0].noise,
            session::Noise::real_gaussian);
  for (const char* statement :
       {"SELECT town, COUNT(*) FROM visits GROUP BY town",
        "SELECT town, COUNT(DISTINCT person) FROM visits GROUP BY town", "SELECT town FROM visits GROUP BY town"}) {
    rho.delta = Rational(1, 1'000'000'000);
    EXPECT_EQ(refusal([&] { priced(project, statement, rho); }), Code::no_theorem) << statement;
    EXPECT_EQ(refusal([&] { priced(project, statement, epsilon("0.5", "1e-9")); }), Code::no_theorem) << statement;
    EXPECT_EQ(refusal([&] { priced(project, statement, epsilon("0.5")); }), Code::no_theorem) << statement;
  }
}

// Spec: D-83
TEST(Split, NoOtherSplitHasASmallerWeightedSumOfVariances) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> any(0.01, 10);
  for (int round = 0; round < 200; ++round) {
    const std::vector<double> w = {any(random), any(random), any(random)};
    const std::vector<double> d = {any(random), any(random), any(random)};
    for (const detail::Losses losses : {detail::Losses::epsilon, detail::Losses::rho}) {
      const auto objective = [&](const std::vector<double>& share) {
        double sum = 0;
        for (std::size_t i = 0; i < 3; ++i) {
          const double variance =
              losses == detail::Losses::epsilon ? 2 * std::pow(d[i] / share[i], 2) : d[i] * d[i] / (2 * share[i]);
          sum += w[i] * variance;
        }
        return sum;
      };
      const std::vector<Rational> shares = detail::shares(w, d, losses);
      EXPECT_EQ(shares[0] + shares[1] + shares[2], Rational(1));
      std::vector<double> best;
      for (const Rational& share : shares) best.push_back(share.to_double_down());
      EXPECT_LE(objective(best), objective({1.0 / 3, 1.0 / 3, 1.0 / 3}) * (1 + 1e-9));
      for (const auto& [from, to] : std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {1, 2}, {2, 0}}) {
        std::vector<double> other = best;
        const double moved = 0.1 * other[from];
        other[from] -= moved;
        other[to] += moved;
        EXPECT_LT(objective(best), objective(other));
      }
    }
  }
}

// Equal parts where nothing public says how large the columns are.
TEST(Split, WithoutExpectedSizesAllPartsAreEqual) {
  const session::PricedPlan plan = priced(project_of(), "SELECT COUNT(*), SUM(cost) FROM visits", epsilon("1"));
  EXPECT_EQ(plan.parts[0].price, Rational(1, 2));
  EXPECT_EQ(plan.parts[1].price, Rational(1, 2));
  // With them: count w = 1, D = 3; sum in cents: t = 2500, w = 1 / t^2, D = 3 * 5000. (w D^2)^(1/3): 9 to 36.
  const session::PricedPlan known = priced(project_of("add-remove", "    expected: {rows: 4000}\n"),
                                           "SELECT COUNT(*), SUM(cost) FROM visits", epsilon("1"));
  EXPECT_NEAR(known.parts[0].price.to_double_down(), 1 / (1 + std::cbrt(4.0)), 1e-11);
}

// alpha of a count with Laplace noise at epsilon 0.5 is 5.991 (continuous); on whole numbers 95% lie within 6 (five would
// have 0.9482...).
// Spec: W-36
TEST(WantedError, BuysTheLeastEpsilonAndNoMore) {
  const plan::Project project = project_of();
  Wanted wanted;
  wanted.error = WantedError{6, false};
  const session::PricedPlan plan = priced(project, "SELECT COUNT(*) FROM logs", wanted);
  const double found = plan.price.epsilon->to_double_up();
  EXPECT_NEAR(found, 0.46, 0.05);
  EXPECT_LE(*plan.errors[0].within95, 6);
  Wanted less = epsilon("1");
  less.epsilon = *plan.price.epsilon * Rational(99, 100);
  EXPECT_GT(*priced(project, "SELECT COUNT(*) FROM logs", less).errors[0].within95, 6);
  wanted.error = WantedError{Rational(1, 20), true};
  EXPECT_EQ(refusal([&] { priced(project, "SELECT COUNT(*) FROM visits", wanted); }), Code::needs_expected_size);
  wanted.expect = 4000;
  const session::PricedPlan relative = priced(project, "SELECT COUNT(*) FROM visits", wanted);
  EXPECT_LE(*relative.errors[0].within95, 200);  // 5% of 4000
  EXPECT_GT(*relative.errors[0].within95, 190);
  wanted.error = WantedError{Rational(1, 1'000'000'000), false};
  EXPECT_EQ(refusal([&] { priced(project, "SELECT SUM(cost) FROM visits", wanted); }), Code::unreachable);
}

// R-59: tau = 14.122 at (1, 1e-6) for one key; two keys of a unit, each at half of epsilon: 1 - 2 ln(2 - 2 (1 - 1e-6)^(1/2)).
// Spec: R-59, D-23
TEST(Keys, UnknownOnesAreChosenByTheExactTailOfTheNoise) {
  const plan::Project project = project_of();
  const session::PricedPlan plan =
      priced(project, "SELECT town, COUNT(DISTINCT person) FROM visits GROUP BY town", epsilon("1", "1e-6"));
  ASSERT_TRUE(plan.keys);
  EXPECT_EQ(plan.keys->rule, "laplace-threshold");
  EXPECT_EQ(plan.keys->part, 0u);
  const double continuous = 1 - 2 * std::log(2 - 2 * std::sqrt(1 - 1e-6));
  EXPECT_NEAR(plan.keys->shown_from, continuous, 1.5);
  EXPECT_EQ(plan.parts[0].scale, Rational(2));
  const session::PricedPlan rows =
      priced(project, "SELECT town, SUM(cost) FROM visits GROUP BY town", epsilon("1", "1e-6"));
  EXPECT_EQ(rows.keys->rule, "partition-selection");
  EXPECT_EQ(rows.keys->price, Rational(1, 2));
  EXPECT_EQ(refusal([&] { priced(project, "SELECT town, COUNT(*) FROM visits GROUP BY town", epsilon("1")); }),
            Code::needs_delta);
}

// Holes 30, 37 and 43: no bound, no answer; nothing is guessed.
// Spec: D-58, W-76, T-54
TEST(Privatize, WhatIsNotDeclaredIsRefused) {
  const plan::Project project = project_of();
  const auto code = [&](const std::string& text, const Wanted& wanted = epsilon("1")) {
    return refusal([&] { priced(project, text, wanted); });
  };
  EXPECT_EQ(code("SELECT SUM(amount) FROM visits"), Code::missing_bounds);
  EXPECT_EQ(code("SELECT AVG(amount) FROM visits"), Code::missing_bounds);
  EXPECT_EQ(code("SELECT SUM(ratio) FROM visits"), Code::needs_grid);
  EXPECT_EQ(code("SELECT COUNT(*) FROM bare"), Code::missing_bounds);
  EXPECT_EQ(code("SELECT city, COUNT(*) FROM bare GROUP BY city"), Code::missing_bounds);
  EXPECT_EQ(code("SELECT COUNT(*) FROM visits", {}), Code::bad_argument);
  EXPECT_EQ(code("SELECT COUNT(*) FROM visits", epsilon("0")), Code::bad_number);
  EXPECT_EQ(code("SELECT COUNT(*) FROM visits", epsilon("1", "1")), Code::bad_probability);
  EXPECT_EQ(code("SELECT SUM(CLAMP(amount, 0, 10)) FROM visits"), std::nullopt);
  EXPECT_EQ(code("SELECT SUM(ROUND(ratio, 2)) FROM visits"), std::nullopt);
  EXPECT_EQ(code("SELECT person, COUNT(*) FROM bare GROUP BY person", epsilon("1", "1e-6")), Code::private_rows);
}

// Seven counts at (1, 1e-5) are where normal noise begins to win (F-59); a single one stays Laplace.
TEST(Noise, IsTheQuieterLawForThePrice) {
  const plan::Project project = project_of();
  const session::PricedPlan one = priced(project, "SELECT COUNT(*) FROM visits", epsilon("1", "1e-5"));
  EXPECT_EQ(one.parts[0].noise, session::Noise::discrete_laplace);
  std::string many = "SELECT COUNT(*)";
  for (int i = 0; i < 12; ++i) many += ", SUM(CASE WHEN amount = " + std::to_string(i) + " THEN 1 ELSE 0 END)";
  const session::PricedPlan twelve = priced(project, many + " FROM visits", epsilon("1", "1e-5"));
  EXPECT_EQ(twelve.parts[0].noise, session::Noise::real_gaussian);
}

TEST(Privatize, OneHashForOneQuestionAndAnotherForAnother) {
  const plan::Project project = project_of();
  const auto hash = [&](const std::string& text) {
    return plan_hash(project, priced(project, text, epsilon("1")).exact);
  };
  const std::string plain =
      hash("SELECT city, COUNT(*), SUM(cost) FROM visits WHERE cost > 5 AND amount = 3 GROUP BY city");
  EXPECT_EQ(
      hash("SELECT SUM(v.cost) AS s, COUNT(*) AS n, v.city AS c FROM visits AS v WHERE 3 = amount AND NOT (cost <= 5) "
           "GROUP BY v.city ORDER BY 1 DESC LIMIT 3"),
      plain);
  EXPECT_EQ(
      hash("WITH t AS (SELECT * FROM visits WHERE amount = 3) SELECT city, COUNT(*), SUM(cost) FROM (SELECT city, "
           "cost FROM "
           "t WHERE 5 < cost) u GROUP BY 1 HAVING COUNT(*) > 10"),
      plain);
  EXPECT_NE(hash("SELECT city, COUNT(*), SUM(cost) FROM visits WHERE cost > 6 AND amount = 3 GROUP BY city"), plain);
  EXPECT_NE(hash("SELECT city, COUNT(*) FROM visits WHERE cost > 5 AND amount = 3 GROUP BY city"), plain);
}

}  // namespace
}  // namespace dither::sql
