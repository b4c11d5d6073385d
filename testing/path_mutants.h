// Bugs of single paths, as somebody might write them there: the attack on the claim must find each.
#pragma once

#include <vector>

#include "audit/attack.h"

namespace dither::testing {

// Mutants of the very path that this attack is made on, with the promise as it was, unless a price is the bug.
//   statements   see testing/statement_mutants.h
//   noise        one draw for all coordinates; noise in doubles; a threshold lower by one
//   tables       a clamp ten times as wide; no sample where the price is that of one
//   the rest     in view_mutants.h
std::vector<audit::Subject> path_mutants_of(const audit::Attack& attack);

}  // namespace dither::testing
