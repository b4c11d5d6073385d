// Statements through the whole path: text, plan, ledger, engine, noise, answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "audit/sql_attacks_check.h"
#include "ledger/files_check.h"
#include "testing/path_mutants.h"

namespace dither::audit {
namespace {

using check::statement_of;
using check::statements;
using check::survivors;
using check::violated;

// Whole answers take milliseconds each: all of them in the night, otherwise two that the seed chooses.
std::vector<Attack> some_whole() {
  std::vector<Attack> all = statements(true);
  if (check::nightly()) return all;
  const std::size_t one = testing::run_seed() % all.size();
  return {all[one], all[(one + all.size() / 2) % all.size()]};
}

const Attack& named(const std::vector<Attack>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Attack& one) { return one.name == name; });
  if (found == all.end()) throw std::logic_error("no attack " + name);
  return *found;
}

// So many answers show what is in nearly all of them. Events are cut at the extremes of what the search saw: that so
// many fresh answers fall beyond that no proof is left has a probability below 1e-7; of 60 it was 1e-3.
constexpr std::int64_t kWhole = 100;
TEST(SqlAttacks, NoneFindsAViolationInWholeAnswers) { EXPECT_EQ(violated(some_whole(), kWhole), ""); }
// Bugs of each of them (testing/answer_mutants.h), and many units where one is paid for.
TEST(SqlAttacks, PlantedBugsOfWholeAnswersAreCaught) { EXPECT_EQ(survivors(some_whole(), kWhole), ""); }

// What costs nothing is never known to somebody who has no row: SUM(0), LIMIT 0, listed keys. Their promise is epsilon 0,
// which any difference refutes; each has its planted bug, by day too (false alarm 2.5e-6 each).
TEST(SqlAttacks, FreeStatementsAreAttackedAndTheirPlantedBugsAreCaught) {
  int attacked = 0;
  for (const Attack& attack : statements(true)) {
    const std::shared_ptr<const SqlSubject> subject = statement_of(attack);
    if (subject->promise.pure_epsilon() != 0) continue;
    ++attacked;
    const Effort effort = check::effort_for(attack, 40);  // what differs does so in every answer
    const Report right = run(attack, effort);
    EXPECT_EQ(right.verdict, Verdict::none_found) << attack.name << ": " << right.witness->event;
    const std::vector<Subject> mutants = testing::mutants_of(attack);
    EXPECT_EQ(mutants.size(), 2U) << attack.name;  // a bug of its own, and a number that moves
    for (const Subject& mutant : mutants)
      EXPECT_EQ(run_on(attack, mutant, effort).verdict, Verdict::violated) << attack.name;
  }
  EXPECT_EQ(attacked, 3);
}

void expect_caught(const std::string& name) {
  const std::vector<Attack> all = statements(true);
  const Attack& attack = named(all, name);
  const Report report = run_on(attack, testing::path_mutants_of(attack).front(), check::effort_for(attack, kWhole));
  EXPECT_EQ(report.verdict, Verdict::violated);
}

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
  expect_caught("sql-above: HAVING, ORDER BY and LIMIT, whole answers");
}

// What stands beside numbers with right noise tells as much as they would without it.
TEST(SqlAttacks, PlantedIntervalsOfTrueNumbersAreCaught) { expect_caught("sql-public-keys: by rho, whole answers"); }
TEST(SqlAttacks, PlantedNoteOfWhatWasClampedIsCaught) { expect_caught("sql-row-unit: logs, whole answers"); }

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
