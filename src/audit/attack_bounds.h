// From how often an attack guesses right to an epsilon, and what a guarantee allows.
#pragma once

#include <cstdint>

namespace dither::audit {

// The game: a fair coin says whether the record is in, the attacker sees one fresh run and guesses. Its accuracy is the
// mean of true positive and true negative rate, its advantage 2 accuracy - 1. What (epsilon, delta) allows:
// accounting::attack_accuracy_up, (e^epsilon + delta) / (1 + e^epsilon), and membership_advantage_up. Both are
// attained.
// Refuses    accuracies, advantages and deltas outside [0, 1] (bad-probability), a negative epsilon (out-of-range).
// Spec       T-33.

// The loose bound of Yeom and others on the advantage, e^epsilon - 1 and at most 1: to compare with older work.
double loose_advantage_up(double epsilon);

// No smaller epsilon allows this accuracy at `delta`: log((accuracy - delta) / (1 - accuracy)), rounded down, not
// below 0.
double epsilon_of_accuracy_down(double accuracy, double delta);
// No smaller one allows this advantage: log((1 + advantage - 2 delta) / (1 - advantage)).
double epsilon_of_advantage_down(double advantage, double delta);

// epsilon at `delta` is at least this, with confidence 1 - false_alarm, when so many of so many guesses in this game
// were right. Every round has its own coin and its own run; the rule was fixed before. Refuses more right guesses than
// guesses (bad-count), a false alarm outside (0, 1) (bad-probability). The bound of lower_bound.h uses the two kinds of
// errors apart and is higher where they differ.
double epsilon_lower_bound_of_guesses(std::int64_t right, std::int64_t guesses, double delta, double false_alarm);

}  // namespace dither::audit
