#include "calculus/typed.h"

#include <gtest/gtest.h>

#include "calculus/toy_check.h"
#include "testing/refusal.h"

namespace dither::calculus {
namespace {

using testing::refusal;

Transformation<Symmetric, Symmetric> repeat(long k) { return Transformation<Symmetric, Symmetric>(toy::repeat(k)); }
Transformation<Symmetric, L1> count() { return Transformation<Symmetric, L1>(toy::count(MetricKind::l1)); }
Measurement<L1, Pure> laplace(long scale) { return Measurement<L1, Pure>(toy::laplace(scale)); }

// Spec: W-07
TEST(Typed, ChainsAsTheRunTimeFormDoes) {
  const Measurement<Symmetric, Pure> plan = chain(repeat(3), count(), laplace(5));
  EXPECT_EQ(plan.loss(Symmetric::Distance(1)), pure(Rational(3, 5)));
  EXPECT_TRUE(plan.any().recipe() ==
              chain(chain(toy::repeat(3), toy::count(MetricKind::l1)), toy::laplace(5)).recipe());
  const Measurement<Symmetric, Pure> other = chain(repeat(3), chain(count(), laplace(5)));
  EXPECT_TRUE(plan.any().recipe() == other.any().recipe());
  EXPECT_EQ(chain(repeat(2), count()).map(Symmetric::Distance(5)), Distance(Rational(10)));
}

// Spec: W-03
TEST(Typed, AViewSaysWhatTheValueSays) {
  EXPECT_EQ(refusal([] { Transformation<Symmetric, L2>(toy::count(MetricKind::l1)); }), Code::mixed_metrics);
  EXPECT_EQ(refusal([] { Transformation<ChangeOne, L1>(toy::count(MetricKind::l1)); }), Code::mixed_metrics);
  EXPECT_EQ(refusal([] { Measurement<L2, Pure>(toy::laplace(1)); }), Code::mixed_metrics);
  EXPECT_EQ(refusal([] { Measurement<L1, Approximate>(toy::laplace(1)); }), Code::mixed_metrics);
  EXPECT_EQ(refusal([] { Measurement<L2, Zcdp>(toy::gaussian(1)); }), std::nullopt);
}

TEST(Typed, DistancesKnowTheirMetric) {
  EXPECT_EQ(L2::Distance::of(Rational(3, 2)).squared(), Rational(9, 4));
  EXPECT_EQ(L2::Distance::of_square(2).any(), Distance(Rational(2)));
  EXPECT_LT(L1::Distance(1), L1::Distance(2));
  EXPECT_EQ((Cells::Distance{{1, 2, 4, 2}}.any()), Distance(CellsDistance{1, 2, 4, 2}));
  static_assert(!std::is_convertible_v<Rational, L1::Distance>);
  static_assert(!std::is_constructible_v<L1::Distance, Linf::Distance>);
  static_assert(!std::is_constructible_v<L2::Distance, Rational>);  // of, or of_square: never one for the other
}

}  // namespace
}  // namespace dither::calculus
