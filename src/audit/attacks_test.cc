#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "audit/attack.h"
#include "audit/attacks_check.h"
#include "audit/tester.h"
#include "audit/zoo/zoo.h"

namespace dither::audit {
namespace {

using check::attacks_with;
using check::violated;

std::vector<Attack> views() { return attacks_with({"stat-dp", "dp-sniper", "dp-sniper-bits"}); }

// What the attacks leave out, and what they attack that nobody claims.
std::set<std::string> unmatched(const Registry& claims, const std::vector<Attack>& attacks) {
  std::set<std::string> attacked, complaints;
  for (const Attack& attack : attacks) {
    attacked.insert(attack.claim);
    if (claims.find(attack.claim) == nullptr) complaints.insert("nobody claims " + attack.claim);
  }
  for (const Claim& claim : claims.all()) {
    if (!attacked.contains(claim.name)) complaints.insert("nothing attacks " + claim.name);
  }
  return complaints;
}

// Spec: W-69
TEST(Attacks, EveryClaimIsAttacked) {
  EXPECT_EQ(unmatched(all_claims(), all_attacks()), std::set<std::string>{});
  EXPECT_GE(all_claims().all().size(), 167U);
}

TEST(Attacks, PlantedForgottenAttackIsCaught) {
  std::vector<Attack> attacks = all_attacks();
  std::erase_if(attacks, [](const Attack& attack) { return attack.claim == "sum"; });
  attacks.front().claim = "no-such-thing";
  const std::set<std::string> complaints = unmatched(all_claims(), attacks);
  EXPECT_TRUE(complaints.contains("nothing attacks sum"));
  EXPECT_TRUE(complaints.contains("nobody claims no-such-thing"));
}

TEST(Attacks, NamesAreUniqueAndTestersExist) {
  std::set<std::string> names;
  for (const Attack& attack : all_attacks()) {
    EXPECT_TRUE(names.insert(attack.name).second) << attack.name;
    const bool own = attack.tester == "law" || attack.tester == "stability" || attack.tester == "exact";
    EXPECT_TRUE(own || tester(attack.tester).name == attack.tester);
  }
}

// The false alarm of a whole run is divided among at most so many attacks (Bonferroni).
// Spec: W-69
TEST(Attacks, FalseAlarmsAddUpToOneInAThousand) {
  double quick_sum = 0, full_sum = 0;
  for (const Attack& attack : all_attacks()) {
    quick_sum += quick(attack).false_alarm;
    full_sum += full(attack).false_alarm;
  }
  EXPECT_LE(quick_sum, 0.001);
  EXPECT_LE(full_sum, 0.001);
}

TEST(Attacks, NoneFindsAViolation) { EXPECT_EQ(violated(views(), 2000), ""); }

// What no attack needs has no mutant, rather than one that is right.
TEST(Attacks, PlantedTargetHasNoMutant) {
  Attack attack = all_attacks().front();
  attack.subject = []() -> Subject { return zoo::entry("zoo.laplace").make(); };
  EXPECT_THROW(testing::mutants_of(attack), std::logic_error);
}

}  // namespace
}  // namespace dither::audit
