#include "base/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace dither {

std::string_view subject_name(Subject subject) {
  switch (subject) {
    case Subject::sampler:
      return "sampler";
    case Subject::transformation:
      return "transformation";
    case Subject::measurement:
      return "measurement";
    case Subject::combinator:
      return "combinator";
    case Subject::interactive:
      return "interactive";
    case Subject::statement:
      return "statement";
  }
  return "";
}

std::span<const Subject> all_subjects() {
  static constexpr Subject kAll[] = {Subject::sampler,    Subject::transformation, Subject::measurement,
                                     Subject::combinator, Subject::interactive,    Subject::statement};
  return kAll;
}

namespace {

struct AttackTests {
  const char* tester;
  const char* mutants;
};
AttackTests attack_tests(Subject subject) {
  if (subject == Subject::sampler)
    return {"LawAttacks.NoneFindsAViolation", "LawAttacks.PlantedSamplersThatPreferOneOutcomeAreCaught"};
  if (subject == Subject::transformation)
    return {"StepAttacks.NoneFindsAViolation", "StepAttacks.PlantedMapsOfHalfTheDistanceAreCaught"};
  return {"Attacks.NoneFindsAViolation", "OwnPaths.PlantedBugsOfEveryPathAreCaught"};
}

}  // namespace

void Registry::add_attacked(Claim claim) {
  const AttackTests tests = attack_tests(claim.subject);
  claim.testers.emplace_back(tests.tester);
  claim.mutants.emplace_back(tests.mutants);
  add(std::move(claim));
}

void Registry::add(Claim claim) {
  if (find(claim.name) != nullptr) {
    throw Error{Code::duplicate_key, fmt::format("the claim \"{}\" is made twice", claim.name),
                "give each sampler, transformation and mechanism one entry in its room's claims.cc"};
  }
  const bool whole = !claim.name.empty() && !claim.room.empty() && !claim.guarantee.empty() &&
                     !claim.conditions.empty() && !claim.rows.empty() && !claim.testers.empty() &&
                     !claim.mutants.empty();
  if (!whole) {
    throw Error{Code::missing_key, fmt::format("the claim \"{}\" leaves a part empty", claim.name),
                "name room, guarantee, conditions, rows, testers and mutants"};
  }
  claims_.push_back(std::move(claim));
}

const Claim* Registry::find(std::string_view name) const {
  const auto found = std::find_if(claims_.begin(), claims_.end(), [&](const Claim& c) { return c.name == name; });
  return found == claims_.end() ? nullptr : &*found;
}

}  // namespace dither
