// What one unit really moves, by running plans on small tables, against what their stability says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

#include "base/bounding_hash.h"
#include "sql/neighbours_check.h"
#include "testing/seed.h"

namespace dither::sql {
namespace {

Verdict search(const plan::Project& project, const session::PricedPlan& plan, const plan::BoundedAggregate& run,
               int pairs, std::uint64_t seed) {
  Databases make{testing::Choices(seed)};
  const bool replace = project.neighbours == accounting::Neighbours::replace_one;
  Verdict verdict;
  for (int i = 0; i < pairs; ++i) {
    const auto [x, y] = neighbours(make, replace);
    judge(plan, testing::reference_exact(project, x, run), testing::reference_exact(project, y, run), verdict);
  }
  return verdict;
}

int pairs() { return std::getenv("DITHER_NIGHTLY") != nullptr ? 20'000 : 300; }

class Stability : public ::testing::TestWithParam<const char*> {};

// Spec, W-04, W-08, W-75
TEST_P(Stability, NoPairOfNeighboursMovesFurtherThanThePlanSays) {
  const plan::Project project = plan::parse_project(project_text(GetParam()), "test.yaml");
  int parts = 0;
  int reached = 0;
  for (const std::string& statement : kNeighbourStatements) {
    const session::PricedPlan plan = planned(project, statement);
    const Verdict verdict = search(project, plan, plan.exact, pairs(), testing::run_seed());
    EXPECT_TRUE(verdict.holds) << statement;
    parts += static_cast<int>(plan.parts.size());
    reached += static_cast<int>(verdict.reached.size());
  }
  EXPECT_GT(reached, parts / 4);  // the claims are not just large
}
INSTANTIATE_TEST_SUITE_P(Relations, Stability, ::testing::Values("add-remove", "replace-one"));

// Twins: the same search finds what a careless engine would do, on every kind of source and number.
TEST(Stability, PlantedCarelessBoundingIsCaught) {
  using plan::BoundedAggregate;
  using Spoil = void (*)(BoundedAggregate&);
  const Spoil a_key_more = [](BoundedAggregate& a) { ++a.keys_per_unit; };
  const Spoil all_keys = [](BoundedAggregate& a) { a.keys_per_unit = 9; };
  const Spoil a_row_more = [](BoundedAggregate& a) { ++a.measures[0].total_high; };
  const Spoil a_wider_clamp = [](BoundedAggregate& a) {
    ++a.measures[0].high;
    ++a.measures[0].total_high;
  };
  const Spoil a_finer_step = [](BoundedAggregate& a) {
    plan::Measure& sum = a.measures[0];
    sum.step = sum.step / 2;
    for (Int128* bound : {&sum.low, &sum.high, &sum.total_low, &sum.total_high}) *bound *= 2;
  };
  const Spoil no_rows_in_all = [](BoundedAggregate& a) { a.rows_per_unit.reset(); };
  const Spoil another_grid = [](BoundedAggregate& a) {
    for (plan::Measure& one : a.measures) {
      if (one.cut != plan::Cut::scale) continue;
      ++one.finer;
      one.total_low *= 2;
      one.total_high *= 2;
    }
  };
  const std::pair<std::string, Spoil> bugs[] = {
      {"SELECT city, COUNT(*) FROM visits GROUP BY city", no_rows_in_all},
      {"SELECT city, AVG(cost) FROM visits GROUP BY city", no_rows_in_all},
      {"SELECT size, COUNT(*) FROM parts GROUP BY size", no_rows_in_all},
      {"SELECT AVG(cost) FROM visits", another_grid},
      {"SELECT town, VAR_POP(cost) FROM visits GROUP BY town", another_grid},
      {"SELECT city, COUNT(*) FROM visits GROUP BY city", a_key_more},
      {"SELECT city, COUNT(*) FROM visits GROUP BY city", a_row_more},
      {"SELECT COUNT(cost) FROM visits", a_row_more},
      {"SELECT SUM(cost) FROM visits", a_wider_clamp},
      {"SELECT town, COUNT(DISTINCT person) FROM visits GROUP BY town", all_keys},
      {"SELECT COUNT(*) FROM visits v JOIN people p ON v.person = p.person", a_row_more},
      {"SELECT COUNT(*) FROM (SELECT person FROM visits UNION ALL SELECT person FROM people) t", a_row_more},
      {"SELECT COUNT(*) FROM (SELECT DISTINCT person, city FROM visits) t", a_row_more},
      {"SELECT COUNT(*) FROM bills", a_row_more},
      {"SELECT COUNT(*) FROM parts", a_row_more},
      {"SELECT DISTINCT town FROM visits", all_keys},
      {"SELECT SUM(size) FROM logs", a_finer_step},
      {"SELECT SUM(size) FROM any3", a_finer_step},
  };
  const plan::Project project = plan::parse_project(project_text("add-remove"), "test.yaml");
  for (const auto& [statement, spoil] : bugs) {
    const session::PricedPlan plan = planned(project, statement);
    BoundedAggregate spoiled = plan.exact;
    spoil(spoiled);
    EXPECT_FALSE(search(project, plan, spoiled, 2000, 1).holds) << statement;
  }
}

// Numbers of replaced units move twice as far as those of units that come or go.
TEST(Stability, PlantedReplacedUnitsChargedAsAddedAreCaught) {
  const plan::Project added = plan::parse_project(project_text("add-remove"), "test.yaml");
  const plan::Project replaced = plan::parse_project(project_text("replace-one"), "test.yaml");
  for (const std::string statement :
       {"SELECT city, COUNT(*) FROM visits GROUP BY city", "SELECT city, AVG(cost) FROM visits GROUP BY city",
        "SELECT AVG(cost) FROM visits", "SELECT size, COUNT(*) FROM parts GROUP BY size"}) {
    const session::PricedPlan plan = planned(added, statement);
    EXPECT_FALSE(search(replaced, plan, plan.exact, 2000, 1).holds) << statement;
  }
}

using Edge = std::pair<std::int64_t, std::int64_t>;

// Every owner keeps `most` of its edges, by the bounding hash; an edge stays when one of its owners keeps it.
std::set<Edge> kept_per_owner(const std::set<Edge>& edges, std::size_t most) {
  std::map<std::int64_t, std::vector<std::pair<std::uint64_t, Edge>>> of_owner;
  for (const Edge& edge : edges) {
    const std::uint64_t digest = bytes_digest(canonical(std::vector<Cell>{edge.first, edge.second}));
    for (const std::int64_t owner : {edge.first, edge.second}) {
      of_owner[owner].emplace_back(bounding_hash(integer_digest(owner), digest), edge);
    }
  }
  std::set<Edge> kept;
  for (auto& [owner, own] : of_owner) {
    std::sort(own.begin(), own.end());
    for (std::size_t i = 0; i < std::min(most, own.size()); ++i) kept.insert(own[i].second);
  }
  return kept;
}

// Rows of two owners each: a limit for every owner is not stable. When the centre of a star leaves, its leaves keep other
// edges, which are not the centre's: `unit: [from, to]` is refused (two-owners).
// Spec: W-04
TEST(Stability, PlantedTruncationPerOwnerIsUnsoundOnAStar) {
  const std::int64_t leaves = 60;
  const std::size_t most = 1;
  std::set<Edge> edges;
  for (std::int64_t leaf = 1; leaf <= leaves; ++leaf) edges.insert({leaf, leaf % leaves + 1});
  std::set<Edge> star = edges;
  for (std::int64_t leaf = 1; leaf <= leaves; ++leaf) star.insert({0, leaf});
  const std::set<Edge> with = kept_per_owner(star, most);
  std::size_t of_others = 0;
  for (const Edge& edge : kept_per_owner(edges, most)) of_others += with.count(edge) == 0 ? 1 : 0;
  EXPECT_GT(of_others, 5 * most);  // a limit of one edge for each owner would claim that one edge changes
}

}  // namespace
}  // namespace dither::sql
