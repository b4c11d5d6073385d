// Prices under a corrected accounting: who pays the difference, and where.
#include <gtest/gtest.h>

#include "ledger/ledger_check.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace check;
using accounting::Spent;
using dither::testing::refusal;

Ledger::Pricing times_as_much(std::uint64_t count) {
  return [count](const Price& price, const accounting::FilterRule& rule, accounting::Neighbours neighbours) {
    return times(cost_of(price, rule, neighbours), count);
  };
}
Spent nothing(const Price&, const accounting::FilterRule& rule, accounting::Neighbours) {
  return accounting::nothing_spent(rule);
}

class RepriceTest : public ::testing::Test {
 protected:
  RepriceTest() {
    ledger.create_dataset(pure_dataset("visits", "1"), steward());
    BudgetTerms monthly;
    monthly.rule = pure("1");
    monthly.renews = Period::month;
    ledger.create_budget("visits/monthly", BudgetKind::project, monthly, steward());
  }
  std::string spent(const std::string& path) { return epsilon_spent(ledger, path); }
  std::string lifetime(const std::string& path) { return ledger.budget(path).lifetime.losses.at(0).str(); }

  Made made{false};
  Ledger& ledger = *made.ledger;
};

TEST_F(RepriceTest, WhatCostsMoreIsChargedMoreAndMayOverdraw) {
  const std::string id = pay(ledger, laplace("visits/monthly", "0.4", "a")).release.id;
  const auto shown = ledger.reprice("2", false, steward(), times_as_much(3));
  ASSERT_EQ(shown.size(), 1u);
  EXPECT_EQ(shown[0].cost.losses.at(0).str(), "1.2");
  EXPECT_EQ(spent("visits"), "0.4");  // only shown
  ledger.reprice("2", true, steward(), times_as_much(3));
  EXPECT_EQ(spent("visits"), "1.2");
  EXPECT_EQ(spent("visits/monthly"), "1.2");
  const Release release = ledger.release(id);
  EXPECT_EQ(release.cost_before->losses.at(0).str(), "0.4");
  EXPECT_EQ(release.pricing, "2");
  EXPECT_EQ(refusal([&] { ledger.reserve(laplace("visits", "0.1", "b")); }), Code::over_budget);
}

TEST_F(RepriceTest, WhatCostsLessGivesNothingBack) {
  pay(ledger, laplace("visits", "0.4", "a"));
  EXPECT_EQ(ledger.reprice("2", true, steward(), nothing).size(), 1u);
  EXPECT_EQ(spent("visits"), "0.4");
}

TEST_F(RepriceTest, AnEarlierPeriodPaysInTheLifetimeAlone) {
  pay(ledger, laplace("visits/monthly", "0.2", "in November"));
  *made.now = time_from_text("2026-12-15");
  pay(ledger, laplace("visits/monthly", "0.1", "in December"));
  ledger.reprice("2", true, steward(), times_as_much(2));
  EXPECT_EQ(spent("visits/monthly"), "0.2");
  EXPECT_EQ(lifetime("visits/monthly"), "0.6");
  EXPECT_EQ(spent("visits"), "0.6");
}

// The people of a version that was closed were hurt as well: its total says so.
TEST_F(RepriceTest, AVersionThatWasClosedShowsTheNewTotal) {
  pay(ledger, laplace("visits/monthly", "0.2", "of the first"));
  ledger.declare_version("visits", "1b", "", false, steward());
  pay(ledger, laplace("visits", "0.1", "of the first, continued"));
  ledger.declare_version("visits", "2", "", true, steward());
  pay(ledger, laplace("visits", "0.3", "of the second"));
  ledger.declare_version("visits", "3", "", true, steward());
  pay(ledger, laplace("visits", "0.4", "of the third"));
  ledger.reprice("2", true, steward(), times_as_much(2));
  const Dataset dataset = ledger.dataset("visits");
  EXPECT_EQ(dataset.versions.at(0).closed, std::nullopt);
  EXPECT_EQ(dataset.versions.at(1).closed->losses.at(0).str(), "0.6");
  EXPECT_EQ(dataset.versions.at(2).closed->losses.at(0).str(), "0.6");
  EXPECT_EQ(lifetime("visits"), "0.8");
}

TEST_F(RepriceTest, AVoidTakesBackThePriceAsItIsNow) {
  pay(ledger, laplace("visits", "0.1", "a"));
  auto held = ledger.reserve(laplace("visits", "0.2", "b"));
  ledger.reprice("2", true, steward(), times_as_much(2));
  EXPECT_EQ(spent("visits"), "0.6");
  std::get<Ticket>(held).give_back("not needed");
  EXPECT_EQ(spent("visits"), "0.2");
}

// Sums end somewhere; a void from there would take what others paid.
TEST_F(RepriceTest, APriceBeyondTheRangeIsRefused) {
  pay(ledger, laplace("visits", "0.1", "a"));
  auto held = ledger.reserve(laplace("visits", "0.2", "b"));
  EXPECT_EQ(refusal([&] { ledger.reprice("2", true, steward(), times_as_much(~std::uint64_t{0})); }),
            std::nullopt);  // large, but within
  EXPECT_EQ(refusal([&] {
              ledger.reprice("3", true, steward(), [](const Price&, const auto&, const auto&) {
                return Spent{{accounting::LossAmount::of_steps(kInt128Max)}, {}, {}};
              });
            }),
            Code::out_of_range);
  EXPECT_EQ(ledger.release(std::get<Ticket>(held).release()).pricing, "2");
}

}  // namespace
}  // namespace dither::ledger
