// For tests: ledgers in memory and in a file, requests, and whole releases.
#pragma once

#include <memory>
#include <string>

#include "accounting/accounting.h"
#include "ledger/files_check.h"
#include "ledger/ledger.h"
#include "ledger/memory_store.h"
#include "ledger/sqlite_store.h"

namespace dither::ledger::check {

// A ledger that has begun, at a time that the test sets, in a file or in memory.
struct Made {
  explicit Made(bool in_file) : file(in_file ? folder.file("ledger.db") : "") {
    options.clock = [time = now] { return *time; };
    options.path = file;
    std::unique_ptr<Store> store;
    if (in_file) {
      store = std::make_unique<SqliteStore>(file, Opening::fresh);
    } else {
      store = std::make_unique<MemoryStore>();
    }
    Ledger::begin(*store, key, options);
    ledger.emplace(std::move(store), key, options);
  }

  Folder folder;
  std::string file;
  SigningKey key = SigningKey::make();
  std::shared_ptr<Time> now = std::make_shared<Time>(time_from_text("2026-11-15T12:00:00Z"));
  LedgerOptions options;
  std::optional<Ledger> ledger;
};

inline Decision steward() { return {"Ada", "for the tests", ""}; }

inline accounting::PureRule pure(const std::string& epsilon) {
  return {accounting::LossAmount::down(Rational::parse(epsilon))};
}

inline DatasetTerms pure_dataset(const std::string& name, const std::string& epsilon) {
  DatasetTerms terms;
  terms.name = name;
  terms.unit = {"person"};
  terms.budget.rule = pure(epsilon);
  return terms;
}

// One Laplace release of this epsilon; the plan makes it another question.
inline Request laplace(const std::string& budget, const std::string& epsilon, const std::string& plan) {
  Request request;
  request.budget = budget;
  request.price.events.push_back({{}, accounting::Laplace{Rational(1) / Rational::parse(epsilon), Rational(1)}, 1});
  request.question = {plan, "declared", "laplace 1"};
  request.statistic = "count";
  request.title = plan;
  request.by = "Bob";
  return request;
}

// All steps of one release.
inline StoredAnswer pay(Ledger& ledger, const Request& request, const std::string& answer = "answer") {
  auto outcome = ledger.reserve(request);
  Ticket& ticket = std::get<Ticket>(outcome);
  ticket.open();
  return ticket.commit(answer);
}

inline std::string epsilon_spent(Ledger& ledger, const std::string& path) {
  return ledger.budget(path).spent.losses.at(0).str();
}

}  // namespace dither::ledger::check
