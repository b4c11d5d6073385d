#include "mechanisms/claims.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "calculus/all_makers.h"
#include "calculus/claims.h"
#include "mechanisms/all_makers.h"
#include "random/claims.h"

namespace dither::mechanisms {
namespace {

Registry everything() {
  Registry registry;
  mechanisms::add_claims(registry);
  calculus::add_claims(registry);
  random::add_claims(registry);  // a name that two rooms use, or a part that is empty, throws on the way
  return registry;
}

calculus::Makers all_makers() {
  calculus::Makers makers;
  calculus::add_makers(makers);
  mechanisms::add_makers(makers);
  return makers;
}

// Whose recipe is that of the steps they are made of.
const std::set<std::string> kMadeOfOthers = {"best-noise", "in-pieces", "mean-of-known-size", "mean-of-private-size",
                                             "set-union"};

// Claims of steps that no recipe makes again.
std::set<std::string> without_maker(const Registry& registry, const calculus::Makers& makers) {
  std::set<std::string> missing;
  for (const Claim& claim : registry.all()) {
    const bool step = claim.subject == Subject::transformation || claim.subject == Subject::measurement;
    if (!step || kMadeOfOthers.contains(claim.name)) continue;
    if (!makers.transformations.contains(claim.name) && !makers.measurements.contains(claim.name))
      missing.insert(claim.name);
  }
  return missing;
}

TEST(MechanismClaims, EveryStepCanBeMadeFromItsRecipe) {
  EXPECT_EQ(without_maker(everything(), all_makers()), std::set<std::string>{});
}

TEST(MechanismClaims, PlantedForgottenMakerIsCaught) {
  calculus::Makers makers = all_makers();
  ASSERT_EQ(makers.measurements.erase("discrete-laplace"), 1u);
  EXPECT_EQ(without_maker(everything(), makers), std::set<std::string>{"discrete-laplace"});
}

// What recipes can make is in the list that people see.
TEST(MechanismClaims, EveryMakerIsClaimed) {
  const Registry registry = everything();
  const calculus::Makers makers = all_makers();
  for (const auto& [name, make] : makers.transformations) EXPECT_NE(registry.find(name), nullptr) << name;
  for (const auto& [name, make] : makers.measurements) EXPECT_NE(registry.find(name), nullptr) << name;
}

}  // namespace
}  // namespace dither::mechanisms
