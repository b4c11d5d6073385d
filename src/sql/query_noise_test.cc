// The noise of answers and what is said about it, without a ledger: plans drawn many times.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "session/draw.h"
#include "session/estimate.h"
#include "sql/query_check.h"
#include "stats/binomial.h"
#include "testing/statistical.h"

namespace dither::sql {
namespace {

using check::epsilon;
using session::PricedPlan;
using session::Released;

struct Prepared {
  plan::Project project;
  PricedPlan plan;
  engine::ExactNumbers::Content exact;
};

Prepared prepared(const std::string& text, const Wanted& wanted, const testing::PlanDatabase& rows) {
  const check::Place place("add-remove", rows);
  plan::Project project = plan::read_project(place.path());
  PricedPlan plan = privatize(project, sql::bind(project, text), wanted);
  auto exact = testing::reference_content(project, place.database, plan.exact);
  return {std::move(project), std::move(plan), std::move(exact)};
}

Prepared prepared(const std::string& text, const Wanted& wanted, int people = 40) {
  return prepared(text, wanted, check::people(people));
}

using Draw = std::function<Released()>;
Draw drawing(const Prepared& from) {
  return [&from] { return draw(from.plan, engine::ExactNumbers(from.exact)); };
}

// Whether keys that no row has get the same noise as all others. P(noise = 0) of discrete Laplace noise of scale b is
// (1 - q) / (1 + q), q = e^(-1/b). False alarm at most 2e-9; noise that is always 0 slips through with probability 0.
bool noise_is_the_same_for_all(const Prepared& from, const Draw& draw_once) {
  const double q = std::exp(-1 / from.plan.parts[0].scale.to_double_up());
  std::vector<std::int64_t> zeros(from.exact.keys.size());
  constexpr int n = 4000;
  for (int i = 0; i < n; ++i) {
    const Released released = draw_once();
    for (std::size_t key = 0; key < zeros.size(); ++key) {
      zeros[key] += released.parts[0][key] == from.exact.numbers[0][key] ? 1 : 0;
    }
  }
  return std::all_of(zeros.begin(), zeros.end(), [&](std::int64_t hits) {
    return testing::binomial_accepts(hits, n, (1 - q) / (1 + q), 2e-9 / 5);
  });
}

// Hole 15.
// Spec: W-76
TEST(QueryNoise, KeysThatNobodyHasGetNoiseLikeAllOthers) {
  const Prepared from = prepared("SELECT city, COUNT(*) FROM visits GROUP BY city", epsilon("4"));
  ASSERT_EQ(from.exact.numbers[0][3], 0);  // nobody was in Delft
  EXPECT_TRUE(noise_is_the_same_for_all(from, drawing(from)));
}

TEST(QueryNoise, PlantedNoiseOnlyWhereThereAreRowsIsCaught) {
  const Prepared from = prepared("SELECT city, COUNT(*) FROM visits GROUP BY city", epsilon("4"));
  const Draw right = drawing(from);
  EXPECT_FALSE(noise_is_the_same_for_all(from, [&] {
    Released released = right();
    for (std::size_t key = 0; key < released.keys.size(); ++key) {
      if (from.exact.numbers[0][key] == 0) released.parts[0][key] = 0;
    }
    return released;
  }));
}

// Whether the intervals of every key and column hold the value without noise in 95% of draws. One-sided: P(Bin(n, 0.95)
// <= hits) of each must be above 1e-10; with at most 50 of them the false alarm is 5e-9. Of intervals that hold 90%,
// 2000 draws find 1800 in the mean, which has probability 1e-19 at 95%. Other levels likewise.
bool intervals_hold(const Prepared& from, const PricedPlan& said, double level = 0.95) {
  Released exact{from.exact.keys, {}};
  for (const session::Part& part : from.plan.parts) exact.parts.push_back(from.exact.numbers[part.measure]);
  const auto truth = estimated(from.plan, exact).rows;
  std::map<std::pair<std::string, std::size_t>, std::pair<std::int64_t, std::int64_t>> held;  // of so many
  constexpr int n = 2000;
  for (int i = 0; i < n; ++i) {
    const auto shown = estimated(said, draw(from.plan, engine::ExactNumbers(from.exact)), 1 - level);
    for (std::size_t row = 0; row < shown.rows.size(); ++row) {
      const std::vector<Cell> key(shown.rows[row].begin(),
                                  shown.rows[row].begin() + static_cast<std::ptrdiff_t>(from.plan.key_places.size()));
      const auto same = std::find_if(truth.begin(), truth.end(), [&](const std::vector<Cell>& one) {
        return std::equal(key.begin(), key.end(), one.begin());
      });
      for (std::size_t at = key.size(); at < shown.rows[row].size(); ++at) {
        const session::ValueError& error = shown.errors[row][at];
        const Cell& value = (*same)[at];
        if (!error.low || value.index() == 0) continue;
        const auto* whole = std::get_if<std::int64_t>(&value);
        const double exactly = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
        auto& [hits, of] = held[{canonical(key), at}];
        hits += *error.low <= exactly && exactly <= *error.high ? 1 : 0;
        ++of;
      }
    }
  }
  return !held.empty() && std::all_of(held.begin(), held.end(), [&](const auto& one) {
    return stats::binomial_lower(one.second.first, one.second.second, level) > 1e-10;
  });
}

constexpr const char* kAll =
    "COUNT(*), COUNT(DISTINCT person), SUM(score), AVG(score), VAR_POP(score), VAR_SAMP(score), STDDEV_POP(score), "
    "STDDEV_SAMP(score)";

// Spec: W-38, F-34
TEST(QueryNoise, IntervalsHoldTheExactValueInNineteenOfTwenty) {
  const std::string by_city = fmt::format("SELECT city, {} FROM visits GROUP BY city", kAll);
  for (const char* amount : {"2", "30", "300"}) {
    const Prepared laplace = prepared(by_city, epsilon(amount));
    EXPECT_TRUE(intervals_hold(laplace, laplace.plan)) << amount;
  }
  const Prepared gaussian = prepared(by_city, epsilon("0.1", "1e-3"), 200);
  EXPECT_EQ(gaussian.plan.parts[0].noise, session::Noise::real_gaussian);
  EXPECT_TRUE(intervals_hold(gaussian, gaussian.plan));
  Wanted rho;
  rho.rho = 5;
  const Prepared discrete = prepared(by_city, rho);
  EXPECT_EQ(discrete.plan.parts[0].noise, session::Noise::discrete_gaussian);
  EXPECT_TRUE(intervals_hold(discrete, discrete.plan));
}

// Of means that are scaled: half of these people have more rows than count, here and in all.
// Spec: W-38
TEST(QueryNoise, IntervalsHoldTheMeansOfCutUnits) {
  testing::PlanDatabase rows;
  for (std::int64_t person = 0; person < 200; ++person) {
    for (std::int64_t visit = 0; visit <= person % 5; ++visit) {
      rows["visits"].push_back({person, std::string(visit % 2 == 0 ? "Ayr" : "Bonn"), (person + visit) % 6, Cell{}});
    }
  }
  for (const char* statement : {"SELECT AVG(score), VAR_SAMP(score) FROM visits",
                                "SELECT city, AVG(score), STDDEV_POP(score) FROM visits GROUP BY city"}) {
    for (const Wanted& price : {epsilon("5"), epsilon("0.5", "1e-3")}) {
      const Prepared from = prepared(statement, price, rows);
      EXPECT_TRUE(intervals_hold(from, from.plan)) << statement;
    }
  }
}

// Spec: W-36, W-38
TEST(QueryNoise, IntervalsHoldAtOtherLevelsToo) {
  const std::string by_city = fmt::format("SELECT city, {} FROM visits GROUP BY city", kAll);
  Wanted rho;
  rho.rho = 5;
  for (const Wanted& price : {epsilon("30"), epsilon("0.1", "1e-3"), rho}) {
    const Prepared from = prepared(by_city, price, 100);
    EXPECT_TRUE(intervals_hold(from, from.plan, 0.6));
    EXPECT_TRUE(intervals_hold(from, from.plan, 0.99));
  }
}

// Laplace noise lies within half its 60% radius in 37% of draws.
TEST(QueryNoise, PlantedNarrowIntervalsOfAnotherLevelAreCaught) {
  const Prepared from = prepared("SELECT city, COUNT(*) FROM visits GROUP BY city", epsilon("0.1"));
  EXPECT_TRUE(intervals_hold(from, from.plan, 0.6));
  PricedPlan narrow = from.plan;
  for (session::Part& part : narrow.parts) part.scale = part.scale / 2;
  EXPECT_FALSE(intervals_hold(from, narrow, 0.6));
}

TEST(QueryNoise, PlantedIntervalsOfHalfTheNoiseAreCaught) {
  const Prepared from = prepared("SELECT city, AVG(score) FROM visits GROUP BY city", epsilon("30"), 200);
  PricedPlan narrow = from.plan;
  for (session::Part& part : narrow.parts) part.scale = part.scale / 5;
  EXPECT_FALSE(intervals_hold(from, narrow));
}

// Of keys that are shown: also those whose noisy count decides that they are.
// Spec: W-76, D-23
TEST(QueryNoise, IntervalsOfShownKeysHoldToo) {
  const Wanted wanted = epsilon("6", "1e-3");
  for (const char* statement : {"SELECT town, COUNT(DISTINCT person), AVG(score) FROM visits GROUP BY town",
                                "SELECT town, COUNT(*), SUM(score) FROM visits GROUP BY town",
                                "SELECT town || city, COUNT(DISTINCT person) FROM visits GROUP BY town || city"}) {
    const Prepared from = prepared(statement, wanted, 100);
    ASSERT_TRUE(from.plan.keys) << statement;
    EXPECT_TRUE(intervals_hold(from, from.plan)) << statement;
  }
}

// Keys that are not shown are not there at all, and what is shown is only what the data has.
TEST(QueryNoise, OnlyChosenKeysHaveNumbers) {
  const Prepared from = prepared("SELECT town, COUNT(*) FROM visits GROUP BY town", epsilon("6", "1e-3"), 100);
  for (int i = 0; i < 200; ++i) {
    const Released released = draw(from.plan, engine::ExactNumbers(from.exact));
    for (const auto& part : released.parts) ASSERT_EQ(part.size(), released.keys.size());
    for (const auto& key : released.keys) {
      EXPECT_NE(std::find(from.exact.keys.begin(), from.exact.keys.end(), key), from.exact.keys.end());
    }
    EXPECT_EQ(released_from(from.plan, stored_text(from.plan, released)), released);
  }
}

}  // namespace
}  // namespace dither::sql
