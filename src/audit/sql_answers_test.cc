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
