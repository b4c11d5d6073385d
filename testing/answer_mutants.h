// Bugs of whole answers.
#pragma once

#include <vector>

#include "audit/attack.h"
#include "audit/sql_subject.h"

namespace dither::testing {

// A mutant of each of the statements that are attacked by whole answers: rows stand in the order of true sums, or are
// chosen by true counts; a key without rows is left out, or has no number; a number has no noise; an interval is that
// of the true value; a note, the cost, or an error tells of rows that are there. Of statements that
// are free: a sum over no rows is NULL, values make the run fail although nothing of them is shown, keys come and go.
std::vector<audit::Subject> answer_mutants_of(const audit::Attack& attack, const audit::SqlSubject& statement);

}  // namespace dither::testing
