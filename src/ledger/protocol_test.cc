// The life of a release: its states, its keys, and who pays.
#include <gtest/gtest.h>

#include <fstream>

#include "ledger/ledger_check.h"
#include "testing/refusal.h"

namespace dither::ledger {
namespace {

using namespace check;
using dither::testing::refusal;

// False is in memory, true in a file.
class ProtocolTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    ledger.create_dataset(pure_dataset("visits", "1"), steward());
    for (const char* path : {"visits/a", "visits/a/anna", "visits/b"}) {
      BudgetTerms terms;
      terms.rule = pure("0.5");
      ledger.create_budget(path, BudgetKind::project, terms, steward());
    }
  }
  Ticket reserve(const Request& request) {
    auto outcome = ledger.reserve(request);
    return std::get<Ticket>(std::move(outcome));
  }
  std::optional<Code> code(const Request& request) {
    return refusal([&] { ledger.reserve(request); });
  }
  State state(const std::string& release) { return ledger.release(release).state; }
  std::string spent(const std::string& path) { return epsilon_spent(ledger, path); }
  static Request again(Request request) {
    request.again = true;
    return request;
  }
  std::string last_record() {
    std::string body;
    ledger.records(ledger.head().head.number, [&](const Record& record) {
      body = record.body;
      return true;
    });
    return body;
  }

  Made made{GetParam()};
  Ledger& ledger = *made.ledger;
};
INSTANTIATE_TEST_SUITE_P(Stores, ProtocolTest, ::testing::Bool());

// Spec: D-62, F-33
TEST_P(ProtocolTest, TheChargeIsThereBeforeTheDataIsRead) {
  Ticket ticket = reserve(laplace("visits", "0.1", "a"));
  EXPECT_EQ(state(ticket.release()), State::reserved);
  EXPECT_EQ(spent("visits"), "0.1");
  ticket.open();
  EXPECT_EQ(state(ticket.release()), State::opened);
  EXPECT_EQ(refusal([&] { ledger.answer(ticket.release()); }), Code::wrong_state);
  const StoredAnswer stored = ticket.commit("42");
  EXPECT_EQ(stored.release.state, State::committed);
  EXPECT_EQ(ledger.answer(ticket.release()).bytes, "42");
  EXPECT_EQ(spent("visits"), "0.1");
}

// Spec: D-62
TEST_P(ProtocolTest, ForbiddenStepsChangeNothing) {
  Ticket reserved = reserve(laplace("visits", "0.1", "a"));
  EXPECT_EQ(refusal([&] { reserved.commit("early"); }), Code::wrong_state);
  EXPECT_EQ(state(reserved.release()), State::reserved);
  reserved.open();
  EXPECT_EQ(refusal([&] { reserved.open(); }), Code::wrong_state);
  EXPECT_EQ(refusal([&] { reserved.give_back("late"); }), Code::wrong_state);
  EXPECT_EQ(state(reserved.release()), State::opened);
  EXPECT_EQ(spent("visits"), "0.1");
  reserved.commit("once");
  EXPECT_EQ(refusal([&] { reserved.commit("twice"); }), Code::wrong_state);
  EXPECT_EQ(refusal([&] { reserved.open(); }), Code::wrong_state);
  reserved.give_back("a ticket that is used up has nothing to give");
  EXPECT_EQ(ledger.answer(reserved.release()).bytes, "once");

  Ticket voided = reserve(laplace("visits", "0.1", "b"));
  voided.give_back("not needed");
  EXPECT_EQ(refusal([&] { voided.open(); }), Code::wrong_state);
  EXPECT_EQ(refusal([&] { voided.commit("never opened"); }), Code::wrong_state);
  EXPECT_EQ(state(voided.release()), State::voided);
  EXPECT_EQ(spent("visits"), "0.1");
}

// Spec: D-62
TEST_P(ProtocolTest, ATicketThatGoesTakesItsLastStep) {
  std::string unopened, unanswered, moved;
  {
    const Ticket ticket = reserve(laplace("visits", "0.1", "a"));
    unopened = ticket.release();
  }
  EXPECT_EQ(state(unopened), State::voided);
  EXPECT_EQ(spent("visits"), "0");
  {
    Ticket ticket = reserve(laplace("visits", "0.1", "a"));
    unanswered = ticket.release();
    ticket.open();
  }
  EXPECT_EQ(state(unanswered), State::lost);
  EXPECT_EQ(spent("visits"), "0.1");
  {
    Ticket ticket = reserve(laplace("visits", "0.1", "b"));
    moved = ticket.release();
    Ticket other = reserve(laplace("visits", "0.1", "c"));
    other = std::move(ticket);  // c is given back
    EXPECT_EQ(spent("visits"), "0.2");
    other.open();
    other.commit("b");
  }
  EXPECT_EQ(state(moved), State::committed);
  EXPECT_EQ(spent("visits"), "0.2");
}

// Spec: D-62
TEST_P(ProtocolTest, ALostAnswerIsRefusedUntilItIsPaidForAnew) {
  const Request request = laplace("visits/a", "0.1", "a");
  std::string first;
  {
    Ticket ticket = reserve(request);
    first = ticket.release();
    ticket.open();
  }
  EXPECT_EQ(code(request), Code::answer_lost);
  EXPECT_EQ(code(laplace("visits/b", "0.1", "a")), Code::answer_lost);
  EXPECT_EQ(spent("visits"), "0.1");
  const StoredAnswer stored = pay(ledger, again(request), "second");
  EXPECT_EQ(stored.release.draw, 2u);
  EXPECT_EQ(spent("visits"), "0.2");
  EXPECT_EQ(std::get<StoredAnswer>(ledger.reserve(request)).bytes, "second");
  EXPECT_EQ(state(first), State::lost);
  EXPECT_EQ(refusal([&] { ledger.answer(first); }), Code::wrong_state);
}

// Spec: R-28
TEST_P(ProtocolTest, AgainDrawsAnewAndPays) {
  const Request request = laplace("visits", "0.1", "a");
  pay(ledger, request, "first");
  pay(ledger, again(request), "second");
  EXPECT_EQ(spent("visits"), "0.2");
  EXPECT_EQ(std::get<StoredAnswer>(ledger.reserve(request)).bytes, "second");
  { const Ticket third = reserve(again(request)); }  // given back: the second stays the last
  EXPECT_EQ(std::get<StoredAnswer>(ledger.reserve(request)).bytes, "second");
  EXPECT_EQ(pay(ledger, again(request), "third").release.draw, 3u);
  EXPECT_EQ(spent("visits"), "0.3");
}

// Reading a result twice gives the same bytes, and costs once (peers 33).
// Spec: R-28, D-62
TEST_P(ProtocolTest, ReadingAgainIsFreeAndBitForBit) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  const std::string id = pay(ledger, laplace("visits/a/anna", "0.1", "a"), bytes).release.id;
  const Head before = ledger.head().head;
  for (const char* path : {"visits/a/anna", "visits/a", "visits"}) {
    EXPECT_EQ(std::get<StoredAnswer>(ledger.reserve(laplace(path, "0.1", "a"))).bytes, bytes);
  }
  EXPECT_EQ(ledger.answer(id).bytes, bytes);
  EXPECT_EQ(ledger.head().head, before);
}

// Spec: R-28, W-24
TEST_P(ProtocolTest, AHitUnderAnotherBudgetIsPaidUpToTheFirstThatPaid) {
  pay(ledger, laplace("visits/b", "0.1", "a"), "42");
  EXPECT_EQ(std::get<StoredAnswer>(ledger.reserve(laplace("visits/a/anna", "0.1", "a"))).bytes, "42");
  EXPECT_EQ(spent("visits/a/anna"), "0.1");
  EXPECT_EQ(spent("visits/a"), "0.1");
  EXPECT_EQ(spent("visits"), "0.1");  // the data set paid once: one draw
  EXPECT_EQ(spent("visits/b"), "0.1");
  const Head before = ledger.head().head;
  ledger.reserve(laplace("visits/a/anna", "0.1", "a"));
  ledger.reserve(laplace("visits/a", "0.1", "a"));
  EXPECT_EQ(ledger.head().head, before);
  std::vector<std::string> payers;
  ledger.releases("", [&](const Release& release) {
    for (const Payer& payer : release.payers) payers.push_back(payer.budget);
    return true;
  });
  EXPECT_EQ(payers, (std::vector<std::string>{"visits/b", "visits", "visits/a/anna", "visits/a"}));
}

TEST_P(ProtocolTest, AHitThatDoesNotFitIsRefused) {
  pay(ledger, laplace("visits/b", "0.3", "a"));
  pay(ledger, laplace("visits/a", "0.3", "b"));
  EXPECT_EQ(code(laplace("visits/a/anna", "0.3", "a")), Code::over_budget);
  EXPECT_EQ(spent("visits/a/anna"), "0");
  EXPECT_EQ(spent("visits/a"), "0.3");
}

// Spec: B-23
TEST_P(ProtocolTest, OfTwoCallersOnePaysAndTheOtherWaits) {
  Ticket first = reserve(laplace("visits/a", "0.1", "a"));
  for (const bool opened : {false, true}) {
    const auto second = ledger.reserve(laplace("visits/b", "0.1", "a"));
    EXPECT_EQ(std::get<InProgress>(second).release, first.release());
    EXPECT_EQ(spent("visits/b"), "0");
    if (!opened) first.open();
  }
  EXPECT_EQ(refusal([&] { ledger.reserve_or_wait(laplace("visits/b", "0.1", "a"), std::chrono::milliseconds(5)); }),
            Code::ledger_busy);
  first.commit("42");
  EXPECT_EQ(std::get<StoredAnswer>(ledger.reserve_or_wait(laplace("visits/b", "0.1", "a"), {})).bytes, "42");
  EXPECT_EQ(spent("visits"), "0.1");
}

TEST_P(ProtocolTest, WhoeverWaitedForAVoidedOneIsNext) {
  Ticket first = reserve(laplace("visits/a", "0.1", "a"));
  EXPECT_TRUE(std::holds_alternative<InProgress>(ledger.reserve(laplace("visits/b", "0.1", "a"))));
  first.give_back("not needed");
  const Ticket second = reserve(laplace("visits/b", "0.1", "a"));
  EXPECT_EQ(ledger.release(second.release()).draw, 1u);
  EXPECT_EQ(spent("visits/a"), "0");
  EXPECT_EQ(spent("visits"), "0.1");
}

// What is frozen or replaced between the reservation and the first read is void, and nothing was spent.
// Spec: B-23
TEST_P(ProtocolTest, WhatIsFrozenMeanwhileCannotBeOpened) {
  const auto opening = [&](const std::string& plan, const std::function<void()>& meanwhile) {
    Ticket ticket = reserve(laplace("visits/a/anna", "0.1", plan));
    meanwhile();
    EXPECT_EQ(refusal([&] { ticket.open(); }), Code::frozen) << plan;
    EXPECT_EQ(state(ticket.release()), State::voided) << plan;
    EXPECT_EQ(refusal([&] { ticket.open(); }), Code::wrong_state) << plan;
  };
  opening("frozen", [&] { ledger.freeze("visits/a/anna", steward()); });
  ledger.thaw("visits/a/anna", steward());
  opening("frozen above", [&] { ledger.freeze("visits", steward()); });
  ledger.thaw("visits", steward());
  opening("replaced", [&] { ledger.declare_version("visits", "2", "", false, steward()); });
  opening("begun anew", [&] { ledger.declare_version("visits", "3", "", true, steward()); });
  opening("revoked", [&] { ledger.revoke("visits/a", steward()); });
  for (const Budget& budget : ledger.budgets()) EXPECT_EQ(budget.spent, accounting::nothing_spent(budget.terms.rule));
}

// From open on nothing returns: what was read may be committed, whatever the steward decides meanwhile.
TEST_P(ProtocolTest, WhatIsOpenedCanBeCommittedInAFrozenDataSet) {
  Ticket ticket = reserve(laplace("visits/a", "0.1", "a"));
  ticket.open();
  ledger.freeze("visits", steward());
  ledger.declare_version("visits", "2", "", false, steward());
  EXPECT_EQ(ticket.commit("42").bytes, "42");
  EXPECT_EQ(spent("visits/a"), "0.1");
}

// Spec: F-33
TEST_P(ProtocolTest, BatchesAreReservedTogetherOrNotAtAll) {
  const auto nothing_happened = [&] {
    EXPECT_EQ(spent("visits"), "0.1");
    EXPECT_EQ(spent("visits/a"), "0.1");
    EXPECT_EQ(spent("visits/b"), "0");
  };
  pay(ledger, laplace("visits/a", "0.1", "there"), "42");
  std::vector<Request> batch = {laplace("visits/a", "0.1", "a"), laplace("visits/b", "0.6", "too much"),
                                laplace("visits/a", "0.1", "b")};
  EXPECT_EQ(refusal([&] { ledger.reserve(batch); }), Code::over_budget);
  nothing_happened();
  EXPECT_NE(last_record().find("\"title\":\"too much\""), std::string::npos);
  batch[1] = laplace("visits/a", "0.1", "a");
  EXPECT_EQ(refusal([&] { ledger.reserve(batch); }), Code::duplicate_key);
  nothing_happened();
  batch[1] = laplace("nowhere", "0.1", "a");
  EXPECT_EQ(refusal([&] { ledger.reserve(batch); }), Code::unknown_budget);
  nothing_happened();
  {
    const Ticket busy = reserve(laplace("visits/b", "0.1", "busy"));
    batch[1] = laplace("visits/a", "0.1", "busy");
    const auto outcome = ledger.reserve(batch);
    EXPECT_EQ(std::get<InProgress>(outcome).release, busy.release());
    EXPECT_EQ(spent("visits/a"), "0.1");
  }
  nothing_happened();
  batch[1] = laplace("visits/b", "0.1", "there");  // a hit, paid for by b alone
  {
    auto outcome = ledger.reserve(batch);
    auto& held = std::get<std::vector<Held>>(outcome);
    ASSERT_EQ(held.size(), 3u);
    EXPECT_TRUE(std::holds_alternative<Ticket>(held[0]));
    EXPECT_EQ(std::get<StoredAnswer>(held[1]).bytes, "42");
    EXPECT_TRUE(std::holds_alternative<Ticket>(held[2]));
    EXPECT_EQ(spent("visits/a"), "0.3");
    EXPECT_EQ(spent("visits/b"), "0.1");
    EXPECT_EQ(spent("visits"), "0.3");
  }
  EXPECT_EQ(spent("visits/a"), "0.1");  // tickets that went
}

// Each member fits, all together do not.
TEST_P(ProtocolTest, ABatchIsChargedAsAWhole) {
  std::vector<Request> batch;
  for (int i = 0; i < 6; ++i) batch.push_back(laplace("visits/a", "0.1", std::to_string(i)));
  EXPECT_EQ(refusal([&] { ledger.reserve(batch); }), Code::over_budget);
  EXPECT_EQ(spent("visits"), "0");
  batch.pop_back();
  EXPECT_EQ(std::get<std::vector<Held>>(ledger.reserve(batch)).size(), 5u);
  EXPECT_TRUE(std::get<std::vector<Held>>(ledger.reserve(std::span<const Request>())).empty());
}

// Spec: F-33
TEST_P(ProtocolTest, RefusalsAreRecordedAndChangeNoBudget) {
  pay(ledger, laplace("visits/a", "0.5", "a"));
  const std::vector<Budget> before = ledger.budgets();
  const std::uint64_t number = ledger.head().head.number;
  EXPECT_EQ(code(laplace("visits/a", "0.1", "beyond")), Code::over_budget);
  EXPECT_EQ(ledger.head().head.number, number + 1);
  for (const char* part : {"\"kind\":\"refused\"", "\"code\":\"over-budget\"", "\"budget\":\"visits/a\"",
                           "\"title\":\"beyond\"", "\"by\":\"Bob\"", "\"events\":["}) {
    EXPECT_NE(last_record().find(part), std::string::npos) << part;
  }
  for (const Budget& budget : before) EXPECT_EQ(ledger.budget(budget.path).spent, budget.spent);
}

// Two ledgers of the same public history, whose answers differ, refuse in the same words.
// Spec: F-33
TEST_P(ProtocolTest, RefusalsDependOnPublicFactsAlone) {
  std::vector<std::string> words;
  for (const char* secret : {"17", "a quite different answer"}) {
    Made other(GetParam());
    other.ledger->create_dataset(pure_dataset("visits", "1"), steward());
    pay(*other.ledger, laplace("visits", "0.9", "a"), secret);
    std::string text;
    for (const Request& request :
         {laplace("visits", "0.2", "b"), laplace("visits", "0.2", "a"), again(laplace("visits", "0.9", "a"))}) {
      try {
        other.ledger->reserve(request);
      } catch (const Error& error) {
        text += std::string(code_name(error.code())) + error.what() + error.hint();
      }
    }
    words.push_back(text);
  }
  EXPECT_EQ(words[0], words[1]);
  EXPECT_FALSE(words[0].empty());
}

// Spec: A-69, B-23, W-23
TEST_P(ProtocolTest, TwoInterleavedSessionsCostWhatTheyCostOneAfterTheOther) {
  const auto total = [&](bool interleaved) {
    Made other(GetParam());
    other.ledger->create_dataset(pure_dataset("visits", "1"), steward());
    const auto step = [&](const std::string& session, int i) {
      return std::get<Ticket>(
          other.ledger->reserve(laplace("visits", i == 1 ? "0.15" : "0.07", session + std::to_string(i))));
    };
    for (int i = 0; i < 3; ++i) {
      if (interleaved) {
        Ticket a = step("a", i);
        Ticket b = step("b", i);
        b.open();
        a.open();
        b.commit("b");
        a.commit("a");
      }
    }
    for (const char* session : {"a", "b"}) {
      for (int i = 0; i < 3 && !interleaved; ++i) {
        Ticket ticket = step(session, i);
        ticket.open();
        ticket.commit(session);
      }
    }
    return epsilon_spent(*other.ledger, "visits");
  };
  EXPECT_EQ(total(true), "0.58");
  EXPECT_EQ(total(false), "0.58");
}

// The ledger's total is the sum of the mechanisms that ran (peers 34), whoever made them run.
// Spec: F-33, A-01
TEST_P(ProtocolTest, TheTotalIsTheSumOfWhatRan) {
  Request release = laplace("visits", "0.1", "keys and counts");
  release.price.events.push_back({{}, accounting::Laplace{Rational(20), Rational(1)}, 3});  // finding the keys
  pay(ledger, release);
  pay(ledger, laplace("visits", "0.2", "b"));
  Rational sum;
  ledger.releases("", [&](const Release& there) {
    for (const accounting::Event& event : there.price.events) {
      const auto& noise = std::get<accounting::Laplace>(event.mechanism.kind);
      sum += Rational(static_cast<long>(event.times)) * noise.sensitivity / noise.scale;
    }
    return true;
  });
  EXPECT_EQ(sum, Rational(45, 100));
  EXPECT_EQ(ledger.budget("visits").spent.losses.at(0).value(), sum);
}

// Failing after the data was read costs, at every step, and nothing is given back (peers 49).
// Spec: D-62
TEST_P(ProtocolTest, AFailedRunIsCharged) {
  const auto run = [&](const Request& request, bool fails) {
    Ticket ticket = reserve(request);
    ticket.open();
    if (fails) throw std::runtime_error("the engine went away");
    ticket.commit("42");
  };
  EXPECT_THROW(run(laplace("visits", "0.1", "a"), true), std::runtime_error);
  EXPECT_EQ(spent("visits"), "0.1");
  EXPECT_EQ(code(laplace("visits", "0.1", "a")), Code::answer_lost);
  run(laplace("visits", "0.1", "b"), false);
  EXPECT_EQ(spent("visits"), "0.2");
}

TEST_P(ProtocolTest, LongAnswersAreReadAgainBitForBit) {
  std::string large(made.options.most_inline + 1, '\0');
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * 31);
  const Release release = pay(ledger, laplace("visits", "0.1", "large"), large).release;
  EXPECT_EQ(release.answer_in_file, GetParam());
  EXPECT_EQ(std::get<StoredAnswer>(ledger.reserve(laplace("visits", "0.1", "large"))).bytes, large);
  EXPECT_FALSE(pay(ledger, laplace("visits", "0.1", "edge"), large.substr(1)).release.answer_in_file);
  EXPECT_EQ(pay(ledger, laplace("visits", "0.1", "empty"), "").bytes, "");
  EXPECT_EQ(std::get<StoredAnswer>(ledger.reserve(laplace("visits", "0.1", "empty"))).bytes, "");
  if (!GetParam()) return;
  const std::string file = answers_folder_of(made.file) + "/" + release.answer->hex();
  std::ofstream(file, std::ios::app) << "x";
  EXPECT_EQ(refusal([&] { ledger.answer(release.id); }), Code::ledger_damaged);
  std::filesystem::remove(file);
  EXPECT_EQ(refusal([&] { ledger.answer(release.id); }), Code::ledger_damaged);
}

// Spec: A-01
TEST(Key, DiffersInEveryPart) {
  const Request base = laplace("visits", "0.1", "a");
  const auto key = [&](const std::function<void(Request&)>& change, const char* dataset = "visits",
                       const char* version = "1") {
    Request request = base;
    change(request);
    return key_of(dataset, request.question, request.price, version);
  };
  const auto as_it_is = [](Request&) {};
  std::vector<Digest> keys = {key(as_it_is),
                              key(as_it_is, "visit"),
                              key(as_it_is, "visits", "2"),
                              key([](Request& r) { r.question.plan = "b"; }),
                              key([](Request& r) { r.question.declarations = "others"; }),
                              key([](Request& r) { r.question.mechanism = "laplace 2"; }),
                              key([](Request& r) {
                                r.question = {"adeclared", "", "laplace 1"};
                              }),
                              key([](Request& r) { r.price.events[0].times = 2; }),
                              key([](Request& r) { r.price.events.push_back(r.price.events[0]); }),
                              key([](Request& r) { r.price.cells = {r.price.events}; }),
                              key([](Request& r) {
                                r.price.cells = {r.price.events, r.price.events};
                              }),
                              key([](Request& r) {
                                r.price.cells = {{r.price.events[0], r.price.events[0]}};
                              }),
                              key([](Request& r) { r.price.cells = {r.price.events}, r.price.events.clear(); })};
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(std::unique(keys.begin(), keys.end()), keys.end());
  // Who asks, and what it is called, makes it no other question.
  EXPECT_EQ(key([](Request& r) { r.by = "Cleo", r.title = "other", r.budget = "visits/b"; }), key(as_it_is));
}

}  // namespace
}  // namespace dither::ledger
