// What is attacked, with a mistake in it: attacks that do not find these prove nothing.
#pragma once

#include <vector>

#include "audit/attack.h"

namespace dither::testing {

// Mutants of what an attack is made on, each of that very path and with the promise as it was. At least one.
//   view         neighbours are three times as far apart (nine, where many small charges add up): a bound that is not
//                kept, noise for a third of what moves
//   statement    what one unit does, eight do (two hundred, where runs are few)
//   step         a map of half the distances; of a map to 0 a function that moves
//   finite       the noise is half as wide: every probability squared
//   law          one draw in sixteen is replaced by the first outcome that is looked at
std::vector<audit::Subject> mutants_of(const audit::Attack& attack);

}  // namespace dither::testing
