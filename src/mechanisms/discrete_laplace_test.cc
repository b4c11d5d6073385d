#include "mechanisms/discrete_laplace.h"

#include <gtest/gtest.h>

#include "testing/refusal.h"
#include "testing/seeded_source.h"

namespace dither::mechanisms {
namespace {

using namespace calculus;  // NOLINT

// Spec: W-12, F-44
TEST(DiscreteLaplace, LossIsDistanceOverScale) {
  const auto noise = make_discrete_laplace({}, Rational(5, 2));
  EXPECT_EQ(noise.loss(L1::Distance(0)), pure(0));
  EXPECT_EQ(noise.loss(L1::Distance(1)), pure(Rational(2, 5)));
  EXPECT_EQ(noise.loss(L1::Distance(3)), pure(Rational(6, 5)));
  EXPECT_EQ(noise.loss(L1::Distance(1'000'000)), pure(400'000));
}

TEST(DiscreteLaplace, RefusesScalesThatAreNone) {
  EXPECT_EQ(testing::refusal([] { make_discrete_laplace({}, 0); }), Code::bad_scale);
  EXPECT_EQ(testing::refusal([] { make_discrete_laplace({}, -1); }), Code::bad_scale);
}

TEST(DiscreteLaplace, EveryCoordinateVaries) {
  random::Source& source = random::Source::this_thread();
  const auto noise = make_discrete_laplace({}, 1000);
  const Release<Data> first = noise.release(Private(Integers(100, 7)), source);
  const Release<Data> second = noise.release(Private(Integers(100, 7)), source);
  EXPECT_NE(std::get<Integers>(first.value()), std::get<Integers>(second.value()));
}

}  // namespace
}  // namespace dither::mechanisms
