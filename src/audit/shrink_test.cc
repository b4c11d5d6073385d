#include "audit/shrink.h"

#include <gtest/gtest.h>

#include "audit/stability.h"
#include "base/canonical.h"
#include "testing/seed.h"
#include "testing/stability.h"

namespace dither::audit {
namespace {

using namespace calculus;  // NOLINT

std::int64_t rows_of(const Data& data) { return static_cast<std::int64_t>(std::get<Table>(data).size()); }

// Spec: T-50
TEST(Shrink, LeavesTheOneRowThatMatters) {
  const auto has_null = [](const Table& table) {
    return std::any_of(table.begin(), table.end(), [](const Row& row) { return canonical(row[1]) == "n"; });
  };
  const Row plain{std::int64_t{5}, 2.5}, bad{std::int64_t{7}, Cell{}};
  const BreakingPair small = shrink({Table{plain, bad, plain}, Table{plain, plain}}, [&](const BreakingPair& pair) {
    return has_null(std::get<Table>(pair.first)) && !has_null(std::get<Table>(pair.second));
  });
  EXPECT_EQ(rows_of(small.first), 1);
  EXPECT_EQ(rows_of(small.second), 0);
  EXPECT_EQ(canonical(std::get<Table>(small.first)[0][0]), "n");  // the other cell became plain too
}

TEST(Shrink, BringsNumbersTogether) {
  const auto apart = [](const BreakingPair& pair) {
    const auto &x = std::get<Integers>(pair.first), &y = std::get<Integers>(pair.second);
    return y[0] - x[0] >= 3;
  };
  const BreakingPair small = shrink({Integers{1000, 77}, Integers{5000, kInt128Max}}, apart);
  EXPECT_EQ(std::get<Integers>(small.first), (Integers{0, 0}));
  EXPECT_EQ(std::get<Integers>(small.second), (Integers{3, 0}));
  const BreakingPair reals = shrink({Reals{1e8, 5}, Reals{1e8 + 40, 5}}, [](const BreakingPair& pair) {
    return std::get<Reals>(pair.second)[0] - std::get<Reals>(pair.first)[0] > 1.5;
  });
  EXPECT_EQ(std::get<Reals>(reals.first), (Reals{0, 0}));
  EXPECT_EQ(std::get<Reals>(reals.second), (Reals{2, 0}));
}

TEST(Shrink, LeavesOutKeysAndTables) {
  const BreakingPair small = shrink({Keyed{{"a", "b"}, {9, 4}}, Keyed{{"a"}, {9}}}, [](const BreakingPair& pair) {
    return std::get<Keyed>(pair.first).keys.size() > std::get<Keyed>(pair.second).keys.size();
  });
  EXPECT_EQ(std::get<Keyed>(small.first).keys, std::vector<std::string>{"b"});
  EXPECT_TRUE(std::get<Keyed>(small.second).keys.empty());
  const BreakingPair tables =
      shrink({Tables{{{true}, {false}}, {{true}}}, Tables{{}, {{true}}}},
             [](const BreakingPair& pair) { return std::get<Tables>(pair.first)[0].size() == 2; });
  EXPECT_TRUE(std::get<Tables>(tables.first)[1].empty());
}

TEST(Shrink, GivesUpAfterSoManyTries) {
  int tries = 0;
  shrink(
      {Table(100, Row{1.0}), Table()}, [&](const BreakingPair&) { return ++tries > 0; }, 10);
  EXPECT_EQ(tries, 10);
}

// A sum that counts every row twice: the smallest pair is one row more.
// Spec: W-60, T-50
TEST(Stability, ACounterexampleIsShrunk) {
  const AnyTransformation step({
      .recipe = {"sum"},
      .input = TableDomain{{{"x", CellType::integer, false, false, Bounds{0, 1000}}}},
      .output = VectorDomain{1},
      .from = {MetricKind::symmetric},
      .to = {MetricKind::l1},
      .map = [](const Distance& d) -> Distance { return 1000 * number(d); },
      .function = [](const Data& data) -> Data {
        Int128 sum = 0;
        for (const Row& row : std::get<Table>(data)) sum += 2 * std::get<std::int64_t>(row[0]);  // counted twice
        return Integers{sum};
      },
  });
  const StabilityReport report = check_stability(step, testing::run_seed(), 10'000);
  ASSERT_FALSE(report.holds());
  EXPECT_EQ(rows_of(report.smallest->first) + rows_of(report.smallest->second), 1);
  EXPECT_NE(report.counterexample->find("map says 1000"), std::string::npos) << *report.counterexample;
}

TEST(Stability, StopsWhenAsked) {
  const AnyTransformation step({
      .recipe = {"same"},
      .input = VectorDomain{1},
      .output = VectorDomain{1},
      .from = {MetricKind::l1},
      .to = {MetricKind::l1},
      .map = [](const Distance& d) { return d; },
      .function = [](const Data& data) { return data; },
  });
  CancelToken token;
  token.cancel();
  EXPECT_THROW(check_stability(step, 1, 1000, token), Cancelled);
}

}  // namespace
}  // namespace dither::audit
