#include "accounting/relations.h"

#include <gtest/gtest.h>

#include "accounting/closed_forms_check.h"
#include "testing/printers.h"
#include "testing/refusal.h"

namespace dither::accounting {
namespace {

using testing::refusal;

constexpr auto kAllowed = NullRecord::allowed;
constexpr auto kNot = NullRecord::not_allowed;

// Spec: A-39, F-03
TEST(Relations, ReplacingIsRemovingAndAdding) {
  const ApproximateDp guarantee{Rational(1), Rational::parse("1e-6")};
  const ApproximateDp replaced = with_neighbours(guarantee, Neighbours::add_remove, Neighbours::replace_one, kNot);
  EXPECT_EQ(replaced.epsilon, Rational(2));
  expect_close(replaced.delta.to_double_up(), 3.718281828459e-6);
  EXPECT_GE(replaced.delta, Rational::parse("3.718281828459e-6"));
  const ApproximateDp half = with_neighbours(ApproximateDp{Rational(1, 2), Rational::parse("1e-6")},
                                             Neighbours::add_remove, Neighbours::replace_one, kNot);
  EXPECT_EQ(half.epsilon, Rational(1));
  expect_close(half.delta.to_double_up(), 2.648721e-6, 1e-6);
  const ConcentratedDp rho =
      with_neighbours(ConcentratedDp{Rational(1, 10), 0}, Neighbours::add_remove, Neighbours::both, kNot);
  EXPECT_EQ(rho.rho, Rational(4, 10));
}

// Spec: A-39
TEST(Relations, OtherWays) {
  const ApproximateDp guarantee{Rational(1), Rational::parse("1e-6")};
  const auto is_unchanged = [&](Neighbours from, Neighbours to, NullRecord null_record) {
    const ApproximateDp found = with_neighbours(guarantee, from, to, null_record);
    return found.epsilon == guarantee.epsilon && found.delta == guarantee.delta;
  };
  EXPECT_TRUE(is_unchanged(Neighbours::replace_one, Neighbours::add_remove, kAllowed));
  EXPECT_TRUE(is_unchanged(Neighbours::both, Neighbours::add_remove, kNot));
  EXPECT_TRUE(is_unchanged(Neighbours::both, Neighbours::replace_one, kNot));
  EXPECT_TRUE(is_unchanged(Neighbours::add_remove, Neighbours::add_remove, kNot));
  const auto refused = [&](Neighbours to) {
    return refusal([&] { with_neighbours(guarantee, Neighbours::replace_one, to, kNot); });
  };
  EXPECT_EQ(refused(Neighbours::add_remove), Code::no_theorem);
  EXPECT_EQ(refused(Neighbours::both), Code::no_theorem);
  EXPECT_EQ(refusal([] {
              with_neighbours(ConcentratedDp{Rational(1), Rational(1, 1000)}, Neighbours::add_remove,
                              Neighbours::replace_one, kNot);
            }),
            Code::no_theorem);
}

}  // namespace
}  // namespace dither::accounting
