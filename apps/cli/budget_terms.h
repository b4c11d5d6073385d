// Budgets as options describe them: the rule with its limits, and what else a budget is made with.
#pragma once

#include <span>

#include "accounting/filter_rule.h"
#include "cli/arguments.h"
#include "ledger/budget.h"

namespace dither::cli {

// --epsilon, --delta, --slack, --rho, --mu, --mu-squared, --renyi-orders, --limits: the amounts of a rule.
std::span<const Option> amount_options();
// --renews, --expires, --review, --reserve, --purpose, --allows.
std::span<const Option> terms_options();

// The rule that the amounts given make, exactly as typed; there is no default.
//
//   --epsilon E                              pure          --rho R [--delta D]                    zcdp
//   --epsilon E --delta D                    basic         --mu M, or --mu-squared M              gdp
//   --epsilon E --slack S [--delta D]        advanced      --renyi-orders O,.. --limits L,.. [--delta D]   renyi-all
//                                                          --renyi-orders O,.. --epsilon E --delta D       renyi-any
//
// Refuses    amounts that make no rule, or make two (bad-argument); negative ones (out-of-range); text that is no number
//            (bad-number).
accounting::FilterRule read_rule(const Given& given);

// Amounts in the measure of a rule that is there: the limits of a budget below it, or of a grant. What is not given is
// nothing; bad-argument when nothing is given, or what the rule does not count.
accounting::FilterRule read_limits(const Given& given, const accounting::FilterRule& like);

// All terms, with this rule.
ledger::BudgetTerms read_terms(const Given& given, const accounting::FilterRule& rule);

}  // namespace dither::cli
