// For tests: a ledger in which everything has happened that can.
#pragma once

#include <set>
#include <string>

#include "base/error.h"
#include "ledger/ledger_check.h"

namespace dither::ledger::check {

inline constexpr int kRecordKinds = 21;

inline BudgetTerms with(const accounting::FilterRule& rule) {
  BudgetTerms terms;
  terms.rule = rule;
  return terms;
}

// The steps of a story with every kind of record. Long answers lie in files where the ledger does.
inline void create_budgets(Made& made) {
  Ledger& ledger = *made.ledger;
  DatasetTerms visits = pure_dataset("visits", "10");
  visits.source = "visits.csv 1";
  ledger.create_dataset(visits, steward());
  BudgetTerms monthly;
  monthly.rule = pure("1");
  monthly.renews = Period::month;
  ledger.create_budget("visits/study", BudgetKind::project, monthly, steward());
  BudgetTerms care;
  care.rule = pure("5");
  care.reserve = pure("1");
  care.purpose = "weekly beds per ward";
  care.allows = {"count"};
  ledger.create_budget("visits/care", BudgetKind::purpose, care, steward());
  ledger.create_budget("visits/old", BudgetKind::project, with(pure("1")), steward());
  ledger.grant("visits/study", pure("0.5"), steward());
  ledger.freeze("visits/study", steward());
  ledger.thaw("visits/study", steward());
  ledger.revoke("visits/old", {"Ada", "it has ended", "minutes of May"});
  ledger.review("visits/study", *made.now + 400 * Time{86400}, steward());
}

inline void release_things(Made& made) {
  Ledger& ledger = *made.ledger;
  const StoredAnswer wrong = pay(ledger, laplace("visits/study", "0.1", "beds"), std::string("4\0002", 3));
  pay(ledger, laplace("visits/study", "0.2", "a long answer"), std::string(70'000, 'x'));
  { const auto unused = ledger.reserve(laplace("visits/study", "0.1", "not used")); }
  { std::get<Ticket>(ledger.reserve(laplace("visits/study", "0.1", "lost"))).open(); }
  ledger.reserve(laplace("visits/care", "0.1", "beds"));  // shared
  Request corrected = laplace("visits/care", "0.3", "beds, corrected");
  corrected.correction = Correction{wrong.release.id, "a ward was left out"};
  pay(ledger, corrected);
  *made.now += 40 * Time{86400};
  pay(ledger, laplace("visits/study", "0.1", "in the next month"));
}

inline void change_the_world(Made& made) {
  Ledger& ledger = *made.ledger;
  Request changed = laplace("visits/study", "0.1", "of a file that changed");
  changed.source = "visits.csv 2";
  try {
    ledger.reserve(changed);
  } catch (const Error&) {  // refused, as recorded
  }
  ledger.declare_version("visits", "2", "visits.csv 2", false, steward());
  const auto dearer = [](const Price& price, const accounting::FilterRule& rule, accounting::Neighbours neighbours) {
    return times(cost_of(price, rule, neighbours), 2);
  };
  ledger.reprice("2", true, steward(), dearer);
  ledger.declare_version("visits", "3", "visits.csv 3", true, steward());
  pay(ledger, laplace("visits/study", "0.1", "afresh"), "");
  ledger.set_anchor(made.folder.file("anchor.head"), steward());
  const SignedHead head = ledger.head();
  ledger.restore(head, steward());
  const SignedHead beyond = sign_head(made.key, ledger.id(), {head.head.number + 100, sha256("lost records")});
  ledger.restore(beyond, steward());
  ledger.grant("visits", pure("3"), steward());
  ledger.grant("visits/care", pure("2"), steward());
  pay(ledger, laplace("visits/care", "0.25", "after the gap"));
}

inline void do_everything(Made& made) {
  create_budgets(made);
  release_things(made);
  change_the_world(made);
}

// The kinds of the records of a ledger.
inline std::set<std::string> kinds_in(Ledger& ledger) {
  std::set<std::string> kinds;
  ledger.records(1, [&](const Record& record) {
    constexpr std::string_view kStart = R"({"kind":")";
    kinds.insert(record.body.substr(kStart.size(), record.body.find('"', kStart.size()) - kStart.size()));
    return true;
  });
  return kinds;
}

}  // namespace dither::ledger::check
