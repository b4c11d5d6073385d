#include "ledger/entry.h"

#include <gtest/gtest.h>

#include "ledger/ledger_check.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace check;
using dither::testing::refusal;

std::vector<Entry> entries(Ledger& ledger) {
  std::vector<Entry> all;
  ledger.records(1, [&](const Record& record) {
    all.push_back(entry_of(record));
    return true;
  });
  return all;
}

// Spec: D-63
TEST(Entry, DecisionsNameWhoAndWhy) {
  Made made(false);
  made.ledger->create_dataset(pure_dataset("visits", "1"), {"Ada", "agreed on 3 May", "minutes.pdf"});
  made.ledger->freeze("visits", {"Ada", "an audit", ""});
  const std::vector<Entry> all = entries(*made.ledger);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_FALSE(all[0].is_decision());  // the ledger begins
  for (const Entry& entry : {all[1], all[2]}) {
    EXPECT_TRUE(entry.is_decision());
    EXPECT_EQ(entry.budget, "visits");
    EXPECT_EQ(entry.by, "Ada");
    EXPECT_EQ(entry.at, *made.now);
  }
  EXPECT_EQ(all[1].kind, "dataset");
  EXPECT_EQ(all[1].why, "agreed on 3 May");
  EXPECT_EQ(all[2].number, 3u);
  EXPECT_EQ(all[2].kind, "freeze");
}

// Each decision has a value and a link to its evidence, not only a reason.
// Spec: D-63
TEST(Entry, DecisionsHoldTheirValueAndEvidence) {
  Made made(false);
  DatasetTerms visits = pure_dataset("visits", "1");
  visits.budget.renews = Period::month;
  made.ledger->create_dataset(visits, {"Ada", "agreed on 3 May", "minutes.pdf"});
  made.ledger->grant("visits", pure("0.5"), steward());
  made.ledger->declare_version("visits", "2027", "", true, steward());
  const std::vector<Entry> all = entries(*made.ledger);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[1].decided, "epsilon 1, renews month");
  EXPECT_EQ(all[1].evidence, "minutes.pdf");
  EXPECT_EQ(all[2].decided, "epsilon 0.5 more");
  EXPECT_EQ(all[2].evidence, "");
  EXPECT_EQ(all[3].decided, "2027, fresh");
}

TEST(Entry, RefusalsNameWhoAskedAndTheCode) {
  Made made(false);
  made.ledger->create_dataset(pure_dataset("visits", "1"), steward());
  EXPECT_EQ(refusal([&] { made.ledger->reserve(laplace("visits", "2", "too much")); }), Code::over_budget);
  const Entry entry = entries(*made.ledger).back();
  EXPECT_EQ(entry.kind, "refused");
  EXPECT_EQ(entry.code, "over-budget");
  EXPECT_EQ(entry.by, "Bob");
  EXPECT_EQ(entry.title, "too much");
  EXPECT_EQ(entry.budget, "visits");
  EXPECT_FALSE(entry.is_decision());
}

TEST(Entry, RefusesWhatIsNoRecord) {
  EXPECT_EQ(refusal([] { entry_of({1, "{}", {}}); }), Code::ledger_damaged);
  EXPECT_EQ(refusal([] { entry_of({1, "no JSON", {}}); }), Code::ledger_damaged);
}

}  // namespace
}  // namespace dither::ledger
