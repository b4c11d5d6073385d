#include "accounting/individual.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <type_traits>

#include "testing/refusal.h"

namespace dither {

struct SecretTestAccess {
  static SecretKey key() { return {}; }
};

namespace accounting {
namespace {

using dither::testing::refusal;

LossAmount hundredths(int count) { return LossAmount::up(Rational(count, 100)); }
IndividualFilter filter(std::size_t records) {
  return IndividualFilter(IndividualMeasure::zcdp, hundredths(100), Neighbours::add_remove, records);
}
bool opened(const Secret<bool>& decision) { return decision.open(SecretTestAccess::key()); }

// Spec: B-22
TEST(Individual, DropsOutWhenItsOwnSumWouldExceedTheLimit) {
  IndividualFilter losses = filter(2);
  EXPECT_EQ(losses.measure(), IndividualMeasure::zcdp);
  EXPECT_EQ(losses.limit(), hundredths(100));
  for (int round = 0; round < 4; ++round) EXPECT_TRUE(opened(losses.take_part(0, hundredths(25))));
  EXPECT_FALSE(opened(losses.take_part(0, hundredths(1))));
  EXPECT_TRUE(opened(losses.take_part(0, hundredths(0))));
  for (int round = 0; round < 1000; ++round) EXPECT_TRUE(opened(losses.take_part(1, hundredths(0))));  // spends nothing
  EXPECT_TRUE(opened(losses.take_part(1, hundredths(100))));
}

// Spec: B-22
RC_GTEST_PROP(Individual, DecisionsDependOnTheRecordAlone, ()) {
  IndividualFilter alone = filter(1), among = filter(5);
  const auto rounds = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 40));
  for (const int loss : rounds) {
    for (std::size_t other = 1; other < 5; ++other) among.take_part(other, hundredths(*rc::gen::inRange(0, 40)));
    RC_ASSERT(opened(alone.take_part(0, hundredths(loss))) == opened(among.take_part(0, hundredths(loss))));
  }
}

TEST(Individual, RefusedChargesAreNotSpent) {
  IndividualFilter losses = filter(1);
  EXPECT_FALSE(opened(losses.take_part(0, hundredths(101))));
  EXPECT_FALSE(opened(losses.take_part(0, LossAmount::of_steps(kInt128Max))));
  EXPECT_TRUE(opened(losses.take_part(0, hundredths(100))));
}

TEST(Individual, ASumGetsNothingOfWhoDropsOut) {
  IndividualFilter losses = filter(2);
  const auto share = [&](std::size_t record) {
    return losses.share(record, hundredths(60), 7).open(SecretTestAccess::key());
  };
  EXPECT_EQ(share(0), 7);
  EXPECT_EQ(share(0), 0);
  EXPECT_EQ(share(1), 7);
  EXPECT_TRUE(opened(losses.take_part(0, hundredths(40))));  // what was refused is not spent
}

TEST(Individual, RefusesWhatIsNotProven) {
  const auto under = [](Neighbours neighbours) {
    return refusal([&] { IndividualFilter(IndividualMeasure::gdp, hundredths(1), neighbours, 1); });
  };
  EXPECT_EQ(under(Neighbours::replace_one), Code::no_theorem);
  EXPECT_EQ(under(Neighbours::both), Code::no_theorem);
  IndividualFilter losses = filter(1);
  EXPECT_EQ(refusal([&] { losses.take_part(1, hundredths(1)); }), Code::out_of_range);
}

static_assert(!std::is_copy_constructible_v<IndividualFilter> && !std::is_copy_assignable_v<IndividualFilter>);
static_assert(!std::is_convertible_v<Secret<bool>, bool>);

}  // namespace
}  // namespace accounting
}  // namespace dither
