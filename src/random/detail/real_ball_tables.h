// Constants and series coefficients of the fixed-width first stage, computed once from certified intervals.
#pragma once

#include <vector>

#include "base/rational.h"
#include "random/detail/real_ball.h"

namespace dither::random::detail {

// Coefficients as fractions, less than one unit low, and as many of them (an even number) as make the rest
// smaller than a unit.
template <int N>
struct Series {
  std::vector<Limbs<N>> coefficients;
  int terms = 0;
};

template <int N>
struct Tables {
  Ball<N> log_two;
  Ball<N> inverse_log_two;
  Ball<N> half_pi;
  Limbs<N> log_two_fraction{};
  Series<N> atanh;   // 1 / (2 (2j + 1)):  atanh(s) / 2s   in s^2 < 0.03
  Series<N> exp;     // 1 / (2 j!):        exp(f) / 2      in f < 0.7
  Series<N> sine;    // 1 / (2 (2j + 1)!): sin(h) / 2h     in h^2 < 0.62, alternating
  Series<N> cosine;  // 1 / (2 (2j)!):     cos(h) / 2      in h^2 < 0.62, alternating
};

// Made on first use.
template <int N>
const Tables<N>& tables();

// floor(value * 2^(64 N)) for 0 <= value < 1.
template <int N>
Limbs<N> fraction_limbs(const Rational& value);

}  // namespace dither::random::detail
