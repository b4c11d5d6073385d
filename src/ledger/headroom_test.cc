#include "ledger/headroom.h"

#include <gtest/gtest.h>

#include "ledger/ledger_check.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace check;

const Time kNovember = time_from_text("2026-11-15");
const Time kDecember = time_from_text("2026-12-01");

accounting::Spent epsilon(const std::string& amount) { return {{accounting::LossAmount::parse(amount)}, {}, {}}; }

Budget budget_of(const std::string& limit, const std::string& spent) {
  Budget budget;
  budget.path = "visits";
  budget.terms.rule = pure(limit);
  budget.spent = budget.lifetime = epsilon(spent);
  budget.corrected = epsilon("0");
  return budget;
}

Budget monthly(const std::string& limit, const std::string& spent) {
  Budget budget = budget_of(limit, spent);
  budget.terms.renews = Period::month;
  budget.period = period_label(Period::month, kNovember);
  return budget;
}

TEST(Headroom, APeriodThatIsDueHasNothingSpentYet) {
  const Budget budget = monthly("1", "0.75");
  EXPECT_EQ(as_of(budget, kNovember).spent, epsilon("0.75"));
  const Budget next = as_of(budget, kDecember);
  EXPECT_EQ(next.spent, epsilon("0"));
  EXPECT_EQ(next.lifetime, epsilon("0.75"));
  EXPECT_EQ(next.period, "2026-12");
  EXPECT_EQ(next.periods, 2u);
}

// Spec: D-64
TEST(Headroom, ARenewalWaitsForTheReview) {
  Budget budget = monthly("1", "0.75");
  budget.terms.review = time_from_text("2026-11-20");
  EXPECT_FALSE(review_is_overdue(budget, kNovember));
  EXPECT_TRUE(review_is_overdue(budget, kDecember));
  EXPECT_EQ(as_of(budget, kDecember).spent, epsilon("0.75"));
}

// The ledger decides by itself; what is shown must say the same.
// Spec: D-64, W-20
TEST(Headroom, ShowsWhatTheLedgerAdmits) {
  Made made(false);
  DatasetTerms terms = pure_dataset("visits", "1");
  terms.budget.renews = Period::month;
  terms.budget.reserve = pure("0.2");
  made.ledger->create_dataset(terms, steward());
  BudgetTerms own;
  own.rule = pure("0.9");
  made.ledger->create_budget("visits/study", BudgetKind::project, own, steward());
  const auto line = [&] {
    std::vector<Budget> all;
    for (const std::string& path : lineage("visits/study")) {
      all.push_back(as_of(made.ledger->budget(path), made.ledger->now()));
    }
    return all;
  };
  const auto admits = [&](const std::string& amount) {
    return largest_laplace(headrooms(line()))->epsilon == accounting::LossAmount::parse(amount) &&
           testing::refusal([&] {
             made.ledger->reserve(laplace("visits/study", amount + "000000000000000001", "too much"));
           }) == Code::over_budget;
  };
  EXPECT_TRUE(admits("0.8"));  // the reserve of the data set is kept back
  pay(*made.ledger, laplace("visits/study", "0.3", "first"));
  EXPECT_TRUE(admits("0.5"));
  EXPECT_EQ(how_many_fit(headrooms(line()), epsilon("0.1")), 5u);
  *made.now = time_from_text("2026-12-24");
  EXPECT_TRUE(admits("0.6"));  // the data set is renewed, the study is not
}

TEST(Headroom, ABudgetThatCannotChargeAStatementAdmitsNone) {
  const std::vector<Headroom> rooms = {{accounting::GdpRule{accounting::LossAmount::parse("1")}, epsilon("0")}};
  EXPECT_FALSE(largest_laplace(rooms).has_value());
  EXPECT_TRUE(largest_gaussian(rooms, accounting::DeltaAmount::parse("0.000001")).has_value());
}

// Spec: P-33
TEST(Headroom, CountsThePeriodsToCome) {
  EXPECT_EQ(periods_between(Period::month, kNovember, kNovember), 0u);
  EXPECT_EQ(periods_between(Period::month, kNovember, kNovember + 1), 1u);
  EXPECT_EQ(periods_between(Period::month, kNovember, kDecember), 1u);  // the first second of December is not in it
  EXPECT_EQ(periods_between(Period::month, kNovember, kDecember + 1), 2u);
  EXPECT_EQ(periods_between(Period::quarter, kNovember, time_from_text("2028-01-01")), 5u);
  EXPECT_EQ(periods_between(Period::day, kNovember, kDecember), 16u);
  EXPECT_EQ(periods_between(Period::year, kNovember, time_from_text("2031-01-01")), 5u);
  EXPECT_EQ(periods_between(Period::none, kNovember, time_from_text("2031-01-01")), 1u);
}

// Spec: P-33
TEST(Headroom, LimitsOfPeriodsAddUp) {
  EXPECT_EQ(accumulated(pure("0.1"), 1), accounting::FilterRule(pure("0.1")));
  EXPECT_EQ(accumulated(pure("0.1"), 120), accounting::FilterRule(pure("12")));
  EXPECT_EQ(accumulated(pure("0.1"), 0), std::nullopt);
  const accounting::AdvancedRule advanced{
      accounting::LossAmount::parse("1"), accounting::DeltaAmount::parse("0.001"), {}};
  EXPECT_EQ(accumulated(advanced, 2), std::nullopt);
}

}  // namespace
}  // namespace dither::ledger
