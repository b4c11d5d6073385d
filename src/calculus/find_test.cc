#include "calculus/find.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "calculus/toy_check.h"
#include "testing/printers.h"
#include "testing/refusal.h"

namespace dither::calculus {
namespace {

using testing::refusal;

AnyMeasurement counted(const Rational& scale) {
  return chain(chain(toy::repeat(3), toy::count(MetricKind::l1)), toy::laplace(scale));
}

// It holds there, and not one double below.
bool is_least(const Rational& scale, const Rational& d, const Loss& wanted) {
  const Rational below = Rational::from_double(std::nextafter(scale.to_double_down(), 0));
  return counted(scale).check(d, wanted) && !counted(below).check(d, wanted);
}

// Spec: W-13
RC_GTEST_PROP(FindScale, AgreesWithCheckToTheLastDouble, ()) {
  const Rational d(*rc::gen::inRange(1L, 1'000'000L)),
      epsilon(*rc::gen::inRange(1L, 1000L), *rc::gen::inRange(1L, 1000L));
  const Rational scale = find_scale(counted, d, pure(epsilon));
  RC_ASSERT(is_least(scale, d, pure(epsilon)));
  RC_ASSERT(scale >= 3 * d / epsilon);  // the exact answer, rounded outward
}

// Spec: W-13
TEST(FindScale, KnownAnswers) {
  EXPECT_EQ(find_scale(counted, Rational(1), pure(Rational(3, 4))), Rational(4));
  EXPECT_EQ(find_scale(toy::laplace, Rational(1), pure(pow(Rational(2), 300))), Rational::power_of_two(-300));
  EXPECT_EQ(find_scale(toy::laplace, pow(Rational(2), 300), pure(1)), Rational::power_of_two(300));
  const Rational sigma = find_scale(toy::gaussian, Rational(1), concentrated(Rational(1, 100)));  // sqrt(50)
  EXPECT_NEAR(sigma.to_double_up(), std::sqrt(50.0), 1e-14);
  EXPECT_TRUE(toy::gaussian(sigma).check(Rational(1), concentrated(Rational(1, 100))));
}

TEST(FindScale, UnreachableIsSaid) {
  EXPECT_EQ(refusal([] { find_scale(toy::laplace, Rational(1), pure(0)); }), Code::unreachable);
  EXPECT_EQ(refusal([] { find_scale(toy::laplace, Rational(1), pure(-1)); }), Code::unreachable);
  EXPECT_EQ(refusal([] { find_scale(toy::laplace, Rational(1), concentrated(1)); }), Code::mixed_metrics);
  EXPECT_EQ(refusal([] { find_scale(toy::laplace, Rational(-1), pure(1)); }), Code::bad_distance);
}

AnyMeasurement limited(const Rational& scale) {
  if (scale < Rational(2) || scale > Rational(1000)) throw Error{Code::bad_scale, "outside [2, 1000]", "another"};
  return toy::laplace(scale);
}

TEST(FindScale, StaysWithinWhatTheMakerAccepts) {
  EXPECT_EQ(find_scale(limited, Rational(1), pure(100)), Rational(2));
  EXPECT_EQ(find_scale(limited, Rational(1), pure(Rational(1, 1000))), Rational(1000));
  EXPECT_EQ(refusal([] { find_scale(limited, Rational(1), pure(Rational(1, 1001))); }), Code::unreachable);
  EXPECT_EQ(find_scale(toy::laplace, Rational(0), pure(0)), Rational::power_of_two(-1074));  // costs nothing at all
}

TEST(FindScale, PlantedHalfScaleIsCaught) {
  const Rational scale = find_scale(counted, Rational(1), pure(Rational(3, 4)));
  EXPECT_TRUE(is_least(scale, 1, pure(Rational(3, 4))));
  EXPECT_FALSE(is_least(scale / 2, 1, pure(Rational(3, 4))));
  EXPECT_FALSE(is_least(scale * 2, 1, pure(Rational(3, 4))));
}

}  // namespace
}  // namespace dither::calculus
