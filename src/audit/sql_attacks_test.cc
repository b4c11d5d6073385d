// Every kind of statement, by many draws of its noise.
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>

#include "audit/sql_attacks_check.h"

namespace dither::audit {
namespace {

using check::statement_of;
using check::statements;
using check::violated;

// The one behind it in the list. A new one is a warning here, which is an error, and then has to be attacked.
std::optional<session::Noise> next(session::Noise noise) {
  using session::Noise;
  switch (noise) {
    case Noise::none:
      return Noise::discrete_laplace;
    case Noise::discrete_laplace:
      return Noise::real_gaussian;
    case Noise::real_gaussian:
      return Noise::discrete_gaussian;
    case Noise::discrete_gaussian:
      return std::nullopt;
  }
  return std::nullopt;
}

TEST(SqlAttacks, NoneFindsAViolation) { EXPECT_EQ(violated(statements(false), 4000), ""); }

// Bugs of each statement's own path, and several units where one is paid for: these of half of the statements by day.
// Of rows of nobody, keys, foreign keys and budgets in mu the least bound of four runs lay 0.49 beyond its promise of
// 1, with a standard deviation of 0.1 at most.
// Spec: W-69
TEST(SqlAttacks, PlantedBugsOfPathsAreCaught) {
  std::string alive;
  std::size_t number = 0;
  for (const Attack& attack : statements(false)) {
    std::vector<Subject> mutants = testing::mutants_of(attack);
    if (!check::is_its_turn(number++)) mutants.pop_back();
    for (const Subject& mutant : mutants) alive += check::lives(attack, mutant, 8000);
  }
  EXPECT_EQ(alive, "");
}

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
  for (std::optional<session::Noise> noise = session::Noise::none; noise; noise = next(*noise)) {
    EXPECT_TRUE(seen.contains(std::string(session::noise_name(*noise)))) << session::noise_name(*noise);
  }
  for (const char* rule : {"laplace-threshold", "gaussian-threshold", "partition-selection"}) {
    EXPECT_TRUE(seen.contains(rule)) << rule;
  }
}

}  // namespace
}  // namespace dither::audit
