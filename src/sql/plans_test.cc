// What one unit really moves when the embedded engine runs the plan, against what the plan says.
#include "sql/plans_check.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <map>

#include "base/bounding_hash.h"
#include "testing/seed.h"

namespace dither::sql {
namespace {

bool nightly() { return std::getenv("DITHER_NIGHTLY") != nullptr; }

// What is done to a plan before it runs, to a database before it is read, to numbers after they were found: planted
// bugs.
struct Planted {
  std::function<void(session::PricedPlan&)> plan = [](session::PricedPlan&) {};
  std::function<void(PlanDatabase&)> database = [](PlanDatabase&) {};
  std::function<void(ExactNumbers&)> numbers = [](ExactNumbers&) {};
};

// Pairs of neighbours in one engine: those of pair i are the databases 2 i and 2 i + 1.
class Pairs {
 public:
  Pairs(const std::string& relation, std::size_t count, std::uint64_t seed, Planted planted = {})
      : count_(count),
        planted_(std::move(planted)),
        engine_(relation, databases(relation == "replace-one", count, seed, planted_)) {}

  // Of one statement on all pairs; nothing where it is refused.
  std::optional<Verdict> judged(const std::string& statement) {
    Verdict verdict;
    try {
      for (std::size_t i = 0; i < count_; ++i) {
        const session::PricedPlan plan = planned_on(statement, 2 * i);
        judge(plan, numbers_of(plan), numbers_of(planned_on(statement, 2 * i + 1)), verdict);
      }
    } catch (const Error& error) {
      EXPECT_NE(error.code(), Code::run_failed) << statement;
      return std::nullopt;
    }
    return verdict;
  }

 private:
  static std::vector<PlanDatabase> databases(bool replace, std::size_t count, std::uint64_t seed,
                                             const Planted& planted) {
    Databases make{testing::Choices(seed)};
    std::vector<PlanDatabase> all;
    for (std::size_t i = 0; i < count; ++i) {
      auto [x, y] = neighbours(make, replace);
      planted.database(x);
      planted.database(y);
      all.push_back(std::move(x));
      all.push_back(std::move(y));
    }
    return all;
  }
  session::PricedPlan planned_on(const std::string& statement, std::size_t database) const {
    session::PricedPlan plan = engine_.plan_of(statement, database);
    planted_.plan(plan);
    return plan;
  }
  ExactNumbers numbers_of(const session::PricedPlan& plan) {
    ExactNumbers numbers = engine_.numbers_of(plan.exact);
    planted_.numbers(numbers);
    return numbers;
  }

  std::size_t count_;
  Planted planted_;
  RealEngine engine_;
};

class Plans : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Relations, Plans, ::testing::Values("add-remove", "replace-one"));

// Spec: R-53, W-75
TEST_P(Plans, NoPairOfNeighboursMovesFurtherOnDuckDb) {
  Pairs pairs(GetParam(), nightly() ? 200 : 2, testing::run_seed());
  for (const std::string& statement : kNeighbourStatements) {
    const auto verdict = pairs.judged(statement);
    ASSERT_TRUE(verdict.has_value()) << statement;
    EXPECT_TRUE(verdict->holds) << statement;
  }
}

TEST_P(Plans, RandomStatementsMoveNoFurtherOnDuckDb) {
  Pairs pairs(GetParam(), 2, testing::run_seed());
  RandomStatements random{testing::Choices(testing::run_seed())};
  int taken = 0;
  const int wanted = nightly() ? 3000 : 25;
  for (int i = 0; i < wanted; ++i) {
    const std::string statement = random.next();
    const auto verdict = pairs.judged(statement);
    if (!verdict) continue;
    EXPECT_TRUE(verdict->holds) << statement;
    ++taken;
  }
  EXPECT_GT(taken, wanted / 3);
}

// What a unit may bring: nothing; as many rows as count, or more, of the largest, the least or the middle value, in two
// keys or in two others. With these at the ends of the bounds every claim is reached.
constexpr std::size_t kKinds = 5;
PlanDatabase with_units(const std::vector<std::size_t>& brought) {
  struct Rows {
    std::int64_t cost;
    std::vector<std::string> keys;
  };
  static const std::vector<Rows> kinds = {{0, {}}, {9, {"a", "b"}}, {-9, {"a", "b"}}, {4, {"c", "d"}}, {1, {"a", "b"}}};
  PlanDatabase all = Databases(testing::Choices(std::uint64_t{1})).empty();
  for (std::size_t unit = 0; unit < brought.size(); ++unit) {
    const Rows& rows = kinds[brought[unit]];
    for (const std::string& key : rows.keys) {
      for (int i = 0; i < 3; ++i) {
        all["visits"].push_back({static_cast<std::int64_t>(unit), key, rows.cost, key});
      }
    }
  }
  return all;
}

// Every database of three units that bring one of so many kinds each, and which of them are neighbours.
struct AllSmall {
  std::vector<PlanDatabase> databases;
  std::vector<std::pair<std::size_t, std::size_t>> neighbours;
};
AllSmall all_small(const std::vector<std::size_t>& kinds, bool replace) {
  AllSmall all;
  for (std::size_t n = 0; n < kinds[0] * kinds[1] * kinds[2]; ++n) {
    std::vector<std::size_t> brought;
    std::size_t step = 1;
    for (const std::size_t of_unit : kinds) {
      brought.push_back(n / step % of_unit);
      for (std::size_t other = 0; other < brought.back(); ++other) {
        if (replace || other == 0) all.neighbours.emplace_back(n - (brought.back() - other) * step, n);
      }
      step *= of_unit;
    }
    all.databases.push_back(with_units(brought));
  }
  return all;
}

// All pairs of neighbours among all small databases, for one statement.
Verdict judged_everywhere(RealEngine& engine, const AllSmall& all, const std::string& statement) {
  std::vector<session::PricedPlan> plans;
  std::vector<ExactNumbers> numbers;
  for (std::size_t i = 0; i < all.databases.size(); ++i) {
    plans.push_back(engine.plan_of(statement, i));
    numbers.push_back(engine.numbers_of(plans.back().exact));
  }
  Verdict verdict;
  for (const auto& [x, y] : all.neighbours) judge(plans[x], numbers[x], numbers[y], verdict);
  return verdict;
}

const std::string kEveryAggregate =
    "COUNT(*), COUNT(cost), COUNT(DISTINCT person), SUM(cost), AVG(cost), VAR_POP(cost), STDDEV_SAMP(cost)";

// Claims hold for all databases of up to three units, and none is larger than it need be: every number reaches its own.
// Spec, W-04, W-08
TEST_P(Plans, EveryAggregateReachesItsClaimAmongAllSmallDatabases) {
  const AllSmall all = all_small({kKinds, kKinds, nightly() ? kKinds : 2}, GetParam() == std::string("replace-one"));
  RealEngine engine(GetParam(), all.databases);
  for (const std::string& statement :
       {"SELECT " + kEveryAggregate + " FROM visits", "SELECT city, " + kEveryAggregate + " FROM visits GROUP BY city",
        "SELECT town, " + kEveryAggregate + " FROM visits GROUP BY town",
        "SELECT " + kEveryAggregate + " FROM visits WHERE cost <> 3"}) {
    const Verdict verdict = judged_everywhere(engine, all, statement);
    EXPECT_TRUE(verdict.holds) << statement;
    const session::PricedPlan plan = engine.plan_of(statement, 0);
    for (const session::Part& part : plan.parts) {
      EXPECT_TRUE(verdict.reached.contains(part.measure) || part.distance.l1 == Rational(0))
          << statement << ": " << measure_kind_name(plan.exact.measures[part.measure].kind) << " "
          << part.distance.l1.str();
    }
  }
}

// Twins: each is found by the short form of the search, and without it nothing is.
bool is_caught(const std::string& relation, const std::string& statement, const Planted& planted) {
  constexpr std::size_t kPairs = 16;
  EXPECT_TRUE(Pairs(relation, kPairs, 1).judged(statement)->holds) << statement;
  return !Pairs(relation, kPairs, 1, planted).judged(statement)->holds;
}

TEST(Plans, PlantedKeyBoundOffByOneIsCaught) {
  Planted bug;
  bug.plan = [](session::PricedPlan& plan) { ++plan.exact.keys_per_unit; };
  EXPECT_TRUE(is_caught("add-remove", "SELECT city, COUNT(*) FROM visits GROUP BY city", bug));
}

// Which keys a unit keeps hangs on where its rows lie in the file, and so on the rows of others before them.
void keep_by_position(PlanDatabase& database) {
  testing::PlanRows& rows = database["visits"];
  std::stable_sort(rows.begin(), rows.end(), [](const PlanRow& a, const PlanRow& b) { return b[0] < a[0]; });
  std::map<Cell, std::map<std::uint64_t, Cell>> by_hash;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    by_hash[rows[i][0]].emplace(bounding_hash(integer_digest(static_cast<std::int64_t>(i)), 1), rows[i][3]);
  }
  std::erase_if(rows, [&](const PlanRow& row) {
    std::set<Cell> kept;
    for (const auto& [hash, key] : by_hash[row[0]]) {
      if (kept.size() < 2) kept.insert(key);
    }
    return !kept.contains(row[3]);
  });
}

TEST(Plans, PlantedRowidInTheHashIsCaught) {
  Planted bug;
  bug.database = keep_by_position;
  bug.plan = [](session::PricedPlan& plan) { plan.exact.keys_per_unit = 100; };
  EXPECT_TRUE(is_caught("add-remove", "SELECT town, COUNT(*) FROM visits GROUP BY town", bug));
}

// A row that WHERE drops counts as 0, which need not lie between the bounds.
TEST(Plans, PlantedRangeAfterWhereIsCaught) {
  Planted bug;
  bug.plan = [](session::PricedPlan& plan) { plan.parts[0].distance = {1, 4, 16, 4}; };  // 6 - 2
  EXPECT_TRUE(is_caught("replace-one", "SELECT SUM(size) FROM logs WHERE size > 2", bug));
}

TEST(Plans, PlantedNullUnitIsCaught) {
  Planted bug;
  bug.database = [](PlanDatabase& database) {
    for (PlanRow& row : database["visits"]) {
      if (row[0] == Cell{}) row[0] = std::int64_t{-1};
    }
  };
  EXPECT_TRUE(is_caught("add-remove", "SELECT COUNT(DISTINCT person), COUNT(*) FROM visits", bug));
}

TEST(Plans, PlantedClampAfterTheSumIsCaught) {
  Planted bug;
  bug.plan = [](session::PricedPlan& plan) {
    plan.exact.measures[0].total_low = -1'000'000;
    plan.exact.measures[0].total_high = 1'000'000;
  };
  bug.numbers = [](ExactNumbers& numbers) {
    for (auto& [key, row] : numbers) row[0] = std::clamp<Int128>(row[0], -100, 100);
  };
  EXPECT_TRUE(is_caught("add-remove", "SELECT SUM(cost) FROM visits", bug));
}

}  // namespace
}  // namespace dither::sql
