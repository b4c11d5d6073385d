#include "mechanisms/noise_radius.h"

#include <gtest/gtest.h>

#include "mechanisms/noise_check.h"
#include "mechanisms/pmf_check.h"
#include "testing/refusal.h"

namespace dither::mechanisms {
namespace {

using check::Family;
using testing::refusal;
using Reach = NoiseReach (*)(const Rational&, double);

struct Law {
  Family (*family)(const Rational&);
  Reach reach;
};
const Law kLaws[] = {{check::discrete_laplace_family, discrete_laplace_reach},
                     {check::gaussian_family, discrete_gaussian_reach},
                     {check::real_gaussian_family, rounded_gaussian_reach}};

double within(const Family& family, Int128 radius) {
  return check::mass_within([&](Int128 k) { return family.law(0, k); }, radius);
}

// Whether the noise stays within the radius as often as it should, and in no smaller one.
bool is_least(const Family& family, const Rational& radius, double failure) {
  const Int128 r = radius.floor();
  return Rational(r) == radius && within(family, r) >= 1 - failure - 1e-12 &&
         (r == 0 || within(family, r - 1) < 1 - failure);
}

// Spec: W-36, F-34
TEST(NoiseRadius, IsTheLeastThatTheExactTailsAllow) {
  for (const Law& law : kLaws) {
    for (const char* scale : {"1/3", "1", "5/2", "12"}) {
      const Family family = law.family(Rational::parse(scale));
      for (const double failure : {0.5, 0.2, 0.1, 0.05, 0.01, 1e-3, 1e-5}) {
        const Rational radius = law.reach(Rational::parse(scale), failure).radius;
        EXPECT_TRUE(is_least(family, radius, failure)) << family.name << " " << scale << " " << failure;
        EXPECT_FALSE(is_least(family, radius + 1, failure));
        EXPECT_TRUE(radius == 0 || !is_least(family, radius - 1, failure));
      }
    }
  }
}

TEST(NoiseRadius, IsThatOfTheMeasurementAtFivePercent) {
  for (const Law& law : kLaws) {
    for (const char* scale : {"1/3", "7", "400", "1000000"}) {
      const Family family = law.family(Rational::parse(scale));
      const NoiseReach reach = law.reach(Rational::parse(scale), 0.05);
      EXPECT_EQ(family.noise.error(0)->high, reach.radius) << family.name << " " << scale;
      EXPECT_EQ(family.noise.error(0)->standard_error, reach.standard_error);
    }
  }
}

TEST(NoiseRadius, GrowsWithTheLevelAlsoWhereItIsBounded) {
  for (const Law& law : kLaws) {
    for (const char* scale : {"1", "299", "301", "5000000000000"}) {
      Rational last = 0;
      for (const double failure : {0.9, 0.5, 0.05, 1e-3, 2e-6, 5e-7, 1e-12, 1e-16}) {
        const Rational radius = law.reach(Rational::parse(scale), failure).radius;
        EXPECT_LE(last, radius) << scale << " " << failure;
        last = radius;
      }
    }
  }
}

TEST(NoiseRadius, RefusesWhatIsNoProbabilityAndNoScale) {
  for (const Law& law : kLaws) {
    for (const double failure : {0.0, 1.0, -1.0, std::nan("")}) {
      EXPECT_EQ(refusal([&] { law.reach(1, failure); }), Code::bad_probability);
    }
    EXPECT_EQ(refusal([&] { law.reach(0, 0.05); }), Code::bad_scale);
  }
}

}  // namespace
}  // namespace dither::mechanisms
