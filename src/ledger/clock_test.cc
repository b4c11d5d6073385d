// Clocks that are set back: time in a ledger never is.
#include <gtest/gtest.h>

#include "ledger/detail/json.h"
#include "ledger/ledger_check.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace check;
using dither::testing::refusal;

class Clock : public ::testing::TestWithParam<bool> {
 protected:
  Clock() {
    ledger.create_dataset(pure_dataset("visits", "10"), steward());
    BudgetTerms terms;
    terms.rule = pure("1");
    terms.renews = Period::month;
    terms.expires = time_from_text("2027-03-01");
    ledger.create_budget("visits/study", BudgetKind::project, terms, steward());
  }
  void set(const char* time) { *made.now = time_from_text(time); }
  std::optional<Code> ask(const std::string& epsilon) {
    return refusal([&] { pay(ledger, laplace("visits/study", epsilon, std::to_string(++asked))); });
  }

  Made made{GetParam()};
  Ledger& ledger = *made.ledger;
  int asked = 0;
};
INSTANTIATE_TEST_SUITE_P(Stores, Clock, ::testing::Bool());

TEST_P(Clock, TimesInRecordsNeverGoBack) {
  for (const char* time : {"2026-12-01", "2026-11-20", "2027-01-05", "1970-01-01", "2026-12-31", "2027-01-06"}) {
    set(time);
    EXPECT_EQ(ask("0.1"), std::nullopt);
  }
  Time last = 0;
  std::size_t records = 0;
  ledger.records(1, [&](const Record& record) {
    const Time at = time_from_text(detail::parse(record.body).at("at").get<std::string>());
    EXPECT_GE(at, last) << record.number;
    last = at;
    return ++records != 0;
  });
  EXPECT_GT(records, 18u);
  EXPECT_EQ(time_text(last), "2027-01-06T00:00:00Z");
  set("2026-01-01");
  EXPECT_EQ(ledger.now(), last);
}

TEST_P(Clock, NoPeriodRenewsTwice) {
  EXPECT_EQ(ask("1"), std::nullopt);
  set("2026-12-01");
  EXPECT_EQ(ask("1"), std::nullopt) << "a new month";
  for (const char* time : {"2026-11-15", "2026-12-02", "2026-10-31", "2026-12-31T23:59:59Z"}) {
    set(time);
    EXPECT_EQ(ask("0.1"), Code::over_budget) << time;
  }
  set("2027-01-01");
  EXPECT_EQ(ask("1"), std::nullopt) << "the next one";
  EXPECT_EQ(ledger.budget("visits/study").periods, 3u);
  EXPECT_EQ(ledger.budget("visits/study").lifetime.losses.at(0).str(), "3");
  EXPECT_EQ(epsilon_spent(ledger, "visits"), "3");
}

TEST_P(Clock, NothingComesBackFromItsEnd) {
  set("2027-03-01");
  EXPECT_EQ(ask("0.1"), Code::expired);
  set("2026-12-01");
  EXPECT_EQ(ask("0.1"), Code::expired);
}

}  // namespace
}  // namespace dither::ledger
