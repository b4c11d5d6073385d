// Zero-concentrated DP: sums of rho, and what they mean as (epsilon, delta).
#pragma once

#include "base/rational.h"

namespace dither::accounting {

// rho-zCDP: E exp(t Z) <= exp(t (t + 1) rho) for all t >= 0, in both directions. Sums of rho are exact rationals
// only the conversions below are real functions, rounded to the side in their name.
//
// Refuses    NaN and infinities (bad-number), negative numbers (out-of-range), delta outside [0, 1] (bad-probability).
// Cost       under 1 us.

// rho of Gaussian noise whose mu = sensitivity / sigma has this square: mu^2 / 2.
Rational zcdp_of_gaussian(const Rational& squared_mu);
// rho of an epsilon-DP mechanism: epsilon^2 / 2. Of one whose loss has range eta: eta^2 / 8 (A-48, B-11).
Rational zcdp_of_pure(const Rational& epsilon);
Rational zcdp_of_bounded_range(const Rational& eta);

// The epsilon that goes with delta: the infimum over t > 0 of rho (t+1) + (ln(1/delta) - ln(1+t)) / t - ln(1 + 1/t).
// Every t gives a valid bound, so the search need not be exact. Infinite when delta = 0 < rho; never negative.
double zcdp_epsilon_up(double rho, double delta);
// The delta that goes with epsilon, by the same bound.
double zcdp_delta_up(double rho, double epsilon);
// The largest rho for which that bound gives (epsilon, delta): zcdp_epsilon_up there is at most epsilon. Infinite when
// delta = 1.
double zcdp_rho_down(double epsilon, double delta);

// The readable forms epsilon = rho + 2 sqrt(rho ln(1/delta)) and its inverse, never better.
double zcdp_epsilon_simple_up(double rho, double delta);
double zcdp_rho_simple_down(double epsilon, double delta);

}  // namespace dither::accounting
