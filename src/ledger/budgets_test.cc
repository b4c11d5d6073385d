// Budgets over time: trees, grants, standing, renewal, purposes, reserves.
#include <gtest/gtest.h>

#include <thread>

#include "ledger/detail/book.h"
#include "ledger/ledger_check.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace check;
using dither::testing::refusal;

// False is in memory, true in a file.
class BudgetsTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override { ledger.create_dataset(pure_dataset("visits", "1"), steward()); }

  BudgetTerms terms(const std::string& epsilon) {
    BudgetTerms terms;
    terms.rule = pure(epsilon);
    return terms;
  }
  void add(const std::string& path, const std::string& epsilon, BudgetKind kind = BudgetKind::project) {
    ledger.create_budget(path, kind, terms(epsilon), steward());
  }
  std::optional<Code> code(const Request& request) {
    return refusal([&] { ledger.reserve(request); });
  }
  std::string spent(const std::string& path) { return epsilon_spent(ledger, path); }
  std::string lifetime(const std::string& path) { return ledger.budget(path).lifetime.losses.at(0).str(); }
  void set_clock(const std::string& text) { *made.now = time_from_text(text); }
  // What the records say, one by one.
  std::vector<std::string> bodies() {
    std::vector<std::string> all;
    ledger.records(1, [&](const Record& record) {
      all.push_back(record.body);
      return true;
    });
    return all;
  }
  std::size_t records_with(const std::string& part) {
    std::size_t count = 0;
    for (const std::string& body : bodies()) count += body.find(part) != std::string::npos ? 1 : 0;
    return count;
  }

  Made made{GetParam()};
  Ledger& ledger = *made.ledger;
};
INSTANTIATE_TEST_SUITE_P(Stores, BudgetsTest, ::testing::Bool());

// Spec: F-33
TEST_P(BudgetsTest, OfThreeRequestsForFourTenthsTheThirdIsRefused) {
  pay(ledger, laplace("visits", "0.4", "a"));
  pay(ledger, laplace("visits", "0.4", "b"));
  EXPECT_EQ(code(laplace("visits", "0.4", "c")), Code::over_budget);
  EXPECT_EQ(spent("visits"), "0.8");
  pay(ledger, laplace("visits", "0.2", "d"));
}

// Spec: F-33, B-23
TEST_P(BudgetsTest, OfAHundredThreadsExactlyFiftyGetAFiftieth) {
  std::atomic<int> paid = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 100; ++i) {
    threads.emplace_back([&, i] {
      if (!refusal([&] { pay(ledger, laplace("visits", "0.02", std::to_string(i))); })) ++paid;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(paid, 50);
  EXPECT_EQ(spent("visits"), "1");
}

// Spec: W-24
TEST_P(BudgetsTest, EveryAncestorPays) {
  add("visits/study", "0.8");
  add("visits/study/anna", "0.5", BudgetKind::analyst);
  add("visits/other", "0.8");
  pay(ledger, laplace("visits/study/anna", "0.3", "a"));
  EXPECT_EQ(spent("visits/study/anna"), "0.3");
  EXPECT_EQ(spent("visits/study"), "0.3");
  EXPECT_EQ(spent("visits"), "0.3");
  EXPECT_EQ(spent("visits/other"), "0");
  EXPECT_EQ(code(laplace("visits/study/anna", "0.3", "b")), Code::over_budget);  // 0.2 left of anna's
  pay(ledger, laplace("visits/study", "0.5", "c"));
  EXPECT_EQ(code(laplace("visits/study/anna", "0.2", "d")), Code::over_budget);  // nothing left of the study's
  pay(ledger, laplace("visits/other", "0.2", "e"));
  EXPECT_EQ(code(laplace("visits/other", "0.1", "f")), Code::over_budget);  // nothing left of the data set's
  EXPECT_EQ(spent("visits"), "1");
}

// Spec: W-24
TEST_P(BudgetsTest, ThreeAnalystsOfOneHalfAreStoppedByTheGlobalOne) {
  for (const char* name : {"anna", "ben", "cleo"}) add(std::string("visits/") + name, "0.5", BudgetKind::analyst);
  pay(ledger, laplace("visits/anna", "0.5", "a"));
  pay(ledger, laplace("visits/ben", "0.5", "b"));
  try {
    ledger.reserve(laplace("visits/cleo", "0.1", "c"));
    FAIL() << "the global budget is used up";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::over_budget);
    EXPECT_NE(std::string(error.what()).find("\"visits\""), std::string::npos) << error.what();
  }
  EXPECT_EQ(spent("visits/cleo"), "0");
  EXPECT_EQ(spent("visits"), "1");
}

// Spec: W-24, F-33
TEST_P(BudgetsTest, TheRecordsReconstructTheTree) {
  add("visits/study", "0.8");
  add("visits/study/anna", "0.5", BudgetKind::analyst);
  pay(ledger, laplace("visits/study/anna", "0.3", "a"));
  code(laplace("visits/study/anna", "0.3", "b"));
  EXPECT_EQ(records_with("\"kind\":\"dataset\""), 1u);
  EXPECT_EQ(records_with("\"path\":\"visits/study\""), 1u);
  EXPECT_EQ(records_with("\"path\":\"visits/study/anna\""), 1u);
  EXPECT_EQ(records_with("\"kind\":\"reserved\""), 1u);
  EXPECT_EQ(records_with("\"kind\":\"refused\""), 1u);
  // A ledger that is given nothing but these records has the same budgets.
  MemoryStore copy;
  {
    Transaction transaction(copy, Access::write);
    ledger.records(1, [&](const Record& record) {
      EXPECT_EQ(record, next_record(copy.head(), record.body));
      copy.append(record);
      detail::Book(copy).apply(record);
      return true;
    });
    transaction.commit();
  }
  for (const Budget& budget : ledger.budgets()) {
    const Transaction transaction(copy, Access::read);
    EXPECT_EQ(detail::to_text(detail::Book(copy).need_budget(budget.path)), detail::to_text(budget));
  }
}

// Spec: D-63
TEST_P(BudgetsTest, GrantsAddUpAndSayWhoAndWhy) {
  pay(ledger, laplace("visits", "1", "a"));
  EXPECT_EQ(code(laplace("visits", "0.5", "b")), Code::over_budget);
  ledger.grant("visits", pure("0.5"), {"Ada", "a second wave was approved", "minutes of 3 May"});
  pay(ledger, laplace("visits", "0.5", "b"));
  EXPECT_EQ(spent("visits"), "1.5");
  EXPECT_EQ(code(laplace("visits", "0.000000000000000001", "c")), Code::over_budget);
  EXPECT_EQ(records_with("\"why\":\"a second wave was approved\""), 1u);
  EXPECT_EQ(records_with("\"evidence\":\"minutes of 3 May\""), 1u);
}

// Spec: D-63
TEST_P(BudgetsTest, ADecisionWithoutAReasonIsRefused) {
  const Head before = ledger.head().head;
  for (const Decision& decision :
       {Decision{"Ada", "", ""}, Decision{"", "because", ""}, Decision{"Ada", " \t\n", ""}}) {
    EXPECT_EQ(refusal([&] { ledger.create_dataset(pure_dataset("more", "1"), decision); }), Code::missing_reason);
    EXPECT_EQ(refusal([&] { ledger.create_budget("visits/a", BudgetKind::project, terms("1"), decision); }),
              Code::missing_reason);
    EXPECT_EQ(refusal([&] { ledger.grant("visits", pure("1"), decision); }), Code::missing_reason);
    EXPECT_EQ(refusal([&] { ledger.freeze("visits", decision); }), Code::missing_reason);
    EXPECT_EQ(refusal([&] { ledger.thaw("visits", decision); }), Code::missing_reason);
    EXPECT_EQ(refusal([&] { ledger.revoke("visits", decision); }), Code::missing_reason);
    EXPECT_EQ(refusal([&] { ledger.review("visits", 0, decision); }), Code::missing_reason);
    EXPECT_EQ(refusal([&] { ledger.declare_version("visits", "2", "", false, decision); }), Code::missing_reason);
    EXPECT_EQ(refusal([&] { ledger.reprice("2", true, decision); }), Code::missing_reason);
  }
  EXPECT_EQ(ledger.head().head, before);
}

// Spec: W-24
TEST_P(BudgetsTest, AFrozenBudgetPaysNothingUntilItIsThawed) {
  add("visits/anna", "0.5", BudgetKind::analyst);
  ledger.freeze("visits/anna", steward());
  EXPECT_EQ(code(laplace("visits/anna", "0.1", "a")), Code::frozen);
  pay(ledger, laplace("visits", "0.1", "of the others"));
  EXPECT_EQ(refusal([&] { ledger.freeze("visits/anna", steward()); }), Code::wrong_state);
  ledger.thaw("visits/anna", steward());
  pay(ledger, laplace("visits/anna", "0.1", "a"));
  EXPECT_EQ(refusal([&] { ledger.thaw("visits/anna", steward()); }), Code::wrong_state);
  ledger.freeze("visits", steward());
  EXPECT_EQ(code(laplace("visits/anna", "0.1", "b")), Code::frozen);  // as is everything below
  EXPECT_EQ(spent("visits"), "0.2");
}

// Spec: W-24
TEST_P(BudgetsTest, ARevokedBudgetStaysRevoked) {
  add("visits/anna", "0.5", BudgetKind::analyst);
  add("visits/ben", "0.5", BudgetKind::analyst);
  pay(ledger, laplace("visits/anna", "0.1", "a"));
  ledger.freeze("visits/ben", steward());
  for (const char* path : {"visits/anna", "visits/ben"}) {
    ledger.revoke(path, {"Ada", "left the project", ""});
    EXPECT_EQ(code(laplace(path, "0.1", "b")), Code::revoked);
    EXPECT_EQ(code(laplace(path, "0.1", "a")), Code::revoked);  // not even what was paid for
    for (const auto& step : {&Ledger::freeze, &Ledger::thaw, &Ledger::revoke}) {
      EXPECT_EQ(refusal([&] { (ledger.*step)(path, steward()); }), Code::wrong_state);
    }
    EXPECT_EQ(refusal([&] { ledger.grant(path, pure("1"), steward()); }), Code::wrong_state);
  }
  EXPECT_EQ(ledger.budget("visits/anna").standing_why, "left the project");
  EXPECT_EQ(spent("visits"), "0.1");
}

// Spec: P-09
TEST_P(BudgetsTest, ABudgetEndsAtItsTime) {
  BudgetTerms until = terms("0.5");
  until.expires = time_from_text("2026-12-01");
  ledger.create_budget("visits/study", BudgetKind::project, until, steward());
  add("visits/study/anna", "0.5", BudgetKind::analyst);
  set_clock("2026-11-30T23:59:59Z");
  pay(ledger, laplace("visits/study/anna", "0.1", "a"));
  set_clock("2026-12-01T00:00:00Z");
  EXPECT_EQ(code(laplace("visits/study/anna", "0.1", "b")), Code::expired);
  EXPECT_EQ(code(laplace("visits/study", "0.1", "b")), Code::expired);
  set_clock("2026-11-01T00:00:00Z");  // a clock that is set back brings nothing back
  EXPECT_EQ(code(laplace("visits/study", "0.1", "b")), Code::expired);
  EXPECT_TRUE(std::holds_alternative<StoredAnswer>(ledger.reserve(laplace("visits/study/anna", "0.1", "a"))));
}

// Spec: P-33
TEST_P(BudgetsTest, ARenewedBudgetBeginsWithNothingAndKeepsItsLifetimeTotal) {
  ledger.grant("visits", pure("9"), steward());
  BudgetTerms monthly = terms("0.5");
  monthly.renews = Period::month;
  ledger.create_budget("visits/study", BudgetKind::project, monthly, steward());
  pay(ledger, laplace("visits/study", "0.5", "november"));
  set_clock("2026-11-30T23:59:59Z");
  EXPECT_EQ(code(laplace("visits/study", "0.1", "late november")), Code::over_budget);
  set_clock("2026-12-01T00:00:00Z");
  EXPECT_EQ(spent("visits/study"), "0.5");  // the period begins with its first charge
  pay(ledger, laplace("visits/study", "0.4", "december"));
  EXPECT_EQ(spent("visits/study"), "0.4");
  EXPECT_EQ(lifetime("visits/study"), "0.9");
  EXPECT_EQ(spent("visits"), "0.9");
  EXPECT_EQ(ledger.budget("visits/study").period, "2026-12");
  EXPECT_EQ(ledger.budget("visits/study").periods, 2u);
  EXPECT_EQ(code(laplace("visits/study", "0.2", "more")), Code::over_budget);
  set_clock("2026-11-15T00:00:00Z");  // a clock that is set back opens no period again
  EXPECT_EQ(code(laplace("visits/study", "0.2", "more")), Code::over_budget);
  set_clock("2027-12-01T00:00:00Z");  // a year later: one renewal, not twelve
  EXPECT_EQ(code(laplace("visits/study", "0.6", "more")), Code::over_budget);
  pay(ledger, laplace("visits/study", "0.5", "more"));
  EXPECT_EQ(ledger.budget("visits/study").periods, 3u);
  EXPECT_EQ(lifetime("visits/study"), "1.4");
  EXPECT_EQ(records_with("\"kind\":\"period\""), 2u);
}

// Spec: P-33
TEST_P(BudgetsTest, AVoidAfterTheRenewalTakesNothingFromTheNewPeriod) {
  ledger.grant("visits", pure("9"), steward());
  BudgetTerms monthly = terms("0.5");
  monthly.renews = Period::month;
  ledger.create_budget("visits/study", BudgetKind::project, monthly, steward());
  auto held = ledger.reserve(laplace("visits/study", "0.3", "november"));
  set_clock("2026-12-01");
  pay(ledger, laplace("visits/study", "0.4", "december"));
  std::get<Ticket>(held).give_back("not needed");
  EXPECT_EQ(spent("visits/study"), "0.4");
  EXPECT_EQ(lifetime("visits/study"), "0.4");
  EXPECT_EQ(spent("visits"), "0.4");
}

// Spec: D-64
TEST_P(BudgetsTest, AnOverdueReviewBlocksTheRenewal) {
  ledger.grant("visits", pure("9"), steward());
  BudgetTerms monthly = terms("0.5");
  monthly.renews = Period::month;
  monthly.review = time_from_text("2026-12-31T23:59:59Z");
  ledger.create_budget("visits/study", BudgetKind::project, monthly, steward());
  pay(ledger, laplace("visits/study", "0.2", "november"));
  set_clock("2026-12-01");
  pay(ledger, laplace("visits/study", "0.3", "december"));
  set_clock("2027-01-01");
  pay(ledger, laplace("visits/study", "0.2", "the rest of december's"));
  EXPECT_EQ(ledger.budget("visits/study").period, "2026-12");
  EXPECT_EQ(code(laplace("visits/study", "0.1", "january")), Code::review_overdue);
  ledger.review("visits/study", time_from_text("2027-12-31"), {"Ada", "looked at the last quarter", ""});
  pay(ledger, laplace("visits/study", "0.5", "january"));
  EXPECT_EQ(ledger.budget("visits/study").period, "2027-01");
  EXPECT_EQ(lifetime("visits/study"), "1.2");
}

// Spec: P-09
TEST_P(BudgetsTest, AQueryWithoutAPurposeIsRefused) {
  DatasetTerms care = pure_dataset("care", "1");
  care.needs_purpose = true;
  ledger.create_dataset(care, steward());
  BudgetTerms staffing = terms("0.5");
  staffing.purpose = "monthly counts of visits per ward, to plan shifts";
  ledger.create_budget("care/staffing", BudgetKind::purpose, staffing, steward());
  add("care/staffing/anna", "0.5", BudgetKind::analyst);
  add("care/anna", "0.5", BudgetKind::analyst);
  EXPECT_EQ(code(laplace("care", "0.1", "a")), Code::missing_purpose);
  EXPECT_EQ(code(laplace("care/anna", "0.1", "a")), Code::missing_purpose);
  pay(ledger, laplace("care/staffing/anna", "0.1", "a"));
  pay(ledger, laplace("care/staffing", "0.1", "b"));
  EXPECT_EQ(spent("care"), "0.2");
  // An answer that a purpose paid for is still no answer without a purpose.
  EXPECT_EQ(code(laplace("care", "0.1", "a")), Code::missing_purpose);
  EXPECT_EQ(code(laplace("care/anna", "0.1", "a")), Code::missing_purpose);
  EXPECT_EQ(spent("care/anna"), "0");
}

// Spec: P-09
TEST_P(BudgetsTest, APurposeIsSaidInWordsThatSaySomething) {
  EXPECT_EQ(refusal([&] { add("visits/nothing", "1", BudgetKind::purpose); }), Code::missing_reason);
  EXPECT_EQ(vague_phrases("To Improve Services and for personalisation"),
            (std::vector<std::string>{"improve services", "personalisation"}));
  EXPECT_TRUE(vague_phrases("monthly counts of visits per ward, to plan shifts").empty());
}

// Spec: P-10
TEST_P(BudgetsTest, AStatisticOutsideTheListIsRefusedEvenWithBudgetLeft) {
  BudgetTerms staffing = terms("0.5");
  staffing.purpose = "monthly counts of visits per ward, to plan shifts";
  staffing.allows = {"count", "sum"};
  ledger.create_budget("visits/staffing", BudgetKind::purpose, staffing, steward());
  BudgetTerms narrower = terms("0.5");
  narrower.allows = {"sum", "mean"};
  ledger.create_budget("visits/staffing/anna", BudgetKind::analyst, narrower, steward());
  const auto asking = [](const char* budget, const char* statistic) {
    Request request = laplace(budget, "0.1", statistic);
    request.statistic = statistic;
    return request;
  };
  EXPECT_EQ(code(asking("visits/staffing", "mean")), Code::not_allowed);
  EXPECT_EQ(code(asking("visits/staffing/anna", "mean")), Code::not_allowed);   // not of the purpose
  EXPECT_EQ(code(asking("visits/staffing/anna", "count")), Code::not_allowed);  // not of anna's
  EXPECT_EQ(spent("visits"), "0");
  pay(ledger, asking("visits/staffing", "count"));
  pay(ledger, asking("visits/staffing/anna", "sum"));
  EXPECT_EQ(code(asking("visits/staffing/anna", "count")), Code::not_allowed);  // also what is there already
  EXPECT_EQ(spent("visits"), "0.2");
  pay(ledger, laplace("visits", "0.8", "all of the rest"));
  EXPECT_EQ(code(asking("visits/staffing", "sum again")), Code::not_allowed);
  Request one_more = asking("visits/staffing", "count");
  one_more.again = true;
  EXPECT_EQ(code(one_more), Code::over_budget);  // 0.3 left of the purpose, nothing of the whole
}

// Spec: D-79
TEST_P(BudgetsTest, OnlyCorrectionsDrawTheReserve) {
  BudgetTerms reserving = terms("1");
  reserving.reserve = pure("0.2");
  ledger.create_dataset(
      [&] {
        DatasetTerms tables = pure_dataset("tables", "1");
        tables.budget = reserving;
        return tables;
      }(),
      steward());
  const std::string wrong = pay(ledger, laplace("tables", "0.6", "published")).release.id;
  EXPECT_EQ(code(laplace("tables", "0.3", "one more")), Code::over_budget);
  EXPECT_EQ(records_with("does not fit into what is left of \\\"tables\\\": epsilon 0.2,"), 1u);  // not 0.4
  const auto republish = [&](const std::string& epsilon, const std::string& plan) {
    Request request = laplace("tables", epsilon, plan);
    request.correction = {wrong, "one ward was counted twice"};
    return request;
  };
  {
    auto held = ledger.reserve(republish("0.3", "corrected"));  // 0.1 beyond the reserve, from the rest
    EXPECT_EQ(spent("tables"), "0.9");
    EXPECT_EQ(ledger.budget("tables").corrected.losses.at(0).str(), "0.3");
  }
  EXPECT_EQ(spent("tables"), "0.6");  // given back, and the reserve with it
  EXPECT_EQ(ledger.budget("tables").corrected.losses.at(0).str(), "0");
  pay(ledger, laplace("tables", "0.2", "the rest"));
  EXPECT_EQ(code(laplace("tables", "0.1", "none left")), Code::over_budget);
  pay(ledger, republish("0.2", "corrected"));
  EXPECT_EQ(spent("tables"), "1");
  EXPECT_EQ(code(republish("0.1", "corrected again")), Code::over_budget);
  const Release old = ledger.release(wrong);
  EXPECT_EQ(old.state, State::committed);  // the old version stays
  EXPECT_EQ(records_with("one ward was counted twice"), 2u);
}

// An answer that was a correction for whoever drew it is an ordinary one for whoever just asks.
// Spec: D-79
TEST_P(BudgetsTest, AHitDrawsTheReserveOnlyForACorrection) {
  BudgetTerms reserving = terms("0.5");
  reserving.reserve = pure("0.2");
  ledger.create_budget("visits/a", BudgetKind::project, reserving, steward());
  ledger.create_budget("visits/b", BudgetKind::project, reserving, steward());
  Request corrected = laplace("visits/a", "0.2", "corrected");
  corrected.correction = {pay(ledger, laplace("visits/a", "0.1", "wrong")).release.id, "a ward was left out"};
  pay(ledger, corrected);
  pay(ledger, laplace("visits/b", "0.3", "all but the reserve"));
  Request asking = laplace("visits/b", "0.2", "corrected");
  EXPECT_EQ(code(asking), Code::over_budget);
  EXPECT_EQ(spent("visits/b"), "0.3");
  asking.correction = corrected.correction;
  EXPECT_EQ(code(asking), std::nullopt);
  EXPECT_EQ(spent("visits/b"), "0.5");
  EXPECT_EQ(ledger.budget("visits/b").corrected.losses.at(0).str(), "0.2");
  EXPECT_EQ(ledger.budget("visits/a").corrected.losses.at(0).str(), "0.2");
}

// Spec: D-79
TEST_P(BudgetsTest, ACorrectionOfTheSameQuestionIsAnotherDraw) {
  Request request = laplace("visits", "0.1", "a");
  const StoredAnswer wrong = pay(ledger, request, "wrong");
  request.correction = {wrong.release.id, "the noise was drawn from a broken source"};
  EXPECT_EQ(pay(ledger, request, "right").release.draw, 2u);
  EXPECT_EQ(std::get<StoredAnswer>(ledger.reserve(request)).bytes, "right");  // asked again, it is there
  EXPECT_EQ(spent("visits"), "0.2");
}

// Spec: D-79
TEST_P(BudgetsTest, ACorrectionNamesAReleaseOfThisDataAndItsDefect) {
  ledger.create_dataset(pure_dataset("other", "1"), steward());
  const std::string elsewhere = pay(ledger, laplace("other", "0.1", "a")).release.id;
  const std::string here = pay(ledger, laplace("visits", "0.1", "a")).release.id;
  auto held = ledger.reserve(laplace("visits", "0.1", "held"));
  const auto correcting = [&](const std::string& release, const std::string& defect) {
    Request request = laplace("visits", "0.1", "b");
    request.correction = {release, defect};
    return code(request);
  };
  EXPECT_EQ(correcting(here, " "), Code::missing_reason);
  EXPECT_EQ(correcting("000000009999", "wrong"), Code::unknown_release);
  EXPECT_EQ(correcting(elsewhere, "wrong"), Code::unknown_release);
  EXPECT_EQ(correcting(std::get<Ticket>(held).release(), "wrong"), Code::wrong_state);  // nobody has seen it
  EXPECT_EQ(correcting(here, "wrong"), std::nullopt);
}

TEST_P(BudgetsTest, AReserveIsAPartOfTheLimits) {
  BudgetTerms reserving = terms("1");
  reserving.reserve = pure("1.1");
  EXPECT_EQ(refusal([&] { ledger.create_budget("visits/a", BudgetKind::project, reserving, steward()); }),
            Code::out_of_range);
  reserving.reserve = accounting::GdpRule{accounting::LossAmount::parse("0.1")};
  EXPECT_EQ(refusal([&] { ledger.create_budget("visits/a", BudgetKind::project, reserving, steward()); }),
            Code::no_theorem);
}

TEST_P(BudgetsTest, TimesThatCannotBeKeptAreRefused) {
  BudgetTerms far = terms("1");
  far.expires = time_from_text("9999-12-31T23:59:59Z") + 1;
  EXPECT_EQ(refusal([&] { ledger.create_budget("visits/a", BudgetKind::project, far, steward()); }),
            Code::out_of_range);
  EXPECT_EQ(refusal([&] { ledger.review("visits", *far.expires, steward()); }), Code::out_of_range);
}

}  // namespace
}  // namespace dither::ledger
