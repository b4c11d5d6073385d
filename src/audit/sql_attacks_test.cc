// Statements through the whole path: text, plan, ledger, engine, noise, answer.
#include <gtest/gtest.h>

#include <cstdlib>

#include "audit/attacks_check.h"
#include "audit/sql_subject.h"
#include "ledger/files_check.h"

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

// Whole answers take milliseconds each: all of them in the night, otherwise the one that the seed chooses.
std::vector<Attack> some_whole() {
  const std::vector<Attack> all = statements(true);
  return check::nightly() ? all : std::vector<Attack>{all[testing::run_seed() % all.size()]};
}

TEST(SqlAttacks, NoneFindsAViolation) { EXPECT_EQ(violated(statements(false), 4000), ""); }

// Spec: W-69
TEST(SqlAttacks, PlantedSeveralUnitsInsteadOfOneAreCaught) { EXPECT_EQ(survivors(statements(false), 8000), ""); }

// Sixty answers show what is in nearly all of them: p = 1 against p = 0 is found with certainty.
TEST(SqlAttacks, NoneFindsAViolationInWholeAnswers) { EXPECT_EQ(violated(some_whole(), 60), ""); }
TEST(SqlAttacks, PlantedManyUnitsInWholeAnswersAreCaught) { EXPECT_EQ(survivors(some_whole(), 60), ""); }

// Sorted by numbers without noise, rows tell by their order what their numbers do not.
// Spec: W-76
TEST(SqlAttacks, PlantedOrderOfTrueSumsIsCaught) {
  for (const Attack& attack : statements(true)) {
    if (attack.name != "sql-public-keys: all aggregates, whole answers") continue;
    const Report report = run_on(attack, testing::mutants_of(attack).front(), check::effort_for(attack, 60));
    EXPECT_EQ(report.verdict, Verdict::violated);
    EXPECT_NE(report.witness.value().event.find("keys in the order"), std::string::npos) << report.witness->event;
    return;
  }
  FAIL() << "the attack has another name";
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
