// What is attacked, with a mistake in it: attacks that do not find these prove nothing.
#pragma once

#include <vector>

#include "audit/attack.h"

namespace dither::testing {

// Mutants of what an attack is made on: the bugs of path_mutants.h, and behind them one that every subject of its kind
// has, with the promise as it was.
//   view         neighbours are twice as far apart: a bound that is not kept, noise for half of what moves. Four times
//                where the promise is twice what the neighbours show, or bits are looked at; nine where many small
//                charges add up and runs are few
//   statement    what one unit does, six do (sixteen for unknown keys; two hundred for whole answers, where runs are
//                few); where a size is public, in one of the two databases alone
//   step         a map of half the distances; of a map to 0 a function that moves
//   finite       the noise is half as wide: every probability squared
//   law          one draw in sixteen is replaced by the first outcome that is looked at
std::vector<audit::Subject> mutants_of(const audit::Attack& attack);

}  // namespace dither::testing
