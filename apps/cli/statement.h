// What an ethics board is told about a budget.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/budget_output.h"
#include "cli/page.h"
#include "cli/release_output.h"
#include "ledger/hindsight.h"

namespace dither::cli {

// What the limits come to when the budget renews (P-33).
struct Accumulation {
  std::optional<accounting::FilterRule> so_far;   // of all periods begun; none where promises do not add up
  std::optional<accounting::FilterRule> at_most;  // until it expires, or in one more year
  std::uint64_t to_come = 0;                      // periods until then
};

struct Statement {
  BudgetView view;
  std::vector<BudgetView> tree;
  Events events;
  Rules rules;
  ledger::SignedHead head;
  std::string ledger_id;
  Rational delta;
  ledger::AttackOdds odds{};
  std::optional<Accumulation> accumulation;
  std::optional<ledger::AttackOdds> odds_so_far;  // after all periods that have begun
};

// One state of the ledger. Refuses a rule that promises a curve where --delta does not say where to read it
// (bad-argument), and a ledger that changes again and again meanwhile (ledger-busy).
Statement statement_of(ledger::Ledger& ledger, const std::string& path, const Given& given);

Page statement_page(const Statement& statement);
std::string statement_json(const Statement& statement);

}  // namespace dither::cli
