// Budgets as the project file declares them, beside those of a ledger.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "ledger/ledger.h"
#include "plan/project.h"

namespace dither::session::detail {

// All of them, as a ledger would hold them before the first charge, each behind those above it. Budgets that others lie
// below are projects, the rest analysts'.
std::vector<ledger::Budget> declared_budgets(const plan::Project& project);

// Refuse (budget-differs) what a ledger holds otherwise than the file says; also a ledger that is about other data sets
// alone, because under a new name everything could be spent once more.
void require_same_dataset(const plan::Project& project, const std::vector<ledger::Dataset>& datasets);
void require_same_limits(const plan::Project& project, const ledger::Budget& declared, const ledger::Budget& held);

// What is said of tables in memory with another fingerprint than the ledger has (bad-source).
Error other_content(const plan::Project& project, const ledger::Dataset& dataset);

// What is said where the ledger has one that an earlier build noted: whether the content is the same cannot be known.
Error content_of_earlier_build(const plan::Project& project, const ledger::Dataset& dataset);

// Creates in a ledger what is declared and missing; the data set with this fingerprint of its source ("": none).
void create_missing(ledger::Ledger& ledger, const plan::Project& project, const std::string& source,
                    const ledger::Decision& decision);

}  // namespace dither::session::detail
