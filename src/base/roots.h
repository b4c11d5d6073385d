// Root finding that says which side is safe.
#pragma once

#include <functional>

namespace dither {

// Two adjacent doubles between which a condition turns from false to true. Both were tried: it fails at `fails` and
// holds at `holds`, whatever else is true of it. fails < holds when the condition turns on going up.
struct Turn {
  double fails;
  double holds;
};

// Finds where a monotone condition turns between two points, given in either order.
//
// Promise    the condition was evaluated false at `fails` and true at `holds`, which are adjacent doubles. A condition
//            that is not monotone gives one of its turns.
// Refuses    points that are NaN or equal, a condition that holds at `fails` or does not hold at `holds` (bad-bracket).
// Cost       at most 66 evaluations: halves the number of doubles in between, so it is as quick at 1e-300 as at 1.
Turn find_turn(const std::function<bool(double)>& condition, double fails, double holds);

// Finds where a monotone function reaches a target from below: the condition is f(x) >= target.
//
// Promise    as find_turn: f(fails) < target <= f(holds), adjacent doubles. To be safe when f itself is rounded, give
//            the f that is rounded to the safe side.
// Refuses    as find_turn, and a function that returns NaN (bad-number).
// Cost       about 10 evaluations for smooth functions, never more than 200: a secant step, one of twice its length
//            to the far side of the root, and a halving whenever both gained less than that.
Turn find_root(const std::function<double(double)>& f, double target, double fails, double holds);

}  // namespace dither
