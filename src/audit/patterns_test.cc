#include "audit/patterns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "audit/search_inputs.h"
#include "random/source.h"
#include "testing/refusal.h"
#include "testing/seed.h"

namespace dither::audit {
namespace {

const InputPair& named(const std::vector<InputPair>& pairs, const std::string& name) {
  return *std::find_if(pairs.begin(), pairs.end(), [&](const InputPair& pair) { return pair.name == name; });
}

// Spec: T-42, W-61
TEST(Patterns, AreThoseOfStatDp) {
  const std::vector<InputPair> pairs = pattern_inputs({.length = 5});
  ASSERT_EQ(pairs.size(), 8U);
  using V = std::vector<double>;
  EXPECT_EQ(named(pairs, "one above").first, (V{1, 1, 1, 1, 1}));
  EXPECT_EQ(named(pairs, "one above").second, (V{2, 1, 1, 1, 1}));
  EXPECT_EQ(named(pairs, "one below").second, (V{0, 1, 1, 1, 1}));
  EXPECT_EQ(named(pairs, "one above, rest below").second, (V{2, 0, 0, 0, 0}));
  EXPECT_EQ(named(pairs, "one below, rest above").second, (V{0, 2, 2, 2, 2}));
  EXPECT_EQ(named(pairs, "half half").second, (V{0, 0, 2, 2, 2}));
  EXPECT_EQ(named(pairs, "all above").second, (V{2, 2, 2, 2, 2}));
  EXPECT_EQ(named(pairs, "all below").second, (V{0, 0, 0, 0, 0}));
  EXPECT_EQ(named(pairs, "X shape").first, (V{2, 2, 1, 1, 1}));
  EXPECT_EQ(named(pairs, "X shape").second, (V{1, 1, 2, 2, 2}));
}

// Spec: T-42
TEST(Patterns, AreNeighboursUnderEveryRule) {
  for (const std::size_t length : {1, 2, 3, 10}) {
    for (const Adjacent adjacent : {Adjacent::one_coordinate, Adjacent::all_coordinates}) {
      for (const double step : {0.25, 1.0, 3.0}) {
        const InputRules rules{length, adjacent, step, 0, 5, true};
        std::set<std::pair<std::vector<double>, std::vector<double>>> seen;
        for (const InputPair& pair : pattern_inputs(rules)) {
          EXPECT_TRUE(are_neighbours(pair, rules)) << pair.name;
          EXPECT_NE(pair.first, pair.second) << pair.name;
          EXPECT_TRUE(seen.insert({pair.first, pair.second}).second) << pair.name << " twice";
        }
        EXPECT_GE(seen.size(), 2U);
        for (const auto& [first, second] : seen) EXPECT_TRUE(seen.contains({second, first}));  // both orders
        const std::vector<InputPair> random = random_inputs(rules, 5, testing::run_seed());
        EXPECT_FALSE(random.empty());
        for (const InputPair& pair : random) EXPECT_TRUE(are_neighbours(pair, rules));
      }
    }
  }
}

TEST(Patterns, OneCoordinateMovesOneAmongPatterns) {
  const std::vector<InputPair> pairs = pattern_inputs({.length = 3, .adjacent = Adjacent::one_coordinate});
  EXPECT_EQ(named(pairs, "one above, rest below").first, (std::vector<double>{4, 0, 0}));
  EXPECT_EQ(named(pairs, "one above, rest below").second, (std::vector<double>{5, 0, 0}));
}

// Spec: T-42
TEST(Patterns, ClippingLeavesOutWhatBecomesEqual) {
  for (const InputPair& pair : pattern_inputs({.length = 2, .low = 0, .high = 1})) {
    EXPECT_NE(pair.first, pair.second);
    for (const double x : pair.second) EXPECT_LE(x, 1);
  }
  EXPECT_TRUE(pattern_inputs({.length = 2, .low = 1, .high = 1}).empty());
}

TEST(Patterns, RefusesRulesThatMakeNoSense) {
  EXPECT_EQ(testing::refusal([] { pattern_inputs({.length = 0}); }), Code::bad_count);
  EXPECT_EQ(testing::refusal([] { pattern_inputs({.step = 0}); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { random_inputs({.low = 2, .high = 1}, 1, 1); }), Code::bad_bounds);
}

TEST(Neighbours, AreToldFromOthers) {
  const InputRules one{.length = 2, .adjacent = Adjacent::one_coordinate};
  EXPECT_TRUE(are_neighbours({"", {1, 1}, {2, 1}}, one));
  EXPECT_FALSE(are_neighbours({"", {1, 1}, {2, 2}}, one));
  EXPECT_FALSE(are_neighbours({"", {1, 1}, {3, 1}}, one));
  EXPECT_FALSE(are_neighbours({"", {1, 1}, {1}}, one));
  EXPECT_TRUE(are_neighbours({"", {1, 1}, {2, 2}}, {.length = 2}));
  EXPECT_FALSE(are_neighbours({"", {1, 1}, {2, 2}}, {.length = 2, .high = 1}));
}

// Spec: T-42
TEST(Tables, ChangeByOneRow) {
  const std::vector<double> table{3, 4};
  const std::vector<InputPair> added = table_inputs(table, std::vector<double>{9}, TableChange::add_remove);
  ASSERT_EQ(added.size(), 3U);
  EXPECT_EQ(added[0].second, (std::vector<double>{4}));
  EXPECT_EQ(added[2].second, (std::vector<double>{3, 4, 9}));
  const std::vector<InputPair> replaced = table_inputs(table, std::vector<double>{3, 9}, TableChange::replace_one);
  ASSERT_EQ(replaced.size(), 3U);  // 3 for 3 is no change
  EXPECT_EQ(replaced[0].second, (std::vector<double>{9, 4}));
}

// A mechanism that repeats its input: what is drawn is what the pair says.
TEST(Targets, DrawFromTheirInputs) {
  const VectorMechanism echo{"echo", Promise::pure(1), Shape(2, Reading::number),
                             [](std::span<const double> input, Outputs& out, std::int64_t runs, random::Source&) {
                               const std::span<double> cells = out.add(runs);
                               for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = input[i % 2];
                             }};
  const Target target = target_of(echo, pattern_inputs({.length = 2}));
  Outputs out(2);
  target.pairs[0].draw_second(out, 3, random::Source::this_thread());
  EXPECT_EQ(out.row(2)[0], 2);
  EXPECT_EQ(target.pairs[0].second, "[2, 1]");
}

// The worth is largest at first = (5, 1), second = (5, 2): found from (1, 1), (2, 1), within the rules all the way.
// Spec: T-42
TEST(SearchInputs, ClimbsToTheBestNeighbours) {
  const InputRules rules{.length = 2, .adjacent = Adjacent::one_coordinate, .low = 0, .high = 8};
  int valued = 0;
  const Worth worth = [&](const InputPair& pair) {
    ++valued;
    EXPECT_TRUE(are_neighbours(pair, rules));
    return -std::abs(pair.first[0] - 5) - std::abs(pair.first[1] - 1) - std::abs(pair.second[0] - 5) -
           std::abs(pair.second[1] - 2);
  };
  const FoundInputs found = improve_inputs({"start", {1, 1}, {1, 2}}, rules, worth, 200, testing::run_seed());
  EXPECT_EQ(found.worth, 0);
  EXPECT_EQ(found.inputs.second, (std::vector<double>{5, 2}));
  EXPECT_LE(valued, 201);
  valued = 0;
  improve_inputs({"start", {1, 1}, {1, 2}}, rules, worth, 3, testing::run_seed());
  EXPECT_LE(valued, 4);
}

TEST(SearchInputs, RefusesToStartOutsideTheRules) {
  const Worth worth = [](const InputPair&) { return 0.0; };
  EXPECT_EQ(testing::refusal([&] { improve_inputs({"", {1}, {9}}, {.length = 1}, worth, 1, 1); }), Code::bad_argument);
}

}  // namespace
}  // namespace dither::audit
