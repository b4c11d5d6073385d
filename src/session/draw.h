// From exact numbers to noisy ones: the one place where both meet.
#pragma once

#include "engine/exact_numbers.h"
#include "session/priced_plan.h"
#include "session/released.h"

namespace dither::session {

// Draws the noise of a plan, once.
//
// Public keys, or none: every part is one release over all keys, so keys that no row has get noise like all others
// (hole 15). Private keys: first the choice of keys, from their numbers of units, some thousand keys at a time: the rule decides
// about each key by itself, so all of it has the law of one release. The parts are then released for the
// keys that were chosen: given the choice each is a function of the data that moves no further than over all keys.
// Where a part decides the choice, its noisy numbers are those that decided. A part without noise does not move between
// neighbours, and is given as it is.
//
// Holds if   the plan was charged.
// Memory     that of what is released, and of some thousand keys.
// Refuses    exact numbers that are not those of the plan, private keys that do not ascend: run-failed.
// Spec       W-76, D-23; hole 15.
Released draw(const PricedPlan& plan, const engine::ExactNumbers& exact);

}  // namespace dither::session
