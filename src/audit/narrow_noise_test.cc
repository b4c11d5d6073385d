// Noise that is wrong by a little is found with the efforts of `dither verify`.
#include <gtest/gtest.h>

#include "audit/attacks_check.h"
#include "mechanisms/discrete_laplace.h"

namespace dither::audit {
namespace {

// The attack on Laplace noise at this epsilon, and the same view with a scale that is too small by this factor.
Report attack_narrow(const std::string& epsilon, const Rational& factor, Effort (*effort)(const Attack&)) {
  for (const Attack& attack : all_attacks()) {
    if (attack.name != "discrete-laplace: epsilon " + epsilon) continue;
    View view = std::get<View>(attack.subject());
    const auto narrow = mechanisms::make_discrete_laplace({}, factor / Rational::parse(epsilon)).any();
    view.ask = [narrow](const calculus::Private& data, random::Source& source) {
      return narrow.release(data, source).value();
    };
    return run_on(attack, view, effort(attack));
  }
  throw std::logic_error("no attack at epsilon " + epsilon);
}

// Expected margins are some standard errors: 10% at epsilon 0.1 and 4 million runs is 0.011, at a standard error of 0.001.
// Spec: W-69
TEST(NarrowNoise, PlantedScalesATenthTooSmallAreCaught) {
  for (const char* epsilon : {"0.1", "1", "5"}) {
    EXPECT_EQ(attack_narrow(epsilon, Rational(9, 10), quick).verdict, Verdict::violated) << epsilon;
    EXPECT_EQ(attack_narrow(epsilon, 1, quick).verdict, Verdict::none_found) << epsilon;
    if (!check::nightly()) continue;
    EXPECT_EQ(attack_narrow(epsilon, Rational(97, 100), full).verdict, Verdict::violated) << epsilon;
  }
}

}  // namespace
}  // namespace dither::audit
