#include "random/detail/alias_table.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/error.h"

namespace dither::random::detail {
namespace {

// How many of the 2^bits inputs give each outcome.
template <typename Word>
std::vector<Word> counts(const BasicAliasTable<Word>& table) {
  std::vector<Word> result(table.residual() + 1, 0);
  for (Word x = 0; x < (Word{1} << table.bits()); ++x) ++result.at(table.look_up(x));
  return result;
}

// The property for a table of words of this type.
template <typename Word>
void every_outcome_has_exactly_its_weight() {
  const int bits = *rc::gen::inRange(5, 13);
  const std::uint64_t total = std::uint64_t{1} << bits;
  std::vector<Word> weights;
  std::uint64_t left = total;
  const int outcomes = *rc::gen::inRange(1, 1 << (bits - 2));
  for (int i = 0; i < outcomes; ++i) {
    const auto wanted = *rc::gen::inRange<std::uint64_t>(0, 2 * total / static_cast<std::uint64_t>(outcomes) + 2);
    weights.push_back(std::min(wanted, left));
    left -= static_cast<std::uint64_t>(weights.back());
  }
  const BasicAliasTable<Word> table(weights, bits);
  RC_ASSERT(table.residual_weight() == left);
  weights.push_back(left);
  RC_ASSERT(counts(table) == weights);
}

RC_GTEST_PROP(AliasTable, EveryOutcomeHasExactlyItsWeight, ()) {
  every_outcome_has_exactly_its_weight<std::uint64_t>();
}

RC_GTEST_PROP(WideAliasTable, EveryOutcomeHasExactlyItsWeight, ()) { every_outcome_has_exactly_its_weight<UInt128>(); }

// How many x below 2^bits of a table too large to enumerate give `outcome`: in a column every x below some threshold
// gives one outcome and the others another, so bisection finds the threshold, and the ends tell the outcomes.
UInt128 count_of(const WideAliasTable& table, std::uint64_t outcome, int column_bits) {
  const UInt128 capacity = UInt128{1} << (table.bits() - column_bits);
  UInt128 result = 0;
  for (UInt128 first = 0; first >> table.bits() == 0; first += capacity) {
    const std::uint64_t kept = table.look_up(first);
    UInt128 low = 0, high = capacity;  // x gives `kept` below low, and from high on it does not
    while (low < high) {
      const UInt128 middle = low + (high - low) / 2;
      if (table.look_up(first + middle) == kept) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    result += kept == outcome ? low : 0;
    result += low < capacity && table.look_up(first + low) == outcome ? capacity - low : 0;
  }
  return result;
}

TEST(WideAliasTable, EveryOutcomeHasExactlyItsWeightAtFullWidth) {
  for (int bits : {66, 96, 127}) {
    const UInt128 total = UInt128{1} << bits;
    std::vector<UInt128> weights = {total / 3, 1, total / 7 + 5, 0, (UInt128{1} << 64) - 1, total / 5};
    const WideAliasTable table(weights, bits);
    weights.push_back(table.residual_weight());
    UInt128 sum = 0;
    for (std::uint64_t i = 0; i < weights.size(); ++i) {
      EXPECT_TRUE(count_of(table, i, 3) == weights[i]) << bits << " " << i;
      sum += weights[i];
    }
    EXPECT_TRUE(sum == total) << bits;
  }
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
  EXPECT_THROW(WideAliasTable({~UInt128{0}, ~UInt128{0}}, 127), Error);
  EXPECT_THROW(WideAliasTable({1}, 128), Error);
}

}  // namespace
}  // namespace dither::random::detail
