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

// All statements in the night; otherwise every seventh, from a place that the seed chooses, and no whole answers.
std::vector<Attack> some_statements() {
  std::vector<Attack> all = attacks_with({"stat-dp", "dp-sniper"}, true);
  if (check::nightly()) return all;
  std::vector<Attack> some;
  for (std::size_t i = testing::run_seed() % 7; i < all.size(); i += 7) {
    if (!all[i].name.ends_with("whole answers")) some.push_back(all[i]);
  }
  return some;
}

TEST(SqlAttacks, NoneFindsAViolation) { EXPECT_EQ(violated(some_statements(), 4000), ""); }

// Spec: W-69
TEST(SqlAttacks, PlantedSeveralUnitsInsteadOfOneAreCaught) { EXPECT_EQ(survivors(some_statements(), 8000), ""); }

// Folders of targets go with them, also when a run is cancelled.
TEST(SqlAttacks, LeaveNothingBehind) {
  const ledger::check::Folder folder;
  ASSERT_EQ(setenv("TMPDIR", folder.file("").c_str(), 1), 0);
  const auto statement = std::get<std::shared_ptr<const SqlSubject>>(some_statements().front().subject());
  SqlSubject whole = *statement;
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
