// Every kind of statement, by many draws of its noise.
#include <gtest/gtest.h>

#include <set>

#include "audit/sql_attacks_check.h"

namespace dither::audit {
namespace {

using check::statement_of;
using check::statements;
using check::survivors;
using check::violated;

TEST(SqlAttacks, NoneFindsAViolation) { EXPECT_EQ(violated(statements(false), 4000), ""); }

// Bugs of each statement's own path, and several units where one is paid for.
// Spec: W-69
TEST(SqlAttacks, PlantedBugsOfPathsAreCaught) { EXPECT_EQ(survivors(statements(false), 8000), ""); }

// Every noise and every choice of keys that a price can lead to stands in some statement that is attacked.
TEST(SqlAttacks, EveryNoiseAndChoiceOfKeysIsAttacked) {
  std::set<std::string> seen;
  for (const Attack& attack : statements(false)) {
    SqlSubject one = *statement_of(attack);
    one.pairs.resize(1);
    one.spoil = [&](session::PricedPlan& plan) {
      for (const auto& part : plan.parts) seen.emplace(session::noise_name(part.noise));
      if (plan.keys) seen.insert(plan.keys->rule);
    };
    target_of(one, {});
  }
  for (const char* name : {"discrete-laplace", "real-gaussian", "discrete-gaussian", "laplace-threshold",
                           "gaussian-threshold", "partition-selection"}) {
    EXPECT_TRUE(seen.contains(name)) << name;
  }
}

}  // namespace
}  // namespace dither::audit
