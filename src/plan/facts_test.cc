#include "plan/facts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plan/facts_check.h"

namespace dither::plan {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();

Facts numbers(Type type, Rational low, Rational high) {
  Facts facts;
  facts.type = type;
  facts.nullable = false;
  facts.finite = true;
  facts.range = Range{std::move(low), std::move(high)};
  return facts;
}

TEST(Facts, KeepsLooksAtEveryFact) {
  Facts facts = numbers(Type::real, 0, 5);
  EXPECT_TRUE(keeps(facts, 5.0));
  EXPECT_TRUE(keeps(facts, -0.0));
  EXPECT_FALSE(keeps(facts, std::nextafter(5.0, 6.0)));
  EXPECT_FALSE(keeps(facts, Cell{}));
  EXPECT_FALSE(keeps(facts, kNan));
  EXPECT_FALSE(keeps(facts, whole_cell(3)));  // another type
  facts.finite = false;
  EXPECT_TRUE(keeps(facts, kNan));  // the range speaks of numbers
  EXPECT_FALSE(keeps(facts, kInf));
  facts.range.reset();
  EXPECT_TRUE(keeps(facts, kInf));
  facts.nullable = true;
  EXPECT_TRUE(keeps(facts, Cell{}));
  facts.values = Cells{1.0};
  EXPECT_TRUE(keeps(facts, 1.0));
  EXPECT_FALSE(keeps(facts, 2.0));
  EXPECT_FALSE(keeps(facts, Cell{}));
}

TEST(Facts, OfConstants) {
  EXPECT_EQ(describe(facts_of({Type::integer, whole_cell(5)})), "integer, not NULL, 5 to 5, one of 1 value");
  EXPECT_EQ(describe(facts_of({Type::text, {}})), "text, may be NULL, one of 1 value");
  EXPECT_EQ(facts_of({Type::real, 0.1}).grid, Rational(1, 10));  // what was meant, not the double beside it
  EXPECT_FALSE(facts_of({Type::real, 0.0}).grid);
  EXPECT_TRUE(facts_of({Type::real, 0.1}).of_unit);
  EXPECT_FALSE(facts_of({Type::real, kInf}).range);
}

TEST(Facts, EitherHoldsBoth) {
  for (const Type type : {Type::boolean, Type::integer, Type::real, Type::text, Type::date, Type::timestamp}) {
    const auto sets = small_sets(type, false);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      for (std::size_t j = 0; j < sets.size(); j += 3) {
        for (int how = 0; how < 4; ++how) {
          const Facts both = either(known_of(type, sets[i], how), known_of(type, sets[j], 0));
          for (const Cell& cell : sets[i]) EXPECT_TRUE(keeps(both, cell));
          for (const Cell& cell : sets[j]) EXPECT_TRUE(keeps(both, cell));
          EXPECT_FALSE(both.of_unit);  // two rows of a unit may take different ones
        }
      }
    }
  }
}

TEST(Facts, EitherTakesTheCommonGrid) {
  Facts a = numbers(Type::real, 0, 1), b = a;
  a.grid = Rational(1, 4);
  b.grid = Rational(1, 10);
  EXPECT_EQ(either(a, b).grid, Rational(1, 20));
  EXPECT_EQ(either(a, facts_of({Type::real, 0.0})).grid, Rational(1, 4));
  EXPECT_EQ(either(a, facts_of({Type::real, {}})).grid, Rational(1, 4));
  b.grid.reset();
  EXPECT_FALSE(either(a, b).grid);
}

TEST(Facts, ShortRangesAreWrittenOut) {
  EXPECT_EQ(with_values(numbers(Type::integer, -2, 2)).values->size(), 5U);
  EXPECT_EQ(with_values(numbers(Type::integer, 1, 1000)).values->size(), 1000U);
  EXPECT_FALSE(with_values(numbers(Type::integer, 0, 1000)).values);
  EXPECT_EQ(with_values(numbers(Type::date, 0, 6)).values->size(), 7U);
  EXPECT_FALSE(with_values(numbers(Type::timestamp, 0, 6)).values);
  EXPECT_FALSE(with_values(numbers(Type::real, 0, 1)).values);
  Facts truth;
  truth.type = Type::boolean;
  EXPECT_EQ(*with_values(truth).values, (Cells{false, true, Cell{}}));  // by canonical bytes: b0, b1, n
}

TEST(Facts, ValuesAscendByTheirCanonicalBytes) {
  const Facts facts = with_values(numbers(Type::integer, -1, 10));
  for (std::size_t i = 1; i < facts.values->size(); ++i) {
    EXPECT_LT(canonical((*facts.values)[i - 1]), canonical((*facts.values)[i]));
  }
}

TEST(Facts, DescribeSaysItInWords) {
  Facts cost = numbers(Type::real, 0, 5000);
  cost.grid = Rational(1, 100);
  EXPECT_EQ(describe(cost), "real, not NULL, 0 to 5000, on steps of 0.01");
  EXPECT_EQ(describe(numbers(Type::date, 19782, 19783)), "date, not NULL, DATE '2024-02-29' to DATE '2024-03-01'");
  EXPECT_EQ(describe(Facts{}), "text, may be NULL");
  cost.finite = false;
  EXPECT_EQ(describe(cost), "real, not NULL, may be NaN, 0 to 5000, on steps of 0.01");
}

}  // namespace
}  // namespace dither::plan
