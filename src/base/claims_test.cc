#include "base/claims.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

#include "base/error.h"
#include "testing/refusal.h"

namespace dither {
namespace {

using testing::refusal;

Claim whole(const std::string& name) {
  return {name, "base", "true", "always", {"D-74"}, {"Suite.Test"}, {"Suite.PlantedLieIsCaught"}, Subject::sampler};
}

TEST(Claims, AreFoundByName) {
  Registry registry;
  EXPECT_EQ(registry.find("a"), nullptr);
  registry.add(whole("a"));
  registry.add(whole("b"));
  ASSERT_NE(registry.find("b"), nullptr);
  EXPECT_EQ(registry.find("b")->name, "b");
  EXPECT_EQ(registry.find("B"), nullptr);
  EXPECT_EQ(registry.find(""), nullptr);
}

TEST(Claims, StayInTheOrderAdded) {
  Registry registry;
  for (const char* name : {"c", "a", "b"}) registry.add(whole(name));
  std::string names;
  for (const Claim& claim : registry.all()) names += claim.name;
  EXPECT_EQ(names, "cab");
}

TEST(Claims, NameTakenIsRefused) {
  Registry registry;
  registry.add(whole("a"));
  EXPECT_EQ(refusal([&] { registry.add(whole("a")); }), Code::duplicate_key);
  EXPECT_EQ(registry.all().size(), 1u);
}

// A promise that nothing tests, or whose test was never seen to fail, is none.
// Spec: D-74
TEST(Claims, EmptyPartsAreRefused) {
  const std::function<void(Claim&)> empty[] = {
      [](Claim& c) { c.name.clear(); },       [](Claim& c) { c.room.clear(); }, [](Claim& c) { c.guarantee.clear(); },
      [](Claim& c) { c.conditions.clear(); }, [](Claim& c) { c.rows.clear(); }, [](Claim& c) { c.testers.clear(); },
      [](Claim& c) { c.mutants.clear(); },
  };
  Registry registry;
  for (const auto& part : empty) {
    Claim claim = whole("a");
    part(claim);
    EXPECT_EQ(refusal([&] { registry.add(claim); }), Code::missing_key);
  }
  EXPECT_TRUE(registry.all().empty());
}

// The tests of its kind's attacks stand behind its own, so that it may have no others.
TEST(Claims, AttackedOnesNameTheTestsOfTheirKind) {
  Registry registry;
  for (const Subject subject : {Subject::sampler, Subject::transformation, Subject::combinator}) {
    Claim claim = whole(std::string(subject_name(subject)));
    claim.subject = subject;
    claim.mutants.clear();
    registry.add_attacked(claim);
    EXPECT_EQ(registry.all().back().testers.size(), claim.testers.size() + 1);
    EXPECT_EQ(registry.all().back().mutants.size(), 1U);
  }
  EXPECT_EQ(registry.find("sampler")->testers.back(), "LawAttacks.NoneFindsAViolation");
  EXPECT_EQ(registry.find("transformation")->testers.back(), "StepAttacks.NoneFindsAViolation");
  EXPECT_EQ(registry.find("combinator")->mutants.back(), "OwnPaths.PlantedBugsOfEveryPathAreCaught");
}

TEST(Claims, SubjectsHaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (Subject subject : all_subjects()) names.insert(subject_name(subject));
  EXPECT_EQ(names, (std::set<std::string_view>{"sampler", "transformation", "measurement", "combinator", "interactive",
                                               "statement"}));
}

}  // namespace
}  // namespace dither
