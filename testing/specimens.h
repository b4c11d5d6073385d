// What is checked of every step of a catalogue alike.
#pragma once

#include "calculus/makers.h"

namespace dither::testing {

// How close the search must come to the map.
enum class Tight { at_one, somewhere, no };

// Fails the running test unless the step keeps its map and domain (check_stability), is as tight as it says, is monotone
// in its distance, and comes back from its recipe: JSON to recipe to step, with the same recipe, ends and map at d = 0, 1,
// 3 and 10^6.
void expect_sound(const calculus::AnyTransformation& step, const calculus::Makers& makers, Tight tight = Tight::at_one);

// The map at d = 0, 1, 3 and 10^6 is factor * d, exactly.
void expect_factor(const calculus::AnyTransformation& step, const calculus::Metric& to, const Rational& factor);

}  // namespace dither::testing
