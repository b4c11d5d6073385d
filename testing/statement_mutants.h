// Bugs of the path of statements.
#pragma once

#include <vector>

#include "audit/attack.h"
#include "audit/sql_subject.h"

namespace dither::testing {

// Mutants of the path that this statement takes, with its price as it was:
//   plans     a unit's totals are not cut, or its keys not limited; rows are counted for units; rows of nobody count as
//             somebody's; values count four times; orders stand for the people who placed them; rows of one person are
//             joined with those of others; each part of a union has limits of its own; a key is shown from sixteen
//             units fewer on; a second part uses the noise of the first
//   answers   see testing/answer_mutants.h
std::vector<audit::Subject> statement_mutants_of(const audit::Attack& attack, const audit::SqlSubject& statement);

}  // namespace dither::testing
