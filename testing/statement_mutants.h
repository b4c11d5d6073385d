// Bugs of the path of statements.
#pragma once

#include <vector>

#include "audit/attack.h"
#include "audit/sql_subject.h"

namespace dither::testing {

// Mutants of the path that this statement takes, with its price as it was:
//   tables    rows of nobody count as those of many, or of one person more; rows are read up to some place in a file
//   plans     a unit's totals are not cut, or its keys not limited, or one more of them kept; rows are counted for
//             units; rows are left out where their number is public; values count four times; each of several numbers
//             spends the whole price; orders and bills stand for the people whose they are; rows of one person are
//             joined with those of others; each part of a union has limits of its own; a key is shown from one unit, or
//             sixteen, fewer on; a second part uses the noise of the first
//   columns   noise is added to a sum in doubles
//   answers   see testing/answer_mutants.h
std::vector<audit::Subject> statement_mutants_of(const audit::Attack& attack, const audit::SqlSubject& statement);

}  // namespace dither::testing
