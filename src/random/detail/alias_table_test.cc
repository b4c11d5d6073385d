#include "random/detail/alias_table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"

namespace dither::random::detail {
namespace {

// How many of the 2^bits inputs give each outcome.
std::vector<std::uint64_t> counts(const AliasTable& table) {
  std::vector<std::uint64_t> result(table.residual() + 1, 0);
  for (std::uint64_t x = 0; x < (std::uint64_t{1} << table.bits()); ++x) ++result.at(table.look_up(x));
  return result;
}

RC_GTEST_PROP(AliasTable, EveryOutcomeHasExactlyItsWeight, ()) {
  const int bits = *rc::gen::inRange(5, 13);
  const std::uint64_t total = std::uint64_t{1} << bits;
  std::vector<std::uint64_t> weights;
  std::uint64_t left = total;
  const int outcomes = *rc::gen::inRange(1, 1 << (bits - 2));
  for (int i = 0; i < outcomes; ++i) {
    weights.push_back(*rc::gen::inRange<std::uint64_t>(0, 2 * total / static_cast<std::uint64_t>(outcomes) + 2));
    weights.back() = std::min(weights.back(), left);
    left -= weights.back();
  }
  const AliasTable table(weights, bits);
  RC_ASSERT(table.residual_weight() == left);
  weights.push_back(left);
  RC_ASSERT(counts(table) == weights);
}

TEST(AliasTable, ExtremeShapes) {
  EXPECT_EQ(counts(AliasTable({16}, 4)), (std::vector<std::uint64_t>{16, 0}));
  EXPECT_EQ(counts(AliasTable({0}, 4)), (std::vector<std::uint64_t>{0, 16}));
  EXPECT_EQ(counts(AliasTable({4, 4, 4}, 4)), (std::vector<std::uint64_t>{4, 4, 4, 4}));
  EXPECT_EQ(counts(AliasTable({}, 4)), (std::vector<std::uint64_t>{16}));
}

TEST(AliasTable, RefusesWhatDoesNotFit) {
  EXPECT_THROW(AliasTable({17}, 4), Error);
  EXPECT_THROW(AliasTable({~std::uint64_t{0}, ~std::uint64_t{0}}, 63), Error);
  EXPECT_THROW(AliasTable(std::vector<std::uint64_t>(16, 0), 4), Error);
  EXPECT_THROW(AliasTable({1}, 64), Error);
}

}  // namespace
}  // namespace dither::random::detail
