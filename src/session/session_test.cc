#include "session/session.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "ledger/ledger_check.h"
#include "ledger/outlook.h"
#include "session/plan_check.h"
#include "testing/refusal.h"

namespace dither::session {
namespace {

using check::laplace_plan;
using ledger::Ledger;

constexpr const char* kTables = R"(
tables:
  visits:
    source: visits.csv
    unit: person
    bounds: {rows_per_unit: 6}
    columns:
      person: {type: integer}
)";

constexpr const char* kBudgets = R"(
budgets:
  main: {epsilon: 3, delta: 0}
  team: {parent: main, epsilon: 2, delta: 0}
  alice: {parent: team, epsilon: 1, delta: 0}
)";

// A project in a folder of its own, with a key.
class Project : public ::testing::Test {
 protected:
  Project() { write(kBudgets); }

  void write(const std::string& budgets, const std::string& privacy = "{unit: person, neighbours: add-remove}",
             const std::string& version = "1", const std::string& more = "") {
    std::ofstream(path()) << "version: 1\ndata_version: \"" << version << "\"\nprivacy: " << privacy << kTables
                          << budgets << more;
  }
  std::string path() const { return folder_.file("dither.yaml"); }
  std::string ledger_path() const { return folder_.file("dither.ledger"); }
  Session open() const { return Session::open(path()); }
  Session created() const {
    Session session = open();
    session.create_ledger(key_, "Ada");
    return session;
  }
  Ledger ledger() const { return Ledger::open(ledger_path(), key_); }
  std::optional<Code> refusal() const {
    return testing::refusal([&] { open(); });
  }

  ledger::check::Folder folder_;
  ledger::SigningKey key_ = ledger::SigningKey::make();
};

TEST_F(Project, OpeningCreatesNothing) {
  const Session session = open();
  EXPECT_FALSE(session.has_ledger());
  session.budgets("alice");
  session.quote(laplace_plan({"1/2"}), "alice");
  EXPECT_EQ(folder_.names(), std::set<std::string>{"dither.yaml"});
}

TEST_F(Project, BudgetsAreThoseOnTheWayUp) {
  const Session session = open();
  std::vector<std::string> paths;
  for (const BudgetState& state : session.budgets("alice")) {
    paths.push_back(state.path);
    EXPECT_FALSE(state.in_ledger);
    EXPECT_EQ(state.spent, accounting::nothing_spent(state.rule));
  }
  EXPECT_EQ(paths, (std::vector<std::string>{"main/team/alice", "main/team", "main"}));
  ASSERT_EQ(session.budgets("").size(), 1U);
  EXPECT_EQ(session.budgets("").front().path, "main");
  EXPECT_EQ(testing::refusal([&] { session.budgets("bob"); }), Code::unknown_budget);
}

// Spec: W-20
TEST_F(Project, FirstUseMakesWhatIsDeclared) {
  const Session session = created();
  EXPECT_TRUE(session.has_ledger());
  Ledger made = ledger();
  ASSERT_EQ(made.datasets().size(), 1U);
  EXPECT_EQ(made.dataset("main").unit.name, "person");
  EXPECT_EQ(made.dataset("main").neighbours, accounting::Neighbours::add_remove);
  EXPECT_EQ(made.dataset("main").version().label, "1");
  EXPECT_EQ(made.budget("main/team").kind, ledger::BudgetKind::project);
  EXPECT_EQ(made.budget("main/team/alice").kind, ledger::BudgetKind::analyst);
  EXPECT_EQ(ledger::in_words(ledger::shown_limits(made.budget("main/team").terms.rule)), "epsilon 2, delta 0");
  int from_the_file = 0;
  made.records(1, [&](const ledger::Record& record) {
    from_the_file += record.body.find("first use: as dither.yaml declares it") != std::string::npos ? 1 : 0;
    return true;
  });
  EXPECT_EQ(from_the_file, 3);
  for (const BudgetState& state : session.budgets("alice")) EXPECT_TRUE(state.in_ledger);
}

TEST_F(Project, FirstUseTwiceChangesNothing) {
  created();
  const auto head = ledger().head().head.number;
  created();
  EXPECT_EQ(ledger().head().head.number, head);
}

TEST_F(Project, BudgetsThatAreNewAreCreatedAtTheNextUse) {
  created();
  write(std::string(kBudgets) + "  bob: {parent: main, epsilon: 1, delta: 0}\n");
  EXPECT_FALSE(open().budgets("bob").front().in_ledger);
  EXPECT_TRUE(open().budgets("bob").back().in_ledger);
  EXPECT_TRUE(created().budgets("bob").front().in_ledger);
}

TEST_F(Project, BudgetsOfTheLedgerAloneAreFine) {
  created();
  ledger().create_budget("main/eve", ledger::BudgetKind::analyst,
                         {accounting::PureRule{accounting::LossAmount::down(Rational(1, 2))}, {}, {}, {}, {}, "", {}},
                         ledger::check::steward());
  EXPECT_EQ(open().budgets("main/eve").front().path, "main/eve");
}

TEST_F(Project, WhatIsRefusedLeavesNoFile) {
  Session session = open();
  EXPECT_EQ(testing::refusal([&] { session.create_ledger(key_, " "); }), Code::missing_reason);
  EXPECT_EQ(folder_.names(), std::set<std::string>{"dither.yaml"});
}

TEST_F(Project, AnotherLimitIsRefused) {
  created();
  write("budgets: {main: {epsilon: 4, delta: 0}}\n");
  EXPECT_EQ(refusal(), Code::budget_differs);
}

TEST_F(Project, TheHintGrantsTheDifference) {
  created();
  const auto hint = [&](const std::string& budgets) {
    write(budgets);
    try {
      open();
      return std::string("none");
    } catch (const Error& error) {
      return error.hint();
    }
  };
  const std::string grant = "dither budget grant --ledger " + ledger_path() + " main --epsilon 1.5 --why";
  EXPECT_NE(hint("budgets: {main: {epsilon: 4.5, delta: 0}}\n").find(grant), std::string::npos);
  const std::string less = hint("budgets: {main: {epsilon: 2, delta: 0}}\n");
  EXPECT_EQ(less.find("grant --"), std::string::npos) << less;
  EXPECT_NE(less.find("what the ledger has: epsilon 3"), std::string::npos) << less;
}

TEST_F(Project, AGrantMakesTheLargerLimitRight) {
  created();
  ledger().grant("main", accounting::PureRule{accounting::LossAmount::down(1)}, ledger::check::steward());
  EXPECT_EQ(refusal(), Code::budget_differs);
  write("budgets: {main: {epsilon: 4, delta: 0}}\n");
  EXPECT_EQ(ledger::in_words(ledger::shown_limits(open().budgets("").front().rule)), "epsilon 4, delta 0");
}

TEST_F(Project, AnotherRuleUnitRelationVersionOrNameIsRefused) {
  created();
  write("budgets: {main: {rho: 1, delta: 0}}\n");
  EXPECT_EQ(refusal(), Code::budget_differs);
  write(kBudgets, "{unit: household, neighbours: add-remove}");
  EXPECT_EQ(refusal(), Code::budget_differs);
  write(kBudgets, "{unit: person, neighbours: replace-one}");
  EXPECT_EQ(refusal(), Code::budget_differs);
  write(kBudgets, "{unit: person, neighbours: add-remove}", "2");
  EXPECT_EQ(refusal(), Code::budget_differs);
  write("budgets: {fresh: {epsilon: 3, delta: 0}}\n");  // would spend everything once more
  EXPECT_EQ(refusal(), Code::budget_differs);
  write(kBudgets);
  EXPECT_NO_THROW(open());
}

TEST_F(Project, AnAnchorIsSetAndALostLedgerIsNoticed) {
  write(kBudgets, "{unit: person, neighbours: add-remove}", "1", "anchor: far.head\n");
  created();
  EXPECT_NO_THROW(open());
  std::filesystem::remove(ledger_path());
  EXPECT_EQ(refusal(), Code::ledger_behind);
}

TEST_F(Project, ALostLedgerIsNoticedByTheHeadBesideIt) {
  created();
  std::filesystem::remove(ledger_path());
  EXPECT_EQ(refusal(), Code::ledger_behind);
  std::filesystem::remove(ledger::head_file_of(ledger_path()));
  EXPECT_NO_THROW(open());
}

// A budget is named as in the file, or by its path, before and after the ledger is made.
TEST_F(Project, BudgetsAreFoundByNameAndByPath) {
  for (const bool made : {false, true}) {
    const Session session = made ? created() : open();
    for (const char* name : {"alice", "main/team/alice"}) {
      EXPECT_EQ(session.budgets(name).front().path, "main/team/alice") << made;
    }
    EXPECT_EQ(session.budgets("main").front().path, "main");
    for (const char* name : {"main/alice", "team/alice", "main/", "/main"}) {
      EXPECT_EQ(testing::refusal([&] { session.budgets(name); }), Code::unknown_budget) << name << made;
    }
  }
}

// Another data set of the same ledger cannot pay for this one.
TEST_F(Project, BudgetsOfOtherDataSetsAreNotFound) {
  created();
  ledger::DatasetTerms terms;
  terms.name = "alice";
  terms.unit = {"person"};
  terms.neighbours = accounting::Neighbours::add_remove;
  terms.budget.rule = accounting::PureRule{accounting::LossAmount::down(9)};
  ledger().create_dataset(terms, ledger::check::steward());
  EXPECT_EQ(open().budgets("alice").front().path, "main/team/alice");
  terms.name = "other";
  ledger().create_dataset(terms, ledger::check::steward());
  EXPECT_EQ(testing::refusal([&] { open().budgets("other"); }), Code::unknown_budget);
}

TEST_F(Project, AQuoteBeforeTheLedgerCountsWithNothingSpent) {
  const Quote quote = open().quote(laplace_plan({"1/2"}), "alice");
  EXPECT_EQ(quote.cost.losses.at(0).str(), "0.5");
  EXPECT_TRUE(quote.fits());
  EXPECT_EQ(quote.how_many, 2U);  // of alice, who has the least
}

// Spec: B-20, W-20
TEST_F(Project, AQuoteFollowsWhatIsSpent) {
  created();
  Ledger spending = ledger();
  ledger::check::pay(spending, ledger::check::laplace("main/team/alice", "3/4", "other"));
  EXPECT_EQ(open().quote(laplace_plan({"1/4"}), "alice").how_many, 1U);
  EXPECT_FALSE(open().quote(laplace_plan({"1/2"}), "alice").fits());
  EXPECT_EQ(open().quote(laplace_plan({"1/2"}), "").how_many, 4U);
}

TEST_F(Project, ABudgetAboveMayBeWhatIsMissing) {
  created();
  Ledger spending = ledger();
  for (const char* plan : {"a", "b", "c", "d"})
    ledger::check::pay(spending, ledger::check::laplace("main/team", "1/2", plan));
  EXPECT_FALSE(open().quote(laplace_plan({"1/2"}), "alice").fits());
  EXPECT_EQ(open().quote(laplace_plan({"1/2"}), "").how_many, 2U);
}

TEST_F(Project, AFrozenBudgetPaysNothing) {
  created();
  ledger().freeze("main/team", ledger::check::steward());
  const Quote quote = open().quote(laplace_plan({"1/2"}), "alice");
  EXPECT_FALSE(quote.fits());
  EXPECT_EQ(quote.payers[0].closed, "");
  EXPECT_EQ(quote.payers[1].closed, "frozen");
  EXPECT_TRUE(open().quote(laplace_plan({"1/2"}), "").fits());
}

TEST_F(Project, WhatCostsNothingFitsWithoutEnd) {
  const Quote quote = open().quote(laplace_plan({}), "alice");
  EXPECT_EQ(quote.cost.losses.at(0).str(), "0");
  EXPECT_EQ(quote.how_many, ledger::kUnlimited);
}

}  // namespace
}  // namespace dither::session
