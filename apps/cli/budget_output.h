// Budgets for people and for programs, never an amount without its measure.
#pragma once

#include <string>
#include <vector>

#include "ledger/headroom.h"
#include "ledger/ledger.h"
#include "show/json.h"

namespace dither::cli {

// A budget as the next charge finds it, with its data set and all budgets above it.
struct BudgetView {
  ledger::Dataset dataset;
  ledger::Budget budget;
  std::vector<ledger::Budget> line;  // from this one upward
  ledger::Time now = 0;
};
BudgetView view_of(ledger::Ledger& ledger, const std::string& path);
// All, or the one of this path and those below it.
std::vector<BudgetView> views_of(ledger::Ledger& ledger, const std::string& path);

// Exact decimals by name: {"epsilon": "1.5", "delta": "0"}.
show::Json amounts_json(const ledger::Shown& amounts);
// "epsilon 1.5"; a delta of 0 is left out where there is more to say. Of Renyi orders the one that counts most.
std::string spent_text(const accounting::FilterRule& rule, const accounting::Spent& sums);
std::string left_text(const accounting::FilterRule& rule, const accounting::Spent& sums);
std::string limit_text(const accounting::FilterRule& rule);

// "one person more or less".
std::string neighbours_in_words(const ledger::Dataset& dataset);
// "40%", rounded up to a whole percent.
std::string percent(double share);
// Ten marks and the percentage.
std::string share_bar(double share);

// What the steward should know: 80% spent, a review that is overdue, a changed source, a purpose that says nothing.
std::vector<std::string> warnings_of(const BudgetView& view);

// The members budget, kind, unit, neighbours, version, rule, limit, spent, left, lifetime and all that is declared.
show::Json budget_json(const BudgetView& view);

}  // namespace dither::cli
