// What a plan asks a ledger for.
#pragma once

#include <string>

#include "ledger/ledger.h"
#include "plan/project.h"
#include "session/priced_plan.h"
#include "session/session.h"

namespace dither::session {

// What makes two plans the same question: what is computed exactly, of what it is declared to be, and the noise of
// every part. What a statement does with the released numbers plays no part.
ledger::Question question_of(const plan::Project& project, const PricedPlan& plan);

// What kind of numbers a plan releases: "count", "sum", "mean", "variance", "deviation"; several in this order with "+"
// between. For purposes that allow only some.
std::string statistic_of(const PricedPlan& plan);

// The request for a plan, to be charged to the budget at `path` under this rule.
ledger::Request request_for(const plan::Project& project, const PricedPlan& plan, const Ask& ask,
                            const std::string& path, const accounting::FilterRule& rule);

}  // namespace dither::session
