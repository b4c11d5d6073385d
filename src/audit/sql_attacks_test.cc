// Statements through the whole path: text, plan, ledger, engine, noise, answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <stdexcept>

#include "audit/attacks_check.h"
#include "audit/sql_subject.h"
#include "ledger/files_check.h"
#include "testing/path_mutants.h"

namespace dither::audit {
namespace {

using check::attacks_with;
using check::survivors;
using check::violated;

std::shared_ptr<const SqlSubject> statement_of(const Attack& attack) {
  return std::get<std::shared_ptr<const SqlSubject>>(attack.subject());
}

std::vector<Attack> statements(bool whole) {
  std::vector<Attack> all = attacks_with({"stat-dp", "dp-sniper"}, true);
  std::erase_if(all, [whole](const Attack& attack) { return statement_of(attack)->whole != whole; });
  return all;
}

// Whole answers take milliseconds each: all of them in the night, otherwise what can be seen in whole answers alone, and
// one more that the seed chooses.
std::vector<Attack> some_whole() {
  std::vector<Attack> all = statements(true);
  if (check::nightly()) return all;
  const auto above = std::find_if(all.begin(), all.end(), [](const Attack& one) { return one.claim == "sql-above"; });
  return {*above, all[testing::run_seed() % all.size()]};
}

const Attack& named(const std::vector<Attack>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Attack& one) { return one.name == name; });
  if (found == all.end()) throw std::logic_error("no attack " + name);
  return *found;
}

TEST(SqlAttacks, NoneFindsAViolation) { EXPECT_EQ(violated(statements(false), 4000), ""); }

// Spec: W-69
TEST(SqlAttacks, PlantedSeveralUnitsInsteadOfOneAreCaught) { EXPECT_EQ(survivors(statements(false), 8000), ""); }

// So many answers show what is in nearly all of them: p = 1 against p = 0 is found with certainty.
constexpr std::int64_t kWhole = 40;
TEST(SqlAttacks, NoneFindsAViolationInWholeAnswers) { EXPECT_EQ(violated(some_whole(), kWhole), ""); }
TEST(SqlAttacks, PlantedManyUnitsInWholeAnswersAreCaught) { EXPECT_EQ(survivors(some_whole(), kWhole), ""); }

// Sorted by numbers without noise, rows tell by their order what their numbers do not.
// Spec: W-76
TEST(SqlAttacks, PlantedOrderOfTrueSumsIsCaught) {
  const std::vector<Attack> all = statements(true);
  const Attack& attack = named(all, "sql-public-keys: all aggregates, whole answers");
  const Report report = run_on(attack, testing::path_mutants_of(attack).front(), check::effort_for(attack, kWhole));
  EXPECT_EQ(report.verdict, Verdict::violated);
  EXPECT_NE(report.witness.value().event.find("keys in the order"), std::string::npos) << report.witness->event;
}

// Rows that are chosen by numbers without noise tell by being there.
TEST(SqlAttacks, PlantedChoiceByTrueNumbersIsCaught) {
  const std::vector<Attack> all = statements(true);
  const Attack& attack = named(all, "sql-above: HAVING, ORDER BY and LIMIT, whole answers");
  const Report report = run_on(attack, testing::path_mutants_of(attack).front(), check::effort_for(attack, kWhole));
  EXPECT_EQ(report.verdict, Verdict::violated);
}

// Every kind of statement has a bug of its own path beside it, not only databases that stand further apart.
TEST(SqlAttacks, EveryStatementHasABugOfItsOwnPath) {
  std::set<std::string> without;
  for (const Claim& claim : all_claims().all()) {
    if (claim.name.starts_with("sql-")) without.insert(claim.name);
  }
  for (const Attack& attack : attacks_with({"stat-dp", "dp-sniper"}, true)) {
    if (!testing::path_mutants_of(attack).empty()) without.erase(attack.claim);
  }
  EXPECT_EQ(without, std::set<std::string>{});
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
  for (const char* name : {"discrete-laplace", "real-gaussian", "discrete-gaussian", "laplace-threshold",
                           "gaussian-threshold", "partition-selection"}) {
    EXPECT_TRUE(seen.contains(name)) << name;
  }
}

// Folders of targets go with them, also when a run is cancelled.
TEST(SqlAttacks, LeaveNothingBehind) {
  const ledger::check::Folder folder;
  ASSERT_EQ(setenv("TMPDIR", folder.file("").c_str(), 1), 0);
  SqlSubject whole = *statement_of(statements(false).front());
  whole.whole = true;
  {
    const Target target = target_of(whole, {});
    EXPECT_GE(folder.names().size(), 2 * whole.pairs.size());
  }
  EXPECT_EQ(folder.names().size(), 0U);
  Effort cancelled;
  cancelled.cancel.cancel();
  EXPECT_THROW(target_of(whole, cancelled), Cancelled);
  EXPECT_EQ(folder.names().size(), 0U);
  unsetenv("TMPDIR");
}

}  // namespace
}  // namespace dither::audit
