// The one-run audit of a whole trade-off curve, after Mahloujifar, Melis and Chaudhuri (2024).
#pragma once

#include <functional>

#include "audit/one_run.h"

namespace dither::audit {

// A claimed trade-off curve, read this way: outputs that come with a canary in with probability x come without it with
// probability least(x) at least. Grows from 0 to 1 and lies below x; for Gaussian noise it is Phi(Phi^-1(x) - mu).
using LeastOther = std::function<double(double probability)>;
LeastOther gaussian_least_other(double mu);

// Whether so many right guesses refute the claim with confidence 1 - false_alarm.
//
// How        were they as likely as the false alarm, the masses of right and of wrong guesses that come with each
//            smaller number of right ones would follow, step by step, and exceed all guesses there are. The guesses
//            number is fixed in advance; every canary has its fair coin. Within 1e-9 of the edge nothing is refuted.
// Refuses    what one_run.h refuses.
// Cost       one call of `least` for each right guess at most.
// Spec       T-39.
bool one_run_refutes(const OneRunGuesses& guesses, const LeastOther& least, double false_alarm);

// ASSUMES Gaussian noise (gaussian_audit.h says what that means): the largest epsilon at `delta` of which the Gaussian
// curve through (epsilon, delta) is refuted; 0 when none. Rounded down by 1e-6 at most. Refuses delta outside (0, 1).
double epsilon_lower_bound_one_run_if_gaussian(const OneRunGuesses& guesses, double delta, double false_alarm);

}  // namespace dither::audit
